"""Games that were recorded are played again, shot by shot; ``make.py`` records them anew."""

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


@pytest.mark.parametrize("bot", default_field())
def test_shoots_as_recorded_in_every_preset(bot: str) -> None:
    mine = (game for game in RECORDED if game.bot == bot)
    different: list[str] = []
    for (rules, solo), games in groupby(mine, lambda game: (game.rules, game.solo)):
        # A bot may have learned from games with earlier seeds: all are played, in order.
        recorded = {game.seed: game for game in games}
        different += [
            game.first_difference(recorded[game.seed])
            for game in played(bot, preset(rules), range(1, max(recorded) + 1), solo=solo)
            if game.seed in recorded
        ]
    assert different
    assert not any(different), "\n".join(filter(None, different))
