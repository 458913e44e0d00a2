"""Writes the games of small fields as they are told: one sign for the points of each game."""

from collections.abc import Mapping

import pandas as pd

RESULTS = {"+": "first", "-": "second", "=": "draw", "F": "first", "f": "second"}
TURNED = str.maketrans("+-Ff", "-+fF")

SWAPS = {"ada bo": "+-+++-=+", "bo cy": "+++-+-++", "ada cy": "+++F+-++"}
LIFTED = {
    "friend helper": "++" * 20,
    "ada bo": "+-" * 20,
    "ada friend": "++" * 19 + "-+",
    "bo friend": "++" * 18 + "-+" * 2,
    "helper ada": "++" * 10 + "+-" * 10,
    "helper bo": "++" * 11 + "-+" * 9,
}


def games(met: Mapping[str, str], *, a_block: int | None = None) -> pd.DataFrame:
    """Return the games of every two bots, told by the points of the first of the two.

    Of two games in turn the first is played in the first seat. `+` is won, `-` lost and `=` drawn;
    `F` is won since the other forfeited, `f` lost by forfeit.
    """
    rows = []
    for two, told in met.items():
        one, other = two.split(" ")
        for number, point in enumerate(told):
            seats = (one, other) if number % 2 == 0 else (other, one)
            seen = point if number % 2 == 0 else point.translate(TURNED)
            forfeit = {"F": "second", "f": "first"}.get(seen)
            rows.append((*seats, RESULTS[seen], forfeit, number // 2))
    columns = ["first", "second", "result", "forfeit", "pair"]
    table = pd.DataFrame(rows, columns=columns)
    return table if a_block is None else table.assign(block=table["pair"] // a_block)


def ladder(number: int, pairs: int) -> dict[str, str]:
    """Return games of bots of which each is a little better than the next, in both seats alike."""
    names = ["ada", "bo", "cy", "dot", "eli", "fay", "gus", "hal"][:number]
    met = {}
    for place, one in enumerate(names):
        for below, other in enumerate(names[place + 1 :], 1):
            won = round(pairs * (0.5 + 0.06 * below))
            met[f"{one} {other}"] = "++" * won + "-+" + "--" * (pairs - won)
    return met
