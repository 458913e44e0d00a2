"""Works out luck for ``--adjusted`` of `solo` and `standings`, and keeps it."""

import click

from arena.errors import UserError
from arena.rules import Rules
from arena.store import Store, Tournament
from salvo.cli.terminal.progress_bars import progress_bar

adjusted_option = click.option(
    "--adjusted",
    is_flag=True,
    help="Adjust mean turns for luck, and rank by them: surer for strong bots.",
)


def refuse_unadjusted(rules: Rules) -> None:
    """Refuse rules by which results cannot be adjusted.

    Raises:
        UserError: If so.
    """
    from salvo.reports.tables.luck_adjustment import why_not_adjusted

    if (why := why_not_adjusted(rules)) is not None:
        raise UserError(f"--adjusted: {why.removesuffix('.')}; leave it out")


def work_out_luck(store: Store, tournament: Tournament, workers: int) -> None:
    """Work out the luck that the record lacks, with a progress bar; what is done is kept.

    Raises:
        UserError: If results by the rules of the tournament cannot be adjusted.
    """
    from salvo.reports.tables.luck_adjustment import keep_luck

    refuse_unadjusted(tournament.rules)
    keep_luck(store, tournament, workers, progress=progress_bar)
