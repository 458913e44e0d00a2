"""Colours and marks of bots: contrast on both grounds, and differences to colour-blind eyes."""

import itertools

import numpy as np
import numpy.typing as npt
import pytest

from leaderboards.display.palette import COLOURS, styles

GROUNDS = {"light": "#ffffff", "dark": "#18202a"}
SEEN_AS = {
    # Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB.
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
    "nothing": np.eye(3).tolist(),
}
TO_LMS = [
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
]
TO_OKLAB = [
    [0.2104542553, 0.7936177850, -0.0040720468],
    [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660],
]

Floats = npt.NDArray[np.float64]


def linear(colour: str) -> Floats:
    parts = np.array([int(colour[place : place + 2], 16) for place in (1, 3, 5)]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def luminance(colour: str) -> float:
    return float(linear(colour) @ np.array([0.2126, 0.7152, 0.0722]))


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def apart(one: str, other: str, deficiency: str) -> float:
    """Return how far apart two colours are in Oklab, where 0.02 is just noticeable."""
    seen = np.array(SEEN_AS[deficiency])
    spots = [
        np.cbrt(np.clip(seen @ linear(colour), 0, 1) @ np.array(TO_LMS).T) @ np.array(TO_OKLAB).T
        for colour in (one, other)
    ]
    return float(np.linalg.norm(spots[0] - spots[1]))


@pytest.mark.parametrize("ground", GROUNDS.values(), ids=GROUNDS.keys())
@pytest.mark.parametrize("colour", COLOURS)
def test_colour_has_three_to_one_on_both_grounds(colour: str, ground: str) -> None:
    assert contrast(colour, ground) >= 3


@pytest.mark.parametrize("deficiency", SEEN_AS)
def test_fifteen_colours_differ_to_everybody(deficiency: str) -> None:
    assert len(COLOURS) == 15
    pairs = itertools.combinations(COLOURS, 2)
    assert min(apart(one, other, deficiency) for one, other in pairs) > 0.05


@pytest.mark.parametrize("number", [3, 15, 16, 40, 120])
def test_every_bot_has_a_colour_and_a_mark_of_its_own(number: int) -> None:
    bots = [f"bot {place}" for place in range(number)]
    assert len({(style.colour, style.mark) for style in styles(bots).values()}) == number


def test_first_bots_keep_their_style_when_others_join() -> None:
    assert styles(["a", "b"])["b"] == styles(["a", "b", "a", "c"])["b"]
