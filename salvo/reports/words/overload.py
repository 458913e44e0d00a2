"""Whether games were lost for want of processors; apart, since it is told before any table is."""

from collections.abc import Sequence

from arena.origin import Origin

_OVERLOAD = 1.5
"""Threads for each processor beyond which a machine is said to be overloaded."""


def describe_overload(late: Sequence[Origin]) -> str | None:
    """Return a warning of games that were lost by time on overloaded machines, if there are any.

    Args:
        late: Where each game comes from that was lost by time.
    """
    loads = [origin.load for origin in late if origin.load is not None and origin.load > _OVERLOAD]
    if not loads:
        return None
    return (
        f"{len(loads)} of the {len(late)} games that were lost by time were played where up to "
        f"{max(loads):.1f} threads shared a processor: that may be why; play fewer blocks at once "
        "there"
    )
