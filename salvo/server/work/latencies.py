"""Computes how fast bots answered in their latest games."""

from collections import Counter, defaultdict
from typing import Any

from arena.league import League
from arena.records import BlockKey
from arena.store import Store
from salvo.reports.tables.survey import latency
from salvo.reports.words.faults import describe_latency

_BLOCKS = 3
"""Of each bot, those whose answers are looked at."""


def latencies(league: League, store: Store, before: dict[str, Any] | None) -> dict[str, Any]:
    """Return how fast each bot answered in its latest blocks.

    ``before`` is what this returned the last time: a bot with no newer block is kept as it was.

    Returns:
        For each name the numbers of its ``blocks``, and its ``latency`` in words; None where it
        never answered.
    """
    names = {entry.full_name: entry.name for entry in league.entries}
    blocks = _latest(store, names)
    numbers = {name: [number for number, _ in found] for name, found in blocks.items()}
    known = {
        name: one for name, one in (before or {}).items() if one["blocks"] == numbers.get(name)
    }
    wanted = {key for name, found in blocks.items() if name not in known for _, key in found}
    taken: defaultdict[tuple[BlockKey, str], Counter[int]] = defaultdict(Counter)
    for record in store.blocks("league", sorted(wanted)):
        key = record.block.key
        for game in record.games:
            seats = {"first": game.fixture.first, "second": game.fixture.second}
            for step in game.steps:
                name = names.get(seats[step.seat] or "", "")
                taken[key, name][round(step.charge_s * 1_000_000)] += 1
    for name, found in blocks.items():
        if name not in known:
            answers: Counter[int] = Counter()
            for _, key in found:
                answers.update(taken[key, name])
            told = latency(answers)
            said = None if told is None else describe_latency(told)
            known[name] = {"blocks": numbers[name], "latency": said}
    return known


def _latest(store: Store, names: dict[str, str]) -> dict[str, list[tuple[int, BlockKey]]]:
    """Return the latest blocks of each name, the newest first."""
    found: dict[str, list[tuple[int, BlockKey]]] = {name: [] for name in names.values()}
    short = set(found)
    for number, key in store.newest_blocks("league"):
        for name in {names[one] for one in key[0] if one in names}:
            if name in short:
                found[name].append((number, key))
                if len(found[name]) == _BLOCKS:
                    short.remove(name)
        if not short:
            break
    return {name: blocks for name, blocks in found.items() if blocks}
