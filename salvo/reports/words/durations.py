"""Describes durations, such as "3 hours"."""

_UNITS = (
    (365.25 * 86_400.0, "year"),
    (86_400.0, "day"),
    (3_600.0, "hour"),
    (60.0, "minute"),
    (1.0, "second"),
)


def seconds_in_words(seconds: float) -> str:
    """Return a time as one number and its unit, such as "3 hours"; it is rounded up."""
    for size, unit in _UNITS:
        number = -int(-seconds // size)
        if seconds >= size or unit == "second":
            return f"{number:,} {unit}{'' if number == 1 else 's'}"
    raise AssertionError("the last unit takes any number")
