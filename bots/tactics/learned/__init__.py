"""What learned bots share: weights with where they come from, and what is computed of them."""

from bots.tactics.learned.cell_features import FEATURES, CellFeatures
from bots.tactics.learned.memory import Memory
from bots.tactics.learned.salvo_network import (
    SalvoNetwork,
    board_inputs,
    network_for,
    networks_in,
    patches_of,
    salvos_of,
)
from bots.tactics.learned.weights import Arrays, Origin, read_weights, write_weights

__all__ = [
    "FEATURES",
    "Arrays",
    "CellFeatures",
    "Memory",
    "Origin",
    "SalvoNetwork",
    "board_inputs",
    "network_for",
    "networks_in",
    "patches_of",
    "read_weights",
    "salvos_of",
    "write_weights",
]
