"""`salvo doctor`: tests which levels of isolation hold here; says how to fix the others."""

import json
import textwrap
from collections.abc import Iterator

import click
from msgspec.structs import asdict
from tabulate import tabulate

from arena.isolation import (
    AUTO,
    EXTRAS,
    MEANINGS,
    NOT_PROMISED,
    Level,
    Promise,
    choose,
    fix_extra,
    prove,
    refused,
)
from salvo.cli.options.output_options import table_or_json_option

_WIDTH = 96


@click.command()
@table_or_json_option
def doctor(format_: str) -> None:
    """Test what each level of isolation promises on this machine.

    At each level it starts a program that tries what a bot must not be able to do.
    """
    proofs = {level: prove(level) for level in Level}
    if format_ == "json":
        click.echo(json.dumps(_as_json(proofs), indent=2))
        return
    click.echo(_table(proofs))
    click.echo(f"\n--isolation auto is '{choose(AUTO).level}' here.")
    for line in _fixes(proofs):
        click.echo(line)
    if all(promise.held for promise in proofs[Level.SANDBOX]):
        click.echo("\nAt 'sandbox' a bot is also given:")
        for line in _extras():
            click.echo(line)
    click.echo("\nWhat no level promises:")
    for line in NOT_PROMISED:
        click.echo(textwrap.fill(line, _WIDTH, initial_indent="- ", subsequent_indent="  "))
    click.echo("\ndocs/promises.md says what that is worth, and what else is promised.")


def _table(proofs: dict[Level, tuple[Promise, ...]]) -> str:
    held = {
        level: {promise.name: promise.held for promise in promises}
        for level, promises in proofs.items()
    }
    words = {True: "yes", False: "NO", None: "-"}
    rows = [
        [meaning, *(words[held[level].get(name)] for level in Level)]
        for name, meaning in MEANINGS.items()
    ]
    return str(tabulate(rows, headers=["a bot at level", *Level], tablefmt="simple"))


def _fixes(proofs: dict[Level, tuple[Promise, ...]]) -> list[str]:
    """Return how to fix each level, the promises with the same fix together."""
    lines: list[str] = []
    for level, promises in proofs.items():
        broken = [promise for promise in promises if not promise.held]
        for fix in dict.fromkeys(promise.fix for promise in broken):
            about = [promise for promise in broken if promise.fix == fix]
            names = ", ".join(promise.name for promise in about)
            what = (
                f"is not available: {about[0].detail}"
                if len(about) == len(promises)
                else (f"does not hold ({names}): {about[0].detail}")
            )
            lines += [f"\n{level} {what}", f"  fix: {fix}"]
    return lines


def _extras() -> Iterator[str]:
    for extra, meaning in EXTRAS.items():
        why = refused(extra)
        yield f"- {meaning}" if why is None else f"- NO: {meaning}: {why}\n  fix: {fix_extra(why)}"


def _as_json(proofs: dict[Level, tuple[Promise, ...]]) -> dict[str, object]:
    return {
        "auto": choose(AUTO).level.value,
        "not_promised": list(NOT_PROMISED),
        "extras": [
            {"name": extra.value, "meaning": meaning, "refused": refused(extra)}
            for extra, meaning in EXTRAS.items()
        ],
        "levels": {
            level.value: {
                "holds": all(promise.held for promise in promises),
                "promises": [
                    {"name": promise.name, "meaning": MEANINGS[promise.name]} | asdict(promise)
                    for promise in promises
                ],
            }
            for level, promises in proofs.items()
        },
    }
