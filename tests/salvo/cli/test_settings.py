"""A dataclass of settings becomes the options of a command."""

from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Literal

import click
import pytest

from salvo.cli.options.option_types import FiniteRange, WholeRange
from salvo.cli.options.settings import modules_with_settings, option_name, options_of


@dataclass(frozen=True)
class Settings:
    """One setting of each kind."""

    games: int = field(metadata={"help": "how many"})
    files: tuple[Path, ...] = field(metadata={"nargs": -1})
    seed: int = field(default=1, metadata={"least": 0})
    share: float = 0.5
    side_by_side: bool = False
    kind: Literal["one", "other"] = "one"
    names: tuple[str, ...] = ()
    out: Path = Path("out")


OPTIONS = {option.name: option for option in options_of(Settings)}


def options() -> dict[str, click.Option]:
    return {str(key): one for key, one in OPTIONS.items() if isinstance(one, click.Option)}


def parsed(*words: str) -> dict[str, object]:
    command = click.Command("it", params=list(OPTIONS.values()))
    return command.make_context("it", list(words)).params


def test_what_is_not_given_is_as_the_settings_have_it() -> None:
    assert parsed("--games", "3") == {
        "games": 3,
        "files": (),
        "seed": 1,
        "share": 0.5,
        "side_by_side": False,
        "kind": "one",
        "names": (),
        "out": Path("out"),
    }


def test_settings_are_given_by_their_names() -> None:
    words = "--games 3 a b --share 1 --side-by-side --kind other --names x --names y --out z"
    assert parsed(*words.split()) == {
        "games": 3,
        "files": ("a", "b"),
        "seed": 1,
        "share": 1.0,
        "side_by_side": True,
        "kind": "other",
        "names": ("x", "y"),
        "out": Path("z"),
    }
    assert [option_name(one) for one in fields(Settings)][4] == "--side-by-side"


def test_help_shows_defaults_and_what_is_required() -> None:
    found = options()
    assert [name for name, one in found.items() if one.required] == ["games"]
    assert {name for name, one in found.items() if one.show_default} == {
        *("games", "seed", "share", "kind", "names", "out")
    }
    assert found["games"].help == "how many"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "Missing option '--games'"),
        (["--games", "0"], "0 is too small; give 1 or more"),
        (["--games", "1", "--seed", "-1"], "-1 is too small; give 0 or more"),
        (["--games", "1", "--share", "-0.1"], "-0.1 is too small; give 0 or more"),
        (["--games", "1", "--share", "1.1"], "1.1 is too large; give 1 at most"),
        (["--games", "1", "--kind", "third"], "'third' is not one of 'one', 'other'"),
    ],
)
def test_what_settings_cannot_be_is_refused(words: list[str], told: str) -> None:
    with pytest.raises(click.ClickException) as refused:
        parsed(*words)
    assert told in refused.value.format_message()


def test_numbers_are_whole_or_shares() -> None:
    types = {name: type(option.type) for name, option in options().items()}
    assert (types["games"], types["share"]) == (WholeRange, FiniteRange)
    assert parsed("--games", "1", "--seed", "0", "--share", "0")["seed"] == 0


def test_modules_with_settings_are_found_without_importing_them() -> None:
    found = modules_with_settings("bots.training")
    assert {"landy", "ramesh", "q_learning"} <= set(found)
    assert not {"course", "source", "__init__"} & set(found)
    assert found == sorted(found)


def test_folder_is_no_file_to_be_written(tmp_path: Path) -> None:
    with pytest.raises(click.BadParameter, match="is a directory"):
        parsed("--games", "1", "--out", str(tmp_path))
