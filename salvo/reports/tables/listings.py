"""Lists what a record holds: its tournaments, and the games of one."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from arena.errors import UserError
from arena.store import LISTED_COLUMNS, Store, Tournament
from arena.text import first_few
from salvo.reports.tables.table_text import Table

_TOURNAMENTS = ("tournament", "kind", "rules", "bots", "names", "games", "solo games")


class _ReadAnew(Iterable[Sequence[object]]):
    """Rows that are read anew each time they are gone through, so that nobody holds them all."""

    def __init__(self, read: Callable[[], Iterator[Sequence[object]]]) -> None:
        self._read = read

    def __iter__(self) -> Iterator[Sequence[object]]:
        return self._read()


def list_games(
    store: Store,
    tournament: Tournament,
    *,
    bot: str | None = None,
    forfeits: bool = False,
    stderr: bool = False,
) -> Table:
    """Return what a reader wants to know of each game: who played, who won and how it ended.

    Games of two bots come first; ``pair`` is theirs, and ``layout`` that of a solo game.

    Args:
        store: The open record.
        tournament: The tournament in it.
        bot: Only the games of this bot.
        forfeits: Only the games that were forfeited.
        stderr: Also what the bot that forfeited had written to stderr.

    Raises:
        UserError: If no such bot was entered.
    """
    if bot is not None:
        refuse_stranger(tournament, bot)
    columns = LISTED_COLUMNS if stderr else LISTED_COLUMNS[:-1]

    def read() -> Iterator[Sequence[object]]:
        rows = store.listed(tournament.name, bot=bot, forfeits=forfeits)
        return (row[: len(columns)] for row in rows)

    return Table(columns, _ReadAnew(read))


def refuse_stranger(tournament: Tournament, bot: str) -> None:
    """Refuse the name of a bot that was not entered.

    Raises:
        UserError: If it was not.
    """
    names = [entrant.name for entrant in tournament.entrants]
    if bot not in names:
        raise UserError(
            f"bot {bot}: no bot of that name in {tournament.name}; its bots are {', '.join(names)}"
        )


def list_tournaments(store: Store) -> Table:
    """Return the tournaments of a record, one a row, oldest first."""
    rows = []
    for name in store.tournament_names():
        tournament = store.tournament(name)
        played = store.played(name).items()
        rows.append(
            (
                name,
                tournament.kind,
                tournament.rules.name,
                len(tournament.entrants),
                first_few([entrant.name for entrant in tournament.entrants]),
                sum(games for (who, _), games in played if len(who) > 1),
                sum(games for (who, _), games in played if len(who) == 1),
            )
        )
    return Table(_TOURNAMENTS, rows)
