"""Imports subcommands when they are run, so that each starts quickly."""

import ast
import importlib
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem


class LazyGroup(click.Group):
    """Subcommands in modules of a package; help and completion read their summaries as text.

    Args:
        package: The package; each module has a function named like it, which is its command.
        names: The subcommands in the order in which they are listed; a dash stands for ``_``.
        more: What ``click.Group`` takes.
    """

    def __init__(
        self,
        *,
        package: str,
        names: Sequence[str],
        **more: Any,  # noqa: ANN401 - as click has it
    ) -> None:
        super().__init__(**more)
        self.package = package
        self.names = tuple(names)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the subcommands."""
        del ctx
        return list(self.names)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a subcommand."""
        del ctx
        if cmd_name not in self.names:
            return None
        module = importlib.import_module(self.module_of(cmd_name))
        command = getattr(module, cmd_name.replace("-", "_"))
        assert isinstance(command, click.Command)
        return command

    def module_of(self, name: str) -> str:
        """Return the module of a subcommand."""
        return f"{self.package}.{name.replace('-', '_')}"

    def summary(self, name: str) -> str:
        """Return the first paragraph of a subcommand's docstring, without importing it."""
        for node in self.source(name).body:
            if isinstance(node, ast.FunctionDef) and node.name == name.replace("-", "_"):
                return first_paragraph(node)
        raise AssertionError(f"{self.module_of(name)} has no function named like it")

    def source(self, name: str) -> ast.Module:
        """Return the module of a subcommand, parsed."""
        spec = find_spec(self.module_of(name))
        assert spec is not None
        assert spec.origin is not None
        return ast.parse(Path(spec.origin).read_text(encoding="utf-8"))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the subcommands with their whole summaries."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, self.summary(name)) for name in self.list_commands(ctx)])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the name of a subcommand, or an option."""
        names = [name for name in self.list_commands(ctx) if name.startswith(incomplete)]
        found = [CompletionItem(name, help=self.summary(name)) for name in names]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]


def first_paragraph(node: ast.Module | ast.FunctionDef) -> str:
    """Return the first paragraph of a docstring as one line, without the full stop at its end."""
    docstring = ast.get_docstring(node) or ""
    return " ".join(docstring.partition("\n\n")[0].split()).removesuffix(".")
