"""`salvo rules`: lists the presets, or prints one of them as TOML."""

import click
import msgspec

from arena.rules import PRESETS, Rules, rules_to_toml
from salvo.cli.options.option_types import RULES
from salvo.cli.options.output_options import format_option
from salvo.cli.terminal.output import echo_lines


@click.command()
@click.argument("chosen", metavar="[NAME]", type=RULES, required=False)
@format_option
def rules(*, chosen: Rules | None, format_: str) -> None:
    """List the rule sets that have a name, or print one of them as TOML.

    NAME is one of them, or a TOML file. To play by rules of your own, write one to a file, change
    it, and pass the file with --rules.
    """
    from salvo.reports.tables.table_text import Table, table_lines

    if chosen is not None:
        as_json = format_ == "json"
        click.echo(msgspec.json.encode(chosen) + b"\n" if as_json else _document(chosen), nl=False)
        return
    rows = [(name, line) for name, (_, line) in PRESETS.items()]
    echo_lines(table_lines(Table(("rules", "the game"), rows), format_))


def _document(chosen: Rules) -> str:
    named, line = PRESETS.get(chosen.name, (None, ""))
    title = f"# {chosen.name}: {line}\n" if named == chosen else ""
    return (
        f"{title}# Save it, change it, and pass it with --rules FILE. Fields left out are as in\n"
        f"# classic; name, rows, columns and fleet are required.\n\n{rules_to_toml(chosen)}"
    )
