"""Plays games of a library between players that move at random, and prints how many and how long.

``python -P peer_games.py NAME SECONDS`` runs by itself, in an environment that need not have Salvo;
it prints a line of JSON, or nothing if the library is not installed. A move is one decision of one
player.
"""

import json
import random
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

Play = Callable[[], int]
"""Plays a game and returns its moves."""


def _axelrod() -> Play:
    import axelrod  # noqa: PLC0415 - each in a process of its own, if installed

    turns = 200

    def play() -> int:
        match = axelrod.Match((axelrod.Random(), axelrod.Random()), turns=turns)
        return 2 * len(match.play())

    return play


def _pettingzoo() -> Play:
    from pettingzoo.classic import tictactoe_v3  # noqa: PLC0415 - likewise

    environment: Any = tictactoe_v3.env()

    def play() -> int:
        moves = 0
        environment.reset()
        for _ in environment.agent_iter():
            observed, _, terminated, truncated, _ = environment.last()
            if terminated or truncated:
                environment.step(None)
                continue
            environment.step(random.choice(observed["action_mask"].nonzero()[0]))
            moves += 1
        return moves

    return play


def _open_spiel() -> Play:
    import pyspiel  # noqa: PLC0415 - likewise

    fleet = {"ship_sizes": "[2;3;3;4;5]", "ship_values": "[1;1;1;1;1]", "num_shots": 100}
    board = {"board_width": 10, "board_height": 10, "allow_repeated_shots": False}
    game = pyspiel.load_game("battleship", board | fleet)

    def play() -> int:
        moves = 0
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(random.choice(state.legal_actions()))
            moves += 1
        return moves

    return play


def _kaggle() -> Play:
    from kaggle_environments import make  # noqa: PLC0415 - likewise

    def play() -> int:
        return len(make("connectx").run(["random", "random"])) - 1

    return play


PEERS: dict[str, tuple[str, Callable[[], Play]]] = {
    "axelrod": ("axelrod", _axelrod),
    "pettingzoo": ("pettingzoo", _pettingzoo),
    "open_spiel": ("open_spiel", _open_spiel),
    "kaggle": ("kaggle-environments", _kaggle),
}
"""By name: the distribution, and what makes a function that plays a game."""


def _main(name: str, seconds: float) -> None:
    distribution, make = PEERS[name]
    try:
        play = make()
    except ImportError:
        return
    play()
    games = moves = 0
    began = time.process_time()
    while (used := time.process_time() - began) < seconds:
        moves += play()
        games += 1
    found = {"games": games, "moves": moves, "seconds": used, "version": version(distribution)}
    # Some libraries greet on stdout.
    print("\n" + json.dumps(found))  # noqa: T201 - its only output


if __name__ == "__main__":
    _main(sys.argv[1], float(sys.argv[2]))
