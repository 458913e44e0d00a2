"""Who takes part, by how each bot introduces itself: no bot is started."""

from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import pytest

from arena.entrants import Entrant, Terms
from arena.errors import BotError
from arena.isolation import Level, Program
from arena.player import Fault, Unsure
from arena.protocol import Introduction
from arena.records import Termination
from arena.rules import preset
from salvo.bundled import bundled_bots
from salvo.playing import entering
from salvo.playing.entering import MOST_ASKED, Entered, NobodyStartsError, enter

PLAYS = Introduction(protocol=1, name="", default_field=True)
ELSEWHERE = Introduction(protocol=1, name="")
PLAYS_NOT = Introduction(protocol=1, name="", plays=False, default_field=True)
CONDITIONS: Any = SimpleNamespace(
    rules=preset("salvo"),
    terms=Terms(),
    isolation=SimpleNamespace(level=Level.NONE),
    settings=None,
    logs=None,
)


def broke(reason: str = "it broke") -> Fault:
    return Fault(Termination.EXITED, reason)


def unsure() -> Unsure:
    return Unsure(Termination.EXITED, "it was killed")


Outcomes = dict[str, list[Introduction | Fault]]


class Field:
    """Stands in for the processes of bots, by name: what they answer, start by start."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.outcomes: Outcomes = {}
        self.started: list[str] = []
        self.told: list[str] = []
        self.files: dict[str, tuple[str, ...]] = {}
        monkeypatch.setattr(entering, "compile_imports", lambda: None)
        monkeypatch.setattr(entering, "default_field", lambda: [*self.outcomes])
        monkeypatch.setattr(entering, "entrants_of", self._entrants_of)
        monkeypatch.setattr(entering, "copied", self._copied)
        monkeypatch.setattr(entering, "connect", lambda bot, *_: bot)
        monkeypatch.setattr(entering, "introduce_all", self._introduce_all)

    def enter(self, outcomes: Outcomes, *bots: str, gauntlet: str | None = None) -> Entered:
        self.outcomes = outcomes
        return enter(bots, CONDITIONS, self.told.append, gauntlet=gauntlet)

    def _entrants_of(self, bots: Iterable[str], _: Terms) -> list[Entrant]:
        return [Entrant(bot, Program((), "", self.files.get(bot, ())), "") for bot in bots]

    def _copied(self, entrants: Iterable[Entrant], _: Level) -> Any:  # noqa: ANN401
        return nullcontext(SimpleNamespace(bots={one.name: one.name for one in entrants}))

    def _introduce_all(self, bots: Iterable[str], _: int) -> Iterator[Introduction | Fault]:
        for bot in bots:
            self.started.append(bot)
            yield self.outcomes[bot].pop(0)


@pytest.fixture
def field(monkeypatch: pytest.MonkeyPatch) -> Field:
    return Field(monkeypatch)


def names(entered: Entered) -> list[str]:
    return [entrant.name for entrant in entered.entrants]


def test_bot_that_does_not_play_is_left_out_and_one_that_breaks_is_not(field: Field) -> None:
    entered = field.enter({"a": [PLAYS], "b": [PLAYS_NOT], "c": [broke()]}, "a", "b", "c")
    assert (names(entered), entered.left_out, entered.challenger) == (["a", "c"], ["b"], None)
    assert field.told == ["c: it broke", "b does not play salvo and is left out"]


def test_bot_of_which_something_else_may_have_broken_the_start_is_started_once_more(
    field: Field,
) -> None:
    outcomes: Outcomes = {
        "a": [unsure(), PLAYS_NOT],
        "b": [unsure(), unsure(), PLAYS_NOT],
        "c": [unsure(), broke(), PLAYS_NOT],
        "d": [broke(), PLAYS_NOT],
    }
    entered = field.enter(outcomes, "a", "b", "c", "d")
    assert (names(entered), entered.left_out) == (["b", "c", "d"], ["a"])
    assert sorted(field.started) == [*"aabbccd"]
    assert field.told == [
        "a: it was killed",
        "b: it was killed",
        "b: it was killed",
        "c: it was killed",
        "c: it broke",
        "d: it broke",
        "a does not play salvo and is left out",
    ]


@pytest.mark.parametrize(
    ("bots", "told"),
    [
        (["a"], "a does not play salvo; name others"),
        (["a", "b"], "a, b do not play salvo; name others"),
    ],
)
def test_nobody_who_plays_the_rules_is_an_error(field: Field, bots: list[str], told: str) -> None:
    with pytest.raises(BotError) as refused:
        field.enter({bot: [PLAYS_NOT] for bot in bots}, *bots)
    assert str(refused.value) == told


def test_nobody_who_starts_is_an_error_that_names_them(field: Field) -> None:
    with pytest.raises(NobodyStartsError) as refused:
        field.enter({"a": [broke()], "b": [broke()]}, "a", "b")
    assert refused.value.names == ("a", "b")


def test_default_field_is_of_those_who_say_so(field: Field) -> None:
    outcomes: Outcomes = {"a": [PLAYS], "b": [ELSEWHERE], "c": [broke()], "d": [PLAYS_NOT]}
    entered = field.enter(outcomes)
    assert (names(entered), entered.left_out) == (["a"], ["d"])


def test_bot_that_is_not_of_the_default_field_plays_where_it_is_named(field: Field) -> None:
    assert names(field.enter({"b": [ELSEWHERE]}, "b")) == ["b"]


@pytest.mark.parametrize("more", [0, 1])
def test_large_field_is_not_asked_beforehand(field: Field, more: int) -> None:
    bots = [f"bot-{number}" for number in range(MOST_ASKED + more)]
    entered = field.enter({bot: [PLAYS] for bot in bots}, *bots)
    assert names(entered) == bots
    assert field.started == ([] if more else bots)
    too_many = (
        "101 bots are too many to start each beforehand: one that does not play salvo is not left "
        "out, but forfeits its games"
    )
    assert field.told == [too_many] * more


def test_challenger_comes_first_and_may_be_named_among_the_others(field: Field) -> None:
    outcomes: Outcomes = {"a": [PLAYS], "b": [PLAYS, PLAYS], "c": [PLAYS_NOT]}
    entered = field.enter(outcomes, "a", "b", "c", gauntlet="b")
    assert (names(entered), entered.left_out, entered.challenger) == (["b", "a"], ["c"], "b")


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("exited with code 2: usage: it\nerror: no such option: -x", "no such option: -x; bots/"),
        ("exited with code 2: error: it has no options", "it has no options; leave them out"),
        ("exited with code 2: a", "exited with code 2: a; bots/README.md lists its options"),
    ],
)
def test_wrong_option_of_a_bundled_bot_is_refused(field: Field, reason: str, told: str) -> None:
    fault = broke()
    fault.__cause__ = broke(reason)
    field.files["a"] = (str(bundled_bots()["hunt_target"].resolve()),)
    with pytest.raises(BotError) as refused:
        field.enter({"a": [fault]}, "a")
    assert f"bot 'a': {told}" in str(refused.value)
    field.files.clear()
    with pytest.raises(NobodyStartsError):
        field.enter({"a": [fault]}, "a")


@pytest.mark.parametrize("cause", [None, "exited with code 1: error: no", "error: no"])
def test_other_faults_of_a_bundled_bot_are_faults(field: Field, cause: str | None) -> None:
    fault = broke()
    fault.__cause__ = None if cause is None else broke(cause)
    field.files["a"] = (str(bundled_bots()["hunt_target"].resolve()),)
    assert names(field.enter({"a": [fault], "b": [PLAYS]}, "a", "b")) == ["a", "b"]


def test_notes_on_what_a_bot_needs_are_told(field: Field, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        entering, "needs_of", lambda entrant, level: [f"{entrant.name} {level}", "more"]
    )
    field.enter({"a": [PLAYS], "b": [PLAYS_NOT]}, "a", "b")
    assert field.told == ["a none", "more", "b does not play salvo and is left out"]
