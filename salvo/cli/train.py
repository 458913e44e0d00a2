"""`salvo train NAME`: trains a learning bot."""

import dataclasses
import importlib
import shlex
import sys
from pathlib import Path
from statistics import fmean
from types import ModuleType
from typing import TYPE_CHECKING, Any

import click
from tqdm import tqdm

from salvo.cli.options.option_types import FOLDER
from salvo.cli.options.output_options import make_folder
from salvo.cli.options.settings import SettingsGroup, modules_with_settings, option_name
from salvo.rule_files import read_rules

if TYPE_CHECKING:
    from bots.training.agent import LearningAgent

SHOWN = 500
"""Games that the mean beside the progress bar is taken over."""


class _Trainers(SettingsGroup):
    """One subcommand a trainer, and where what it makes goes."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command that trains by the module of its name."""
        command = super().get_command(ctx, cmd_name)
        if command is not None:
            command.params.insert(0, _out(cmd_name))
        return command

    def run(self, module: ModuleType, settings: Any, **more: Any) -> None:  # noqa: ANN401 - as above
        """Train by a module, by the rules that its settings name."""
        trainer = module.Trainer(settings, read_rules(settings.rules))
        _train(module.__name__.rpartition(".")[2], trainer, **more)


def _out(name: str) -> click.Option:
    return click.Option(
        ["--out"],
        type=FOLDER,
        default=f"training/{name}",
        show_default=True,
        help="The folder of the checkpoint, the learning curve and the bot.",
    )


@click.group(cls=_Trainers, package="bots.training", names=modules_with_settings("bots.training"))
def train() -> None:
    """Train a learning bot; the folder that comes of it can be entered like any bot.

    Training that was stopped goes on from there when the same command is run again.
    """


def _train(name: str, trainer: "LearningAgent", out: Path) -> None:
    run_course = importlib.import_module("bots.training.course").run_course
    command = " ".join(["salvo train", name, *_given(trainer)])
    make_folder(out, "--out")
    course = run_course(trainer, out, command)
    # What is wrong with the folder is found out before there is a progress bar.
    counts: list[int] = next(course)
    with tqdm(total=trainer.settings.games, unit=" games", file=sys.stderr) as bar:
        bar.update(len(counts))
        for counts in course:
            bar.update(len(counts) - bar.n)
            if counts:
                mean = fmean(counts[-SHOWN:])
                bar.set_postfix_str(f"mean {trainer.counts} {mean:.2f}", refresh=False)
    last = counts[-SHOWN:]
    click.echo(f"Of the last {len(last)} games the mean is {fmean(last):.2f} {trainer.counts}.")
    click.echo(f"bot: {out / 'bot'}")
    click.echo(f"curve: {out / 'curve.html'}, {out / 'curve.csv'}")
    play = ["salvo", "solo", str(out / "bot"), "--rules", trainer.settings.rules]
    click.echo(f"Let it play alone: {shlex.join(play)}")


def _given(trainer: "LearningAgent") -> list[str]:
    """Return the options that differ from the defaults, and the seed, as they are given."""
    words = []
    for field in dataclasses.fields(trainer.settings):
        value = getattr(trainer.settings, field.name)
        option = option_name(field)
        if isinstance(value, bool):
            words += [option] if value else []
        elif value != field.default or field.name == "seed":
            words += [option, str(value)]
    return words
