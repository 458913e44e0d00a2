"""Where the opponent's ships lie: counted exactly where that is possible, else sampled."""

from bots.tactics.posterior.bayesian_bot import BayesianBot
from bots.tactics.posterior.belief import Belief, Marginals, can_follow, highest
from bots.tactics.posterior.board import MAX_CELLS, Board, Bools, Floats, board_of
from bots.tactics.posterior.distinct import distinct
from bots.tactics.posterior.draws import Draws, draw_independently
from bots.tactics.posterior.estimate import Effort, Posterior, Ship, estimate
from bots.tactics.posterior.evidence import Evidence, Observation, observation_of
from bots.tactics.posterior.explanations import Explanations, ImpossibleEvidenceError
from bots.tactics.posterior.reader import BeliefReader
from bots.tactics.posterior.salvo import (
    HIT_BITS,
    HIT_BITS_ALONE,
    best_counted_set,
    best_salvo,
    best_set,
    likely_salvo,
    likely_set,
)
from bots.tactics.posterior.sampled import SampledBelief
from bots.tactics.posterior.sampling import SampleReader, can_sample, sampled_belief
from bots.tactics.posterior.sampling_bot import SamplingBot
from bots.tactics.posterior.systematic import draw_systematically
from bots.tactics.posterior.table import FREE
from bots.tactics.posterior.worlds import Answer, Lying, Worlds

__all__ = [
    "FREE",
    "HIT_BITS",
    "HIT_BITS_ALONE",
    "MAX_CELLS",
    "Answer",
    "BayesianBot",
    "Belief",
    "BeliefReader",
    "Board",
    "Bools",
    "Draws",
    "Effort",
    "Evidence",
    "Explanations",
    "Floats",
    "ImpossibleEvidenceError",
    "Lying",
    "Marginals",
    "Observation",
    "Posterior",
    "SampleReader",
    "SampledBelief",
    "SamplingBot",
    "Ship",
    "Worlds",
    "best_counted_set",
    "best_salvo",
    "best_set",
    "board_of",
    "can_follow",
    "can_sample",
    "distinct",
    "draw_independently",
    "draw_systematically",
    "estimate",
    "highest",
    "likely_salvo",
    "likely_set",
    "observation_of",
    "sampled_belief",
]
