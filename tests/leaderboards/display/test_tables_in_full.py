"""Leaderboards of small fields, word for word: a file that can be read and checked by hand."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from leaderboards import Ratings, mean_turns, rate
from leaderboards.display.explanations import elo_explanations
from leaderboards.display.formatted_tables import (
    Shown,
    leaderboard_csv,
    leaderboard_markdown,
    leaderboard_text,
    leaderboards_html,
    notes_markdown,
    notes_text,
    shown_leaderboard,
    table_csv,
    with_column,
)
from leaderboards.display.plain import elo_differences, plain_leaderboards, turns_differences
from leaderboards.turns.spread import spread_cells, spreads
from tests.golden import compare
from tests.leaderboards.told_games import LIFTED, SWAPS, games, ladder

GOLDEN = Path(__file__).parent / "tables_in_full.txt"
WELL_KNOWN = {
    "ada bo": "+--+" * 15 + "++" * 12,
    "bo cy": "++" * 14 + "-++-" * 9,
    "ada cy": "+-" * 4 + "-++" * 6,
}


def fields() -> dict[str, Ratings]:
    """Return small fields, rated."""
    return {
        "nobody": rate(pd.DataFrame()),
        "two bots, one of which drew once": rate(games({"ada bo": "+-++-=++++-+++++"})),
        "two bots, one of which won everything": rate(games({"ada bo": "++" * 15})),
        "two bots, rated again after a look": rate(games({"ada bo": "++-++=" * 6}), extended=True),
        "two bots that are equal": rate(games({"ada bo": "+--+" * 6})),
        "two bots, one game": rate(games({"ada bo": "+"})),
        "three bots that drew and forfeited": rate(games(SWAPS)),
        "the same, without forfeits": rate(games(SWAPS), count_forfeits=False),
        "the same, with bo at 1800": rate(games(SWAPS), anchor=("bo", 1800)),
        "the same, without a prior and in blocks of two pairs": rate(
            games(SWAPS, a_block=2), prior=None
        ),
        "the same, rated again after a look": rate(games(SWAPS), extended=True),
        "four bots of which one lost everything": rate(
            games({**WELL_KNOWN, "ada dot": "+" * 30, "bo dot": "+" * 30})
        ),
        "four bots of which two never met the others, without a prior": rate(
            games({"ada bo": "+-+-++", "cy dot": "+++"}), prior=None
        ),
        "two couples and an anchor that won everything": rate(
            games({"ada bo": "+-+-++=+", "cy dot": "++"}), anchor=("cy", 1600)
        ),
        "eight bots, each a little better than the next": rate(games(ladder(8, 20))),
        "a bot that another lets win": rate(games(LIFTED)),
    }


def searches(
    turns: Mapping[str, Iterable[int]], *, apart: bool = False, forfeits: int = 0
) -> pd.DataFrame:
    """Return solo games on the same layouts, or each bot's on its own."""
    rows = [
        (bot, number + (1000 * place if apart else 0), taken)
        for place, (bot, all_taken) in enumerate(turns.items())
        for number, taken in enumerate(all_taken)
    ]
    table = pd.DataFrame(rows, columns=["bot", "layout", "turns"])
    shots = (5 * table["turns"]).clip(upper=100)
    return table.assign(shots=shots, hits=17, forfeit=table.index < forfeits)


QUICK, MIDDLING = (9, 11, 10, 12, 9, 8, 13, 10, 11, 9), (12, 14, 12, 16, 13, 11, 15, 12, 15, 12)
SLOW = (13, 14, 11, 15, 14, 12, 16, 13, 14, 12)


def lucky(turns: Iterable[int], bot: str, *, cheats: bool = False) -> pd.DataFrame:
    """Return solo games in blocks of three, with luck and how far it speaks against chance."""
    table = searches({bot: [*turns] * 3})
    number = np.arange(len(table))
    luck = (table["turns"] - table["turns"].mean()) * (0.9 - 0.01 * (number % 4)) + number % 3 / 10
    return table.assign(
        layout=number,
        luck=luck,
        luck_shots=5 * luck,
        block=number // 3,
        log_e_small=0.6 if cheats else -0.005,
        log_e_large=1.2 if cheats else -0.1 + 0.1 * (number % 2),
    )


