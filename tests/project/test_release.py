"""What a release must agree on: versions, tested dependencies, and what the workflows run."""

import configparser
import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
VERSION = PROJECT["project"]["version"]
CONSTRAINTS = [
    Requirement(line)
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("file", "pattern"),
    [
        ("CITATION.cff", r"^version: (\S+)$"),
        ("CHANGELOG.md", r"^## \[(\d\S*)\] - \d{4}-\d\d-\d\d$"),
        ("docs/benchmark.md", r"In: Salvo, version ([\d.]+), \d{4}\."),
        ("docs/benchmark.md", r"version = \{([\d.]+)\}"),
        ("docs/league.md", r"salvo_arena-(\S+)-py3-none-any\.whl"),
    ],
)
def test_the_version_is_the_same_wherever_it_is_written(file: str, pattern: str) -> None:
    newest, *_ = re.findall(pattern, text(file), re.MULTILINE)
    assert newest == VERSION


def test_the_newest_section_of_the_changelog_has_at_most_60_lines() -> None:
    _, newest, *_ = re.split(r"^## \[", text("CHANGELOG.md"), flags=re.MULTILINE)
    assert len(newest.splitlines()) <= 60


def direct_dependencies() -> dict[str, Requirement]:
    """Return what `tox -e constraints` asks for, by name: all but the extra `deep`."""
    extras = PROJECT["project"]["optional-dependencies"]
    lists = [PROJECT["project"]["dependencies"], *PROJECT["dependency-groups"].values()]
    lists += [needs for extra, needs in extras.items() if extra != "deep"]
    needs = [Requirement(one) for group in lists for one in group if isinstance(one, str)]
    return {need.name: need for need in needs}


@pytest.mark.parametrize("name", sorted(direct_dependencies()))
def test_a_dependency_has_a_tested_version_that_the_project_admits(name: str) -> None:
    tested = [one for one in CONSTRAINTS if one.name == name]
    assert tested
    for one in tested:
        [exact] = one.specifier
        assert exact.operator == "=="
        assert direct_dependencies()[name].specifier.contains(Version(exact.version))


def test_tested_versions_name_no_address() -> None:
    assert [one for one in CONSTRAINTS if one.url] == []
    assert "://" not in text("constraints.txt")


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_environments_that_a_workflow_runs_exist(workflow: Path) -> None:
    written = workflow.read_text(encoding="utf-8")
    named = re.findall(r"tox run -e ([\w,]+)", written)
    named += re.findall(r"environment: \[(.*)\]", written)
    environments = {one for names in named for one in re.split(r",\s*", names)}
    tox = configparser.ConfigParser(interpolation=None)
    tox.read(ROOT / "tox.ini", encoding="utf-8")
    known = {section.removeprefix("testenv:") for section in tox.sections()}
    assert environments - known == set()


def test_actions_of_others_are_pinned_to_a_commit() -> None:
    used = [
        action
        for workflow in WORKFLOWS
        for action in re.findall(r"uses: (\S+)", workflow.read_text(encoding="utf-8"))
    ]
    assert used
    assert [one for one in used if not re.search(r"@[0-9a-f]{40}$", one)] == []
