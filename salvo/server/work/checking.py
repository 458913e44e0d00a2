"""Checks an upload that was submitted, and enters it in the league.

Uploads are opened here and started in the sandbox alone: where that does not hold, nothing is
checked.
"""

import logging
import shutil
import time
from pathlib import Path

import msgspec
from msgspec.structs import replace

from arena.conformance import check
from arena.entrants import Entrant
from arena.errors import BotError, StorageError, UserError
from arena.isolation import Level, choose
from arena.league import League
from salvo.reports.words.check_text import failed, summary
from salvo.server.database.challenges import Challenge, Challenges
from salvo.server.database.ownership import WITHDRAWN, upload_path
from salvo.server.database.queue import (
    CHECK_S,
    Submission,
    add_step,
    finish,
    is_wanted,
    note_spent,
    requeue,
    submission,
    was_begun_before,
)
from salvo.server.database.server_database import Database, folder_of
from salvo.server.leagues import open_league, without_place
from salvo.server.work.challenging import play_challenge
from salvo.server.work.unpacking import unpack

_log = logging.getLogger(__name__)


def put_back(league: Path) -> None:
    """Put back into the queue what a checker that was killed had begun."""
    with Database(league) as db:
        requeue(db)
    shutil.rmtree(folder_of(league) / "unpacked", ignore_errors=True)
    _remove_unfinished(league)


def _remove_unfinished(league: Path) -> None:
    for place in (league / "bots").glob(".*"):
        # What is not finished is named after the process that has it, such as a candidate's copy.
        if not Path("/proc", place.name.split(".")[1]).exists():
            if place.is_dir():
                shutil.rmtree(place, ignore_errors=True)
            else:
                place.unlink(missing_ok=True)


def tidy(league: Path, one: Submission) -> None:
    """Remove what the check of a submission left, whatever ended it."""
    shutil.rmtree(_unpacked(league, one), ignore_errors=True)
    _remove_unfinished(league)
    with Database(league) as db:
        found = submission(db, one.id)
    if found is None or not found.is_open:
        upload_path(league, one.id).unlink(missing_ok=True)


def _unpacked(league: Path, one: Submission) -> Path:
    return folder_of(league) / "unpacked" / one.id


def check_one(league: Path, one: Submission) -> None:
    """Check a submission that was taken from the queue, and write down what comes of it.

    Raises:
        StorageError: If this machine cannot store what the check needs: that says nothing of the
            bot, which is still being checked.
    """
    unpacked = _unpacked(league, one)
    with Database(league) as db:
        began = time.monotonic()
        try:
            unpacked.parent.mkdir(mode=0o700, exist_ok=True)
            unpacked.mkdir(mode=0o700)
            upload = upload_path(league, one.id)
            home = unpacked / one.name
            path = unpack(upload, one.file, home, wanted=lambda: is_wanted(db, one))
            entry = _enter(db, league, one, path)
            finish(db, one, "accepted", entry=entry)
        except StorageError:
            raise
        except UserError as error:
            place = str(unpacked.resolve())
            reason = str(error).replace(f"{place}/", "").replace(place, one.name)
            finish(db, one, "refused", reason=without_place(reason, league))
            _give_up_draft(league, one, "it was not accepted by its check")
        except Exception:  # noqa: BLE001 - whatever fails here, those that wait are checked
            _log.exception("submission %d, %s", one.number, one.name)
            finish(db, one, "failed", reason="the server failed; its operator can see why")
            _give_up_draft(league, one, "the server failed; its operator can see why")
        finally:
            note_spent(db, one, time.monotonic() - began)
        # After all that somebody waits for.
        try:
            open_league(league).pack_idle()
        except UserError as error:
            db.note(str(error))


def _give_up_draft(league: Path, one: Submission, reason: str) -> None:
    with Challenges(league) as challenges:
        draft = challenges.of_submission(one.id)
        if draft is not None:
            challenges.finish(draft.id, "failed", reason)


def _enter(db: Database, folder: Path, one: Submission, path: Path) -> str:
    """Check a bot and enter it; return its name in the record."""
    league = open_league(folder)
    charter = league.charter
    with Challenges(folder) as challenges:
        draft = challenges.of_submission(one.id)
    with league.candidate(path, one.name) as candidate:
        known = candidate.known
        if known is not None and known.state == "current" and draft is None:
            if was_begun_before(db, one):
                return known.full_name  # it was entered when the checker was killed
            raise BotError(f"{known.full_name} has the same content; change the bot first")
        for twin in candidate.twins:
            db.note(f"{one.name} has the same content as {twin}")
        done = []
        for step in check(candidate.entrant, charter.rules, charter.times, Level.SANDBOX, CHECK_S):
            done.append(step)
            told = without_place(msgspec.json.encode(step).decode(), folder)
            add_step(db, one, msgspec.json.decode(told))
        if failed(done):
            raise BotError(f"it fails its check: {summary(done)}")
        if draft is not None:
            _try(folder, league, draft, candidate.entrant)
            return draft.bot
        with db.writing():
            if not is_wanted(db, one):
                raise BotError(WITHDRAWN)
            return league.admit(candidate).full_name


def _try(folder: Path, league: League, draft: Challenge, entrant: Entrant) -> None:
    """Play the challenge of a draft, which is checked and not entered."""
    entries = {entry.full_name: entry for entry in league.entries}
    rival = league.entrant(entries[draft.opponent])
    tried = replace(entrant, name=draft.bot)
    with Challenges(folder) as challenges:
        play_challenge(league, challenges, draft, (tried, rival), choose(Level.SANDBOX.value))
