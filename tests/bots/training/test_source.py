"""Shipped weights name a commit whose trainer made them."""

import functools
import os
import subprocess
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from bots.tactics.learned.weight_files import Origin, read_weights
from bots.training.source import code_files, code_hash, commit_of, committed_files
from bots.training.value import Args

CLONE = Path(__file__).resolve().parents[3] / "bots"
"""The package in the clone that these tests lie in; what is installed may be a copy without git."""


@functools.cache
def shipped() -> dict[str, Origin]:
    """Return where weights come from, of all files of weights that say so."""
    package = Path(str(files("bots")))
    found = {}
    for path in sorted(package.rglob("*.npz")):
        with np.load(path, allow_pickle=False) as file:
            if "origin" not in file.files:
                continue
        found[path.relative_to(package).as_posix()] = read_weights(path)[1]
    return found


@pytest.fixture(scope="module")
def history() -> Path:
    """Return the clone; skip where there is no history, but never in CI."""
    commits = {origin.commit for origin in shipped().values()} - {""}
    for commit in sorted(commits):
        looked = subprocess.run(
            ["git", "cat-file", "-e", f"{commit}^{{commit}}"],  # noqa: S607 - whichever is installed
            cwd=CLONE,
            capture_output=True,
            check=False,
        )
        if looked.returncode != 0:
            missing = f"there is no commit {commit} here: clone with the whole history"
            if os.environ.get("CI"):
                pytest.fail(missing)
            pytest.skip(missing)
    return CLONE


def test_shipped_weights_are_found() -> None:
    assert len(shipped()) >= 15


@pytest.mark.parametrize("name", sorted(shipped()))
def test_shipped_weights_name_a_commit_in_which_the_trainers_hash_is_right(
    name: str, history: Path
) -> None:
    origin = shipped()[name]
    assert origin.commit, f"{name} names no commit"
    assert code_hash(committed_files(history, origin.commit)) == origin.code


def test_a_seed_is_no_lucky_one() -> None:
    by_default = {name: Args.seed if "value" in name else 1 for name in shipped()}
    # It goes on from weights of seed 1, by games of its own.
    by_default["tactics/learned/posterior.npz"] = 2
    assert {name: origin.seed for name, origin in shipped().items()} == by_default


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Return the package ``bots`` of a repository whose trainers are committed."""
    package = tmp_path / "bots"
    for room in ("training", "tactics/learned"):
        (package / room).mkdir(parents=True)
        (package / room / "a.py").write_text(f"{room}\n", encoding="utf-8")
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "First"]):
        name = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        subprocess.run(["git", *name, *words], cwd=tmp_path, check=True)  # noqa: S607 - the same
    return package


def test_the_commit_that_is_checked_out_is_named(clone: Path) -> None:
    commit = commit_of(clone)
    assert len(commit) == 40
    assert code_hash(committed_files(clone, commit)) == code_hash(code_files(clone))


def test_changed_code_is_in_no_commit(clone: Path) -> None:
    (clone / "training" / "a.py").write_text("changed\n", encoding="utf-8")
    assert not commit_of(clone)


def test_a_new_trainer_is_in_no_commit(clone: Path) -> None:
    (clone / "training" / "b.py").write_text("", encoding="utf-8")
    (clone / "training" / "c.py").write_text("new\n", encoding="utf-8")
    assert not commit_of(clone)


def test_without_a_repository_no_commit_is_named(tmp_path: Path) -> None:
    assert not commit_of(tmp_path)
