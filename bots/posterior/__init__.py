"""What is known of the opponent's sea, exactly where that can be counted, else by sampling."""

from bots.posterior.belief import Belief, can_follow, highest
from bots.posterior.board import MAX_CELLS, Board, Bools, Floats, board_of
from bots.posterior.estimate import Effort, Posterior, Ship, estimate
from bots.posterior.evidence import Evidence, Observation, Reader
from bots.posterior.explanations import FREE, Explanations, ImpossibleEvidenceError
from bots.posterior.salvo import HIT_BITS, best_salvo, best_set, likely_salvo, likely_set
from bots.posterior.worlds import Lying, Told, Worlds

__all__ = [
    "FREE",
    "HIT_BITS",
    "MAX_CELLS",
    "Belief",
    "Board",
    "Bools",
    "Effort",
    "Evidence",
    "Explanations",
    "Floats",
    "ImpossibleEvidenceError",
    "Lying",
    "Observation",
    "Posterior",
    "Reader",
    "Ship",
    "Told",
    "Worlds",
    "best_salvo",
    "best_set",
    "board_of",
    "can_follow",
    "estimate",
    "highest",
    "likely_salvo",
    "likely_set",
]
