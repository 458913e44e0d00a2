"""Turns what PyTorch trains into the arrays of a checkpoint, and back."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn


def state_of(parts: nn.Module, adam: torch.optim.Adam) -> dict[str, NDArray[Any]]:
    """Return the weights of a module and what Adam keeps."""
    kept = {f"weights:{n}": part for n, part in parts.state_dict().items()}
    for number, entry in adam.state_dict()["state"].items():
        kept |= {f"adam:{number}:{name}": value for name, value in entry.items()}
    return {name: value.detach().cpu().numpy().copy() for name, value in kept.items()}


def restore_state(
    parts: nn.Module, adam: torch.optim.Adam, state: Mapping[str, NDArray[Any]]
) -> None:
    """Take over what ``state_of`` returned; other entries are ignored."""
    weights: dict[str, Tensor] = {}
    entries: dict[int, dict[str, Tensor]] = {}
    for key, value in state.items():
        kind, _, name = key.partition(":")
        if kind == "weights":
            weights[name] = torch.from_numpy(np.array(value))
        elif kind == "adam":
            number, _, what = name.partition(":")
            entries.setdefault(int(number), {})[what] = torch.from_numpy(np.array(value))
    parts.load_state_dict(weights)
    adam.load_state_dict(adam.state_dict() | {"state": entries})
