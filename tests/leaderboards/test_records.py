"""What the leaderboards return is not changed by whoever gets it."""

import dataclasses
import importlib
import inspect
import pkgutil
from collections.abc import Iterator

import leaderboards
from leaderboards.elo.fit import Fit


def records() -> Iterator[type]:
    """Yield all dataclasses of the package."""
    for module in pkgutil.walk_packages(leaderboards.__path__, "leaderboards."):
        for _, found in inspect.getmembers(importlib.import_module(module.name), inspect.isclass):
            if dataclasses.is_dataclass(found) and found.__module__ == module.name:
                yield found


def test_records_are_frozen_and_have_the_attributes_that_they_name_alone() -> None:
    found = set(records())
    assert len(found) > 20
    for record in found:
        assert record.__dataclass_params__.frozen, record  # type: ignore[attr-defined]
        # A fit keeps what it computed.
        assert ("__slots__" in vars(record)) != (record is Fit), record


def test_what_ratings_are_made_of_is_not_printed_with_them() -> None:
    hidden = [one.name for one in dataclasses.fields(leaderboards.Ratings) if not one.repr]
    assert hidden == ["_bots", "_estimate"]
