import os
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from arena.errors import RecordError
from arena.executors import Executor, LocalWorkers
from arena.isolation import children_of
from arena.records import Game, ShootStep, Termination
from arena.replay import replay
from arena.rules import preset
from arena.store import Store, Tournament

Play = Callable[..., Store]
MakeTournament = Callable[..., Tournament]

FIELD = ("uniform_random", "hunt_target", "hunt_parity")


def untimed(game: Game) -> Game:
    """Return a game without what the clock told."""
    steps = tuple(msgspec.structs.replace(step, charge_s=0) for step in game.steps)
    return msgspec.structs.replace(game, steps=steps)


def played(store: Store, tournament: Tournament) -> list[Game]:
    return list(map(untimed, store.games(tournament.name)))


@pytest.fixture
def undisturbed(play: Play, make_tournament: MakeTournament) -> list[Game]:
    """Return the games of a tournament that was played in one go."""
    cup = make_tournament(*FIELD)
    return played(play("undisturbed.sqlite3", cup, 24, 60), cup)


@pytest.mark.parametrize("executor", [LocalWorkers(1), LocalWorkers(2)], ids=["one", "two"])
def test_any_number_of_workers_plays_the_same_games(
    play: Play, make_tournament: MakeTournament, undisturbed: list[Game], executor: Executor
) -> None:
    cup = make_tournament(*FIELD)
    assert played(play("other.sqlite3", cup, 24, 60, executor=executor), cup) == undisturbed
    assert len(undisturbed) == 3 * 24 + 3 * 60


def test_order_in_which_bots_are_named_changes_nothing(
    play: Play, make_tournament: MakeTournament, undisturbed: list[Game]
) -> None:
    cup = make_tournament(*FIELD[::-1])
    assert played(play("other.sqlite3", cup, 24, 60), cup) == undisturbed


@pytest.mark.parametrize("blocks", [1, 4, 8])
def test_run_that_is_interrupted_goes_on_to_the_same_games(
    play: Play, make_tournament: MakeTournament, undisturbed: list[Game], blocks: int
) -> None:
    cup = make_tournament(*FIELD)
    calls = []

    def interrupt(done: int, wanted: int) -> None:
        calls.append((done, wanted))
        if len(calls) > blocks:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play("cut.sqlite3", cup, 24, 60, executor=LocalWorkers(2), progress=interrupt)
    done, wanted = calls[-1]
    assert 0 < done < wanted == len(undisturbed)
    calls.clear()
    again = play("cut.sqlite3", cup, 24, 60, progress=lambda *call: calls.append(call))
    assert calls[0] == (done, wanted)
    assert calls[-1] == (wanted, wanted)
    assert played(again, cup) == undisturbed


def test_asking_for_more_plays_the_rest_and_comes_to_the_same(
    play: Play, make_tournament: MakeTournament, undisturbed: list[Game]
) -> None:
    cup = make_tournament(*FIELD)
    play("grown.sqlite3", cup, 6, 10)
    play("grown.sqlite3", cup, 22, 10)
    assert played(play("grown.sqlite3", cup, 24, 60), cup) == undisturbed


def test_asking_for_less_plays_nothing_and_loses_nothing(
    play: Play, make_tournament: MakeTournament
) -> None:
    cup = make_tournament(*FIELD[:2])
    before = list(play("kept.sqlite3", cup, 24).games(cup.name))
    calls: list[tuple[int, int]] = []
    again = play("kept.sqlite3", cup, 4, progress=lambda *call: calls.append(call))
    assert calls == [(4, 4)]
    assert list(again.games(cup.name)) == before


def test_every_game_of_the_record_replays_through_the_rules_to_its_result_and_tallies(
    play: Play, make_tournament: MakeTournament
) -> None:
    for rules in ("salvo", "classic"):
        cup = make_tournament(*FIELD, rules=preset(rules))
        games = list(play("cup.sqlite3", cup, 4, 3).games(cup.name))
        assert len(games) == 3 * 4 + 3 * 3
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
        make_tournament(*FIELD[:2]),
        make_tournament(*FIELD, seed=2),
        make_tournament(*FIELD, gauntlet="hunt_parity"),
        make_tournament(*FIELD[:2], f"other={FIELD[2]}"),
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
        play("cup.sqlite3", make_tournament(*FIELD), 24, 60, executor=LocalWorkers(2))
    assert children_of(os.getpid()) == before


DYING = """#!/usr/bin/env python3
import os, pathlib
from arena import Bot, run

class Dying(Bot):
    shots = 0
    def choose_shots(self, count):
        self.shots += 1
        lives = pathlib.Path(__file__).parent.parent / "lives"
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
        bot = tmp_path / "bots" / "dying.py"  # its lives are none of its own files
        bot.parent.mkdir()
        bot.write_text(DYING, encoding="utf-8")
        (tmp_path / "lives").write_text(str(times), encoding="utf-8")
        return str(bot)

    return write


def test_bot_that_is_killed_once_in_a_block_leaves_no_trace(
    play: Play, make_tournament: MakeTournament, dying: Callable[[int], str]
) -> None:
    cup = make_tournament("hunt_target", dying(1))
    disturbed = played(play("killed.sqlite3", cup, 20, executor=LocalWorkers(1)), cup)
    assert played(play("unhurt.sqlite3", cup, 20), cup) == disturbed
    assert {game.termination for game in disturbed} == {Termination.SUNK}


def test_bot_that_is_killed_in_the_replay_too_forfeits_that_game(
    play: Play, make_tournament: MakeTournament, dying: Callable[[int], str]
) -> None:
    cup = make_tournament("hunt_target", dying(2))
    games = played(play("killed.sqlite3", cup, 20), cup)
    [forfeited] = [game for game in games if game.forfeit]
    assert forfeited.termination is Termination.EXITED
    assert "SIGKILL" in forfeited.reason
    loser = forfeited.fixture.first if forfeited.forfeit == "first" else forfeited.fixture.second
    assert loser == "dying"


PEEKING = """
import random
from arena import Bot, run
from arena.rules import draw, view

class Peeking(Bot):
    states = []
    def game_begins(self):
        if not self.states or self.seat == self.first_seat:
            self.first_seat = self.seat
            self.states.append(self.random.getstate())
            self.known = self.random.getstate()
        else:
            self.known = self.states.pop(0)
    def choose_shots(self, count):
        told = random.Random()
        told.setstate(self.known)
        ships = draw(self.rules, told)
        cells = [cell for cell in self.untried if sum(ships) >> cell & 1]
        return (cells + [cell for cell in self.untried if cell not in cells])[:count]

run(Peeking)
"""


def test_nobody_knows_in_its_second_game_what_its_opponent_draws(
    play: Play, make_tournament: MakeTournament, tmp_path: Path
) -> None:
    (tmp_path / "peeking.py").write_text(PEEKING, encoding="utf-8")
    bots = ("uniform_random", str(tmp_path / "peeking.py"))
    cup = make_tournament(*bots, rules=preset("salvo"))
    games = played(play("cup.sqlite3", cup, 20), cup)
    tallies = [game.tallies[game.fixture.first != "peeking"] for game in games]
    # Whoever knows where the ships lie needs four salvos of five shots at the most.
    assert all(tally.turns > 4 for tally in tallies if tally.hits == 17)
