"""Files and environment variables that a bot gets to see."""

import errno
import os
import re
import site
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.isolation import Program, program, readable
from arena.isolation.program import command, environment, granted, listed

ARENA = str(Path(program.__file__).resolve().parent.parent)


@pytest.fixture(autouse=True)
def _small_machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have neither a system nor an interpreter, which differ from machine to machine."""
    monkeypatch.setattr(program, "_SYSTEM", ("/usr",))
    monkeypatch.setattr(program, "_interpreter", lambda: iter(()))
    program._granted.cache_clear()
    yield
    program._granted.cache_clear()


@pytest.fixture
def bot(folder: Path) -> Program:
    (folder / "bot").write_text("#!/bin/sh\n")
    (folder / "bot").chmod(0o755)
    return Program(("./bot", "-x"), str(folder), (str(folder / "bot"),))


def test_program_is_found_on_the_path_or_in_the_folder(
    bot: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", bot.folder)
    started = f"{bot.folder}/bot"
    for first in ("./bot", "bot", started):
        assert command(replace(bot, argv=(first, "-x"))) == (started, "-x")


@pytest.mark.parametrize(
    ("name", "kind", "code"),
    [
        ("missing", FileNotFoundError, errno.ENOENT),
        ("./missing", FileNotFoundError, errno.ENOENT),
        ("./deep", PermissionError, errno.EACCES),
        ("./text", PermissionError, errno.EACCES),
    ],
)
def test_what_cannot_be_started_is_named(
    bot: Program, name: str, kind: type[OSError], code: int
) -> None:
    Path(bot.folder, "deep").mkdir()
    Path(bot.folder, "text").touch(mode=0o644)
    with pytest.raises(kind) as caught:
        command(replace(bot, argv=(name,)))
    assert (caught.value.errno, caught.value.filename) == (code, name)


def test_environment_of_a_bot_is_its_own(bot: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site, "ENABLE_USER_SITE", False)
    monkeypatch.setenv("PATH", "/usr/bin:/private/bin")
    monkeypatch.setenv("KEY", "secret")
    own = {
        "PATH": "/usr/bin",
        "HOME": bot.folder,
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        "MALLOC_MMAP_THRESHOLD_": "4194304",
        "MALLOC_TRIM_THRESHOLD_": "16777216",
    }
    assert environment(bot) == own
    given = replace(
        bot,
        secrets=("KEY", "UNSET"),
        temporary_mb=1,
        original=bot,
        import_folder="/home/bot",
    )
    assert environment(given) == {
        **own,
        "KEY": "secret",
        "TMPDIR": "/tmp",  # noqa: S108 - in a box
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": "/home/bot",
    }
    monkeypatch.setattr(site, "ENABLE_USER_SITE", True)
    monkeypatch.setattr(site, "getuserbase", lambda: "/home/user/.local")
    assert environment(bot) == {**own, "PYTHONUSERBASE": "/home/user/.local"}


@pytest.mark.parametrize(
    ("path", "kept"),
    [
        ("/usr:/usr/bin:/usrbin:/bin", "/usr:/usr/bin"),
        ("/opt:/opt/x:/optional", "/opt:/opt/x"),
        ("/soft/bin:/software", "/soft/bin"),
        ("/granted:/granted/deep:/grant", "/granted:/granted/deep"),
        ("/private", os.defpath),
        ("", os.defpath),
    ],
)
def test_path_of_a_bot_is_what_it_may_read_of_the_operators(
    bot: Program, monkeypatch: pytest.MonkeyPatch, path: str, kept: str
) -> None:
    monkeypatch.setattr(program.sys, "platform", "linux")
    monkeypatch.setenv("PATH", path)
    given = replace(bot, software=("/soft",), grants=("/granted",))
    assert environment(given)["PATH"] == kept
    monkeypatch.setattr(program.sys, "platform", "darwin")
    assert environment(given)["PATH"] == path


def test_place_of_the_program_that_is_started_is_on_its_path(
    bot: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{bot.folder}:{bot.folder}/deep")
    assert environment(bot)["PATH"] == f"{bot.folder}:{bot.folder}/deep"


def test_bot_reads_its_own_and_what_it_is_granted(bot: Program, folder: Path) -> None:
    for name in ("data", "tool", "package"):
        (folder / name).mkdir()
        (folder / name / "deep").mkdir()
    paths = [str(folder / name) for name in ("data", "tool", "package")]
    given = replace(
        bot,
        grants=(paths[0], f"{paths[0]}/deep"),
        software=(paths[1],),
        packages=(paths[2],),
    )
    own = {*bot.files, "/usr", ARENA}
    assert set(granted(bot)) == own
    assert set(granted(given)) == {*own, *paths}
    sizes = list(map(len, granted(given)))
    assert sizes == sorted(sizes)


def test_certificates_are_for_bots_with_the_network(
    bot: Program, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "certs").mkdir()
    monkeypatch.setattr(program, "_CERTIFICATES", (str(folder / "certs"), "/no/such"))
    own = set(granted(bot))
    assert set(granted(replace(bot, network=("a:1",)))) == own | {str(folder / "certs")}
    assert not bot.waits
    assert replace(bot, network=("a:1",)).waits


def test_file_that_is_missing_or_became_a_link_is_not_granted(bot: Program, folder: Path) -> None:
    missing = str(folder / "missing")
    for given in ({"files": (missing,)}, {"grants": (missing,)}, {"software": (missing,)}):
        with pytest.raises(FileNotFoundError, match=re.escape(missing)):
            granted(replace(bot, **given))
    (folder / "link").symlink_to(folder / "bot")
    with pytest.raises(OSError, match="it became a link") as caught:
        granted(replace(bot, files=(str(folder / "link"),)))
    assert caught.value.errno == errno.ELOOP
    (folder / "bot").rename(folder / "moved")
    with pytest.raises(FileNotFoundError):
        granted(replace(bot, files=(str(folder / "link"),)))


def test_link_that_is_granted_is_granted_with_its_target(bot: Program, folder: Path) -> None:
    (folder / "target").mkdir()
    (folder / "link").symlink_to(folder / "target")
    found = set(granted(replace(bot, grants=(str(folder / "link"),))))
    assert {str(folder / "link"), str(folder / "target")} < found


def test_program_is_granted_with_all_that_leads_to_it(bot: Program, folder: Path) -> None:
    (folder / "first").symlink_to("second")
    (folder / "second").symlink_to(folder / "bot")
    found = granted(replace(bot, argv=("./first",), files=()))
    assert {str(folder / name) for name in ("first", "second", "bot")} < {*found}
    (folder / "round").symlink_to(folder / "trip")
    (folder / "trip").symlink_to(folder / "round")
    both = [str(folder / name) for name in ("round", "trip")]
    assert list(program._links(both[0])) == both


def test_what_holds_a_path_is_told(bot: Program, folder: Path) -> None:
    (folder / "granted" / "deep").mkdir(parents=True)
    given = replace(bot, grants=(str(folder / "granted"),))
    place = str(folder / "granted")
    assert readable(given, folder / "granted") == place
    assert readable(given, folder / "granted" / "deep" / "any") == place
    assert readable(given, folder / "bot") == str(folder / "bot")
    assert readable(given, folder) == place  # it is inside, and not the bot's own
    assert readable(bot, folder) is None
    assert readable(bot, folder / "granted") is None
    assert readable(replace(bot, argv=("./missing",)), folder / "bot") is None


def test_folders_above_packages_are_listed(bot: Program) -> None:
    above = str(Path(ARENA).parent)
    assert listed(bot) == (above,)
    given = replace(bot, packages=("/a/package",), import_folder="/z")
    assert listed(given) == tuple(sorted([above, "/a", "/z"]))


def test_paths_of_a_copy_are_known_by_those_of_its_original(bot: Program) -> None:
    copy = replace(bot, folder="/copy", files=("/copy/bot",), original=bot)
    assert copy.known_paths == {"/copy": bot.folder, "/copy/bot": bot.files[0]}
    assert bot.known_paths == {}


def test_interpreter_has_what_is_installed_for_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(site, "getusersitepackages", lambda: "/home/user/site")
    prefixes = [sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix]
    for enabled in (True, False):
        monkeypatch.setattr(site, "ENABLE_USER_SITE", enabled)
        assert list(program._interpreter()) == prefixes + ["/home/user/site"] * enabled


def test_none_of_the_paths_lies_in_another() -> None:
    roots = ("/usr/lib", "/usr", "/usr/", "/usr/lib/../bin", "/no/such", "/")
    assert program._outermost(roots[:-1]) == ("/usr",)
    assert program._outermost(("/usr/bin", "/usr/bin/env", "/usr/lib")) in {
        ("/usr/bin", "/usr/lib"),
        ("/usr/lib", "/usr/bin"),
    }
