"""Rules are named as presets or as files."""

from pathlib import Path

import pytest

from arena.errors import RulesError
from arena.rules import preset, rules_to_toml
from salvo.rule_files import read_rules

TINY = 'name = "tiny"\nrows = 2\ncolumns = 2\nfleet = [{ name = "S", length = 2 }]\n'


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_preset_is_meant_also_where_a_file_has_its_name() -> None:
    Path("classic").write_text(TINY)
    assert read_rules("classic") == preset("classic")
    assert read_rules("./classic").name == "tiny"


def test_rules_are_taken_as_they_are() -> None:
    assert read_rules(preset("salvo")) is preset("salvo")


@pytest.mark.parametrize("name", ["tiny.toml", "tiny"])
def test_file_may_have_any_name_and_a_byte_order_mark(name: str) -> None:
    Path(name).write_text(f"\ufeff{TINY}", encoding="utf-8")
    assert read_rules(name).name == read_rules(Path(name)).name == "tiny"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("none.toml", "rules file none.toml: cannot be read: No such file or directory"),
        ("none", "rules 'none': no preset has that name"),
        ("latin.toml", "rules file latin.toml: cannot be read: 'utf-8' codec"),
        ("salvo.toml", "rules file salvo.toml: name: 'salvo' is a preset, which has other rules"),
    ],
)
def test_what_names_no_rules_is_refused(name: str, told: str) -> None:
    Path("latin.toml").write_bytes(b'name = "\xff"')
    Path("salvo.toml").write_text(TINY.replace("tiny", "salvo"))
    with pytest.raises(RulesError, match=f"^{told}"):
        read_rules(name)


def test_file_with_the_rules_of_the_preset_it_names_is_taken() -> None:
    Path("mine.toml").write_text(rules_to_toml(preset("salvo")))
    assert read_rules("mine.toml") == preset("salvo")
