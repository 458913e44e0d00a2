"""Games that were recorded are played again, shot by shot; ``make.py`` records them anew."""

from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

import msgspec
import pytest

from arena.rules import preset
from benchmarks.games.shots import Shots, played
from salvo.bundled import default_field

RECORDED = [
    msgspec.json.decode(line, type=Shots)
    for line in Path(__file__).with_name("shots.jsonl").read_text(encoding="ascii").splitlines()
]

LIKE_CLASSIC = ("again", "equal-turns")
"""Alone these are the classic game."""

AGAINST_ITSELF = ("salvo", "classic", "afp")
"""Presets in which bots play otherwise against an opponent than alone."""


def is_always_played(game: Shots) -> bool:
    return game.rules not in LIKE_CLASSIC if game.solo else game.rules in AGAINST_ITSELF


@pytest.mark.parametrize("bot", default_field())
def test_shoots_as_recorded_in_every_preset(bot: str) -> None:
    require_same_shots(game for game in RECORDED if game.bot == bot and is_always_played(game))


@pytest.mark.long("games of two by every preset, in which bots mostly do what they do alone")
@pytest.mark.parametrize("bot", default_field())
def test_shoots_as_recorded_in_all_other_games(bot: str) -> None:
    require_same_shots(game for game in RECORDED if game.bot == bot and not is_always_played(game))


def require_same_shots(wanted: Iterable[Shots]) -> None:
    different: list[str] = []
    for (bot, rules, solo), games in groupby(
        wanted, lambda game: (game.bot, game.rules, game.solo)
    ):
        # A bot may have learned from games with earlier seeds: all are played, in order.
        recorded = {game.seed: game for game in games}
        different += [
            game.first_difference(recorded[game.seed])
            for game in played(bot, preset(rules), range(1, max(recorded) + 1), solo=solo)
            if game.seed in recorded
        ]
    assert different
    assert not any(different), "\n".join(filter(None, different))
