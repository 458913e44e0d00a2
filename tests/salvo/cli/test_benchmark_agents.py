"""Agents of one name are trainings of one by several seeds, or are refused."""

from types import SimpleNamespace
from typing import Any

import pytest

from arena.errors import UserError
from salvo.cli.benchmark import _refuse_others_of_a_name


def agents(*given: tuple[str, str, str]) -> Any:  # noqa: ANN401 - agents as far as they are asked
    return [SimpleNamespace(name=name, kind=kind, digest=digest) for name, kind, digest in given]


@pytest.mark.parametrize(
    "given",
    [
        [],
        [("a", "bot", "1"), ("a", "bot", "1")],  # a bot plays by its seed
        [("a", "model", "1"), ("a", "model", "2")],
        [("a", "model", "1"), ("b", "model", "1"), ("c", "bot", "1")],
    ],
)
def test_trainings_and_others_are_taken(given: list[tuple[str, str, str]]) -> None:
    _refuse_others_of_a_name(agents(*given))


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (
            [("a", "bot", "1"), ("b", "model", "1"), ("a", "model", "2")],
            "agent a: a bot and a model are no trainings of one",
        ),
        ([("a", "model", "1"), ("a", "model", "1")], "agent a: the same file is named twice"),
    ],
)
def test_what_are_no_trainings_of_one_is_refused(
    given: list[tuple[str, str, str]], told: str
) -> None:
    with pytest.raises(UserError, match=told):
        _refuse_others_of_a_name(agents(*given))
