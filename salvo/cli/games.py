"""`salvo games`: the games of a tournament in the record."""

from pathlib import Path

import click
import pandas as pd

from arena.errors import UserError
from arena.store import Store
from salvo.cli.options import db_option, format_option, tournament_option
from salvo.cli.output import print_frame
from salvo.reports.tables import results_frame

__all__ = ["games"]

_COLUMNS = ["game", "first", "second", "pair", "winner", "termination", "turns", "reason"]


@click.command()
@db_option
@tournament_option
@click.option("--bot", metavar="NAME", help="The games of this bot alone.")
@click.option("--forfeits", is_flag=True, help="The games that ended by a forfeit alone.")
@format_option
def games(
    *, db: Path, tournament_name: str | None, bot: str | None, forfeits: bool, format_: str
) -> None:
    """List the games of a tournament; `salvo replay` shows one."""
    with Store(db, create=False) as store:
        tournament = store.tournament(tournament_name)
        results = results_frame(store, tournament.name)
    if bot is not None:
        names = [entrant.name for entrant in tournament.entrants]
        if bot not in names:
            raise UserError(
                f"--bot {bot}: nobody is called so in {tournament.name}; "
                f"there are {', '.join(names)}"
            )
        results = results[(results["first"] == bot) | (results["second"] == bot)]
    if forfeits:
        results = results[results["forfeit"].notna()]
    seats = results["result"]
    winner = results["first"].where(seats == "first", results["second"]).where(seats != "draw", "")
    table = results.assign(
        game=results["id"],
        winner=winner.fillna(""),
        turns=results[["first_turns", "second_turns"]].max(axis=1),
        second=results["second"].fillna(""),
    )
    print_frame(pd.DataFrame(table[_COLUMNS]), format_)
