"""`salvo bench transport`: round trips a second of whole games, as a share of C to C over pipes."""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from importlib.resources import as_file, files
from pathlib import Path

from arena.entrants import parse_entrant
from arena.executors import LocalWorkers
from arena.isolation import Choice
from arena.player import UNHURRIED, InProcessPlayer
from arena.records import Block, Fixture, Settings
from arena.referee import play_game
from arena.rules import Rules, view
from arena.seeds import Seeds
from arena.store import Store, Tournament
from arena.tournament import play_here
from salvo.bench.lines import outcome_line
from salvo.bench.precomputed_bot import PrecomputedBot

__all__ = ["transport"]

AIM = 0.20
_REQUEST = b"x" * 159 + b"\n"
_ANSWER = b"y" * 59 + b"\n"


def transport(pairs: int, rounds: int, choice: Choice, rules: Rules) -> Iterator[str]:
    """Measure round trips a second between one worker and two bots, against C to C over pipes.

    Both are measured in turn, round by round; a round's share is taken against the C of the same
    round, and the median share is the headline. The same games are then played by the same bots in
    this process, as training plays them.

    Args:
        pairs: Pairs of games in a round.
        rounds: How many rounds.
        choice: The level of isolation.
        rules: The rules of the games.

    Yields:
        A line a round, and the outcome.
    """
    shares = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        yardstick, in_c = _compile(folder)
        if not in_c:
            yield "no C compiler (`cc`) was found: comparing with raw bytes in Python instead"
        for number in range(rounds):
            base = yardstick()
            ours = _play(folder / f"{number}.sqlite3", rules, pairs, choice)
            shares.append(ours / base)
            yield (
                f"round {number + 1}: {'C to C' if in_c else 'raw Python'} {base:9,.0f}/s, "
                f"whole games {ours:8,.0f}/s, share {ours / base:.3f}"
            )
    here = _play_here(rules, pairs)
    yield f"the same games in this process {here:,.0f}/s"
    ratio = sorted(shares)[len(shares) // 2]
    outcome = {
        "benchmark": "transport",
        "ratio": round(ratio, 3),
        "aim": AIM,
        "yardstick": "c" if in_c else "python",
        "rules": rules.name,
        "isolation": choice.level,
        "in_process_per_s": round(here),
    }
    yield outcome_line(outcome)


def _compile(folder: Path) -> tuple[Callable[[], float], bool]:
    """Return the function that measures the yardstick, and whether it is in C."""
    compiler = shutil.which("cc")
    if compiler is None:
        return _ping_pong_in_python, False
    program = str(folder / "pingpong")
    with as_file(files("salvo.bench") / "pingpong.c") as source:
        subprocess.run([compiler, "-O2", "-o", program, str(source)], check=True)

    def ping_pong_in_c() -> float:
        run = subprocess.run([program, "100000"], check=True, capture_output=True)
        return float(run.stdout)

    return ping_pong_in_c, True


def _ping_pong_in_python(round_trips: int = 50_000) -> float:
    """Return round trips a second of raw bytes between two Python processes."""
    down, up = os.pipe(), os.pipe()
    if os.fork() == 0:
        os.close(down[1])
        os.close(up[0])
        while os.read(down[0], 4096):
            os.write(up[1], _ANSWER)
        os._exit(0)
    os.close(down[0])
    os.close(up[1])
    started = time.perf_counter()
    for _ in range(round_trips):
        os.write(down[1], _REQUEST)
        os.read(up[0], 4096)
    elapsed_s = time.perf_counter() - started
    os.close(down[1])
    os.close(up[0])
    os.wait()
    return round_trips / elapsed_s


def _play(db: Path, rules: Rules, pairs: int, choice: Choice) -> float:
    """Return round trips a second of one block of whole games, start and record included."""
    with as_file(files("salvo.bench") / "precomputed_bot.py") as path:
        entrants = tuple(parse_entrant(f"{name}={path}", {}) for name in ("one", "two"))
        tournament = Tournament(
            name="bench",
            kind="match",
            rules=rules,
            seed="0",
            settings=Settings(),
            entrants=entrants,
        )
        block = _block(rules, ("one", "two"), pairs)
        play = play_here(rules, tournament.settings, Seeds(0, rules), entrants, choice)
        with Store(db, create=True) as store:
            store.enter(tournament)
            started = time.perf_counter()
            with closing(LocalWorkers(1).run(partial(next, iter([block]), None), play)) as records:
                record = next(records)
                store.add(tournament, record)
                elapsed_s = time.perf_counter() - started
    assert not any(game.forfeit for game in record.games)
    return sum(len(game.steps) for game in record.games) / elapsed_s


def _play_here(rules: Rules, pairs: int) -> float:
    """Return round trips a second of the same games between bots of this process."""
    names = ("one", "two")
    players = {name: InProcessPlayer(PrecomputedBot, view(rules)) for name in names}
    started = time.perf_counter()
    games = [
        play_game(fixture, rules, UNHURRIED, players)
        for fixture in _block(rules, names, pairs).fixtures
    ]
    elapsed_s = time.perf_counter() - started
    assert not any(game.forfeit for game in games)
    return sum(len(game.steps) for game in games) / elapsed_s


def _block(rules: Rules, names: tuple[str, str], pairs: int) -> Block:
    seeds = Seeds(0, rules)
    fixtures = [
        Fixture(f"{pair}-{leg}", first, second, pair, seeds.of_game(first, second, pair))
        for leg, (first, second) in enumerate([names, names[::-1]])
        for pair in range(pairs)
    ]
    return Block(names, 0, tuple(fixtures))
