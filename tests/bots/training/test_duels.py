"""Games side by side are games by the rules."""

from collections.abc import Callable
from random import Random

import numpy as np
import pytest

from arena import Bot
from arena.environments import BotSeat
from arena.rules import Seat, cells_of, draw, preset
from bots.tactics.learned.placement_network import Evidence, Floats
from bots.training.duels import Duel, NetworkSeat, play, salvos

RULES = preset("salvo")


def by_number(known: Evidence) -> Floats:
    """Prefer cells of low numbers."""
    cells = known.hit.shape[1]
    return np.tile(np.arange(cells, 0, -1, dtype=np.float32), (len(known.hit), 1))


def seat(seed: int) -> NetworkSeat:
    return NetworkSeat(RULES, draw(RULES, Random(seed)))


def test_a_salvo_is_chosen_as_if_those_before_had_missed() -> None:
    seen: list[list[int]] = []

    def look(known: Evidence) -> Floats:
        seen.append(known.missed.sum(axis=1).tolist())
        return by_number(known)

    known = Evidence.joined([Evidence.none(100, 5), Evidence.none(100, 5)])
    assert salvos(look, known, np.array([3, 1])) == [[0, 1, 2], [0]]
    assert seen == [[0, 0], [1], [2]]
    assert not known.missed.any()


@pytest.mark.parametrize("own", ["first", "second"])
def test_a_game_against_an_earlier_self_is_played_to_its_end(own: Seat) -> None:
    game = Duel(RULES, own, seat(1), seat(2))
    play([game], by_number, lambda known: by_number(known)[:, ::-1])
    assert game.turn is None
    assert game.won == (game.margin > 0)
    assert len(game.lessons) > 5
    # What was known before the first salvo is not what is known at the end.
    assert not game.lessons[0].missed.any()
    fired = game.own.known.missed | game.own.known.hit
    assert fired.sum() >= 17
    if game.won:
        assert sorted(np.flatnonzero(game.own.known.hit)) == sorted(
            cell for mask in game.opponents_ships() for cell in cells_of(mask)
        )


def test_games_end_alike_alone_and_side_by_side() -> None:
    ends = []
    for together in (True, False):
        games = [Duel(RULES, "first", seat(n), seat(n + 9)) for n in range(4)]
        for some in [games] if together else [[game] for game in games]:
            play(some, by_number, by_number)
        ends.append([(game.won, game.margin, len(game.lessons)) for game in games])
    assert ends[0] == ends[1]


def test_a_bot_plays_in_the_other_seat(load_bot: Callable[[str], type[Bot]]) -> None:
    bot = BotSeat(load_bot("hunt_target"), RULES)
    games = []
    for number, own in enumerate(("first", "second")):
        bot.begin("second" if own == "first" else "first", number)
        games.append(Duel(RULES, own, seat(number), bot))  # type: ignore[arg-type] # a seat
        play(games[-1:], by_number, by_number)
    assert not any(game.won for game in games)
    assert all(game.margin < 0 for game in games)
    bot.close()


class Failing(Bot):
    """Fails at its second salvo."""

    def choose_shots(self, count: int) -> list[int]:
        """Shoot once."""
        if self.shot:
            raise RuntimeError
        return self.untried[:count]


def test_a_bot_that_fails_has_lost() -> None:
    bot = BotSeat(Failing, RULES)
    bot.begin("second", 1)
    game = Duel(RULES, "first", seat(1), bot)
    with pytest.warns(UserWarning, match="forfeits"):
        play([game], by_number, by_number)
    assert game.won
    bot.close()


def test_the_longest_ship_comes_first() -> None:
    game = Duel(RULES, "first", seat(1), seat(2))
    assert [mask.bit_count() for mask in game.opponents_ships()] == [5, 4, 3, 3, 2]
