"""Says which answers a salvo may get, how likely each is, and what it leaves to be found.

One set of layouts tells how likely each answer is; another, independent of it, what is left after
it. Both are drawn before the answer is looked at, or both are all the layouts there are. An answer
keeps the layouts that agree with it, and what is missing then is drawn anew. Where no layout is
left of a set nothing more is said of the game: that depends on what came before alone, and so
brings no bias.
"""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bots.tactics.posterior.belief import Belief
from bots.tactics.posterior.board_placements import Board, Bools, Counts, Floats, Indices
from bots.tactics.posterior.evidence import Observation
from bots.tactics.posterior.explanations import Explanations, ImpossibleEvidenceError
from bots.tactics.value.agreeing_layouts import Drawn, draw_layouts, list_layouts, multiply

LAYOUTS = 2_000  # layouts in each of the two sets, when they are full
MOST_LISTED = 8_000  # so many layouts at most are all looked at instead
MOST_EXPLANATIONS = 60_000  # with more of the hits, layouts are multiplied instead of drawn
THOROUGH = 2_000_000  # the same if time is no matter: five hits on five ships have 1.4 million
MOST_BITS = 62  # of the number of an answer: one a cell, the others for what sank

Codes = npt.NDArray[np.int64]
Odds = Callable[[Sequence[int], Indices], Floats]
"""Tells how many times likelier than uniformly some layouts are drawn.

It is given the length of the ship in each slot, and their placements, (slots, layouts).
"""


class Outlook(NamedTuple):
    """The answers that one salvo may get, one a row."""

    chances: Floats  # how likely each answer is: exactly, or an estimate (unbiased but by odds)
    came: int  # the row of the answer that came
    # How many layouts, each drawn by itself, the chances are the shares of: infinite where they are
    # exact, 0 where the layouts are copies that resemble each other, or count by their odds
    drawn: float
    to_hit: Indices  # how many ship cells are left to be hit after each
    share: Floats  # the share of the second set of layouts that has each
    log_layouts: float  # the logarithm of how many layouts agreed with all answers before, about
    # For each length, how many ships of that length lie at each placement, over the layouts with
    # each answer, as a share of all layouts, (answers, placements)
    counts: dict[int, Floats]
    # For each length, how many cells of each placement are not hit after the salvo, should a ship
    # lie there, (placements,)
    unhit: dict[int, Counts]
    untried: Bools  # the cells that are untried after the salvo, (cells,)


