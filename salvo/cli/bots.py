"""`salvo bots`: lists the bundled bots."""

import click

from arena.rules import Rules
from salvo.cli.options.output_options import format_option
from salvo.cli.options.run_options import rules_option
from salvo.cli.terminal.output import echo_lines


@click.command()
@rules_option
@format_option
def bots(*, rules: Rules, format_: str) -> None:
    """List the bundled bots: whether each plays the rules, and is in the default field."""
    from salvo.reports.tables.bot_table import bot_table
    from salvo.reports.tables.table_text import table_lines

    echo_lines(table_lines(bot_table(rules), format_))
