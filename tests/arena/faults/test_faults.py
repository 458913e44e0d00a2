"""Every fault has one right verdict, and harms nobody.

The table is the whole of it: a fault, how the game ends by it, who wins, and a part of the reason.
Each names a program in ``tests/faulty_bots``. It sits first, against an honest bot; where it does
nothing wrong, the honest game is won by whoever shoots first.
"""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import pytest

from arena.isolation import Level
from arena.records import Game, Termination

Meet = Callable[[Level, str], tuple[Game, list[str], list[str]]]
"""Plays against a faulty bot at a level: the game, the harm it did, the processes that it left."""

SUNK = Termination.SUNK
UNSTARTED = Termination.UNSTARTED
TIMEOUT = Termination.TIMEOUT
EXITED = Termination.EXITED
MALFORMED = Termination.MALFORMED
ILLEGAL = Termination.ILLEGAL

ITSELF, OTHER = "first", "second"
SILENT = "did not answer in time"
PLAYED = "every ship of the other side is sunk"

HIDING = frozenset({Level.NONE} if os.geteuid() == 0 else {Level.NONE, Level.LIMITS})
"""The levels at which a daemon that hides where it came from is not found again."""


class Verdict(NamedTuple):
    """What comes of a fault.

    Attributes:
        termination: How the game ends.
        winner: Who wins it.
        reason: A part of the reason.
        at: The levels at which all that is different.
        leaves: The levels at which it leaves a process behind.
    """

    termination: Termination
    winner: str
    reason: str
    at: Mapping[Level, tuple[Termination, str, str]] = MappingProxyType({})
    leaves: frozenset[Level] = frozenset()


MONITORED = MappingProxyType({Level.SANDBOX: (TIMEOUT, OTHER, SILENT)})
"""The outer process of a box holds the bot's pipes open until the bot ends."""

_REFUSED = (EXITED, OTHER, "PermissionError")
BOUND = MappingProxyType({Level.LITE: _REFUSED, Level.SANDBOX: _REFUSED})
"""No bot there can seem to be killed from outside, which would void its game."""

UNBOUNDED = MappingProxyType({Level.NONE: (SUNK, ITSELF, PLAYED)})

