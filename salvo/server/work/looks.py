"""Looks at the games of a tournament in a league's calendar, and ends it when that was planned.

Looks are taken where all games that were due before them are played, so that what they say does not
depend on how fast that went, nor on how often the server was stopped.
"""

from collections.abc import Collection

from msgspec.structs import replace

from arena.league import League
from arena.schedule import round_robin
from arena.store import Store
from leaderboards import Ratings
from leaderboards.display.explanations import elo_explanations, elo_notes
from salvo.reports.pages.report_page import report_page
from salvo.reports.standings.planned_standing import PlannedGames, planned_standing
from salvo.reports.standings.standing import Standing
from salvo.server.database.leaderboard_rows import Leaderboards
from salvo.server.database.ownership import banned_names
from salvo.server.database.server_database import Database, now
from salvo.server.results import (
    LookTaken,
    Result,
    is_look_due,
    report_path,
    results,
    write_private,
    write_result,
)
from salvo.server.work.board_rows import elo_rows


def rate_planned(league: League, store: Store, db: Database) -> dict[str, object]:
    """Take the looks that are due, and return the tables of what is still played.

    Returns:
        A board for each tournament in play, as ``planned:NAME``.
    """
    boards: dict[str, object] = {}
    for name, result in results(league).items():
        if result.ended or name not in store.tournament_names():
            continue
        if is_look_due(db, result):
            result = take_look(league, store, db, result)  # noqa: PLW2901 - as it is now
        if not result.ended:
            pairs = result.planned.games // 2
            standing = standing_at(league, store, _without_banned(db, result), pairs)
            boards[f"planned:{name}"] = _table(standing, [])
    return boards


def take_look(league: League, store: Store, db: Database, result: Result) -> Result:
    """Look at the games so far; end the tournament if somebody has won, or it was the last look."""
    planned, result = result.planned, _without_banned(db, result)
    pairs = planned.pairs_at(result.next_look, league.charter.block_pairs)
    standing = standing_at(league, store, result, pairs)
    may_win = contenders(standing.ratings, result.bosses)
    look = LookTaken(pairs=pairs, games=len(standing.games), may_win=may_win, at=now())
    is_over = result.next_look == planned.looks or len(may_win) == 1
    result = replace(result, looks=[*result.looks, look], ended=now() if is_over else "")
    if is_over:
        boards = _table(standing, _lacking(league, store, result))
        result = replace(result, boards=replace(boards, elo_verdict=[look.sentence()]))
        # The report first: who sees that it has ended finds it.
        _write_report(league, store, result, standing)
    write_result(league.folder, result)
    db.note(f"tournament {planned.name}, look {len(result.looks)}: {look.sentence()}")
    db.announce("board")
    return result


def rewrite(league: League, store: Store, result: Result) -> None:
    """Write what came of a tournament anew, as when names in the record were changed."""
    if result.ended:
        standing = standing_at(league, store, result, result.looks[-1].pairs)
        _write_report(league, store, result, standing)
    write_result(league.folder, result)


def _write_report(league: League, store: Store, result: Result, standing: Standing) -> None:
    page = report_page(standing, store)
    write_private(report_path(league.folder, result.planned.name), page.encode())


def _without_banned(db: Database, result: Result) -> Result:
    """Return a tournament without the games of those who are banned by now."""
    banned = banned_names(db)
    out = {one for one in result.entrants if one.rpartition("@")[0] in banned}
    return replace(result, out=sorted({*result.out, *out}))


def contenders(ratings: Ratings | None, bosses: Collection[str]) -> list[str]:
    """Return who may be best, the best first: nobody among those who are no boss surely beats them.

    Where only bosses play, all of them count.
    """
    if ratings is None:
        return []
    names = [str(bot) for bot in ratings.table["bot"]]
    able = [name for name in names if name not in bosses] or names
    sure = ratings.sure
    return [name for name in able if not any(sure.loc[other, name] for other in able)]


def standing_at(league: League, store: Store, result: Result, pairs: int) -> Standing:
    """Return where everybody stands who counts, after so many pairs a pairing."""
    tournament = store.tournament(result.planned.name)
    games = PlannedGames(pairs, frozenset(result.out))
    return planned_standing(store, tournament, league, games=games)


def _table(standing: Standing, notes: Collection[str]) -> Leaderboards:
    ratings = standing.ratings
    return Leaderboards(
        at=now(),
        games=len(standing.games),
        # No rating waits for more games here: they are as many as were planned.
        elo=[replace(row, provisional=False) for row in elo_rows(standing)],
        elo_notes=[] if ratings is None else elo_notes(ratings),
        elo_explanations=[] if ratings is None else elo_explanations(ratings),
        notes=[*standing.notes, *notes],
    )


def _lacking(league: League, store: Store, result: Result) -> list[str]:
    """Return a note on games that could not be played, in a sentence; none where all were."""
    planned = result.planned
    pairs = result.looks[-1].pairs
    played = store.played(planned.name)
    due = round_robin(result.entrants)
    blocks = -(-pairs // league.charter.block_pairs)
    lost = sorted(
        {
            " and ".join(both)
            for both in due
            for number in range(blocks)
            if (both, number) not in played
        }
    )
    if not lost:
        return []
    return [f"Games that could not be played are missing, between {'; '.join(lost)}."]