SOLO = {
    "nobody": pd.DataFrame(),
    "alone: one bot, one layout": searches({"ada": [17]}),
    "alone: one bot that forfeited once": searches({"ada": [20, *QUICK[1:]]}, forfeits=1),
    "alone: two bots on common layouts": searches({"ada": QUICK, "bo": MIDDLING}),
    "alone: two bots that are equal": searches({"bo": QUICK, "ada": QUICK[::-1]}, apart=True),
    "alone: three bots on layouts of their own": searches(
        {"ada": QUICK, "bo": MIDDLING, "cy": SLOW}, apart=True
    ),
    "alone: three bots on common layouts": searches({"ada": QUICK, "bo": MIDDLING, "cy": SLOW}),
    "alone: luck known, and one that knew layouts": pd.concat(
        [lucky(QUICK, "ada"), lucky(SLOW, "bo"), lucky(QUICK, "cy", cheats=True)]
    ),
}


def told() -> Iterator[str]:
    """Yield all that is said of every field; an explanation that stood before is cut short."""
    before: set[str] = set()

    def once(lines: Iterable[str]) -> Iterator[str]:
        for line in lines:
            yield f"{line[:40]}..." if line in before else line
            before.add(line)

    elo, turns = fields(), {what: mean_turns(solo) for what, solo in SOLO.items()}
    for what, board in (*elo.items(), *turns.items()):
        shown = shown_leaderboard(board)
        yield f"#### {what}"
        yield f"{leaderboard_text(shown)}\n"
        yield from once(shown.explanations)
    for what in [*elo][-5:-3]:
        yield f"#### as CSV, with differences and pairings: {what}"
        yield leaderboard_csv(elo[what])
        yield table_csv(elo_differences(elo[what]), elo=True)
        yield table_csv(elo[what].pairings, elo=True)
    for what in ("alone: one bot that forfeited once", [*SOLO][-1]):
        yield f"#### as CSV, with the spread of shots: {what}"
        yield leaderboard_csv(turns[what])
        for row in spread_cells(spreads(SOLO[what], turns[what]["bot"].tolist())):
            yield ", ".join(f"{head}: {cell}" for head, cell in row.items())
    for what in [*SOLO][1:]:
        yield f"#### differences as CSV: {what}"
        yield table_csv(turns_differences(turns[what], SOLO[what]), elo=False)
    yield "#### three bots with bo at 1800.04, and two bots alone, as data"
    solo = SOLO["alone: two bots on common layouts"]
    anchored = rate(games(SWAPS), anchor=("bo", 1800.04))
    plain = plain_leaderboards(anchored, mean_turns(solo), solo)
    plain["explanations"] = list(once(plain["explanations"]))
    for key, value in plain.items():
        yield f"{key}:"
        for one in value if isinstance(value, list) else [value]:
            yield f"  {json.dumps(one, allow_nan=False)}"


def shapes() -> Iterator[str]:
    """Yield two leaderboards in every shape that they have for a person to read."""
    cells = [{"#": "1", "bot": "ev|il\x1b[31m\n<b>*x*", "Elo": "1600"}]
    cells.append({"#": "2", "bot": "a_name_of_more_than_twenty", "Elo": "-"})
    one = Shown(["One & <two>."], cells, ["A note_d *."], ["How?", "Well explained: \x07."])
    one = with_column(one, "strikes", {"a_name_of_more_than_twenty": "2"})
    other = Shown([], [], ["Nobody played."], ["How?"])
    bare = Shown(["First.", "Second."], [{"bot": "ada"}], [], [])
    yield "#### text, and with explanations"
    for shown in (one, other, bare):
        yield f"{leaderboard_text(shown)}\n"
        yield f"{leaderboard_text(shown, explain=True)}\n"
    yield "#### Markdown, and with explanations"
    for shown in (one, other, bare):
        yield f"{leaderboard_markdown(shown)}\n"
        yield f"{leaderboard_markdown(shown, explain=True)}\n"
    yield "#### HTML"
    yield leaderboards_html([one, other, bare], ["A note & <more>."])
    yield "#### HTML without explanations"
    yield leaderboards_html([bare])
    yield "#### notes of one's own"
    notes = [f"{'words ' * 17}half-hearted end.", "Another note."]
    yield notes_text(notes)
    yield notes_markdown(notes)


def test_leaderboards_read_as_they_did() -> None:
    compare("".join(f"{part}\n" for part in (*told(), *shapes())), GOLDEN)


def test_so_many_bots_are_named_that_none_is_left() -> None:
    told = " ".join(elo_explanations(rate(games(ladder(7, 20)))))
    assert "bo, cy than fay; cy, dot than gus." in told