DONE = {
    # It does not start, or says nothing.
    "missing_interpreter": Verdict(UNSTARTED, OTHER, ""),
    "not_executable": Verdict(UNSTARTED, OTHER, "Permission denied"),
    "syntax_error": Verdict(UNSTARTED, OTHER, "SyntaxError"),
    "fails_to_import": Verdict(UNSTARTED, OTHER, "No module named 'no_such_module_at_all'"),
    "exits_at_once": Verdict(UNSTARTED, OTHER, "exited with code 3"),
    "silent_at_start": Verdict(UNSTARTED, OTHER, "1 s to load"),
    "spins_at_start": Verdict(UNSTARTED, OTHER, "1 s to load"),
    "never_flushes": Verdict(UNSTARTED, OTHER, "1 s to load"),
    # The clock.
    "silent": Verdict(TIMEOUT, OTHER, SILENT),
    "silent_later": Verdict(TIMEOUT, OTHER, SILENT),
    "slow_drip": Verdict(TIMEOUT, OTHER, SILENT),
    "partial_line": Verdict(TIMEOUT, OTHER, SILENT),
    "half_a_line": Verdict(TIMEOUT, OTHER, SILENT),
    "carriage_return_alone": Verdict(TIMEOUT, OTHER, SILENT),
    "sleeps_past_its_budget": Verdict(TIMEOUT, OTHER, SILENT),
    "cpu_spin": Verdict(TIMEOUT, OTHER, SILENT),
    "thread_bomb": Verdict(TIMEOUT, OTHER, SILENT),
    "fork_bomb": Verdict(TIMEOUT, OTHER, SILENT),
    "stops_itself": Verdict(TIMEOUT, OTHER, SILENT),
    "uses_up_its_bank": Verdict(TIMEOUT, OTHER, "left of the 0.6 s for a game"),
    "thinks_on": Verdict(SUNK, ITSELF, PLAYED),
    # Lines too long, and too many.
    "line_without_end": Verdict(MALFORMED, OTHER, "more than 65536 bytes"),
    "line_too_long": Verdict(MALFORMED, OTHER, "more than 65536 bytes"),
    "line_almost_too_long": Verdict(SUNK, ITSELF, PLAYED),
    "floods_stdout": Verdict(MALFORMED, OTHER, "missing required field `type`"),
    "floods_stdout_after_answering": Verdict(MALFORMED, OTHER, "missing required field `type`"),
    "floods_stderr": Verdict(EXITED, OTHER, "exited with code"),
    "chatters_on_stderr": Verdict(SUNK, ITSELF, PLAYED),
    # Descriptors and ends.
    "closes_stdin": Verdict(EXITED, OTHER, "closed its input", at=MONITORED),
    "closes_stdout": Verdict(EXITED, OTHER, "closed its output", at=MONITORED),
    "closes_stderr": Verdict(SUNK, ITSELF, PLAYED),
    "opens_many_files": Verdict(SUNK, ITSELF, PLAYED),
    "exits_mid_line": Verdict(EXITED, OTHER, "exited with code 0"),
    "exits_between_turns": Verdict(EXITED, OTHER, "exited with code 0"),
    "exits_with_answer": Verdict(EXITED, OTHER, "exited with code 7"),
    "exits_at_the_end": Verdict(SUNK, ITSELF, PLAYED),
    "raises": Verdict(EXITED, OTHER, "ZeroDivisionError: division by zero"),
    "escapes_on_stderr": Verdict(EXITED, OTHER, r"exited with code 1: \x1b[2J\x07\u202egone"),
    "segfaults": Verdict(EXITED, OTHER, "killed by SIGSEGV"),
    "aborts": Verdict(EXITED, OTHER, "killed by SIGABRT"),
    "exits_as_if_killed": Verdict(EXITED, OTHER, ""),
    "kills_itself": Verdict(EXITED, OTHER, "SIGKILL", at=BOUND),
    "kills_its_group": Verdict(EXITED, OTHER, ""),
    "is_killed_by_its_child": Verdict(EXITED, OTHER, "SIGKILL", at=BOUND),
    "ignores_the_end": Verdict(SUNK, ITSELF, PLAYED),
    "leaves_a_child": Verdict(EXITED, OTHER, "exited with code"),
    "daemonises": Verdict(SUNK, ITSELF, PLAYED),
    "daemon_without_environment": Verdict(SUNK, ITSELF, PLAYED, leaves=HIDING),
    # Memory: under `none` it is had, and the game goes on.
    "memory_by_malloc": Verdict(EXITED, OTHER, "MemoryError", at=UNBOUNDED),
    "memory_by_memfd": Verdict(EXITED, OTHER, "Error", at=UNBOUNDED),
    "memory_by_tmpfs": Verdict(EXITED, OTHER, "Error", at=UNBOUNDED),
}
"""Faults in what a bot does: it exits, hangs, floods its pipes or takes too much memory."""

