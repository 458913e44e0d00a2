"""Times in words."""

import pytest

from salvo.reports.words.durations import seconds_in_words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.0, "0 seconds"),
        (0.2, "1 second"),
        (59.0, "59 seconds"),
        (61.0, "2 minutes"),
        (3600.0, "1 hour"),
        (5000.0, "2 hours"),
        (100_000.0, "2 days"),
        (3.2e10, "1,015 years"),
    ],
)
def test_time_is_one_number_and_its_unit_rounded_up(seconds: float, words: str) -> None:
    assert seconds_in_words(seconds) == words
