"""What bots report of themselves, in a few words."""

from salvo.reports.tables.reported_numbers import ReportedNumber, reported_in_words


def told(*means: float) -> str:
    numbers = [ReportedNumber("ada", f"n{place}", mean, 9) for place, mean in enumerate(means)]
    return reported_in_words(numbers)["ada"]


def test_means_have_digits_enough() -> None:
    assert told(0.12345, 12.345) == "0.123 n0, 12.3 n1"
    assert told(99.97, 100.4, 1234567.8) == "100 n0, 100 n1, 1,234,568 n2"
    assert told(3.0, -250.6, 0.0) == "3 n0, -251 n1, 0 n2"


def test_first_three_numbers_of_a_bot_are_shown() -> None:
    assert told(1, 2, 3, 4) == "1 n0, 2 n1, 3 n2"
    both = reported_in_words([ReportedNumber("a", "x", 1, 1), ReportedNumber("b", "y", 2, 1)])
    assert both == {"a": "1 x", "b": "2 y"}
