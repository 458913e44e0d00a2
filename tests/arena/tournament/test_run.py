import os
import runpy
import statistics
from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace

from arena.errors import BotError, RecordError
from arena.executors import LocalWorkers
from arena.isolation import Choice, Level, children_of
from arena.records import Game, Settings, ShootStep, Termination
from arena.replay import replay
from arena.rules import preset
from arena.seeds import Seeds
from arena.store import Store, Tournament

Play = Callable[..., Store]
MakeTournament = Callable[..., Tournament]

FIELD = ("uniform_random", "hunt_target", "hunt_parity")
PAIR = FIELD[:2]
GAMES, LAYOUTS = 24, 4
"""Two blocks of the pairing, and one of each bot alone."""


def untimed(game: Game) -> Game:
    """Return a game without what the clock told."""
    steps = tuple(msgspec.structs.replace(step, charge_s=0) for step in game.steps)
    return msgspec.structs.replace(game, steps=steps)


def played(store: Store, tournament: Tournament) -> list[Game]:
    return list(map(untimed, store.games(tournament.name)))


@pytest.fixture(scope="module")
def undisturbed(play_once: Play, make_tournament: MakeTournament) -> list[Game]:
    """Return the games of a tournament that was played in one go."""
    cup = make_tournament(*PAIR)
    return played(play_once("undisturbed.sqlite3", cup, GAMES, LAYOUTS), cup)


def test_several_workers_play_the_same_games(
    play: Play, make_tournament: MakeTournament, undisturbed: list[Game]
) -> None:
    cup = make_tournament(*PAIR)
    store = play("other.sqlite3", cup, GAMES, LAYOUTS, executor=LocalWorkers(2))
    assert played(store, cup) == undisturbed
    assert len(undisturbed) == GAMES + 2 * LAYOUTS


@pytest.mark.parametrize(
    ("kind", "older"), [("solo", "salvo-dfa4b1"), ("tournament", "salvo-2156ce")]
)
def test_name_says_whether_layouts_are_common(
    make_tournament: MakeTournament, kind: str, older: str
) -> None:
    given = {"kind": kind, "rules": preset("salvo"), "entrants": ()}
    assert make_tournament(common_layouts=True, **given).name == older
    assert make_tournament(**given).name != older


def test_match_has_the_name_that_it_had_before_layouts_were_ones_own(
    make_tournament: MakeTournament,
) -> None:
    assert make_tournament(kind="match", rules=preset("salvo"), entrants=()).name == "salvo-d9fbf4"


def test_order_in_which_bots_are_named_changes_nothing(
    play: Play, make_tournament: MakeTournament, undisturbed: list[Game]
) -> None:
    cup = make_tournament(*PAIR[::-1])
    assert played(play("other.sqlite3", cup, GAMES, LAYOUTS), cup) == undisturbed


@pytest.mark.parametrize("blocks", [1, 3])
def test_run_that_is_interrupted_goes_on_to_the_same_games(
    play: Play, make_tournament: MakeTournament, undisturbed: list[Game], blocks: int
) -> None:
    cup = make_tournament(*PAIR)
    calls = []

    def interrupt(done: int, wanted: int) -> None:
        calls.append((done, wanted))
        if len(calls) > blocks:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play("cut.sqlite3", cup, GAMES, LAYOUTS, executor=LocalWorkers(2), progress=interrupt)
    done, wanted = calls[-1]
    assert 0 < done < wanted == len(undisturbed)
    calls.clear()
    again = play("cut.sqlite3", cup, GAMES, LAYOUTS, progress=lambda *call: calls.append(call))
    assert calls[0] == (done, wanted)
    assert calls[-1] == (wanted, wanted)
    assert played(again, cup) == undisturbed


def test_asking_for_more_plays_the_rest_and_comes_to_the_same(
    play: Play, make_tournament: MakeTournament, undisturbed: list[Game]
) -> None:
    cup = make_tournament(*PAIR)
    play("grown.sqlite3", cup, 6, 2)
    play("grown.sqlite3", cup, 22, 2)
    assert played(play("grown.sqlite3", cup, GAMES, LAYOUTS), cup) == undisturbed


