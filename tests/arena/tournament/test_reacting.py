"""A tournament whose schedule reacts to results: it ends when one bot leads by enough."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import pytest
from msgspec import Struct
from msgspec.structs import replace

from arena.executors import LocalWorkers, ThisProcess
from arena.records import Block, BlockKey, Game, Outcome
from arena.schedule import WAIT, Plan, Wait
from arena.seeds import Seeds
from arena.store import Store, Tournament
from arena.tournament import make_plan

Play = Callable[..., Store]

AHEAD = 2
LEAD = 12


class UntilLead(Struct, frozen=True):
    """The blocks of a plan, until a bot leads by so many games as of two blocks before."""

    plan: Plan
    reacts = True

    @property
    def seeds(self) -> Seeds:
        return self.plan.seeds

    @property
    def most_games(self) -> int:
        return self.plan.most_games

    def games_in(self, played: Mapping[BlockKey, int]) -> int:
        return self.plan.games_in(played)

    def block(
        self, position: int, results: Sequence[Sequence[Outcome]]
    ) -> Block | Literal[Wait.WAIT] | None:
        needed = max(0, position - AHEAD)
        if len(results) < needed:
            return WAIT
        lead = 0
        for block in results[:needed]:
            for game in block:
                winner = game.first if game.result == "first" else game.second
                lead += 1 if winner == self.plan.pairings[0][0] else -1
            if abs(lead) >= LEAD:
                return None
        return self.plan.block(position)


def untimed(store: Store, tournament: Tournament) -> list[Game]:
    return [
        replace(game, steps=tuple(replace(step, charge_s=0) for step in game.steps))
        for game in store.games(tournament.name)
    ]


def test_same_games_are_played_at_any_number_of_workers_and_after_an_interruption(
    play: Play, make_tournament: Callable[..., Tournament]
) -> None:
    cup = make_tournament("hunt_target", "uniform_random")
    schedule = UntilLead(make_plan(cup, games=400, layouts=0))
    alone = untimed(play("alone.sqlite3", cup, schedule=schedule, executor=ThisProcess()), cup)
    assert 40 < len(alone) < 400
    for workers in (1, 2):
        executor = LocalWorkers(workers)
        played = play(f"{workers}.sqlite3", cup, schedule=schedule, executor=executor)
        assert untimed(played, cup) == alone

    def interrupt(done: int, _most: int) -> None:
        if done >= 40:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play("stopped.sqlite3", cup, schedule=schedule, executor=executor, progress=interrupt)
    resumed = play("stopped.sqlite3", cup, schedule=schedule, executor=executor)
    assert untimed(resumed, cup) == alone
