"""The table and the figure of the benchmark are those of the results beside the page."""

from pathlib import Path

import pytest

from salvo.benchmark.figure import figure_of
from salvo.benchmark.results import Played, Result, results_in
from salvo.benchmark.standings import Row, rows_of, table_of
from salvo.benchmark.tasks import TASKS

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture(scope="module")
def results() -> list[Result]:
    return results_in(DOCS / "battleship-v1")


@pytest.fixture(scope="module")
def rows(results: list[Result]) -> list[Row]:
    return rows_of(results)


def test_the_table_on_the_page_is_that_of_the_results(rows: list[Row]) -> None:
    assert table_of(rows, "github") in (DOCS / "benchmark.md").read_text(encoding="utf-8")


def test_the_figure_is_that_of_the_results(rows: list[Row]) -> None:
    drawn = (DOCS / "battleship-v1" / "table.svg").read_text(encoding="utf-8")
    assert drawn == figure_of(rows)


def test_results_are_of_the_layouts_that_were_published(results: list[Result]) -> None:
    played = [result for result in results if isinstance(result, Played)]
    assert {result.layouts for result in played} <= {task.hash for task in TASKS.values()}


def test_what_was_trained_was_trained_by_five_seeds(rows: list[Row]) -> None:
    assert all(row.seeds >= 5 for row in rows if row.shots)
