"""The table of a run counts games as they come in."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from arena.store import RESULT_COLUMNS
from salvo.cli.runs.so_far import SoFar


def rows(*games: tuple[str, str | None, str, str | None, int]) -> Iterator[tuple[Any, ...]]:
    for first, second, result, forfeit, turns in games:
        game = {
            "first": first,
            "second": second,
            "result": result,
            "forfeit": forfeit,
            "first_turns": turns,
        }
        yield tuple(game.get(column) for column in RESULT_COLUMNS)


def table(names: str, *games: tuple[str, str | None, str, str | None, int]) -> list[list[str]]:
    so_far = SoFar(names)
    so_far.add_results(rows(*games))
    return [line.split() for line in so_far.lines(24)[1:]]


def test_draw_is_half_a_win_and_equal_shares_are_one_rank() -> None:
    games = [("a", "b", "draw", None, 3), ("c", "a", "second", None, 3)]
    assert table("abc", *games) == [
        ["1", "a", "1", "0", "75%"],
        ["2", "b", "0", "0", "50%"],
        ["3", "c", "0", "1", "0%"],
    ]
    assert [row[0] for row in table("abcd", games[0])] == ["1", "1", "3", "3"]


def test_turns_alone_count_no_forfeits_and_rank_only_who_met_nobody() -> None:
    games = [("a", None, "first", None, 10), ("a", None, "first", None, 11)]
    games += [("b", None, "first", None, 10), ("b", None, "second", "first", 1)]
    assert table("abc", *games) == [["1", "b", "10.00"], ["2", "a", "10.50"], ["3", "c", "-"]]


def test_games_of_bots_that_do_not_take_part_are_left_out() -> None:
    assert table("a", ("a", "gone", "second", None, 3), ("gone", None, "first", None, 9)) == [
        ["1", "a", "0", "1", "0%"]
    ]


def test_of_a_thousand_bots_the_first_are_shown_and_how_many_there_are() -> None:
    lines = SoFar(f"bot{number:04}" for number in range(1000)).lines(50)
    assert len(lines) == 21
    assert lines[1].split() == ["1", "bot0000"]
    assert lines[-1] == "and 981 more"


def test_table_keeps_to_the_lines_there_are() -> None:
    so_far = SoFar("abcdef")
    assert [len(so_far.lines(most)) for most in (0, 1, 3, 4, 6, 7, 8)] == [0, 0, 3, 4, 6, 7, 7]
    assert [line.split()[1] for line in so_far.lines(7)[1:]] == list("abcdef")
    assert [line.split()[1] for line in so_far.lines(6)[1:]] == [*"abcd", "2"]
    assert [line.split() for line in SoFar("a").lines(2)] == [
        ["#", "bot,", "so", "far"],
        ["1", "a"],
    ]


def test_games_of_a_block_are_counted_as_those_of_the_record() -> None:
    def game(first: str, second: str | None, result: str, turns: int) -> Any:  # noqa: ANN401 - a game as far as it is asked
        fixture = SimpleNamespace(first=first, second=second)
        tallies = (SimpleNamespace(turns=turns), SimpleNamespace(turns=99))
        return SimpleNamespace(fixture=fixture, result=result, forfeit=None, tallies=tallies)

    so_far = SoFar("ab")
    block: Any = SimpleNamespace(games=[game("a", "b", "second", 5), game("a", None, "first", 7)])
    so_far.add(block)
    assert so_far.lines(24) == [
        "#  bot, so far  won  lost  share  turns alone",
        "1  b              1     0   100%            -",
        "2  a              0     1     0%         7.00",
    ]
