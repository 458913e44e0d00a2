"""What options are given is converted, or refused in words."""

from pathlib import Path
from typing import Any

import click
import pytest

from arena.errors import UserError
from salvo.cli.match import _leads
from salvo.cli.options.bot_terms import GRANTS
from salvo.cli.options.option_types import (
    ANCHOR,
    EXISTING_FILE,
    FILE,
    FOLDER,
    SECONDS,
    FiniteRange,
    WholeRange,
    even,
)
from salvo.cli.runs.sharding import _shard
from salvo.cli.verify import _share


@pytest.mark.parametrize(
    ("type_", "text", "number"),
    [
        (SECONDS, "0.01", 0.01),
        (SECONDS, "86400", 86_400.0),
        (WholeRange(min=2), "2", 2),
        (WholeRange(min=0, max=3), "3", 3),
        (WholeRange(), "-5", -5),
        (FiniteRange(), "1e300", 1e300),
        (WholeRange(min=0), "9" * 400, int("9" * 400)),
    ],
)
def test_number_at_its_limits_is_taken(type_: Any, text: str, number: float) -> None:  # noqa: ANN401
    assert type_.convert(text, None, None) == number


@pytest.mark.parametrize(
    ("type_", "text", "told"),
    [
        (SECONDS, "0.009", "0.009 is too small; give 0.01 or more"),
        (SECONDS, "86400.5", "86,400.5 is too large; give 86,400 at most"),
        (SECONDS, "inf", "inf is too large; give 86,400 at most"),
        (SECONDS, "nan", "'nan' is not a number"),
        (SECONDS, "soon", "'soon' is not a number"),
        (WholeRange(min=2), "1", "1 is too small; give 2 or more"),
        (WholeRange(min=2), "2.0", "'2.0' is not a whole number"),
        (WholeRange(max=1000), "1001", "1,001 is too large; give 1,000 at most"),
        (ANCHOR, "=1500", "'=1500' is not BOT=ELO, such as hunt_target=1500."),
        (ANCHOR, "a=inf", "'a=inf' is not BOT=ELO, such as hunt_target=1500."),
    ],
)
def test_what_is_refused_is_named_with_what_would_do(type_: Any, text: str, told: str) -> None:  # noqa: ANN401
    with pytest.raises(click.BadParameter) as refused:
        type_.convert(text, None, None)
    assert refused.value.message == told


@pytest.mark.parametrize(
    ("type_", "taken", "refused"),
    [
        (FILE, ("file", "none"), {"folder": "is a directory"}),
        (EXISTING_FILE, ("file",), {"folder": "is a directory", "none": "does not exist"}),
        (FOLDER, ("folder", "none"), {"file": "is a file"}),
        (GRANTS, ("file", "folder"), {"none": "does not exist"}),
    ],
)
def test_paths_are_of_files_or_folders_that_are_there(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    type_: click.Path,
    taken: tuple[str, ...],
    refused: dict[str, str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    # What every bot may read is noted as it is found from anywhere.
    given = [str(tmp_path / name) for name in taken] if type_ is GRANTS else [*map(Path, taken)]
    assert [type_.convert(name, None, None) for name in taken] == given
    for name, why in refused.items():
        with pytest.raises(click.BadParameter, match=f"'{name}' {why}"):
            type_.convert(name, None, None)


def test_anchor_is_a_bot_and_its_elo() -> None:
    assert ANCHOR.convert(" a=b =-12.5", None, None) == ("a=b", -12.5)


def test_games_are_even() -> None:
    context: Any = None
    assert [even(context, context, games) for games in (None, 2, 100)] == [None, 2, 100]
    with pytest.raises(UserError, match=r"--games 7: .*ask for an even number, 6 or 8"):
        even(context, context, 7)


def test_leads_of_a_sequential_test_are_two_with_the_smaller_first() -> None:
    assert _leads("-1000,1000") == (-1000, 1000)
    assert _leads("0, 0.5") == (0, 0.5)
    for wrong in ("0,0", "20,0", "-1001,0", "0,1001", "nan,0", "0", "0,1,2", "a,b"):
        with pytest.raises(ValueError, match=f"'{wrong}'"):
            _leads(wrong)


def test_shard_is_one_of_all() -> None:
    assert [str(_shard(text)) for text in ("1/1", "40/40", "1/999999")] == [
        *("1/1", "40/40", "1/999999")
    ]
    for wrong in ("0/1", "2/1", "1", "1/", "/1", "-1/2", "1/1000000", "1/2/3", "1.0/2"):
        with pytest.raises(ValueError, match=f"'{wrong}' names no shard"):
            _shard(wrong)


def test_share_is_above_nothing_and_up_to_all() -> None:
    assert [_share(text) for text in ("100%", "1%", "0.5%")] == [1, 0.01, 0.005]
    for wrong in ("0%", "0.0%", "100.1%", "1", "%", "-1%", "1000%", "1.%"):
        with pytest.raises(ValueError, match="is not a percentage"):
            _share(wrong)
