"""Measures the luck in the answers to the salvos of a game.

The value of an answer is the number of turns that a strong shooter is expected to take from there
on. The luck of a salvo is the value of the answer that came, less the mean of the values of all
answers that it might have got: positive is bad luck. Its expectation is zero, whatever the values
are and however the shooter chose.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from bots.tactics.posterior.board_placements import Board, Bools, Floats, Indices
from bots.tactics.value.chances import Outlook
from bots.tactics.value.features import SHOTS, Features, describe

HIT_TILTS = (0.25, 0.5, 1.0, 2.5, 5.0, -0.25, -0.5, -1.0)
VALUE_TILTS = (0.05, 0.1, 0.2, -0.05, -0.1, -0.2)
"""Logarithms of how much likelier an answer becomes for each hit, and for each shot it saves.

Whoever knows layouts misses less, which tilts of hits show best. Negative ones show shots that are
known to miss, and tilts by value what neither shows: with them luck can be had in the value alone.
"""


class Answers(NamedTuple):
    """All answers that the salvos of some games might have got, one a row."""

    features: Features
    chances: Floats
    to_hit: Indices  # how many ship cells are left after each
    seen: Bools  # whether layouts say what is left after it
    salvo: Indices  # the number of the salvo that each may answer
    came: Indices  # for each salvo, the row of the answer that came
    drawn: Floats  # for each salvo, of how many layouts the chances are shares; see ``Outlook``

    @classmethod
    def joined(cls, parts: Sequence["Answers"]) -> "Answers":
        """Return the answers of all parts, their salvos and rows numbered one after another."""
        salvos = np.cumsum([0, *(len(part.came) for part in parts)])
        rows = np.cumsum([0, *(len(part.salvo) for part in parts)])
        every = [
            part._replace(salvo=part.salvo + salvo, came=part.came + row)
            for part, salvo, row in zip(parts, salvos[:-1], rows[:-1], strict=True)
        ]
        return cls(*map(np.concatenate, zip(*every, strict=True)))


def answers_of(board: Board, outlooks: Sequence[Outlook], shots: int) -> Answers:
    """Return the answers that the salvos of one game, at least one, might have got.

    Args:
        shots: How many shots a salvo has.
    """
    sizes = [len(outlook.chances) for outlook in outlooks]
    starts = np.cumsum([0, *sizes[:-1]])
    return Answers(
        describe(board, outlooks, shots),
        np.concatenate([outlook.chances for outlook in outlooks]),
        np.concatenate([outlook.to_hit for outlook in outlooks]),
        np.concatenate([outlook.share for outlook in outlooks]) > 0,
        np.repeat(np.arange(len(sizes)), sizes),
        starts + np.array([outlook.came for outlook in outlooks]),
        np.array([outlook.drawn for outlook in outlooks], float),
    )


def values(answers: Answers, misses: Floats) -> Floats:
    """Return how many turns are left after each answer, after which some shots miss."""
    # Of an answer that no layout of the second set gives, only the number of hits is known.
    salvos = len(answers.came)
    number = np.bincount(answers.salvo, answers.seen, salvos)
    mean = np.bincount(answers.salvo, misses * answers.seen, salvos) / np.maximum(number, 1)
    misses = np.where(answers.seen, misses, mean[answers.salvo])
    return np.where(answers.to_hit > 0, answers.to_hit + misses, 0.0) / answers.features[:, SHOTS]


def lucks(answers: Answers, worth: Floats) -> Floats:
    """Return the luck of each salvo, in turns, given the value of each answer."""
    expected = np.bincount(answers.salvo, answers.chances * worth, len(answers.came))
    return np.asarray(worth[answers.came] - expected, float)


def log_e_values(answers: Answers, worth: Floats) -> Floats:
    """Return how far each answer would speak against chance: logarithms of e-values, (rows, tilts).

    An e-value is never negative, and its expectation is at most 1 if chance alone decides. That of
    an answer is how much likelier it gets when good answers, by hits and by the shots left after
    each, are tilted up (for negative tilts, bad ones). Those of the answers that came in a game
    multiply (Shafer: *Testing by betting*, 2021). They are 0 for the answers that came where the
    layouts that say how likely answers are were not drawn independently.
    """
    chances = chances_with_played(answers)
    penalties = [
        tilt * left
        for tilts, left in ((HIT_TILTS, answers.to_hit.astype(float)), (VALUE_TILTS, worth))
        for tilt in tilts
    ]
    means = [
        np.bincount(answers.salvo, chances * np.exp(-one), len(answers.came)) for one in penalties
    ]
    logs = [-one - np.log(mean)[answers.salvo] for one, mean in zip(penalties, means, strict=True)]
    return np.stack(logs, axis=1)


def chances_with_played(answers: Answers) -> Floats:
    """Return how likely each answer is if the layout that was played is one of those drawn.

    By chance it is as likely to be any of them: with it among them the expectation of an e-value
    is exactly 1 however few were drawn, and without it the answer may be one that none gives.
    """
    played = 1 / (1 + answers.drawn)
    chances = answers.chances * (1 - played)[answers.salvo]
    chances[answers.came] += played
    return chances
