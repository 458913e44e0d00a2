"""A program in a process of its own as the opponent, at each level of isolation."""

import shutil
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from arena.environments import AgainstBotEnv, DuelEnv
from arena.errors import BotError, UserError

EXAMPLES = Path(__file__).parents[3] / "examples"
BOT = """
import sys
from arena import Bot, run

class Faulty(Bot):
    def choose_shots(self, count):
        FAULT
        return self.untried[:count]

run(Faulty)
"""


def play(environment: AgainstBotEnv, seed: int) -> tuple[list[int], float, str | None]:
    """Play a game; return what is seen at its end, the reward and the fault."""
    random = np.random.default_rng(seed)
    _, info = environment.reset(seed=seed)
    cells: list[int] = []
    ended, reward = False, 0.0
    while not ended:
        cells.append(int(random.choice(np.flatnonzero(info["action_mask"]))))
        _, reward, ended, _, info = environment.step(cells[-1])
    return cells, reward, info.get("fault")


def written(folder: Path, fault: str) -> str:
    path = folder / "faulty.py"
    path.write_text(BOT.replace("FAULT", fault), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("isolation", ["none", "auto"])
def test_a_script_of_any_language_plays_and_the_same_seed_gives_the_same_game(
    isolation: str,
) -> None:
    runtime = "node" if shutil.which("node") else "bash"
    script = EXAMPLES / ("rows.js" if runtime == "node" else "rows.sh")
    environment = gymnasium.make(
        "salvo/Duel-v0", opponent=f"{runtime} {script}", rules="classic", isolation=isolation
    )
    games = [play(environment.unwrapped, seed) for seed in (4, 5, 4)]  # type: ignore[arg-type]
    environment.close()
    assert games[0] == games[2] != games[1]
    assert games[0][2] is None


@pytest.mark.parametrize(
    ("seat", "fault", "reason"),
    [
        ("first", "return [0] * count", "appears twice|already shot"),
        ("second", "sys.exit(3)", "exited with code 3"),
        ("first", "raise ValueError('it broke')", "it broke"),
    ],
)
def test_a_fault_is_warned_of_in_one_line_and_the_next_game_is_played(
    tmp_path: Path, fault: str, reason: str, seat: str
) -> None:
    environment = AgainstBotEnv(
        written(tmp_path, fault),
        "salvo",
        seat=seat,  # type: ignore[arg-type]
        isolation="none",
    )
    for seed in (1, 2):
        with pytest.warns(UserWarning, match=f"opponent faulty: it forfeits.*({reason})") as said:
            _, reward, why = play(environment, seed)
        assert [str(one.message).count("\n") for one in said] == [0]
        assert reward == 1
        assert why is not None
    environment.close()


def test_close_ends_the_process_and_removes_its_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copies = tmp_path / "copies"
    copies.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(copies))
    environment = AgainstBotEnv(written(tmp_path, "pass"), "classic", isolation="none")
    assert list(copies.iterdir())
    environment.close()
    assert not list(copies.iterdir())
    environment.close()


def test_a_program_that_does_not_start_or_play_is_an_error_of_one_line(tmp_path: Path) -> None:
    path = Path(written(tmp_path, "pass"))
    path.write_text("raise SystemExit('no')", encoding="utf-8")
    with pytest.raises(BotError, match=r"opponent faulty: .*no"):
        AgainstBotEnv(str(path), isolation="none")
    path.write_text(BOT.replace("choose_shots(self, count)", "plays(self, rules)"), "utf-8")
    path.write_text(path.read_text("utf-8").replace("FAULT", "return False"), "utf-8")
    with pytest.raises(BotError, match="does not play"):
        AgainstBotEnv(str(path), isolation="none").reset(seed=1)
    with pytest.raises(BotError, match="no bundled bot, file or command"):
        AgainstBotEnv("no_such_bot.js")
    with pytest.raises(UserError, match="isolation is 'strong'"):
        AgainstBotEnv(str(path), isolation="strong")


@pytest.mark.filterwarnings("ignore::UserWarning")  # advice on observations that are dictionaries
@pytest.mark.parametrize(("placement", "seat"), [("drawn", "first"), ("actions", "second")])
def test_a_program_sits_in_a_seat_of_pettingzoo(tmp_path: Path, placement: str, seat: str) -> None:
    def made() -> DuelEnv:
        return DuelEnv(
            "salvo",
            placement,  # type: ignore[arg-type]
            opponent=written(tmp_path, "pass"),
            bot_seat=seat,  # type: ignore[arg-type]
            isolation="none",
        )

    environment = made()
    assert seat not in environment.possible_agents
    api_test(environment, num_cycles=100)
    environment.close()
    seed_test(made, num_cycles=50)


def shoot_to_the_end(environment: DuelEnv) -> None:
    while not environment.terminations["first"]:
        mask = environment.observe("first")["action_mask"]
        environment.step(int(np.flatnonzero(mask)[0]))


def test_a_fault_in_pettingzoo_is_warned_of_and_ends_the_game(tmp_path: Path) -> None:
    environment = DuelEnv(opponent=written(tmp_path, "sys.exit(3)"), isolation="none")
    environment.reset(seed=1)
    with pytest.warns(UserWarning, match="opponent faulty: it forfeits the game: exited"):
        shoot_to_the_end(environment)
    assert environment.rewards == {"first": 1.0}
    assert "exited with code 3" in environment.infos["first"]["fault"]
    environment.close()
