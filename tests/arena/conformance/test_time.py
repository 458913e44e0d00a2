"""A check takes no longer than it may, however slow the bot is."""

from pathlib import Path

import pytest

from arena.conformance import Step, check
from arena.entrants import Terms, enter
from arena.isolation import Level
from arena.records import Settings
from arena.rules import preset

SLOW = """
import time

from arena import Bot, run


class Slow(Bot):
    def choose_shots(self, count):
        if len(self.shot) > {shots}:
            time.sleep(600)
        return self.untried[:count]


run(Slow)
"""
PATIENT = Settings(load_s=3600.0, move_s=3600.0, game_s=3600.0)


def checked(folder: Path, *, shots: int, most_s: float) -> list[Step]:
    bot = folder / "slow.py"
    bot.write_text(SLOW.format(shots=shots))
    entrant = enter("slow", [str(bot)], {}, Terms())
    return list(check(entrant, preset("classic"), PATIENT, Level.NONE, most_s))


def verdicts(steps: list[Step]) -> str:
    return "".join(step.verdict[0] for step in steps)


def test_check_of_a_bot_that_is_slow_in_whole_games_ends_there(tmp_path: Path) -> None:
    for most_s in (4.0, 16.0, 64.0):  # on a busy machine the first steps take long
        steps = checked(tmp_path, shots=20, most_s=most_s)
        if verdicts(steps) == "oooooooosssss":
            break
    assert verdicts(steps) == "oooooooosssss"
    assert f"the check had taken {most_s:g} s" in steps[-1].detail
    assert sum(step.seconds for step in steps) < 600


@pytest.mark.parametrize("most_s", [0.0, 3.0])
def test_bot_that_does_not_come_to_whole_games_in_time_fails(tmp_path: Path, most_s: float) -> None:
    found = verdicts(checked(tmp_path, shots=-1, most_s=most_s)).lstrip("o")
    assert found == "f" + "s" * (len(found) - 1)
