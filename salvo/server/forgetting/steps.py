"""Does what is to be done to delete a person's data, step by step.

Each step may be done again, and leaves a league that can be played. The worker processes rest
meanwhile, so that none writes down again what it has in memory.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec.structs import replace

from arena.entrants import parse_secret
from arena.errors import StorageError
from arena.league import League
from arena.league.charter import CHARTER, read_charter, rewrite_charter
from arena.league.register import Entry, editing, locked, read_left_out, write_left_out
from arena.store import Store, compact, forgotten
from arena.text import map_texts, mentions
from salvo.server.database.analyses import Analyses
from salvo.server.database.challenges import Challenges
from salvo.server.database.human_games import HumanGames
from salvo.server.database.ownership import upload_path
from salvo.server.database.queue import clear_leftovers
from salvo.server.database.server_database import Database, folder_of
from salvo.server.forgetting.plan import Forgetting
from salvo.server.in_play import FOLDER as IN_PLAY
from salvo.server.leagues import open_league
from salvo.server.results import FOLDER, Result, results
from salvo.server.work.checking import put_back
from salvo.server.work.resting import is_served_now


def _end_rights(db: Database, league: Path, plan: Forgetting) -> None:
    """Let nobody submit by the invite or for the names any more, and check nothing that waits."""
    with db.writing():
        db.execute("DELETE FROM names WHERE invite = ?", (plan.invite,))
        db.execute("DELETE FROM keys WHERE id = ? AND right = 'submit'", (plan.invite,))
        db.execute("DELETE FROM used WHERE invite = ?", (plan.invite or None,))
        db.execute("DELETE FROM settings WHERE name = ?", (f"late {plan.invite}",))
        for name in plan.names:
            db.execute("DELETE FROM keys WHERE name = ?", (name,))
            rows = db.execute("SELECT id FROM submissions WHERE name = ?", (name,)).fetchall()
            for (identifier,) in rows:
                upload_path(league, identifier).unlink(missing_ok=True)
            db.execute("DELETE FROM submissions WHERE name = ?", (name,))


def _rename(_db: Database, league: Path, plan: Forgetting) -> None:
    """Give the bots their neutral names, in the register and the record, and withdraw them.

    The register comes first: who is in it plays, and none of these may play as somebody new.
    """
    with editing(league) as entries:
        entries[:] = [_neutral(entry, plan) for entry in entries]
    record = open_league(league).record
    if record.exists():
        with Store(record, create=True) as store:
            store.forget(_in_record(store, plan))


def _neutral(entry: Entry, plan: Forgetting) -> Entry:
    name = plan.names.get(entry.name)
    if name is None:
        return entry
    digest = forgotten(f"{name}@{entry.version}").digest
    return replace(entry, name=name, digest=digest, words=(), state="withdrawn")


def _in_record(store: Store, plan: Forgetting) -> dict[str, str]:
    found = {}
    for tournament in store.tournament_names():
        for entrant in store.tournament(tournament).entrants:
            new = plan.full_name(entrant.name)
            if new is not None:
                found[entrant.name] = new
    return found


def _rewrite_results(_db: Database, league: Path, plan: Forgetting) -> None:
    """Write what came of tournaments in the calendar with the neutral names, and its reports."""
    from salvo.server.work.looks import rewrite  # noqa: PLC0415 - no page needs pandas

    for draft in (league / FOLDER).glob(".*"):
        draft.unlink()
    opened = open_league(league)
    for result in results(opened).values():
        told = map_texts(msgspec.to_builtins(result), plan.renamed)
        renamed = msgspec.convert(told, Result)
        with Store(opened.record, create=True) as store:
            # A bot may be called as a tournament is, which keeps its name.
            rewrite(opened, store, replace(renamed, planned=result.planned))


def _rename_in_charter(_db: Database, league: Path, plan: Forgetting) -> None:
    """Rename them in what is left out, and in the charter, of which they lose their secrets."""
    path = league / CHARTER
    with locked(league):
        left_out = read_left_out(league)
        new = {frozenset(plan.names.get(one, one) for one in pairing) for pairing in left_out}
        if new != left_out:
            write_left_out(league, new)
        charter = read_charter(path)
        terms = charter.terms
        kept = tuple(one for one in terms.secrets if parse_secret(one).bot not in plan.names)
        if kept != terms.secrets:
            charter = replace(charter, terms=replace(terms, secrets=kept))
            rewrite_charter(charter, path, "secrets", kept)
        anchor = charter.anchor and plan.full_name(charter.anchor.bot)
        if charter.anchor and anchor:
            charter = replace(charter, anchor=replace(charter.anchor, bot=anchor))
            rewrite_charter(charter, path, "bot", anchor)


def _remove_copies(_db: Database, league: Path, plan: Forgetting) -> None:
    """Remove the sources that no other author has submitted too; of those, rename the files."""
    storage = League(league).storage
    put_back(league)  # what was being checked is copied again
    if not is_served_now(league):
        clear_leftovers(league)
    with editing(league) as entries:
        for digest in plan.digests:
            if all(one.digest != digest for one in entries):
                storage.remove(digest)
                continue
            storage.rename(digest, plan.renamed)
            for place, one in enumerate(entries):
                if one.digest == digest:
                    words = tuple(_renamed_file(word, plan) for word in one.words)
                    entries[place] = replace(one, words=words)


def _renamed_file(word: str, plan: Forgetting) -> str:
    here, slash, file = word.partition("/")
    return f"{here}{slash}{plan.renamed(file)}"


def _purge_database(db: Database, _league: Path, plan: Forgetting) -> None:
    """Delete from the server's database what names them, and what is computed again."""
    with db.writing():
        lines = db.execute("SELECT id, words FROM log").fetchall()
        named = [(number,) for number, words in lines if mentions(words, plan.names)]
        db.executemany("DELETE FROM log WHERE id = ?", named)
        events = db.execute("SELECT id, data FROM events").fetchall()
        named = [(number,) for number, data in events if _names_any(data, plan)]
        db.executemany("DELETE FROM events WHERE id = ?", named)
        refused = db.execute("SELECT reason, number FROM submissions WHERE reason != ''").fetchall()
        db.executemany(
            "UPDATE submissions SET reason = ? WHERE number = ?",
            [(plan.renamed(reason), number) for reason, number in refused],
        )
        db.execute("DELETE FROM boards")
        db.execute("DELETE FROM settings WHERE name = 'unstartable'")


