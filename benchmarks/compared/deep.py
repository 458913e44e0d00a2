"""Checks `deep_salvo` against its targets: its play alone beside that of others, and its cost."""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from arena.isolation import Level
from arena.rules import Rules, draw, preset
from benchmarks.costs.pace import measure_pace
from benchmarks.costs.processor import cost_of_start_s
from benchmarks.games.estimates import estimate
from benchmarks.games.solo_games import SoloGames, Strength, turns_at
from benchmarks.lines import Findings, Note, aligned
from bots.deep_salvo.bot import DeepSalvo

SEED = 11
BOT = "deep_salvo"
SHOWN = "with_posterior"
BESIDE = (
    f"{SHOWN}={BOT} --posterior",
    "probability_density",
    "posterior_greedy",
    "posterior_parity",
)
SALVO = (BOT, "probability_density", "posterior_greedy")
COMPARED = 1000
"""Layouts of the classic game that the others are measured on, at most."""

MOST_SHOTS = 46.0
AIM_SHOTS = MOST_SHOTS_SHOWN = 45.0

MOST_MOVE_S, MOST_START_S, MOST_MB = 0.005, 0.5, 256
TIMED_GAMES = 10


def deep_strength(layouts: int, workers: int, db: Path, findings: Findings) -> Iterator[str]:
    """Yield how many shots it takes alone, beside what others take; add to the findings.

    It is measured on common layouts, others on ``COMPARED`` of them. The classic games go into the
    record ``db``, and go on from there.
    """

    def classic(tournament: str, bots: Sequence[str], number: int) -> Strength:
        return SoloGames(bots, preset("classic"), number, SEED, workers).strength_by(db, tournament)

    yield Note(f"{BOT}: classic alone")
    plain, adjusted = (found[BOT] for found in classic("learning", (BOT,), layouts))
    fewer = min(layouts, COMPARED)
    others, others_adjusted = classic("learning-beside", BESIDE, fewer)
    shots = estimate(adjusted)
    rows = [[f"`{BOT}`", f"{layouts:,}", str(estimate(plain)), str(shots), ""]]
    for bot in others:
        less = estimate(others_adjusted[bot] - adjusted[:fewer])
        name = f"{BOT} --posterior" if bot == SHOWN else bot
        cells = [f"{estimate(others[bot])}", f"{estimate(others_adjusted[bot])}", f"{less:+.3f}"]
        rows.append([f"`{name}`", f"{fewer:,}", *cells])
    heads = ["classic alone", "layouts", "shots", "adjusted for luck", f"less {BOT}'s, paired"]
    yield aligned(rows, heads)
    shown = estimate(others_adjusted[SHOWN])
    gained = estimate(others_adjusted[SHOWN] - others_adjusted["posterior_greedy"])
    yield f"\n`{BOT} --posterior` less `posterior_greedy`, adjusted and paired: {gained:+.3f}.\n"
    yield Note(f"{BOT}: salvo alone")
    turns = SoloGames(SALVO, preset("salvo"), fewer, SEED, workers).turns()
    paired = {bot: estimate(turns[BOT] - turns[bot]) for bot in SALVO[1:]}
    rows = [
        [f"`{bot}`", str(estimate(turns[bot])), f"{paired[bot]:+.3f}" if bot in paired else ""]
        for bot in SALVO
    ]
    yield aligned(rows, ["five shots a turn, alone", "turns", f"{BOT} less it, paired"])
    yield f"\nMeans with 95% intervals, in the second table of {fewer:,} common layouts.\n"
    less = paired["probability_density"]
    name = f"`{BOT}`, classic alone, adjusted, shots"
    findings.add(name, MOST_SHOTS, shots, met=shots.value <= MOST_SHOTS)
    findings.add(name, f"aim {AIM_SHOTS}", shots, met=shots.value <= AIM_SHOTS)
    name = f"`{BOT} --posterior`, the same"
    findings.add(name, MOST_SHOTS_SHOWN, shown, met=shown.value <= MOST_SHOTS_SHOWN)
    name = f"`{BOT} --posterior` less `posterior_greedy`, paired, shots"
    findings.add(name, "aim: below 0", f"{gained:+.3f}", met=gained.high < 0)
    name = f"`{BOT}` less `probability_density`, salvo alone, paired, turns"
    findings.add(name, "interval below 0", f"{less:+.3f}", met=less.high < 0)
    findings.numbers |= {
        "shown_shots": round(shown.value, 3),
        "shown_less_greedy": round(gained.value, 3),
        "deep_shots": round(shots.value, 3),
        "deep_turns_less_density": round(less.value, 3),
        "deep_turns_met": less.high < 0,
    }


def deep_cost(findings: Findings) -> Iterator[str]:
    """Yield what a move, a start and the memory cost; add to the findings."""
    yield Note(f"{BOT}: what it costs")
    move_ms, salvo_ms = (1000 * _time_moves(preset(name)) for name in ("classic", "salvo"))
    start_s, memory_mb = cost_of_start_s((BOT,), Level.NONE), measure_pace(BOT, 1, SEED).peak_mb
    rows = []
    for what, cost, most, unit in (
        ("a move, one core", move_ms, MOST_MOVE_S * 1000, "ms"),
        ("a salvo of five, one core", salvo_ms, None, "ms"),
        ("to start, one core", start_s, MOST_START_S, "s"),
        ("memory after a game", memory_mb, MOST_MB, "MB"),
    ):
        found, wanted = f"{cost:.3g} {unit}", "" if most is None else f"{most:g} {unit}"
        rows.append([what, found, wanted])
        if most is not None:
            findings.add(f"`{BOT}`, {what}", wanted, found, met=cost <= most)
    yield aligned(rows, [f"`{BOT}`", "measured", "at most"])
    yield "\nTimes are the processor's, which a busy machine changes little.\n"
    findings.numbers |= {
        "deep_move_ms": round(move_ms, 2),
        "deep_salvo_ms": round(salvo_ms, 2),
        "deep_start_s": round(start_s, 3),
        "deep_memory_mb": round(memory_mb),
    }


def _time_moves(rules: Rules) -> float:
    """Return the processor time of a move, in seconds."""
    drawn = [draw(rules, Random(seed)) for seed in range(TIMED_GAMES + 1)]
    bot = DeepSalvo()
    turns_at(bot, rules, drawn[:1])  # what is computed once does not count
    started = time.process_time()
    moves = sum(turns_at(bot, rules, drawn[1:]))
    return (time.process_time() - started) / moves
