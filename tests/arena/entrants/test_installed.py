"""Bots and interpreters that lie where software is installed: who plays from a copy."""

import shutil
import sys
from pathlib import Path

import pytest

from arena.entrants import Copies, parse_entrant
from arena.isolation import Program


def write(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    script = folder / "team.py"
    script.write_text("from arena import Bot, run\nrun(Bot)\n", encoding="utf-8")
    return script


def test_an_installed_interpreter_is_started_from_where_it_lies(tmp_path: Path) -> None:
    script = write(tmp_path)
    interpreter = Path(sys.executable).resolve()
    if not str(interpreter).startswith(("/usr/", "/opt/")):
        pytest.skip("this Python lies where no software is installed")
    with Copies([parse_entrant(f"team={interpreter} {script}", {})]) as copies:
        program = copies.bots["team"]
        assert isinstance(program, Program)
        assert program.argv[0] == str(interpreter)
        assert program.argv[1].startswith(str(copies.folder))


@pytest.mark.parametrize("options", ["", " --fast"])
def test_a_bot_among_installed_software_plays_from_a_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: str
) -> None:
    installed = tmp_path / "opt"
    monkeypatch.setattr("arena.entrants.packed_bot.SOFTWARE", (str(installed),))
    script = write(installed)
    script.chmod(0o755)
    interpreter = installed / "bin" / "python"
    interpreter.parent.mkdir()
    shutil.copy(Path(sys.executable).resolve(), interpreter)
    for text in (str(script), f"{interpreter} {script}"):
        with Copies([parse_entrant(f"team={text}{options}", {})]) as copies:
            program = copies.bots["team"]
            assert isinstance(program, Program)
            [played] = [word for word in program.argv if word.endswith("team.py")]
            assert Path(played).is_relative_to(copies.folder)
            assert Path(played).read_bytes() == script.read_bytes()
            assert not Path(program.argv[0]).is_relative_to(copies.folder)


def test_an_executable_among_installed_software_plays_from_a_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.entrants.packed_bot.SOFTWARE", (str(tmp_path),))
    script, compiled = tmp_path / "script", tmp_path / "compiled"
    script.write_text("#!/bin/sh\n", encoding="utf-8")
    compiled.write_bytes(b"\x7fELF")
    for path, options in ((script, ""), (script, " --fast"), (compiled, "")):
        path.chmod(0o755)
        with Copies([parse_entrant(f"team={path}{options}", {})]) as copies:
            program = copies.bots["team"]
            assert isinstance(program, Program)
            assert Path(program.argv[0]).is_relative_to(copies.folder)
