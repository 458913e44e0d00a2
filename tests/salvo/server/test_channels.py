"""What is on the air to the tenth of a second, and how it is sent to those who watch."""

import asyncio

import pytest

from salvo.server.web import channels, live_stream
from salvo.server.web.channels import Channel, Channels, OnAir, Progress, Stage
from salvo.server.web.live_stream import Airing, LiveStream
from tests.salvo.server.conftest import Clock


class Games:
    """Games by their ids, and when it was looked for them."""

    def __init__(self, clock: Clock, **known: Progress) -> None:
        self.clock, self.known = clock, known
        self.looked: list[float] = []

    def names(self) -> list[str]:
        self.looked.append(self.clock.now - 1000)
        return list(self.known)

    def channel(self) -> Channel:
        return Channel(self.names, self.known.get)


@pytest.mark.parametrize(
    ("progress", "at_s", "salvo_s"),
    [
        (Progress(10, "in play", 4.0), 9.0, 1.0),  # it takes as long as can be followed
        (Progress(10, "in play", 3.9), 0.0, 0.4),
        (Progress(3, "in play", 0.0), 0.0, 0.4),
        (Progress(2, "in play", 0.0), 0.0, 1.0),  # hardly ahead of what is shown
        (Progress(10, "over", 4.0), 0.0, 1.0),
        (Progress(60, "over"), 0.0, 1.0),
        (Progress(120, "over"), 0.0, 0.5),  # a minute in all
    ],
)
def test_game_begins_where_and_as_fast_as_it_can_be_followed(
    clock: Clock, progress: Progress, at_s: float, salvo_s: float
) -> None:
    now = Games(clock, a=progress).channel().now()
    assert now == OnAir("a", at_s, salvo_s, progress.stage, progress.salvos)


def test_channel_of_its_own_speed_shows_a_game_in_no_longer_than_it_says(clock: Clock) -> None:
    for salvos, stage, salvo_s in (
        (1, "over", 0.25),
        (2, "over", 0.125),
        (9, "in play", 0.25),
        (1, "in play", 0.25),
    ):
        games = Games(clock, a=Progress(salvos, "over" if stage == "over" else "in play"))
        channel = Channel(games.names, games.known.get, salvo_s=0.25, longest_s=0.25)
        now = channel.now()
        assert now is not None
        assert now.salvo_s == salvo_s


def test_nothing_is_on_the_air_before_the_first_salvo_of_a_game(clock: Clock) -> None:
    games = Games(clock, a=Progress(0, "in play"))
    channel = games.channel()
    assert channel.now() is None
    games.known |= {"a": Progress(1, "in play", 9.0), "b": Progress(1, "over")}
    clock.now += 0.5
    assert channel.now() is None  # it was looked just now
    clock.now += 0.5
    assert channel.now() == OnAir("a", 0.0, 1.0, "in play", 1)
    assert games.looked == [0.0, 1.0]


def test_game_that_is_over_makes_way_after_a_pause_for_one_not_shown_yet(clock: Clock) -> None:
    games = Games(clock, a=Progress(10, "over"))
    channel = games.channel()
    for after_s in (0.0, 3.0, 14.0, 14.5, 15.25):
        clock.now = 1000 + after_s
        assert channel.now() == OnAir("a", after_s, 1.0, "over", 10)
    assert games.looked == [0.0, 14.5]
    games.known["b"] = Progress(5, "over")
    clock.now = 1015.5
    assert channel.now() == OnAir("b", 0.0, 1.0, "over", 5)
    clock.now = 1025.0
    assert channel.now() == OnAir("b", 9.5, 1.0, "over", 5)  # both were shown


def test_game_in_play_waits_for_its_next_salvo_and_makes_way_once_it_was_quiet(
    clock: Clock,
) -> None:
    games = Games(clock, a=Progress(7, "in play", 30.0))
    channel = games.channel()
    assert channel.now() == OnAir("a", 6.0, 1.0, "in play", 7)
    clock.now += 20
    assert channel.now() == OnAir("a", 7.0, 1.0, "in play", 7)
    games.known["a"] = Progress(8, "in play", 50.0)
    clock.now += 20
    assert channel.now() == OnAir("a", 7.0, 1.0, "in play", 8)
    games.known["b"] = Progress(1, "over")
    clock.now += 60
    assert channel.now() == OnAir("a", 8.0, 1.0, "in play", 8)
    clock.now += 0.5
    assert channel.now() == OnAir("b", 0.0, 1.0, "over", 1)