SAID = {
    # It introduces itself wrongly.
    "wrong_version": Verdict(UNSTARTED, OTHER, "speaks protocol 2, the arena 1"),
    "version_as_text": Verdict(UNSTARTED, OTHER, "got `str` - at `$.protocol`"),
    "nameless": Verdict(UNSTARTED, OTHER, "missing required field `name`"),
    "name_too_long": Verdict(UNSTARTED, OTHER, "length <= 200"),
    "unknown_field_in_hello": Verdict(UNSTARTED, OTHER, "unknown field `elo`"),
    "prints_a_banner": Verdict(UNSTARTED, OTHER, "in 'Welcome to Battleship!'"),
    "shoots_at_hello": Verdict(UNSTARTED, OTHER, "expected 'hello'"),
    "does_not_play_rules": Verdict(UNSTARTED, OTHER, "does not play these rules"),
    "introduces_itself_twice": Verdict(MALFORMED, OTHER, "expected 'layout'"),
    # What it calls itself is its own affair.
    "other_bots_name": Verdict(SUNK, ITSELF, PLAYED),
    "line_separator_in_name": Verdict(SUNK, ITSELF, PLAYED),
    "escapes_in_name": Verdict(SUNK, ITSELF, PLAYED),
    # Bytes.
    "debugs_on_stdout": Verdict(MALFORMED, OTHER, "in 'thinking...'"),
    "empty_line": Verdict(MALFORMED, OTHER, "in ''"),
    "carriage_return": Verdict(SUNK, ITSELF, PLAYED),
    "invalid_utf8": Verdict(MALFORMED, OTHER, "can't decode byte 0xff"),
    "lone_surrogate": Verdict(MALFORMED, OTHER, "surrogate"),
    "utf_16": Verdict(MALFORMED, OTHER, "malformed"),
    "byte_order_mark": Verdict(MALFORMED, OTHER, "invalid character (byte 0)"),
    "nul_byte": Verdict(MALFORMED, OTHER, "trailing characters"),
    # Ids.
    "answers_twice": Verdict(MALFORMED, OTHER, "has the id"),
    "answers_early": Verdict(MALFORMED, OTHER, "has the id '0000000000000000'"),
    "answers_unasked": Verdict(MALFORMED, OTHER, "expected 'layout'"),
    "old_id": Verdict(MALFORMED, OTHER, "has the id"),
    "id_as_number": Verdict(MALFORMED, OTHER, "got `int` - at `$.id`"),
    "id_missing": Verdict(MALFORMED, OTHER, "missing required field `id`"),
    "id_too_long": Verdict(MALFORMED, OTHER, "length <= 64 - at `$.id`"),
    # JSON.
    "nan": Verdict(MALFORMED, OTHER, "invalid character"),
    "infinity": Verdict(MALFORMED, OTHER, "invalid character"),
    "number_too_large": Verdict(MALFORMED, OTHER, "out of range"),
    "beyond_53_bits": Verdict(MALFORMED, OTHER, "<= 9007199254740992"),
    "huge_integer": Verdict(MALFORMED, OTHER, "out of range"),
    "float_for_integer": Verdict(MALFORMED, OTHER, "got `float`"),
    "true_for_one": Verdict(MALFORMED, OTHER, "got `bool`"),
    "text_for_integer": Verdict(MALFORMED, OTHER, "got `str`"),
    "leading_zero": Verdict(MALFORMED, OTHER, "invalid number"),
    "trailing_comma": Verdict(MALFORMED, OTHER, "trailing comma"),
    "cells_null": Verdict(MALFORMED, OTHER, "got `null` - at `$.cells`"),
    "cells_nested": Verdict(MALFORMED, OTHER, "got `array` - at `$.cells[0]`"),
    "many_cells": Verdict(MALFORMED, OTHER, "length <= 4096"),
    "deep_nesting": Verdict(MALFORMED, OTHER, "got `array` - at `$.cells[0]`"),
    "duplicate_keys": Verdict(MALFORMED, OTHER, "the key 'cells' appears twice"),
    "single_quotes": Verdict(MALFORMED, OTHER, "malformed"),
    "two_on_a_line": Verdict(MALFORMED, OTHER, "trailing characters"),
    "array_for_object": Verdict(MALFORMED, OTHER, "Expected `object`, got `array`"),
    "type_missing": Verdict(MALFORMED, OTHER, "missing required field `type`"),
    "unknown_type": Verdict(MALFORMED, OTHER, "Invalid value 'surrender'"),
    "arenas_message": Verdict(MALFORMED, OTHER, "Invalid value 'end'"),
    "extra_field": Verdict(MALFORMED, OTHER, "unknown field `comment`"),
    "very_long_field": Verdict(MALFORMED, OTHER, "unknown field `xxx"),
    "shoots_when_to_place": Verdict(MALFORMED, OTHER, "expected 'layout'"),
    "places_when_to_shoot": Verdict(MALFORMED, OTHER, "expected 'shots'"),
    # Shots.
    "cell_outside": Verdict(ILLEGAL, OTHER, "cell 25 is outside the board"),
    "cell_far_outside": Verdict(ILLEGAL, OTHER, "outside the board"),
    "cell_negative": Verdict(ILLEGAL, OTHER, "cell -1 is outside the board"),
    "cell_twice": Verdict(ILLEGAL, OTHER, "cell 3 appears twice"),
    "cell_already_shot": Verdict(ILLEGAL, OTHER, "cell 0 was already shot"),
    "too_few_shots": Verdict(ILLEGAL, OTHER, "shots due: 2, fired: 1"),
    "too_many_shots": Verdict(ILLEGAL, OTHER, "shots due: 2, fired: 3"),
    "no_shots": Verdict(ILLEGAL, OTHER, "shots due: 2, fired: 0"),
    # Layouts.
    "ships_overlap": Verdict(ILLEGAL, OTHER, "'Boat' overlaps another ship at cell 2"),
    "ships_the_same": Verdict(ILLEGAL, OTHER, "overlaps another ship"),
    "ship_off_the_board": Verdict(ILLEGAL, OTHER, "cell 25, outside the board"),
    "ship_at_negative_cell": Verdict(ILLEGAL, OTHER, "cell -1, outside the board"),
    "ship_round_the_edge": Verdict(ILLEGAL, OTHER, "not one straight run"),
    "ship_bent": Verdict(ILLEGAL, OTHER, "not one straight run"),
    "ship_diagonal": Verdict(ILLEGAL, OTHER, "not one straight run"),
    "ship_with_gap": Verdict(ILLEGAL, OTHER, "not one straight run"),
    "ship_on_one_cell": Verdict(ILLEGAL, OTHER, "not one straight run"),
    "ship_too_short": Verdict(ILLEGAL, OTHER, "has 2 cells, its length is 3"),
    "ship_too_long": Verdict(ILLEGAL, OTHER, "has 4 cells, its length is 3"),
    "ship_missing": Verdict(ILLEGAL, OTHER, "lacks the ship 'Boat'"),
    "ship_twice": Verdict(MALFORMED, OTHER, "the key 'Boat' appears twice"),
    "ship_unknown": Verdict(ILLEGAL, OTHER, "no ship 'Raft'"),
    "ship_misnamed": Verdict(ILLEGAL, OTHER, "no ship 'cruiser'"),
    "no_fleet": Verdict(ILLEGAL, OTHER, "lacks the ship 'Cruiser'"),
    "ships_as_list": Verdict(MALFORMED, OTHER, "got `array` - at `$.ships`"),
    "ships_by_ends": Verdict(MALFORMED, OTHER, "got `object` - at `$.ships[...]`"),
}
"""Faults in what a bot says. Isolation makes no difference to how that is read."""

