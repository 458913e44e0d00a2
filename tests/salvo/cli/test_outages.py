"""What a command says of blocks that were put off."""

import click
import pytest

from arena.tournament import PutOff
from salvo.cli.runs.forfeits import exit_if_unplayed, put_off


def test_blocks_that_were_put_off_are_named_once_with_exit_code_3(
    capsys: pytest.CaptureFixture[str],
) -> None:
    reason = "says that it cannot go on: 503"
    match = PutOff(("a", "b"), "a", reason)
    with pytest.raises(click.exceptions.Exit) as ended:
        exit_if_unplayed(put_off([match, PutOff(("a",), "a", reason), match]))
    assert ended.value.exit_code == 3
    assert capsys.readouterr().err.splitlines() == [
        (
            "salvo: solo of a: 1 block not played, since a says that it cannot go on: 503; the "
            "same again plays what is missing"
        ),
        (
            "salvo: match of a and b: 2 blocks not played, since a says that it cannot go on: 503; "
            "the same again plays what is missing"
        ),
    ]
