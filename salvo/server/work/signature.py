"""Says whether the leaderboards are those of the record as it is now, without rating anything."""

from arena.league import League
from arena.store import Store
from salvo.server.database.server_database import Database
from salvo.server.database.unstartable import unstartable
from salvo.server.results import looks_due


def signature(league: League, store: Store, db: Database) -> str:
    """Return what changes whenever the ratings, or what is said below them, may."""
    entries = [(one.full_name, one.state) for one in league.entries]
    due = tuple(looks_due(league, db))
    told = hash((tuple(entries), league.charter.games, league.left_out, due))
    return f"{store.newest_block()} {told} {sorted(unstartable(db))}"
