"""Bots find programs on their PATH: of the operator's, it has what they may read, and no more."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from arena.isolation import Level, Program

Play = Callable[..., Any]
Make = Callable[..., Program]

TELLS = "import os; print(os.environ['PATH'])"
TOOL = "#!/bin/sh\necho the tool starts it\n"

on_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the level needs Linux")


@pytest.fixture
def places(folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Return two places on the operator's PATH."""
    found = folder / "private" / "bin", folder / "shared" / "bin"
    for place in found:
        place.mkdir(parents=True)
    monkeypatch.setenv("PATH", os.pathsep.join([*map(str, found), os.environ["PATH"]]))
    return found


@on_linux
def test_bot_learns_of_the_path_what_it_may_read(
    level: Level, play: Play, program: Make, places: tuple[Path, Path]
) -> None:
    private, shared = map(str, places)
    bot = program(TELLS)
    ended = play(level, bot)
    assert private not in ended.said
    assert shared not in ended.said
    assert "/usr/bin" in ended.said.strip().split(os.pathsep)
    ended = play(level, replace(bot, grants=(str(Path(shared).parent),)))
    assert private not in ended.said
    assert ended.said.split(os.pathsep)[0] == shared


@on_linux
def test_first_line_of_a_bot_finds_what_is_granted(
    level: Level, play: Play, folder: Path, places: tuple[Path, Path]
) -> None:
    _, shared = places
    tool, bot = shared / "some_tool", folder / "bot"
    tool.write_text(TOOL)
    bot.write_text("#!/usr/bin/env some_tool\n")
    for path in (tool, bot):
        path.chmod(0o755)
    ended = play(
        level,
        Program(
            argv=("./bot",), folder=str(folder), files=(str(bot),), grants=(str(shared.parent),)
        ),
    )
    assert ended.said == "the tool starts it\n"
