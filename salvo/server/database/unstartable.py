"""Keeps which bots of the league cannot be started on this machine, and why, for the pages."""

import json
from collections.abc import Mapping

from salvo.server.database.server_database import Database

_SETTING = "unstartable"


def set_unstartable(db: Database, reasons: Mapping[str, str]) -> None:
    """Write down who cannot be started, by the names in the record, each with the reason."""
    db.settle(_SETTING, json.dumps(reasons))
    db.announce("queue")


def unstartable(db: Database) -> dict[str, str]:
    """Return who cannot be started, as the process that plays found it when it last tried."""
    found: dict[str, str] = json.loads(db.setting(_SETTING, "{}"))
    return found
