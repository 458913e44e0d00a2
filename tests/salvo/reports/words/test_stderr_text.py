"""What bots wrote to stderr is shown once for each error, and from its end."""

from arena.store import LISTED_COLUMNS
from salvo.reports.words.stderr_text import describe_stderr, last_lines, stderr_lines


def forfeit(game: str, stderr: str, *, winner: str = "b", second: str | None = "b") -> list[object]:
    row: dict[str, object] = dict.fromkeys(LISTED_COLUMNS, "")
    row |= {"game": game, "first": "a", "second": second, "winner": winner, "stderr": stderr}
    return [row[column] for column in LISTED_COLUMNS]


def trace(line: int, error: str) -> str:
    return (
        f'Traceback:\n  File "bot.py", line 3, in x\n  File "bot.py", line {line}, in y\n{error}\n'
    )


def test_lines_are_safe_to_print() -> None:
    assert stderr_lines("\n\ta\tb\x1b[1m\n\nc\n\n") == ["    a   b\\x1b[1m", "", "c"]
    assert stderr_lines(" \n\n") == stderr_lines("") == []


def test_only_the_last_lines_are_shown_and_the_others_counted() -> None:
    text = "\n".join(map(str, range(23)))
    assert list(last_lines(text)) == ["... 3 lines before", *map(str, range(3, 23))]
    assert next(last_lines(text, 21)) == "... 2 lines before"
    assert list(last_lines(text, 22)) == ["... 1 line before", *map(str, range(1, 23))]
    assert list(last_lines(text, 23)) == list(map(str, range(23)))


def test_errors_that_are_alike_but_for_their_values_are_shown_once() -> None:
    told = "\n".join(
        describe_stderr(
            [
                forfeit("0123456789", "took 12 s\n"),
                forfeit("1123456789", "took 7 s\n"),
                forfeit("2123456789", "took 7 s\n", winner="a"),
                forfeit("3123456789", trace(5, "KeyError: 1")),
                forfeit("4123456789", trace(5, "KeyError: 2")),
                forfeit("5123456789", trace(6, "KeyError: 2")),
                forfeit("6123456789", trace(6, "ValueError: 2")),
                forfeit("7123456789", ""),
                forfeit("8123456789", "alone", winner="", second=None),
            ]
        )
    )
    heads = [line for line in told.splitlines() if line.startswith("stderr of")]
    assert heads == [
        "stderr of a, which forfeited 2 games alike (`salvo replay 01234567 --stderr`):",
        "stderr of b, which forfeited a game (`salvo replay 21234567 --stderr`):",
        "stderr of a, which forfeited 2 games alike (`salvo replay 31234567 --stderr`):",
        "stderr of a, which forfeited a game (`salvo replay 51234567 --stderr`):",
        "stderr of a, which forfeited a game (`salvo replay 61234567 --stderr`):",
        "stderr of a, which forfeited a game (`salvo replay 81234567 --stderr`):",
    ]
    assert told.startswith("\nstderr of a, which forfeited 2 games alike")
    assert told.count("\n    took ") == 2
    assert told.count("KeyError: 1") == 1
