"""Bots that say that what they need from outside is not available."""

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from arena.entrants import Entrant, parse_entrant
from arena.executors import LocalWorkers
from arena.isolation import Choice, Level
from arena.records import Game, Termination
from arena.store import Store, Tournament
from arena.tournament import PutOff, make_plan, run, waiting
from arena.tournament.outages import OUTAGES_BEFORE_FORFEIT

MakeTournament = Callable[..., Tournament]

ASKS_OUTSIDE = """
from pathlib import Path
from arena import Bot, Unavailable, run

DOWN = Path({down!r})

class Asks(Bot):
    games = 0

    def game_begins(self):
        self.games += 1

    def choose_shots(self, count):
        if self.games > {after} and DOWN.exists():
            if {heals}:
                DOWN.unlink()
            raise Unavailable("the provider\\033[2J answered 503 " + "!" * 1000)
        return self.untried[:count]

run(Asks)
"""


@pytest.fixture
def down(tmp_path: Path) -> Path:
    """Return a file: while it exists, the provider is down."""
    path = tmp_path / "down"
    path.touch()
    return path


@pytest.fixture
def asks(tmp_path: Path, down: Path) -> Callable[..., Entrant]:
    """Return a function that makes a bot that asks a provider, granted the network if so told."""

    def make(
        name: str = "asks", *, after: int = 0, heals: bool = False, granted: bool = True
    ) -> Entrant:
        file = tmp_path / f"{name}.py"
        file.write_text(ASKS_OUTSIDE.format(down=str(down), after=after, heals=heals))
        bot = parse_entrant(str(file), {})
        network = ("api.example.org:443",) if granted else ()
        return replace(bot, program=replace(bot.program, network=network))

    return make


@pytest.fixture
def with_bot(make_tournament: MakeTournament) -> Callable[..., Tournament]:
    def make(
        *bots: Entrant, others: Sequence[str] = ("hunt_target", "uniform_random")
    ) -> Tournament:
        cup = make_tournament(*others)
        return replace(cup, name="cup", entrants=(*cup.entrants, *bots))

    return make


def play(
    file: Path, cup: Tournament, games: int = 4, layouts: int = 0, *, workers: int = 1
) -> list[PutOff]:
    """Play what is missing as a command does: on workers, in a record that is opened anew."""
    names = waiting(cup.entrants)
    executor = LocalWorkers(workers, waits=lambda block: not names.isdisjoint(block.entrants))
    with Store(file, create=True) as store:
        return run(
            cup,
            make_plan(replace(cup, kind="tournament"), games=games, layouts=layouts),
            executor=executor,
            isolation=Choice(Level.NONE, ()),
            store=store,
            progress=lambda _done, _wanted: None,
        )


def games_of(file: Path, cup: Tournament) -> list[Game]:
    with Store(file, create=False) as store:
        return [
            replace(game, steps=tuple(msgspec.structs.replace(s, charge_s=0) for s in game.steps))
            for game in store.games(cup.name)
        ]


def test_waiting_are_those_with_the_network(
    with_bot: Callable[..., Tournament], asks: Callable[..., Entrant]
) -> None:
    cup = with_bot(asks(), asks("other", granted=False))
    assert waiting(cup.entrants) == {"asks"}


def test_outage_puts_off_the_games_of_one_bot_and_no_others(
    with_bot: Callable[..., Tournament], asks: Callable[..., Entrant], down: Path, tmp_path: Path
) -> None:
    cup = with_bot(asks())
    left = play(tmp_path / "cup", cup)
    assert {one.entrants for one in left} == {("asks", "hunt_target"), ("asks", "uniform_random")}
    assert {one.entrant for one in left} == {"asks"}
    assert left[0].reason.startswith("says that it cannot go on: the provider\\x1b[2J answered 503")
    played = games_of(tmp_path / "cup", cup)
    assert len(played) == 4
    assert all("asks" not in game.fixture.seats.values() for game in played)
    down.unlink()
    assert play(tmp_path / "cup", cup) == []
    assert len(games_of(tmp_path / "cup", cup)) == 3 * 4


