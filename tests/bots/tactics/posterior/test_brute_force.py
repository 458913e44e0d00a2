"""The posterior against every layout of a small board, one by one."""

import random
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Literal, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rules import Ship, cells_of, mask_of, placements
from bots.tactics.posterior.board_placements import board_of
from bots.tactics.posterior.evidence import Observation
from bots.tactics.posterior.explanations import Explanations, ImpossibleEvidenceError
from bots.tactics.posterior.posterior import Effort, estimate

Touching = Literal["allowed", "corners", "never"]
Telling = Literal["named", "unnamed", "silent"]

EVERYTHING = Effort(limit=10**9)


def reach(mask: int, rows: int, columns: int, touching: Touching) -> int:
    if touching == "allowed":
        return mask
    found = mask
    for cell in cells_of(mask):
        row, column = divmod(cell, columns)
        for down, right in product((-1, 0, 1), repeat=2):
            if touching == "corners" and down and right:
                continue
            if 0 <= row + down < rows and 0 <= column + right < columns:
                found |= 1 << (row + down) * columns + column + right
    return found


def all_layouts(
    rows: int, columns: int, lengths: Sequence[int], touching: Touching
) -> Iterator[tuple[int, ...]]:
    def extend(layout: tuple[int, ...], closed: int) -> Iterator[tuple[int, ...]]:
        if len(layout) == len(lengths):
            yield layout
            return
        for place in placements(rows, columns, lengths[len(layout)]):
            if not place & closed:
                yield from extend((*layout, place), closed | reach(place, rows, columns, touching))

    return extend((), 0)


def answer(layout: Sequence[int], before: int, salvo: Sequence[int]) -> tuple[int, list[int]]:
    """Return the cells that hit, as a mask, and the ships that the salvo sank."""
    after = before | mask_of(salvo)
    sunk = [ship for ship, mask in enumerate(layout) if mask & ~before and not mask & ~after]
    return mask_of(salvo) & sum(layout), sunk


class Extras(NamedTuple):
    """What is reported beside the hits and the sinkings."""

    hits_named: bool
    sunk_cells: bool


def ships_at(layout: Sequence[int], hits: int) -> list[int]:
    """Return which ship each of some hits is on."""
    return [
        next(ship for ship, mask in enumerate(layout) if mask >> cell & 1)
        for cell in cells_of(hits)
    ]


Drawn = tuple[int, int, list[int], Touching, Telling, int, list[int], Extras]


@st.composite
def games(draw: st.DrawFn) -> Drawn:
    rows, columns = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    longest = max(rows, columns)
    lengths = draw(st.lists(st.integers(1, longest), min_size=1, max_size=3))
    salvos = draw(st.lists(st.integers(1, 3), min_size=0, max_size=rows * columns))
    return (
        rows,
        columns,
        sorted(lengths, reverse=True),
        draw(st.sampled_from(["allowed", "corners", "never"])),
        draw(st.sampled_from(["named", "unnamed", "silent"])),
        draw(st.integers(0, 2**32)),
        salvos,
        Extras(draw(st.booleans()), draw(st.booleans())),
    )


@settings(max_examples=150, deadline=None)
@given(game=games())
def test_agrees_with_every_layout_one_by_one(
    game: Drawn,
) -> None:
    rows, columns, lengths, touching, telling, seed, salvos, extras = game
    layouts = list(all_layouts(rows, columns, lengths, touching))
    known = Explanations(
        board_of(rows, columns, tuple(lengths), touching), lengths, np.random.default_rng(seed)
    )
    if not layouts:
        with pytest.raises(ImpossibleEvidenceError):
            estimate(known, np.random.default_rng(seed), EVERYTHING)
        return
    chance = random.Random(seed)
    truth = chance.choice(layouts)
    cells = list(range(rows * columns))
    chance.shuffle(cells)
    before = 0
    for size in salvos:
        salvo, cells = cells[:size], cells[size:]
        if not salvo:
            break
        hits, sunk = answer(truth, before, salvo)
        told: tuple[int, ...] | int | None = {
            "named": tuple(lengths[ship] for ship in sunk),
            "unnamed": len(sunk),
            "silent": None,
        }[telling]
        on = ships_at(truth, hits)
        named = tuple(Ship(str(ship), lengths[ship]) for ship in on) if extras.hits_named else None
        located = extras.sunk_cells and telling == "named"
        wrecks = tuple(tuple(cells_of(truth[ship])) for ship in sunk) if located else ()
        known.observe(Observation(tuple(salvo), tuple(cells_of(hits)), told, named, wrecks))
        kept = []
        for layout in layouts:
            same_hits, same_sunk = answer(layout, before, salvo)
            if (
                same_hits == hits
                and {
                    "named": same_sunk == sunk,
                    "unnamed": len(same_sunk) == len(sunk),
                    "silent": True,
                }[telling]
                and (not extras.hits_named or ships_at(layout, hits) == on)
                and (not located or all(layout[ship] == truth[ship] for ship in sunk))
            ):
                kept.append(layout)
        layouts = kept
        before |= mask_of(salvo)
    found = estimate(known, np.random.default_rng(seed), EVERYTHING)
    assert found.exact
    assert found.layouts == pytest.approx(len(layouts))
    occupied = [
        sum(sum(layout) >> cell & 1 for layout in layouts) for cell in range(rows * columns)
    ]
    assert found.cells * len(layouts) == pytest.approx(occupied)
