"""Hold more memory than is allowed, as files in memory."""

import os

from hostile import reached

for number in range(100):
    os.ftruncate(os.memfd_create(str(number)), 15 << 20)
reached("1500 MB")
