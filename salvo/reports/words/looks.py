"""What it means that a record was looked at before."""

from collections.abc import Sequence

from arena.store import Look

_EXTENDED = (
    "The record was extended after it had been rated. Intervals, leads and ranks hold for a number "
    "of games that was fixed beforehand: whoever adds games until a difference is sure finds one "
    "between equals in up to a quarter of contests. `salvo match A B --sprt 0,20` decides between "
    "two bots without that."
)
_STOPPED = (
    "The games were played until a sequential test ended them ({rule}): it stopped where luck had "
    "carried it, so that ratings and leads are biased."
)


def was_extended(looks: Sequence[Look], now: Look) -> bool:
    """Return whether a record was rated when it had fewer pairs than now.

    A sequential test that goes on is no extension: it may look as often as it likes.
    """
    others = [look for look in looks if not now.rule or look.rule != now.rule]
    return any(look.pairs < now.pairs for look in others)


def notes_of(looks: Sequence[Look], now: Look | None, *, extended: bool) -> list[str]:
    """Return what is to be said of earlier looks.

    Args:
        looks: The looks in the record, oldest first.
        now: The look of a command that plays; None where the record is shown as it is.
        extended: What ``was_extended`` said.
    """
    last = looks[-1].rule if looks and now is None else ""
    return [
        *([_EXTENDED] if extended else []),
        *([_STOPPED.format(rule=last)] if last else []),
    ]
