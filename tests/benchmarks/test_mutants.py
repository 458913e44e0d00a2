"""Changes of one operator, constant or condition, and which tests notice them."""

import ast
import itertools
import subprocess
from pathlib import Path

import pytest

from benchmarks import mutants
from benchmarks.mutations.nearness import by_nearness
from benchmarks.mutations.sites import sites_of

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("source", "changed"),
    [
        ("a < b <= c", {"a <= b <= c", "a < b < c"}),
        ("a is not b", {"a is b"}),
        ("(a\n+ b) * c", {"(a\n- b) * c", "(a\n+ b) + c"}),
        ("a and b or not c", {"a or b or not c", "a and b and not c", "a and b or bool(c)"}),
        ("x = y if z else 3", {"x = y if not (z) else 3", "x = y if z else 4"}),
        ("[x for x in y if x]", {"[x for x in y if not (x)]"}),
        (
            "'é' in a, True, 0.5",
            {"'é' not in a, True, 0.5", "'é' in a, False, 0.5", "'é' in a, True, 1.0"},
        ),
        (
            "def f(a: int | None = 1) -> Literal[3]: ...",
            {"def f(a: int | None = 2) -> Literal[3]: ..."},
        ),
        ("if TYPE_CHECKING: x = 1", set()),
        ("isinstance(a, int | _Kind), f'{a}' + b, a + [b]", set()),
    ],
)
def test_each_operator_constant_and_condition_is_changed_alone(
    source: str, changed: set[str]
) -> None:
    assert {site.applied(source) for site in sites_of(source)} == changed


def test_every_change_of_the_rules_is_another_program() -> None:
    for path in sorted((ROOT / "arena" / "rules").rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        sites = sites_of(source)
        programs = [ast.dump(ast.parse(site.applied(source))) for site in sites]
        assert ast.dump(ast.parse(source)) not in programs
        assert all(one.start <= two.start for one, two in itertools.pairwise(sites))


def test_tests_that_name_the_module_come_first_and_those_of_its_room_next(tmp_path: Path) -> None:
    words = {
        "tests/salvo/test_a.py": "",
        "tests/arena/store/test_b.py": "from arena.store import Store",
        "tests/arena/store/test_c.py": "",
        "tests/arena/store/test_e.py": "a file that is damaged is mended",
        "arena/store/whole.py": "\n" * 50 + "damaged = not mended" + "\n" * 50 + "whole",
        "tests/salvo/test_d.py": "from arena.store.whole import made_whole",
    }
    for name, text in words.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    tests = [Path(name) for name in words if name.startswith("tests")]
    ordered = by_nearness(Path("arena/store/whole.py"), 51, tests, tmp_path)
    assert [path.stem for path in ordered] == ["test_d", "test_b", "test_e", "test_c", "test_a"]


def make_tree(files: dict[str, str], folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have what is changed be these files."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    subprocess.run(["git", "init", "--quiet"], cwd=folder, check=True)  # noqa: S607 - whichever git
    monkeypatch.setattr(mutants, "_ROOT", folder)


def test_files_all_of_whose_tests_are_long_notice_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        "pytest.ini": "[pytest]\nmarkers = long\n",
        "arena/__init__.py": "",
        "arena/ages.py": "OLD = 65\n",
        "tests/arena/test_ages.py": (
            "import pytest\nfrom arena.ages import OLD\n"
            "@pytest.mark.long\ndef test_of_64():\n    assert OLD > 64\n"
        ),
    }
    make_tree(files, tmp_path, monkeypatch)
    settings = mutants.Settings(mutants=1, workers=0, results=tmp_path / "found.jsonl")
    *_, told, _outcome = mutants.run(settings)
    assert told == "0 of 1 changes were noticed"


def test_changes_that_no_test_notices_are_listed_and_those_found_stay_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        "arena/__init__.py": "",
        "arena/ages.py": "def is_grown(years):\n    return years > 17\n",
        "tests/arena/test_ages.py": (
            "from arena.ages import is_grown\n"
            "def test_of_18():\n    assert is_grown(18)\n"
            "def test_of_17():\n    assert True or is_grown(17)\n"
            "def test_that_always_fails():\n    assert False\n"
        ),
    }
    make_tree(files, tmp_path, monkeypatch)
    settings = mutants.Settings(mutants=2, workers=0, results=tmp_path / "found.jsonl")
    first = list(mutants.run(settings))
    assert [line for line in first if "1 of 2 changes were noticed" in line]
    assert any("test_ages.py::test_of_18" in line for line in first)
    found = settings.results.read_bytes()
    assert list(mutants.run(settings)) == first
    assert settings.results.read_bytes() == found
