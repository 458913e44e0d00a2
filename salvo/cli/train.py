"""`salvo train NAME`."""

import dataclasses
import importlib
import os
import sys
from importlib.resources import files
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin, get_type_hints

import click
from tqdm import tqdm

from salvo.cli.lazy import LazyGroup, first_paragraph
from salvo.cli.options.folders import make_folder
from salvo.cli.options.numbers import FiniteRange, WholeRange

if TYPE_CHECKING:
    from bots.training.course import Trainer

SHOWN = 500
"""Games that the mean beside the progress bar is taken over."""


def _names() -> list[str]:
    """Return the trainers: the modules that have one."""
    folder = Path(str(files("bots.training")))
    return sorted(
        path.stem
        for path in folder.glob("*.py")
        if "\nclass Trainer:" in path.read_text(encoding="utf-8")
    )


class _Trainers(LazyGroup):
    """One subcommand a trainer; its options are the fields of the trainer's settings."""

    def summary(self, name: str) -> str:
        """Return what a trainer's module says of it first."""
        return first_paragraph(self.source(name))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command that trains by the module of its name."""
        del ctx
        if cmd_name not in self.names:
            return None
        # Before numpy is imported: threads cost more than they bring to matrices so small, and
        # sums in another order would be other weights.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        module = importlib.import_module(self.module_of(cmd_name))
        settings: type[Any] = module.Settings

        def run(out: Path, **given: Any) -> None:  # noqa: ANN401 - what each trainer has
            _train(cmd_name, module.Trainer(settings(**given)), out)

        about = (module.__doc__ or "").partition("\n\nSource:")
        return click.Command(
            cmd_name,
            callback=run,
            params=[_out(cmd_name), *map(_option, _fields(settings))],
            help=about[0],
            short_help=about[0].partition("\n")[0],
            epilog=f"Source:{about[2]}" if about[2] else None,
        )


def _out(name: str) -> click.Option:
    return click.Option(
        ["--out"],
        type=click.Path(file_okay=False, path_type=Path),
        default=f"training/{name}",
        show_default=True,
        help="The folder of the checkpoint, the learning curve and the bot.",
    )


def _fields(settings: type[Any]) -> list[tuple[dataclasses.Field[Any], Any]]:
    hints = get_type_hints(settings)
    return [(field, hints[field.name]) for field in dataclasses.fields(settings)]


def _option(of: tuple[dataclasses.Field[Any], Any]) -> click.Option:
    """Return the option that sets a field."""
    field, kind = of
    name = f"--{field.name.replace('_', '-')}"
    told: str = field.metadata["help"]
    if kind is bool:
        return click.Option([name], is_flag=True, default=field.default, help=told)
    choice: Any = kind
    if get_origin(kind) is Literal:
        choice = click.Choice(get_args(kind))
    elif kind is int:
        choice = WholeRange(min=field.metadata.get("least", 1))
    elif kind is float:
        choice = FiniteRange(min=0, max=1)
    return click.Option([name], type=choice, default=field.default, show_default=True, help=told)


@click.group(cls=_Trainers, package="bots.training", names=_names())
def train() -> None:
    """Train a learning bot; the folder that comes of it can be entered like any bot.

    Training that was stopped goes on from there when the same command is run again.
    """


def _train(name: str, trainer: "Trainer", out: Path) -> None:
    run_course = importlib.import_module("bots.training.course").run_course
    command = " ".join(["salvo train", name, *_given(trainer)])
    make_folder(out, "--out")
    course = run_course(trainer, out, command)
    # What is wrong with the folder is found out before there is a progress bar.
    turns: list[int] = next(course)
    with tqdm(total=trainer.settings.games, unit=" games", file=sys.stderr) as bar:
        bar.update(len(turns))
        for turns in course:
            bar.update(len(turns) - bar.n)
            if turns:
                bar.set_postfix_str(f"mean turns {fmean(turns[-SHOWN:]):.2f}", refresh=False)
    last = turns[-SHOWN:]
    click.echo(f"The last {len(last)} games took {fmean(last):.2f} turns on average.")
    click.echo(f"bot: {out / 'bot'} (`salvo solo {out / 'bot'}` plays it)")
    click.echo(f"curve: {out / 'curve.html'}, {out / 'curve.csv'}")


def _given(trainer: "Trainer") -> list[str]:
    """Return the options that differ from the defaults, and the seed, as they are given."""
    words = []
    for field in dataclasses.fields(trainer.settings):
        value = getattr(trainer.settings, field.name)
        option = f"--{field.name.replace('_', '-')}"
        if isinstance(value, bool):
            words += [option] if value else []
        elif value != field.default or field.name == "seed":
            words += [option, str(value)]
    return words