def _names_any(data: str, plan: Forgetting) -> bool:
    texts: list[str] = []
    map_texts(msgspec.json.decode(data), texts.append)
    return any(mentions(text, plan.names) for text in texts)


def _forget_unrated(_db: Database, league: Path, plan: Forgetting) -> None:
    """Delete games with people, challenges and analyses, which nobody rates, and those in play."""
    shutil.rmtree(folder_of(league) / IN_PLAY, ignore_errors=True)
    with (
        HumanGames(league) as games,
        Challenges(league) as challenges,
        Analyses(league) as analyses,
    ):
        games.forget(plan.names.keys(), plan.invite)
        challenges.forget(plan.names.keys(), plan.invite)
        analyses.forget()
        if not all([compact(games), compact(challenges), compact(analyses)]):
            raise _still_read(league)


def _compact(db: Database, league: Path, _plan: Forgetting) -> None:
    """Leave nothing of what was deleted in free pages of the files, nor in unfinished ones."""
    with locked(league):
        for draft in league.glob("*.new"):
            draft.unlink()
    record = League(league).record
    if record.exists():
        with Store(record, create=True) as store:
            store.compact()
    if not compact(db):
        raise _still_read(league)


def _still_read(league: Path) -> StorageError:
    return StorageError(
        f"{folder_of(league)}: other programs read the database all the time, and what "
        "was deleted is still in a file beside it; end them, and run the same command again"
    )


STEPS: tuple[Callable[[Database, Path, Forgetting], None], ...] = (
    _end_rights,
    _rename,
    _rename_in_charter,
    _rewrite_results,
    _remove_copies,
    _forget_unrated,
    _purge_database,
    _compact,
)
"""What is done, in this order."""
