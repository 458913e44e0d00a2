"""Deletes a person's data, and finishes what was killed meanwhile.

What is to be done is written down first, and that is removed last: whoever finds it there does all
of it again.
"""

from pathlib import Path

from arena.errors import UserError
from salvo.server.database.server_database import Database
from salvo.server.forgetting.plan import (
    Forgetting,
    Who,
    make_plan,
    read_plan,
    remove_plan,
    write_plan,
)
from salvo.server.forgetting.steps import STEPS
from salvo.server.work.resting import without_workers


def forget(db: Database, league: Path, who: Who) -> str:
    """Delete all that is known of a person from a league; return what was done.

    The same again finishes what was killed, and so does whatever is to be forgotten next.

    Raises:
        UserError: If there is no such bot or invite, or it is the operator's own and others are
            measured by it; if worker processes do not end; or if the record is damaged.
        StorageError: If what is left cannot be written.
    """
    with without_workers(league):
        plan = read_plan(league)
        if plan is not None:
            _carry_out(db, league, plan)
        if plan is None or not plan.is_of(who):
            plan = make_plan(db, league, who)
            write_plan(league, plan)
            _carry_out(db, league, plan)
    told = f"all data of {f'invite {who}' if isinstance(who, int) else who} are deleted"
    return told + _what_stays(plan)


def refuse_unknown(db: Database, league: Path, who: Who) -> None:
    """Refuse to forget whom nobody knows, or may forget.

    Raises:
        UserError: As of `forget`.
    """
    if read_plan(league) is None:  # else the person may be half forgotten
        make_plan(db, league, who)


def finish_forgetting(league: Path) -> None:
    """Do what is left of a deletion that was killed, if there is any; see `forget`."""
    if read_plan(league) is None:
        return
    with Database(league) as db, without_workers(league):
        plan = read_plan(league)  # whoever had the workers rest may have done it
        if plan is not None:
            _carry_out(db, league, plan)


def refuse_unfinished(league: Path) -> None:
    """Refuse a league that still has data which are to be deleted.

    Raises:
        UserError: If it does.
    """
    plan = read_plan(league)
    if plan is not None:
        raise UserError(
            f"league folder {league}: data are still to be deleted from it; "
            f"`salvo operate forget {plan.words} --league {league}` finishes that"
        )


def _carry_out(db: Database, league: Path, plan: Forgetting) -> None:
    for step in STEPS:
        step(db, league, plan)
    remove_plan(league)
    db.note(f"the data of an author were deleted{_what_stays(plan)}")
    db.announce("board")
    db.announce("queue")


def _what_stays(plan: Forgetting) -> str:
    names = " and ".join(plan.names.values())
    return f"; games stay, under the name {names}" if names else ""