def test_finished_games_stand_and_the_void_one_is_played_on_other_seeds(
    with_bot: Callable[..., Tournament], asks: Callable[..., Entrant], down: Path, tmp_path: Path
) -> None:
    cup = with_bot(asks(after=3), others=["hunt_target"])
    assert play(tmp_path / "cup", cup, 10)
    down.unlink()
    assert play(tmp_path / "cup", cup, 10) == []
    assert play(tmp_path / "undisturbed", cup, 10) == []
    was, is_ = games_of(tmp_path / "undisturbed", cup), games_of(tmp_path / "cup", cup)
    assert len(was) == len(is_) == 10
    again = [other.fixture for one, other in zip(was, is_, strict=True) if one != other]
    assert all(game.attempt > 0 for game in again)
    assert sum(game.attempt for game in again) == 2  # it was tried once more in that run
    for game in again:
        seeds = cup.seeds.of_game(game.first, game.second, game.pair, game.attempt)
        assert game.seeds == seeds
    with Store(tmp_path / "cup", create=False) as store:
        assert all(void.outage and void.entrant == "asks" for void in store.voids("cup"))


def test_outage_that_is_over_is_played_in_the_same_run(
    with_bot: Callable[..., Tournament], asks: Callable[..., Entrant], tmp_path: Path
) -> None:
    cup = with_bot(asks(heals=True))
    assert play(tmp_path / "cup", cup) == []
    games = games_of(tmp_path / "cup", cup)
    assert len(games) == 3 * 4
    assert sum(game.fixture.attempt for game in games) == 1


def test_outage_ends_in_forfeits_however_often_the_run_begins_anew(
    with_bot: Callable[..., Tournament], asks: Callable[..., Entrant], tmp_path: Path
) -> None:
    cup = with_bot(asks(), others=["hunt_target"])
    runs = 1
    while play(tmp_path / "cup", cup, 4, 4, workers=2):
        runs += 1
        assert runs <= OUTAGES_BEFORE_FORFEIT
    with Store(tmp_path / "cup", create=False) as store:
        assert len(store.outages("cup")) == OUTAGES_BEFORE_FORFEIT
        assert len(store.voids("cup")) == OUTAGES_BEFORE_FORFEIT
    lost = [game for game in games_of(tmp_path / "cup", cup) if game.forfeit is not None]
    assert len(lost) == 4 + 4
    assert all(game.fixture.seats[game.forfeit] == "asks" for game in lost if game.forfeit)
    assert {game.termination for game in lost} == {Termination.UNAVAILABLE, Termination.BARRED}


@pytest.mark.long("each outage waits for another try")
def test_bots_that_both_say_it_come_to_an_end_as_well(
    with_bot: Callable[..., Tournament], asks: Callable[..., Entrant], tmp_path: Path
) -> None:
    cup = with_bot(asks(), asks("other"))
    for _ in range(2 * OUTAGES_BEFORE_FORFEIT):
        if not play(tmp_path / "cup", cup, 2):
            break
    assert len(games_of(tmp_path / "cup", cup)) == 6 * 2


def test_bot_without_the_network_may_not_say_it(
    with_bot: Callable[..., Tournament], asks: Callable[..., Entrant], tmp_path: Path
) -> None:
    cup = with_bot(asks(granted=False))
    assert play(tmp_path / "cup", cup, 2) == []
    lost = [game for game in games_of(tmp_path / "cup", cup) if game.forfeit is not None]
    assert {game.termination for game in lost} == {Termination.MALFORMED}
    assert "only a bot that was granted the network may say" in lost[0].reason


def test_any_number_of_workers_plays_the_same_games_beside(
    with_bot: Callable[..., Tournament],
    asks: Callable[..., Entrant],
    down: Path,
    tmp_path: Path,
) -> None:
    down.unlink()
    cup, alone = with_bot(asks()), with_bot(asks(granted=False))
    assert play(tmp_path / "alone", alone, 2, 2) == []
    for workers in (1, 2):
        file = tmp_path / f"beside {workers}"
        assert play(file, cup, 2, 2, workers=workers) == []
        assert games_of(file, alone) == games_of(tmp_path / "alone", alone)
