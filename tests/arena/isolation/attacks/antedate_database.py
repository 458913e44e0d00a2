"""Change the times of the database."""

import os

from hostile import targets

os.utime(targets["database"], (1, 1))
