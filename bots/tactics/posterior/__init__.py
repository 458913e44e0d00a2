"""What is known of the opponent's sea, exactly where that can be counted, else by sampling."""

from bots.tactics.posterior.belief import Belief, can_follow, highest
from bots.tactics.posterior.board import MAX_CELLS, Board, Bools, Floats, board_of
from bots.tactics.posterior.estimate import Effort, Posterior, Ship, estimate
from bots.tactics.posterior.evidence import Evidence, Observation, Reader
from bots.tactics.posterior.explanations import FREE, Explanations, ImpossibleEvidenceError
from bots.tactics.posterior.salvo import HIT_BITS, best_salvo, best_set, likely_salvo, likely_set
from bots.tactics.posterior.worlds import Lying, Told, Worlds

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
