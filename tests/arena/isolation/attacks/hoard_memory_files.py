"""Hold more memory than is allowed, as files in memory."""

import os

from hostile import reached, targets

PART = 15 << 20
for number in range(targets["too_much_memory"] // PART):
    os.ftruncate(os.memfd_create(str(number)), PART)
reached("all of it")