def test_asking_for_less_plays_nothing_and_loses_nothing(
    play: Play, make_tournament: MakeTournament
) -> None:
    cup = make_tournament(*PAIR)
    before = list(play("kept.sqlite3", cup, 24).games(cup.name))
    calls: list[tuple[int, int]] = []
    again = play("kept.sqlite3", cup, 4, progress=lambda *call: calls.append(call))
    assert calls == [(4, 4)]
    assert list(again.games(cup.name)) == before


def test_every_game_of_the_record_replays_through_the_rules_to_its_result_and_tallies(
    play: Play, make_tournament: MakeTournament
) -> None:
    for rules in ("salvo", "classic"):
        cup = make_tournament(*PAIR, rules=preset(rules))
        games = list(play("cup.sqlite3", cup, 6, 3).games(cup.name))
        assert len(games) == 6 + 2 * 3
        for game in games:
            states = list(replay(game, cup.rules))
            assert states[-1].result == game.result
            for seat, tally in zip(("first", "second"), game.tallies, strict=True):
                salvos = [
                    state.salvo
                    for state, step in zip(states[1:], game.steps, strict=True)
                    if isinstance(step, ShootStep) and step.seat == seat and state.salvo
                ]
                assert tally.turns == len(salvos)
                assert tally.shots == sum(len(salvo.cells) for salvo in salvos)
                assert tally.hits == sum(len(salvo.report.hits) for salvo in salvos)


def test_gauntlet_lets_the_challenger_meet_all_others_and_these_not_each_other(
    play: Play, make_tournament: MakeTournament
) -> None:
    cup = make_tournament(*FIELD, gauntlet="hunt_target")
    games = play("cup.sqlite3", cup, 2, 1).games(cup.name)
    met = {frozenset([game.fixture.first, game.fixture.second]) for game in games}
    assert met - {frozenset([bot, None]) for bot in FIELD} == {
        frozenset(["hunt_target", "uniform_random"]),
        frozenset(["hunt_target", "hunt_parity"]),
    }


def test_solo_is_played_alone(play: Play, make_tournament: MakeTournament) -> None:
    cup = make_tournament(*FIELD, kind="solo")
    games = list(play("cup.sqlite3", cup, 24, 5).games(cup.name))
    assert len(games) == 15
    assert all(game.fixture.second is None for game in games)


def test_name_depends_on_what_the_games_depend_on_and_on_nothing_else(
    make_tournament: MakeTournament,
) -> None:
    name = make_tournament(*FIELD).name
    assert name.startswith("mini-")
    assert make_tournament(*FIELD[::-1]).name == name
    others = [
        make_tournament(*PAIR),
        make_tournament(*FIELD, seed="2"),
        make_tournament(*FIELD, gauntlet="hunt_parity"),
        make_tournament(*PAIR, f"other={FIELD[2]}"),
    ]
    assert len({name, *(other.name for other in others)}) == 5


