"""Runs a trainer: games, checkpoints, a learning curve, and a bot at the end.

A course writes into one folder::

    checkpoint.npz   all that is needed to go on after a kill, as if there had been none
    curve.csv        the running mean of what games count, see ``bots.training.curve``
    curve.html       the same as a figure
    bot/             the bot: its program, and the weights; `salvo solo FOLDER/bot` plays it
"""

import json
import os
import shutil
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from arena.errors import UserError
from bots.tactics.learned.weight_files import write_weights
from bots.training.agent import LearningAgent
from bots.training.curve import write_curve
from bots.training.source import PACKAGE, origin_of

CHECKPOINT_S = 10.0  # seconds between checkpoints


def run_course(
    trainer: LearningAgent, folder: Path, command: str, *, checkpoint_s: float = CHECKPOINT_S
) -> Iterator[list[int]]:
    """Train, write the course's files, and yield what all games so far counted, now and then.

    If the folder has a checkpoint of the same settings, it goes on there. The command is noted.

    Raises:
        UserError: If the folder has a checkpoint of other settings.
    """
    folder.mkdir(parents=True, exist_ok=True)
    checkpoint = folder / "checkpoint.npz"
    counts, seconds = _resume(trainer, checkpoint)
    yield counts
    started = time.monotonic() - (seconds[-1] if seconds else 0.0)
    saved = time.monotonic()
    while len(counts) < trainer.settings.games:
        played = trainer.learn()
        counts += played
        seconds += [time.monotonic() - started] * len(played)
        if time.monotonic() - saved >= checkpoint_s:
            _save(trainer, checkpoint, counts, seconds)
            saved = time.monotonic()
        yield counts
    _save(trainer, checkpoint, counts, seconds)
    write_curve(folder, counts, seconds, title=command, what=trainer.counts)
    _write_bot(trainer, folder / "bot", command, len(counts))


def _resume(trainer: LearningAgent, checkpoint: Path) -> tuple[list[int], list[float]]:
    if not checkpoint.exists():
        return [], []
    with np.load(checkpoint, allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    settings = json.loads(str(arrays.pop("settings")))
    ours = _settings(trainer)
    for name, value in ours.items():
        if settings.get(name) != value:
            raise UserError(
                f"checkpoint {checkpoint}: it was made with {name} {settings.get(name)}, "
                f"now {value}; name another folder, or remove it"
            )
    trainer.random.bit_generator.state = json.loads(str(arrays.pop("random")))
    counts, seconds = arrays.pop("counts").tolist(), arrays.pop("seconds").tolist()
    trainer.restore(arrays)
    return counts, seconds


def _save(
    trainer: LearningAgent, checkpoint: Path, counts: list[int], seconds: list[float]
) -> None:
    """Write the checkpoint, or leave the one before as it is."""
    fresh = checkpoint.with_suffix(".new.npz")
    np.savez(
        fresh,
        settings=np.array(json.dumps(_settings(trainer))),
        random=np.array(json.dumps(trainer.random.bit_generator.state)),
        counts=np.array(counts, dtype=np.int64),
        seconds=np.array(seconds),
        **trainer.state(),  # type: ignore[arg-type] # none is called allow_pickle
    )
    os.replace(fresh, checkpoint)  # noqa: PTH105 - the one way that is whole or not at all


def _settings(trainer: LearningAgent) -> dict[str, Any]:
    """Return what makes the weights what they are, as JSON has it."""
    given = asdict(trainer.settings)
    told = {name: value for name, value in given.items() if name not in trainer.free}
    made: dict[str, Any] = json.loads(json.dumps({"bot": trainer.bot, **told}))
    return made


def _write_bot(trainer: LearningAgent, folder: Path, command: str, games: int) -> None:
    folder.mkdir(exist_ok=True)
    shutil.copy(PACKAGE / trainer.bot / "bot.py", folder / "bot.py")
    stem, arrays, purpose = trainer.weights()
    origin = origin_of(command, trainer.settings.seed, games, **purpose)
    write_weights(folder / f"{stem}.npz", arrays, origin)
