"""The luck in the answers to the salvos of a game.

The value of an answer is the number of turns that a strong shooter is expected to take from there
on. The luck of a salvo is the value of the answer that came, less the mean of the values of all
answers that it might have got: positive is bad luck. Its expectation is zero, whatever the values
are and however the shooter chose.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from bots.tactics.posterior import Board, Bools, Floats
from bots.tactics.posterior.board import Indices
from bots.tactics.value.chances import Outlook
from bots.tactics.value.features import Features, describe

__all__ = ["Answers", "answers_of", "lucks", "values"]


class Answers(NamedTuple):
    """All answers that the salvos of some games might have got, one a row.

    Attributes:
        features: What describes each, (rows, FEATURES).
        chances: How likely each is.
        to_hit: How many ship cells are left after each.
        seen: Whether layouts tell what is left after it.
        salvo: The number of the salvo that each may answer.
        came: For each salvo, the row of the answer that came.
    """

    features: Features
    chances: Floats
    to_hit: Indices
    seen: Bools
    salvo: Indices
    came: Indices


def answers_of(board: Board, outlooks: Sequence[Outlook]) -> Answers:
    """Return the answers that the salvos of one game, at least one, might have got."""
    sizes = [len(outlook.chances) for outlook in outlooks]
    starts = np.cumsum([0, *sizes[:-1]])
    return Answers(
        describe(board, outlooks),
        np.concatenate([outlook.chances for outlook in outlooks]),
        np.concatenate([outlook.to_hit for outlook in outlooks]),
        np.concatenate([outlook.share for outlook in outlooks]) > 0,
        np.repeat(np.arange(len(sizes)), sizes),
        starts + np.array([outlook.came for outlook in outlooks]),
    )


def values(answers: Answers, misses: Floats, shots: int) -> Floats:
    """Return how many turns are left after each answer.

    Args:
        answers: The answers.
        misses: How many shots are expected to miss after each.
        shots: How many shots a turn has.
    """
    # Of an answer that no layout of the second set gives, only the number of hits is known.
    salvos = len(answers.came)
    number = np.bincount(answers.salvo, answers.seen, salvos)
    mean = np.bincount(answers.salvo, misses * answers.seen, salvos) / np.maximum(number, 1)
    misses = np.where(answers.seen, misses, mean[answers.salvo])
    return np.where(answers.to_hit > 0, answers.to_hit + misses, 0.0) / shots


def lucks(answers: Answers, worth: Floats) -> Floats:
    """Return the luck of each salvo, in turns, given the value of each answer."""
    expected = np.bincount(answers.salvo, answers.chances * worth, len(answers.came))
    return np.asarray(worth[answers.came] - expected, float)
