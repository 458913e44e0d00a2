"""Cut the database short by its name."""

import os

from hostile import targets

os.truncate(targets["database"], 0)
