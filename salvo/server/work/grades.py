"""Makes of a league what a teacher needs for grades: a row for each invite."""

from collections import Counter
from typing import TYPE_CHECKING

import pandas as pd

from arena.league import FINAL, League
from arena.records import Termination
from arena.store import Store
from salvo.reports.standings.league_standing import league_standing
from salvo.reports.standings.standing import Standing
from salvo.server.database.keys import Invite, invites
from salvo.server.database.ownership import owners
from salvo.server.database.server_database import Database
from salvo.server.results import results
from salvo.server.work.bosses import bosses_of, ladder_of
from salvo.server.work.looks import standing_at

if TYPE_CHECKING:
    from leaderboards.bosses import Step

_CRASHES = (Termination.UNSTARTED, Termination.EXITED, Termination.BARRED)
_RATED = {
    "elo": "elo",
    "elo_low": "low",
    "elo_high": "high",
    "best_rank": "best_rank",
    "worst_rank": "worst_rank",
}
"""Columns of the table, by those of the leaderboard; once there was a final, those of it too."""


def grades(league: League, store: Store, db: Database) -> pd.DataFrame:
    """Return a row for each invite that holds, also where no bot came by it.

    It has the names of people, and so is for the operator alone.
    """
    owned = owners(db)
    kin = {one.full_name: owned[one.name] for one in league.entries if one.name in owned}
    standing = league_standing(league, store, kin=kin)
    rated = {} if standing.ratings is None else _by_bot(standing.ratings.table)
    steps: dict[str, list[Step]] = {}
    for one in ladder_of(league, standing, owned):
        steps.setdefault(one.bot, []).append(one)
    lost, final = _losses(standing), _final(league, store)
    rows = []
    for invite in invites(db):
        if invite.revoked and invite.name is None:
            continue
        name = invite.name or ""
        row = _about(league, db, invite)
        row |= {column: rated.get(name, {}).get(key) for column, key in _RATED.items()}
        if final is not None:
            found = final.get(name, {})
            row |= {f"final_{column}": found.get(key) for column, key in _RATED.items()}
        row |= lost.get(name, {"games": 0, "forfeits": 0, "crash_share": None})
        for boss in bosses_of(league, owned):
            step = next((one for one in steps.get(name, []) if one.boss == boss), None)
            row[f"beats {boss}"] = step.beats if step else None
            row[f"won against {boss}"] = f"{step.wins} of {step.games}" if step else None
        rows.append(row)
    return pd.DataFrame(rows, dtype=object)


def _final(league: League, store: Store) -> dict[str, dict[str, object]] | None:
    """Return where everybody stood at the end of the final; None if there was none yet."""
    result = results(league).get(FINAL)
    if result is None or not result.ended:
        return None
    ratings = standing_at(league, store, result, result.looks[-1].pairs).ratings
    return {} if ratings is None else _by_bot(ratings.table)


def _about(league: League, db: Database, invite: Invite) -> dict[str, object]:
    versions = [one for one in league.entries if one.name == invite.name]
    at = db.execute(
        "SELECT max(at) FROM submissions WHERE name = ? AND state = 'accepted'", (invite.name,)
    ).fetchone()[0]
    return {
        "label": invite.label,
        "bot": invite.name,
        "state": versions[-1].state if versions else "nothing accepted",
        "versions": len(versions),
        "last_submitted_utc": at,
    }


def _by_bot(table: pd.DataFrame) -> dict[str, dict[str, object]]:
    return {
        str(row["bot"]): {str(key): row[key] for key in row} for row in table.to_dict("records")
    }


def _losses(standing: Standing) -> dict[str, dict[str, object]]:
    """Return of each bot how many games it played, lost by forfeit, and which share by a crash."""
    played: Counter[str] = Counter()
    forfeited: Counter[str] = Counter()
    crashed: Counter[str] = Counter()
    for games in (standing.games, standing.searches):
        for first, second, forfeit, why in games[
            ["first", "second", "forfeit", "termination"]
        ].itertuples(index=False):
            played.update(filter(None, (first, second)))
            if forfeit:
                loser = first if forfeit == "first" else second
                forfeited[loser] += 1
                crashed[loser] += why in _CRASHES
    return {
        name: {
            "games": played[name],
            "forfeits": forfeited[name],
            "crash_share": round(crashed[name] / played[name], 4),
        }
        for name in played
    }
