"""Trains `self_play` by several seeds, and lets each play others until a sequential test decides.

What the folder has already is not trained again, and matches go on from the record. Training needs
the extra `deep`.
"""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np

from benchmarks.games.estimates import estimate
from benchmarks.games.matches import LEADS, duel
from benchmarks.lines import Note, markdown, outcome_line
from benchmarks.options import all_bundled, option, record, workers
from bots.training.course import run_course

STAGES = 8
RULES = "salvo"


@dataclass(frozen=True)
class Settings:
    """The options."""

    games: int = option(6_144, "Games of a training against bundled bots.", least=2)
    seeds: int = option(3, "Seeds by which it is trained, from 1 on.", least=2)
    pairs: int = option(2_000, "Pairs of games of a match, at most.", least=2)
    against: tuple[str, ...] = option(
        ("deep_salvo", "probability_density", "posterior_greedy", "value_search"),
        "A bot that it plays; may be repeated.",
        metavar="BOT",
        callback=all_bundled,
    )
    out: Path = option(
        Path("training") / "self_play",
        "The folder of the trainings.",
        type=click.Path(path_type=Path),
    )
    db: Path = record("self_play.sqlite3")
    workers: int = workers()


def run(settings: Settings) -> Iterator[str]:
    """Yield the learning curve, the matches, and the outcome."""
    from bots.training import self_play  # noqa: PLC0415 - what it needs of the arena is an extra

    folders = []
    for seed in range(1, settings.seeds + 1):
        folder = settings.out / f"seed-{seed}"
        folders.append(folder)
        if not (folder / "bot").exists():
            yield Note(f"training by seed {seed}")
            trainer = self_play.Trainer(self_play.Settings(games=settings.games, seed=seed))
            for _ in run_course(trainer, folder, f"salvo train self_play --seed {seed}"):
                pass
    yield f"{_curve_table(folders)}\n"
    rows = []
    won: dict[str, list[float]] = {}
    better: dict[str, int] = {}
    for rival in settings.against:
        for seed, folder in enumerate(folders, 1):
            yield Note(f"{rival} against seed {seed}")
            bot = f"seed-{seed}={folder / 'bot'}"
            match = duel(
                bot, rival, RULES, pairs=settings.pairs, workers=settings.workers, db=settings.db
            )
            won.setdefault(rival, []).append(match.score)
            better[rival] = better.get(rival, 0) + (match.better is True)
            found = {True: "yes", False: "no", None: "undecided"}[match.better]
            share = f"{100 * match.score:.1f}%"
            rows.append((f"`{rival}`", seed, f"{match.games:,}", share, found))
    heads = ("against", "seed", "games", "won", f"{LEADS[1]} Elo better, not {LEADS[0]}")
    yield f"{markdown(rows, heads)}\n"
    worst = min(min(shares) for shares in won.values())
    yield outcome_line(
        "self-play",
        ratio=round(worst, 4),
        won={rival: [round(share, 4) for share in shares] for rival, shares in won.items()},
        better=better,
        seeds=settings.seeds,
    )


def _curve_table(folders: Sequence[Path]) -> str:
    """Return the share of points against bundled bots by stages of the training."""
    curves = [_curve(folder / "curve.csv") for folder in folders]
    games, _ = curves[0]
    rows = []
    for place in np.linspace(0, len(games) - 1, STAGES).astype(int):
        points = [curve[place] for _, curve in curves]
        by_seed = " ".join(f"{100 * point:.0f}" for point in points)
        mean = estimate([100 * point for point in points])
        rows.append((f"{int(games[place]):,}", f"{mean:.1f}", by_seed))
    return markdown(rows, ("games", "% of points against bundled bots", "by seed"))


def _curve(path: Path) -> tuple[Sequence[float], Sequence[float]]:
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [float(row["games"]) for row in rows], [float(row["mean_points"]) for row in rows]
