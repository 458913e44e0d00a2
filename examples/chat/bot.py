"""Asks a chat model where to shoot, at any server that speaks the chat-completions format.

    bot.py --url http://localhost:8080/v1 --model NAME [--key VARIABLE]

The model sees the board as text and answers with cells. If these are not legal, it is told why and
asked once more; after that the bot shoots at random. What is sent and received goes to stderr, so
that `--log` keeps it. A server that does not answer is an outage, and the game is played later.
"""

import argparse
import os
import re
import sys
import time

from completions import Server

from arena import Bot, run
from arena.rules import RulesView, cell_name, read_cell, row_name

MOST_LOGGED = 10_000
"""How many characters of a message are logged."""

SPARE_S = 0.5
"""How much of its time the bot keeps for itself."""

CELL = re.compile(r"\b[A-Z]{1,2}[0-9]{1,2}\b")


class Chat(Bot):
    """Asks a chat model for every salvo."""

    def __init__(self, server: Server) -> None:
        self._server = server

    def plays(self, rules: RulesView) -> bool:
        """Play where hits and misses are told: the board in words shows nothing else."""
        return super().plays(rules) and rules.told == "cells"

    def game_begins(self) -> None:
        """Count anew."""
        self._tokens = self._asked = self._retries = self._random_salvos = 0

    def numbers(self) -> dict[str, float]:
        """Report what the game cost, and how often the model was no help."""
        return {
            "tokens": self._tokens,
            "retries": self._retries,
            "random_salvos": self._random_salvos,
            "asked": self._asked,
        }

    def choose_shots(self, count: int) -> list[int]:
        """Ask the model, once more if its answer is not legal, and then chance."""
        # The time left is that of the last request: what a salvo takes counts from there.
        until = time.monotonic() + min(self.limits.move_s, self.time_left_s) - SPARE_S
        messages = [
            {"role": "system", "content": rules_in_words(self.rules)},
            {"role": "user", "content": board_in_words(self, count)},
        ]
        for attempt in range(2):
            try:
                said = self._say(messages, until)
            except TimeoutError:
                log("!", "no answer in time")
                break
            try:
                return cells_in(said, self, count)
            except ValueError as mistake:
                log("!", str(mistake))
                self._retries += not attempt
                messages += [
                    {"role": "assistant", "content": said},
                    {"role": "user", "content": f"{mistake} {how_to_answer(count)}"},
                ]
        self._random_salvos += 1
        return self.random.sample(self.untried, count)

    def _say(self, messages: list[dict[str, str]], until: float) -> str:
        for message in messages[-1:] if self._asked else messages:
            log(">", message["content"])
        self._asked += 1
        said, tokens = self._server.ask(messages, until)
        self._tokens += tokens
        log("<", said)
        return said


def rules_in_words(rules: RulesView) -> str:
    """Return what the model has to know before the first salvo."""
    fleet = ", ".join(f"{ship.name} ({ship.length})" for ship in rules.opponent_fleet or ())
    last = cell_name(rules.cells - 1, rules.columns)
    return (
        f"You play Battleship. The board has cells A1 to {last}: letters are rows, numbers are "
        f"columns. On it lie straight ships, across or down: {fleet or 'which is not known'}. "
        "Find and sink all of them in few shots."
    )


def board_in_words(bot: Bot, count: int) -> str:
    """Return what is known of the opponent's board, and what is asked."""
    rules, shot, hits = bot.rules, set(bot.shot), set(bot.hits)
    head = "   " + " ".join(f"{column + 1:>2}" for column in range(rules.columns))
    lines = [
        f"{row_name(row):<3}"
        + " ".join(
            " X" if cell in hits else " o" if cell in shot else " ."
            for cell in range(row * rules.columns, (row + 1) * rules.columns)
        )
        for row in range(rules.rows)
    ]
    sunk = ", ".join(ship.name for ship, _ in bot.sunk) or "none"
    return "\n".join(
        [
            "X is a hit, o a miss, . a cell that was not shot yet.",
            head,
            *lines,
            f"Sunk so far: {sunk}.",
            how_to_answer(count),
        ]
    )


def how_to_answer(count: int) -> str:
    """Return what an answer looks like."""
    what = "one cell" if count == 1 else f"{count} different cells"
    example = " ".join(["C4", "F7", "A1", "B9", "E5"][: min(count, 5)])
    return (
        f"Answer with {what} marked . on the last line, and nothing else there, such as: {example}"
    )


def cells_in(said: str, bot: Bot, count: int) -> list[int]:
    """Return the cells in the last line of an answer that has some.

    Raises:
        ValueError: If these are no legal salvo, in words for the model.
    """
    lines = [CELL.findall(line.upper()) for line in said.splitlines()]
    named: list[str] = next((found for found in reversed(lines) if found), [])
    rules, untried = bot.rules, set(bot.untried)
    cells: list[int] = []
    for name in named:
        cell = read_cell(name, rules.rows, rules.columns)
        if cell in cells:
            raise ValueError(f"{name} is there twice.")
        if cell not in untried:
            raise ValueError(f"{name} was shot already.")
        cells.append(cell)
    if len(cells) != count:
        raise ValueError(f"You named {len(cells)} cells.")
    return cells


def log(mark: str, text: str) -> None:
    """Write what was sent or received to stderr, which `--log` keeps."""
    lines = text[:MOST_LOGGED].splitlines()
    sys.stderr.write("".join(f"{mark} {line[:MOST_LOGGED]}\n" for line in lines[:200]))


def make_bot() -> Chat:
    """Return a bot that asks the server in its options."""
    parser = argparse.ArgumentParser(description="Asks a chat model where to shoot.")
    parser.add_argument("--url", required=True, help="where the server's /chat/completions is")
    parser.add_argument("--model", required=True, help="what the server calls the model")
    parser.add_argument("--key", default="", help="the variable with the key for the server")
    options = parser.parse_args()
    key = os.environ.get(options.key, "") if options.key else ""
    return Chat(Server(options.url, options.model, key))


if __name__ == "__main__":
    run(make_bot)
