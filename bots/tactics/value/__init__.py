"""How many shots a strong shooter still needs, and what luck the answers so far were.

What may follow a salvo is found by ``Chances``; what each answer is worth by a small network. Both
together say how lucky an answer was, which is how results are adjusted (``docs/luck.md``), and
which of some shots is best (``docs/strength.md``).
"""

from bots.tactics.value.ahead import (
    Sea,
    improved_salvo,
    paths_of_misses,
    worth_of_paths,
    worth_of_salvos,
)
from bots.tactics.value.chances import Chances, Outlook
from bots.tactics.value.classes import prospects
from bots.tactics.value.drawing import Drawn
from bots.tactics.value.features import FEATURES, describe
from bots.tactics.value.luck import (
    Answers,
    answers_of,
    chances_with_played,
    log_e_values,
    lucks,
    values,
)
from bots.tactics.value.network import VERSION, Network, network_for

__all__ = [
    "FEATURES",
    "VERSION",
    "Answers",
    "Chances",
    "Drawn",
    "Network",
    "Outlook",
    "Sea",
    "answers_of",
    "chances_with_played",
    "describe",
    "improved_salvo",
    "log_e_values",
    "lucks",
    "network_for",
    "paths_of_misses",
    "prospects",
    "values",
    "worth_of_paths",
    "worth_of_salvos",
]