class Chances:
    """Follows one game of one shooter; make one a game.

    Args:
        randoms: What each set of layouts, two or more, is drawn with: neither the layout nor the
            shooter nor another set may depend on it.
        layouts: How many are drawn into each set.
        named: Whether a hit names the ship; then only salvos of one shot are followed.
        thorough: Whether time is no matter: hits may have more explanations, and a set of which no
            layout is left is drawn anew.
        belief: What follows the same game, if anything does: each answer is observed there first,
            and its explanations are used as long as they are exact.
        repeated: Layouts that are likely by themselves, each by its weight, where there are some.
        odds: How likely layouts are; by default all are equally likely. Only the chances of answers
            follow it, not the layouts that are drawn.

    Attributes:
        lengths: The length of the ship in each slot, longest first.
        sets: The sets of layouts; empty from where on no layout was left in one.
        repeated: Those of the layouts that are likely by themselves which agree with all answers.
        log_layouts: The logarithm of how many layouts there were before the first shot, about.
    """

    def __init__(  # noqa: PLR0913 - what is played, and how it is drawn
        self,
        board: Board,
        lengths: Sequence[int],
        randoms: Sequence[np.random.Generator],
        layouts: int = LAYOUTS,
        *,
        named: bool = False,
        thorough: bool = False,
        belief: Belief | None = None,
        repeated: Drawn | None = None,
        odds: Odds | None = None,
    ) -> None:
        self.board, self.lengths = board, sorted(lengths, reverse=True)
        self.hit = np.zeros(board.cells, bool)
        self.untried = np.ones(board.cells, bool)
        self._randoms, self._layouts = randoms, layouts
        self._thorough, self._odds = thorough, odds
        self._belief = belief
        self._known: Explanations | None = self._no_hits() if belief is None else belief.known
        # What sank is a number, with a digit for each length: how many ships of it.
        ships = [self.lengths.count(length) + 1 for length in board.lengths]
        digits = [math.prod(ships[:place]) for place in range(len(ships))]
        self._digits = dict(zip(board.lengths, digits, strict=True))
        self._sunk_bits = math.prod(ships).bit_length()
        self._name_bits = len(self.lengths).bit_length() if named else 0
        self._slots: dict[str, int] = {}
        self.sets: list[Drawn] = []
        self._copied = False
        self.repeated = repeated
        self._others = 1.0 if repeated is None else 1 - float(repeated.weights.sum())
        self._begin()
        self.log_layouts = self.sets[0].log_layouts if self.sets else 0.0

    def observe(self, answer: Observation) -> Outlook | None:
        """Take in the answer to a salvo; return all that it might have got, None if unknown."""
        if not self._can_tell_apart(answer):
            return None
        outlook = self._look(answer)
        self._go_on(answer)
        return outlook

    def follow(self, answer: Observation) -> None:
        """Take in the answer to a salvo, as ``observe`` does, but say nothing of others."""
        if not self._can_tell_apart(answer):
            return
        unhit = self._unhit(answer)
        codes, came = self._codes(answer, unhit), self._code_of(answer)
        self._note(answer)
        self._keep([_answers(one, codes) == came for one in self.sets])
        if (again := self.repeated) is not None:
            rows = np.flatnonzero(_answers(again, codes) == came)
            self.repeated = again._replace(
                places=again.places.take(rows, axis=1), weights=again.weights.take(rows)
            )
        self._go_on(answer)

    def share_repeated(self, drawn: Drawn, odds: float) -> float:
        """Return how likely the layout is one of those that are likely by themselves.

        Of the others, ``drawn`` are some that agree with all answers, which are as likely at the
        mean as ``odds`` says, relative to all before the first shot.
        """
        if self.repeated is None:
            return 0.0
        again = float(self.repeated.weights.sum())
        other = self._others * math.exp(drawn.log_layouts - self.log_layouts) * odds
        return again / (again + other) if again else 0.0

    def _can_tell_apart(self, answer: Observation) -> bool:
        """Return whether a salvo's answers have different numbers; give up if they do not."""
        bits = len(answer.cells) + self._name_bits + self._sunk_bits
        if bits > MOST_BITS or (self._name_bits and len(answer.cells) > 1):
            self.sets = []
        return bool(self.sets)

    def _go_on(self, answer: Observation) -> None:
        """Draw what is missing of the layouts that agree with an answer, too."""
        if self._name_bits:
            self._name(answer)
        if self._belief is not None and self._belief.known.exact:
            self._known = self._belief.known
        elif self._belief is not None:
            self._explain(self._no_hits(), self._belief.evidence)
            self._belief = None
        elif self._known is not None:
            self._explain(self._known, [answer])
        self._refill()

    def _no_hits(self) -> Explanations:
        limit = THOROUGH if self._thorough else MOST_EXPLANATIONS
        return Explanations(self.board, self.lengths, np.random.default_rng(0), limit)

    def _explain(self, known: Explanations, answers: Sequence[Observation]) -> None:
        self._known = known
        try:
            for answer in answers:
                known.observe(answer)
        except ImpossibleEvidenceError:
            if known.exact:
                self.sets = []
        if not known.exact:  # a sample of the explanations may have lost what is right
            self._known = None

    def _begin(self) -> None:
        assert self._known is not None
        if not self._list():
            known, number = self._known, self._layouts
            self._set([draw_layouts(known, number, random) for random in self._randoms])

    def _list(self) -> bool:
        """Take all layouts into each set, if they are known and not too many."""
        every = None if self._known is None else list_layouts(self._known, MOST_LISTED)
        if every is not None:
            self.sets = [every] * len(self._randoms)
        return every is not None

    def _set(self, drawn: list[Drawn | None]) -> None:
        """Take the sets that were drawn; give up if one could not be."""
        self.sets = [one for one in drawn if one is not None]
        if len(self.sets) < len(drawn):
            self.sets = []

    def _refill(self) -> None:
        """Draw the layouts that are missing; give up if a set has none left."""
        empty = not all(len(one.weights) for one in self.sets)
        if empty and (not self._thorough or self._known is None or self.sets[0].whole):
            self.sets = []
        if not self.sets or self.sets[0].whole or self.hit.sum() == sum(self.lengths):
            return
        if min(len(one.weights) for one in self.sets) >= self._layouts // 2 or self._list():
            return
        self._set([self._refilled(*both) for both in zip(self.sets, self._randoms, strict=True)])

    def _refilled(self, have: Drawn, random: np.random.Generator) -> Drawn | None:
        missing = self._layouts - len(have.weights)
        if not missing:
            return have
        more = None if self._known is None else draw_layouts(self._known, missing, random)
        if more is not None:
            places = np.concatenate([have.places, more.places], axis=1)
            return more._replace(places=places, weights=np.ones(self._layouts))
        if missing == self._layouts:
            return None
        self._copied = True
        places = multiply(
            self.board,
            self.lengths,
            have.places,
            self._layouts,
            hit=self.hit,
            untried=self.untried,
            random=random,
        )
        return have._replace(places=places, weights=np.ones(self._layouts))

    def _look(self, answer: Observation) -> Outlook:
        unhit = self._unhit(answer)
        codes = self._codes(answer, unhit)
        answers = [_answers(one, codes) for one in self.sets]
        came = self._code_of(answer)
        distinct, rows = _distinct(np.concatenate([[came], *answers]))
        ends = np.cumsum([1, *map(len, answers)])
        first, second = rows[1 : ends[1]], rows[ends[1] : ends[2]]
        likely, drawn = self.sets[:2]
        weights = likely.weights
        if self._odds is not None:
            weights = weights * self._odds(self.lengths, likely.places)
        chances = np.bincount(first, weights, len(distinct))
        share = np.bincount(second, drawn.weights, len(distinct)) / drawn.weights.sum()
        self._note(answer)
        hits = [(code & (1 << len(answer.cells)) - 1).bit_count() for code in distinct.tolist()]
        before = sum(self.lengths) - int(self.hit.sum()) + len(answer.hits)
        outlook = Outlook(
            chances / chances.sum(),
            int(rows[0]),
            self._drawn(likely),
            before - np.array(hits),
            share,
            drawn.log_layouts,
            self._counts(drawn, second, len(distinct)),
            unhit,
            self.untried.copy(),
        )
        self._keep([one == came for one in answers])
        return outlook

    def _drawn(self, likely: Drawn) -> float:
        """Return of how many layouts drawn by themselves the chances are shares."""
        if likely.whole:
            return math.inf
        return 0 if self._copied or self._odds is not None else len(likely.weights)

    def _note(self, answer: Observation) -> None:
        self.hit[list(answer.hits)] = True
        self.untried[list(answer.cells)] = False

    def _keep(self, agree: Sequence[Bools]) -> None:
        self.sets = [
            _kept(one, np.flatnonzero(rows)) for one, rows in zip(self.sets, agree, strict=True)
        ]

    def _unhit(self, answer: Observation) -> dict[int, Counts]:
        """Return how many cells of each placement a salvo leaves, should a ship lie there."""
        shot = self.hit.astype(np.float32)
        shot[list(answer.cells)] = 1
        cells = self.board.all_covers_32 @ shot
        return {length: length - cells[some] for length, some in self.board.numbers.items()}

    def _name(self, answer: Observation) -> None:
        """Give a ship that is named for the first time a slot of its own, in every layout."""
        for cell, ship in zip(answer.hits, answer.ships or (), strict=True):
            if ship.name in self._slots:
                continue
            own, *others = self._unnamed(ship.length)
            self._slots[ship.name] = own
            over = self.board.covers[ship.length][:, cell]
            for one in (*self.sets, *([] if self.repeated is None else [self.repeated])):
                for other in others:
                    rows = np.flatnonzero(over[one.places[other]])
                    one.places[own, rows], one.places[other, rows] = (
                        one.places[other, rows],
                        one.places[own, rows],
                    )
            fewer = math.log(1 + len(others))
            self.sets = [one._replace(log_layouts=one.log_layouts - fewer) for one in self.sets]

    def _unnamed(self, length: int) -> list[int]:
        """Return the slots of the ships of a length that no hit has named."""
        named = self._slots.values()
        return [
            slot for slot, one in enumerate(self.lengths) if one == length and slot not in named
        ]

    def _codes(self, answer: Observation, unhit: dict[int, Counts]) -> list[Codes]:
        """Return what the ship in each slot adds to the number of the answer at each placement.

        The lowest bits tell which cells of the salvo hit, the highest what sank; between them
        stands the slot of the ship that was hit, where hits name it.
        """
        shots = len(answer.cells)
        hits = self.board.all_covers.take(answer.cells, axis=1) @ (1 << np.arange(shots))
        by_length = {}
        for length, numbers in self.board.numbers.items():
            sunk = (unhit[length] == 0) & (hits[numbers] > 0)
            weight = self._weight_of(length, answer) << shots + self._name_bits
            by_length[length] = hits[numbers] + sunk * weight
        if not self._name_bits:
            return [by_length[length] for length in self.lengths]
        named = self._slots.values()
        return [
            by_length[length]
            + self.board.covers[length][:, answer.cells[0]]
            * ((slot if slot in named else self._unnamed(length)[0]) << shots)
            for slot, length in enumerate(self.lengths)
        ]

    def _weight_of(self, length: int, answer: Observation) -> int:
        if answer.sunk is None:
            return 0
        if isinstance(answer.sunk, int):
            return 1
        return self._digits[length]

    def _code_of(self, answer: Observation) -> int:
        hits = sum(1 << place for place, cell in enumerate(answer.cells) if cell in answer.hits)
        sunk = answer.sunk or 0
        if isinstance(sunk, tuple):
            sunk = sum(self._weight_of(length, answer) for length in sunk)
        slot = 0
        if self._name_bits and answer.ships:
            (ship,) = answer.ships
            known = self._slots.get(ship.name)
            slot = self._unnamed(ship.length)[0] if known is None else known
        return hits + (slot + (sunk << self._name_bits) << len(answer.cells))

    def _counts(self, drawn: Drawn, rows: Indices, answers: int) -> dict[int, Floats]:
        """Return the share of layouts with a ship at each placement, answer by answer."""
        counts = {}
        for length, covers in self.board.covers.items():
            slots = [slot for slot, one in enumerate(self.lengths) if one == length]
            codes = (rows * len(covers) + drawn.places[slots]).ravel()
            weights = np.tile(drawn.weights, len(slots))
            tally = np.bincount(codes, weights, answers * len(covers))
            counts[length] = tally.reshape(answers, len(covers)) / drawn.weights.sum()
        return counts


def _distinct(codes: Codes) -> tuple[Codes, Indices]:
    """Return the numbers that occur, ascending, and the place of each code among them."""
    if codes.max() >= len(codes):
        return np.unique(codes, return_inverse=True)
    # Counting takes a sixth of the time that sorting does.
    occurs = np.bincount(codes) > 0
    return np.flatnonzero(occurs), (occurs.cumsum() - 1).take(codes)


def _answers(drawn: Drawn, codes: Sequence[Codes]) -> Codes:
    numbers = np.zeros(drawn.places.shape[1], np.int64)
    for one, places in zip(codes, drawn.places, strict=True):
        numbers += one.take(places)
    return numbers


def _kept(drawn: Drawn, rows: Indices) -> Drawn:
    weights = drawn.weights[rows]
    share = weights.sum() / drawn.weights.sum()
    log_layouts = drawn.log_layouts + float(np.log(max(share, 1e-12)))
    return Drawn(drawn.places.take(rows, axis=1), weights, log_layouts, drawn.whole)
