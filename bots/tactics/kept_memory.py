"""Keeps the memory of arrays that are freed, for those that follow."""

import numpy as np

LARGEST = 16 << 20  # bytes


def keep_freed_memory() -> None:
    """Let this process reuse the memory of arrays of up to ``LARGEST`` bytes.

    A bot makes and frees arrays of some hundred kilobytes in every move. The C library of Linux
    gives such memory back to the system each time, and the system then maps and clears it again,
    page by page: that took up to a quarter of a bot's thinking. The library stops doing so for
    sizes up to that of the largest array that was freed so far, if that is no more than 32 MiB. So
    a large array is made and freed here; it takes no memory, as it is never written. With another C
    library this does nothing.
    """
    np.empty(LARGEST, np.uint8)