FAULTS = DONE | SAID


SELDOM = pytest.mark.long("every fault at this level too")


def seldom(level: Level, fault: str) -> bool:
    in_a_box = level is Level.SANDBOX and (fault in SAID or fault == "spins_at_start")
    return in_a_box or level in {Level.LIMITS, Level.LITE}


at_its_levels = pytest.mark.parametrize(
    ("level", "fault"),
    [
        pytest.param(
            level, fault, id=f"{level}-{fault}", marks=SELDOM if seldom(level, fault) else ()
        )
        for level in Level
        for fault in (FAULTS if level in {Level.NONE, Level.SANDBOX} else DONE)
    ],
    scope="module",  # so that the tests of a fault, which is met once, follow one another
)


def test_the_table_and_the_folder_hold_the_same_faults() -> None:
    folder = Path(__file__).parent.parent / "faulty_bots"
    files = {path.stem for path in folder.iterdir() if path.is_file()}
    assert files - {"honest"} == set(FAULTS)


@at_its_levels
def test_fault_ends_the_game_as_the_table_says(meet: Meet, level: Level, fault: str) -> None:
    verdict = FAULTS[fault]
    termination, winner, reason = verdict.at.get(level, verdict[:3])
    game, _, _ = meet(level, fault)
    assert (game.termination, game.result) == (termination, winner), game.reason
    assert reason in game.reason


@at_its_levels
def test_fault_harms_neither_the_arena_nor_the_other_bot(
    meet: Meet, level: Level, fault: str
) -> None:
    _, harm, _ = meet(level, fault)
    assert harm == []


@at_its_levels
def test_fault_leaves_no_process_behind(meet: Meet, level: Level, fault: str) -> None:
    _, _, left = meet(level, fault)
    assert bool(left) == (level in FAULTS[fault].leaves), left
