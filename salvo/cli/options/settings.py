"""Makes commands of modules that have a dataclass ``Settings``: one option for each field."""

import dataclasses
import importlib
from abc import abstractmethod
from importlib.resources import files
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import click

from salvo.cli.lazy import LazyGroup, first_paragraph
from salvo.cli.options.option_types import FiniteRange, WholeRange


class SettingsGroup(LazyGroup):
    """One subcommand for each module of a package that has settings; its docstring is the help."""

    def summary(self, name: str) -> str:
        """Return the first paragraph of the module's docstring."""
        return first_paragraph(self.source(name))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command that runs the module of its name."""
        del ctx
        if cmd_name not in self.names:
            return None
        module = importlib.import_module(self.module_of(cmd_name))
        settings: type[Any] = module.Settings

        def run(**given: Any) -> None:  # noqa: ANN401 - what each module has
            fields = {field.name: given.pop(field.name) for field in dataclasses.fields(settings)}
            self.run(module, settings(**fields), **given)

        about, _, source = (module.__doc__ or "").partition("\n\nSource:")
        return click.Command(
            cmd_name,
            callback=run,
            params=options_of(settings),
            help=about,
            short_help=about.partition("\n")[0],
            epilog=f"Source:{source}" if source else None,
        )

    @abstractmethod
    def run(self, module: ModuleType, settings: Any, **more: Any) -> None:  # noqa: ANN401 - likewise
        """Run a module; ``more`` are options that are not settings."""


def modules_with_settings(package: str) -> list[str]:
    """Return the modules of a package that have settings; they are read, not imported."""
    return sorted(
        path.stem
        for path in Path(str(files(package))).glob("*.py")
        if "\nclass Settings" in path.read_text(encoding="utf-8")
    )


def options_of(settings: type[Any]) -> list[click.Parameter]:
    """Return an option for each field of a dataclass.

    The metadata of a field are arguments for Click, such as its ``help``, and ``least``, the
    smallest whole number that may be given (1 unless there). With ``nargs`` it is an argument. An
    option without a default is required.
    """
    hints = get_type_hints(settings)
    return [_option(field, hints[field.name]) for field in dataclasses.fields(settings)]


def option_name(field: dataclasses.Field[Any]) -> str:
    """Return the option that sets a field."""
    return f"--{field.name.replace('_', '-')}"


def _option(field: dataclasses.Field[Any], kind: Any) -> click.Parameter:  # noqa: ANN401 - a type
    given = dict(field.metadata)
    least = given.pop("least", 1)
    if "nargs" in given:
        return click.Argument([field.name], **given)
    if kind is bool:
        return click.Option([option_name(field)], is_flag=True, default=field.default, **given)
    if get_origin(kind) is Literal:
        kind = click.Choice(get_args(kind))
    elif get_origin(kind) is tuple:
        kind, given = get_args(kind)[0], {"multiple": True, **given}
    elif kind is int:
        kind = WholeRange(min=least)
    elif kind is float:
        kind = FiniteRange(min=0, max=1)
    elif kind is Path:
        kind = click.Path(dir_okay=False, path_type=Path)
    usual: dict[str, Any] = {"type": kind, "show_default": True}
    if field.default is dataclasses.MISSING:
        usual["required"] = True
    else:
        usual["default"] = field.default
    return click.Option([option_name(field)], **usual | given)
