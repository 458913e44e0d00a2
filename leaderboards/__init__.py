"""Rates bots from tables of games: says who is better, and how sure we are.

Pandas tables in; tables, figures and one HTML page out. Nothing here reads or writes a file, plays
a game or knows how one was recorded, so games that somebody else recorded are rated just as well.

Two tables come in, one row a game. The order of rows never matters.

`games`, two-player games:

    first, second  names of the bots in the two seats
    result         "first", "second" (who won) or "draw"
    forfeit        the seat that lost by forfeit, "first" or "second"; None where nobody did
    pair           optional, a whole number: the two games of a pair (seats swapped) have it in
                   common, and no other game of these two bots has it; without the column each
                   game is taken for independent of all others
    block          optional, a whole number: which games of these two bots were played in one go,
                   by bots that may learn from one game to the next. Games of one block are then
                   the unit that may be alike, instead of those of one pair

`solo`, games of one bot against layouts:

    bot            name of the bot
    layout         a whole number: which layout; two bots that searched the same layout have it in
                   common, and are compared by it
    turns, shots   what it took to sink the fleet; a forfeited game has those of a search of the
                   whole board
    hits           how many of the shots hit
    forfeit        True where the bot forfeited

and, for means adjusted for luck, all three of

    luck           by how many turns luck made the game longer; NaN where that is not known
    luck_shots     the same in shots
    block          a whole number: games of one block may depend on each other, as those do that
                   one process played
    log_e_...      optional, any number of columns whose names begin so: how far the game speaks
                   against chance, as natural logarithms of e-values; see
                   `leaderboards.turns.luck_check`

Other columns are ignored, and a table without rows needs no columns. A table that breaks this
contract raises `LeaderboardError`.

- `leaderboards.elo.ratings.rate(games)` rates on the Elo scale, with intervals.
- `leaderboards.elo.verdicts.verdict(ratings, bot, other)` says who of two is better, or how
  many games would tell.
- `leaderboards.bosses` says which bots of a ladder a bot beats, where many are asked about at once.
- `leaderboards.sprt` decides between two hypotheses while games are played.
- `leaderboards.turns.mean_turns.mean_turns(solo)` counts turns and shots, with intervals.
- `leaderboards.turns.adjusted_means` takes luck out of them, `leaderboards.turns.luck_check` names
  bots whose luck is no chance.
- `leaderboards.display.formatted_tables` writes both as text, Markdown, CSV and HTML,
  `leaderboards.display.plain` as data for JSON.
- `leaderboards.display.figures` draws them, `leaderboards.display.html_page.html` puts all on one
  page.
- `leaderboards.display.replay_frames` holds games salvo by salvo, to be watched on that page;
  `leaderboards.display.animation` makes one an animated SVG.
- `benchmarks.coverage` measures how often what is claimed is true,
  `benchmarks.simulations.sprt_errors` how often sequential tests err.

`docs/statistics.md` states the model, every formula with its source, and what was measured.

What this package names is imported on first use, so that its lighter modules take no pandas.
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from leaderboards.elo.ratings import EloDifference, FirstSeat, Ratings, rate
    from leaderboards.elo.verdicts import Verdict, verdict
    from leaderboards.inputs import LeaderboardError
    from leaderboards.turns.differences import Difference, paired_difference
    from leaderboards.turns.mean_turns import mean_turns

__all__ = [
    "Difference",
    "EloDifference",
    "FirstSeat",
    "LeaderboardError",
    "Ratings",
    "Verdict",
    "mean_turns",
    "paired_difference",
    "rate",
    "verdict",
]

_MODULES = {
    "Difference": "turns.differences",
    "EloDifference": "elo.ratings",
    "FirstSeat": "elo.ratings",
    "LeaderboardError": "inputs",
    "Ratings": "elo.ratings",
    "Verdict": "elo.verdicts",
    "mean_turns": "turns.mean_turns",
    "paired_difference": "turns.differences",
    "rate": "elo.ratings",
    "verdict": "elo.verdicts",
}


def __getattr__(name: str) -> object:
    """Import what is asked for; see PEP 562."""
    if name not in _MODULES:
        raise AttributeError(f"module 'leaderboards' has no attribute {name!r}")
    return getattr(importlib.import_module(f"leaderboards.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
