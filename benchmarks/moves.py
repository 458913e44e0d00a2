"""Measures how long bots think about a move: those that work out where ships may be.

With --against another Salvo plays the same games in the same run. Each game is played alone, in one
process of each installation, by turns; it is played some times, and the least processor time of
each game counts. Only ``choose_shots`` is timed.
"""

import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import msgspec

from arena.errors import UserError
from benchmarks.costs.processor import python_of
from benchmarks.lines import Note, markdown, outcome_line
from benchmarks.options import against, option

RULES = ("classic", "salvo")
BOTS = (
    "posterior_greedy",
    "posterior_parity",
    "monte_carlo",
    "thompson",
    "value_search",
    "deep_salvo",
    "brute_force",
)
C_MS = 0.5
"""What a C program took that counts the same posterior in the classic game: measured once, on
another machine."""


@dataclass(frozen=True)
class Settings:
    """The options."""

    games: int = option(20, "Games of each bot.")
    times: int = option(3, "How often each is played; its least processor time counts.")
    against: Path | None = against()


class _Thought(msgspec.Struct, frozen=True):
    """One game: the moves, the processor time that they took, and the shots."""

    moves: int
    used_ns: int
    shots: list[list[int]]


class _Thinker:
    """A process of one installation that plays games."""

    def __init__(self, name: str, python: str, stack: ExitStack) -> None:
        self.name = name
        program = str(files("benchmarks.costs") / "thinking.py")
        self._process = stack.enter_context(
            subprocess.Popen(
                [python, "-P", program],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
            )
        )

    def play(self, game: str) -> _Thought:
        """Play a game.

        Raises:
            UserError: If the installation fails.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{game}\n".encode())
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise UserError(f"{self.name}: it cannot play {game}; see above")
        return msgspec.json.decode(line, type=_Thought)


def run(settings: Settings) -> Iterator[str]:
    """Yield the milliseconds a move of each bot, as a table, and the outcome.

    Raises:
        UserError: If an installation cannot be measured.
    """
    pythons = {"this Salvo": sys.executable}
    if settings.against is not None:
        pythons[str(settings.against)] = python_of(settings.against)
    found: dict[str, dict[str, list[float]]] = defaultdict(dict)
    alike = True
    with ExitStack() as stack:
        thinkers = [_Thinker(name, python, stack) for name, python in pythons.items()]
        for bot in BOTS:
            for rules in RULES:
                found[bot][rules], same = _measure(thinkers, f"{rules} {bot}", settings)
                alike &= same
            yield Note(f"{bot} measured")
    yield _table(found)
    mine_ms = found["posterior_greedy"]["classic"][0]
    yield (
        f"posterior_greedy, classic: {mine_ms:.2f} ms a move; a C program that counts the same "
        f"took {C_MS} ms, measured once on another machine"
    )
    compared: dict[str, object] = {}
    if settings.against is not None:
        yield f"the same shots as {settings.against}: {'yes' if alike else 'NO'}"
        compared = {"alike": alike, "ratios": _ratios(found)}
    yield outcome_line("moves", ms=_rounded(found), **compared)


def _measure(thinkers: list[_Thinker], what: str, settings: Settings) -> tuple[list[float], bool]:
    """Return the mean milliseconds a move of each installation, and whether all shot the same."""
    moves, alike = 0, True
    used_ns = [0] * len(thinkers)
    for game in range(settings.games):
        played = [
            [thinker.play(f"{what} {2 * game}") for thinker in thinkers]
            for _ in range(settings.times)
        ]
        moves += played[0][0].moves
        alike &= all(one.shots == played[0][0].shots for one in played[0])
        for place in range(len(thinkers)):
            used_ns[place] += min(row[place].used_ns for row in played)
    return [used / moves / 1e6 for used in used_ns], alike


def _table(found: dict[str, dict[str, list[float]]]) -> str:
    """Return the milliseconds of each bot, with those before and the ratio where there are any."""
    rows = []
    for bot, by_rules in found.items():
        row = [f"`{bot}`"]
        for mine, *others in by_rules.values():
            row += [f"{mine:.2f}", *(f"{one:.2f}" for one in others)]
            row += [f"{mine / one:.2f}" for one in others]
        rows.append(row)
    each = ("", ", before", ", ratio") if len(found[BOTS[0]][RULES[0]]) > 1 else ("",)
    heads = [f"{rules}{kind}" for rules in RULES for kind in each]
    return markdown(rows, ["ms a move", *heads])


def _ratios(found: dict[str, dict[str, list[float]]]) -> dict[str, dict[str, float]]:
    return {
        bot: {rules: round(mine / other, 3) for rules, (mine, other) in by_rules.items()}
        for bot, by_rules in found.items()
    }


def _rounded(found: dict[str, dict[str, list[float]]]) -> dict[str, dict[str, list[float]]]:
    return {
        bot: {rules: [round(one, 3) for one in values] for rules, values in by_rules.items()}
        for bot, by_rules in found.items()
    }