def test_error_of_the_record_ends_the_workers(
    play: Play, make_tournament: MakeTournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RecordError("the disk is full")

    before = children_of(os.getpid())
    monkeypatch.setattr(Store, "add", fail)
    with pytest.raises(RecordError):
        play("cup.sqlite3", make_tournament(*PAIR), GAMES, LAYOUTS, executor=LocalWorkers(2))
    assert children_of(os.getpid()) == before


DYING = """#!/usr/bin/env python3
import os, pathlib
from arena import Bot, run

class Dying(Bot):
    shots = 0
    def choose_shots(self, count):
        self.shots += 1
        lives = pathlib.Path({lives!r})
        left = int(lives.read_text())
        if self.shots == 30 and left:
            lives.write_text(str(left - 1))
            os.kill(os.getpid(), 9)
        return self.untried[:count]

run(Dying)
"""


@pytest.fixture
def dying(tmp_path: Path) -> Callable[[int], str]:
    """Return a function that writes a bot which is killed in its first processes."""

    def write(times: int) -> str:
        bot, lives = tmp_path / "dying.py", str(tmp_path / "lives")  # not among its own files
        bot.write_text(DYING.format(lives=lives), encoding="utf-8")
        (tmp_path / "lives").write_text(str(times), encoding="utf-8")
        return str(bot)

    return write


def test_innocent_bot_that_is_killed_twice_in_a_block_loses_nothing_by_it(
    play: Play, make_tournament: MakeTournament, dying: Callable[[int], str]
) -> None:
    cup = make_tournament("hunt_target", dying(2))
    store = play("killed.sqlite3", cup, 20, executor=LocalWorkers(1))
    disturbed = played(store, cup)
    assert {game.termination for game in disturbed} == {Termination.SUNK}
    unhurt = played(play("unhurt.sqlite3", cup, 20), cup)
    again = [void.game for void in store.voids(cup.name)]
    assert len(again) == 2
    assert [game for game in disturbed if game.fixture.id not in again] == [
        game for game in unhurt if game.fixture.id not in again
    ]


def test_record_says_whose_process_ended_and_the_game_is_played_on_other_seeds(
    play: Play, make_tournament: MakeTournament, dying: Callable[[int], str]
) -> None:
    cup = make_tournament("hunt_target", dying(1))
    store = play("killed.sqlite3", cup, 20)
    [void] = store.voids(cup.name)
    assert (void.entrant, void.attempt) == ("dying", 0)
    assert "SIGKILL" in void.reason
    [game] = [game for game in played(store, cup) if game.fixture.id == void.game]
    first, second, pair = game.fixture.first, game.fixture.second, game.fixture.pair
    seeds = Seeds(int(cup.seed), cup.rules)
    assert game.fixture.attempt == 1
    assert game.fixture.seeds == seeds.of_game(first, second, pair, 1)
    assert game.fixture.seeds != seeds.of_game(first, second, pair)


def test_bot_that_is_killed_a_third_time_in_a_block_forfeits_that_game(
    play: Play, make_tournament: MakeTournament, dying: Callable[[int], str]
) -> None:
    cup = make_tournament("hunt_target", dying(3))
    games = played(play("killed.sqlite3", cup, 20), cup)
    [forfeited] = [game for game in games if game.forfeit]
    assert forfeited.termination is Termination.EXITED
    assert "SIGKILL" in forfeited.reason
    loser = forfeited.fixture.first if forfeited.forfeit == "first" else forfeited.fixture.second
    assert loser == "dying"


INVERTER = Path(__file__).with_name("seed_inverter.py")


def test_bot_that_could_read_the_record_does_not_play(
    play: Play, make_tournament: MakeTournament, tmp_path: Path
) -> None:
    entrants = make_tournament(*FIELD).entrants
    readers = (
        replace(entrant, program=replace(entrant.program, grants=(str(tmp_path),)))
        for entrant in entrants
    )
    cup = make_tournament(*FIELD, entrants=tuple(readers))
    walled = Choice(Level.LITE, ())
    with pytest.raises(BotError, match=r"could read it, since it may read .*--db"):
        play("cup.sqlite3", cup, 2, isolation=walled)
    with Store(tmp_path / "cup.sqlite3", create=False) as store:
        assert not store.tournament_names()


def test_seed_inverter_finds_the_other_seat_where_seeds_are_those_of_a_seed_sequence() -> None:
    invert = runpy.run_path(str(INVERTER))["seeds_of_other_seat"]
    words = [3141592653, *range(1, 9)]
    for index in range(3):
        one, other = (
            int(np.random.SeedSequence([*words, index, seat]).generate_state(1, np.uint64)[0]) >> 11
            for seat in (0, 1)
        )
        assert other in invert(one, 0, 11)
        assert one in invert(other, 1, 11)


@pytest.mark.long("a bot that searches millions of seeds")
def test_seed_inverter_is_no_better_than_hunt_target(
    play: Play, make_tournament: MakeTournament
) -> None:
    unhurried = Settings(move_s=60, game_s=600)  # it draws 2,048 layouts before its first shot
    cup = make_tournament(
        *("hunt_target", str(INVERTER)),
        rules=preset("salvo"),
        settings=unhurried,
        common_layouts=True,
    )
    store = play("cup.sqlite3", cup, 60, 60, executor=LocalWorkers(2))
    turns: dict[str, list[int]] = {"hunt_target": [], "seed_inverter": []}
    won = 0
    for game in played(store, cup):
        assert game.forfeit is None
        if game.fixture.second is None:
            turns[game.fixture.first].append(game.tallies[0].turns)
        else:
            winner = game.fixture.first if game.result == "first" else game.fixture.second
            won += winner == "seed_inverter"
    assert won <= 30
    assert statistics.fmean(turns["seed_inverter"]) >= statistics.fmean(turns["hunt_target"])
