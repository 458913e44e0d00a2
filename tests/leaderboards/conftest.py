"""Tables of games that several tests share."""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
import pytest

GameRow = tuple[str, str, str, int]


@pytest.fixture(scope="session")
def games_of() -> Callable[[Sequence[GameRow]], pd.DataFrame]:
    """Rows of first seat, second seat, result and pair, as a table of games."""

    def table(rows: Sequence[GameRow]) -> pd.DataFrame:
        games = pd.DataFrame(list(rows), columns=["first", "second", "result", "pair"])
        return games.assign(forfeit=None, termination="sunk")

    return table


@pytest.fixture(scope="session")
def league(
    games_of: Callable[[Sequence[GameRow]], pd.DataFrame],
) -> Callable[..., pd.DataFrame]:
    """Simulated games of bots with known ratings."""

    def play(
        elo: dict[str, float],
        pairs: int,
        *,
        first_seat: float = 30,
        draws: float = 0,
        seed: int = 1,
    ) -> pd.DataFrame:
        generator = np.random.default_rng(seed)
        rows: list[GameRow] = []
        names = sorted(elo)
        for place, one in enumerate(names):
            for other in names[place + 1 :]:
                for pair in range(pairs):
                    for first, second in ((one, other), (other, one)):
                        lead = (elo[first] - elo[second] + first_seat) * np.log(10) / 400
                        odds = np.array([np.exp(lead / 2), draws, np.exp(-lead / 2)])
                        result = generator.choice(3, p=odds / odds.sum())
                        rows.append((first, second, ("first", "draw", "second")[result], pair))
        return games_of(rows)

    return play


@pytest.fixture(scope="session")
def searches() -> Callable[..., pd.DataFrame]:
    """Simulated solo games on layouts that are the same for all bots."""

    def search(bots: Sequence[str], layouts: int = 40, seed: int = 1) -> pd.DataFrame:
        generator = np.random.default_rng(seed)
        hardness = generator.normal(0, 7, layouts)
        rows = [
            (bot, layout, shots, shots, 17, False)
            for place, bot in enumerate(bots)
            for layout, shots in enumerate(
                np.clip(45 + 3 * place + hardness + generator.normal(0, 3, layouts), 17, 100)
                .astype(int)
                .tolist()
            )
        ]
        columns = ["bot", "layout", "turns", "shots", "hits", "forfeit"]
        return pd.DataFrame(rows, columns=columns)

    return search
