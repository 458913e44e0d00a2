"""Whom a visitor may meet."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from arena.league import League
from salvo.server import clock
from salvo.server.database.keys import Key, Visitor
from salvo.server.database.server_database import Database
from salvo.server.database.unstartable import set_unstartable
from salvo.server.web.opponents import Opponent, opponents

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
ADA = Visitor((Key(1, "author", "", "ada"),))
INVITED = Visitor((Key(7, "submit", "", None),))
REFUSED = Visitor((Key(8, "submit", "", "late"),))
READER = Visitor((Key(9, "read", "", None),))


def league(*, rivals: bool = True, closes: datetime | None = None) -> League:
    """Return what stands in for a league of the bots of five authors and of the operator."""
    names = ("zoe", "hunt", "ada", "bob", "cy", "dee", "classic")
    field = [SimpleNamespace(name=name, full_name=f"{name}@2") for name in names]
    charter = SimpleNamespace(rivals=rivals, opens=None, closes=closes, tournaments=())
    found: Any = SimpleNamespace(field=field, charter=charter)
    return found  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("visitor", "members", "closed", "met"),
    [
        (ADA, league(), "", "classic, hunt, own ada, rival bob, rival zoe"),
        (ADA, league(rivals=False), "", "classic, hunt, own ada"),
        (ADA, league(closes=NOON), "", "classic, hunt, own ada"),
        (
            ADA,
            league(closes=NOON + timedelta(seconds=1)),
            "",
            "classic, hunt, own ada, rival bob, rival zoe",
        ),
        (ADA, league(), "there is no sandbox", "classic, hunt"),
        (INVITED, league(), "", "classic, hunt, own bob, rival ada, rival zoe"),
        (REFUSED, league(), "", "classic, hunt"),
        (READER, league(), "", "classic, hunt"),
        (Visitor(), league(), "", "classic, hunt"),
    ],
)
def test_operators_bots_are_met_by_all_own_ones_by_their_author_and_rivals_while_it_is_open(  # noqa: PLR0913, PLR0917 - a case
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    visitor: Visitor,
    members: League,
    closed: str,
    met: str,
) -> None:
    monkeypatch.setattr(clock, "now", lambda: NOON)
    with Database(tmp_path) as db:
        db.execute("PRAGMA foreign_keys = OFF")
        rows = [("ada", 1, 0), ("bob", 7, 0), ("cy", 3, 1), ("dee", 4, 0), ("zoe", 5, 0)]
        db.executemany("INSERT INTO names VALUES (?, ?, ?)", rows)
        set_unstartable(db, {"dee@2": "why", "zoe@1": "why"})
        found = opponents(db, members, visitor, closed=closed)
    told = [one.name if one.kind == "bundled" else f"{one.kind} {one.name}" for one in found]
    assert ", ".join(told) == met
    assert found[0] == Opponent("classic", "classic@2", "bundled")