def test_game_that_ends_far_ahead_of_what_is_shown_is_shown_to_its_end(clock: Clock) -> None:
    games = Games(clock, a=Progress(50, "in play", 1.0))
    channel = games.channel()
    channel.now()
    clock.now += 4.0
    games.known["a"] = Progress(90, "over")
    now = channel.now()
    assert now is not None
    assert (now.salvo_s, now.at_s) == (60 / 80, 10 * 60 / 80)  # ten were shown, eighty are left


def test_game_that_was_broken_off_is_shown_again_when_it_is_played_again(clock: Clock) -> None:
    games = Games(clock, a=Progress(3, "in play", 30.0))
    channel = games.channel()
    channel.now()
    del games.known["a"]
    clock.now += 1
    assert channel.now() == OnAir("a", 3.0, 1.0, "gone", 3)
    games.known["a"] = Progress(1, "in play", 1.0)
    clock.now += 4
    assert channel.now() == OnAir("a", 7.0, 1.0, "gone", 3)
    clock.now += 0.5
    assert channel.now() == OnAir("a", 0.0, 1.0, "in play", 1)


def test_channels_that_were_watched_last_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channels, "_CHANNELS", 2)
    kept, made = Channels(), []

    def make() -> Channel:
        made.append(Channel(list, {}.get))
        return made[-1]

    a, b, again, c = (kept.get(name, make) for name in "abac")
    assert (again, len(made)) == (a, 3)
    assert kept.get("a", make) is a
    assert kept.get("c", make) is c
    assert kept.get("b", make) is not b


def airing(game: str, *salvos: str, stage: Stage = "in play") -> Airing:
    return Airing(OnAir(game, 1.5, 0.25, stage, len(salvos)), list(salvos))


NEXT = "event: next\ndata: {}\n\n"


def event(begins: int, salvos: str) -> str:
    return f'data: {{"from":{begins},"at_s":1.500,"salvo_s":0.250,"salvos":[{salvos}]}}\n\n'


@pytest.mark.parametrize(
    ("place", "read", "told"),
    [
        (0, [airing("a", "1", "2"), airing("b")], [event(0, "1,2"), NEXT]),
        (
            1,
            [airing("a", "1", "2"), airing("a", "1", "2", "3"), airing("a", "1", stage="over")],
            [event(1, "2"), event(2, "3"), NEXT],
        ),
        (
            2,
            [airing("a", "1", "2"), airing("a", "1", "2", "3"), airing("b")],
            [event(2, "3"), NEXT],
        ),
        (3, [airing("a", "1", "2")], [NEXT]),  # it is played anew
        (0, [None, airing("b", "1")], [NEXT]),
    ],
)
def test_salvos_are_sent_after_those_that_one_has_until_another_game_is_on(
    monkeypatch: pytest.MonkeyPatch, place: int, read: list[Airing | None], told: list[str]
) -> None:
    monkeypatch.setattr(live_stream, "_LOOK_S", 0.0)
    asked: list[str] = []

    def look(channel: str) -> Airing | None:
        asked.append(channel)
        return read.pop(0) if len(read) > 1 else read[0]

    async def watch() -> list[str]:
        stream = LiveStream(look)
        found = [part async for part in stream.of("bot=a", "a", place)]
        assert (stream._watchers, stream._found) == ({}, {})
        return found

    found = asyncio.run(asyncio.wait_for(watch(), 60))
    assert found == ["retry: 1000\n\n", *told]
    assert set(asked) == {"bot=a"}


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        (None, None, False),
        (None, airing("a"), True),
        (airing("a"), None, True),
        (airing("a", "1"), airing("a", "2"), False),
        (airing("a", "1"), airing("a", "1", "2"), True),
        (airing("a"), airing("b"), True),
        (airing("a"), airing("a", stage="over"), True),
    ],
)
def test_news_are_another_game_or_stage_or_more_salvos(
    one: Airing | None, other: Airing | None, *, differ: bool
) -> None:
    assert live_stream._differ(one, other) is differ


def test_channel_that_cannot_be_read_does_not_keep_others_from_being_read() -> None:
    def read(channel: str) -> Airing | None:
        if channel == "bad":
            raise ValueError
        return airing(channel)

    stream = LiveStream(read)
    assert stream._read_all(["bad", "good"]) == {"bad": None, "good": airing("good")}


def test_stream_ends_after_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_stream, "_STREAM_S", -1.0)

    async def watch() -> list[str]:
        return [part async for part in LiveStream(lambda _: None).of("", "a", 0)]

    assert asyncio.run(watch()) == ["retry: 1000\n\n"]
