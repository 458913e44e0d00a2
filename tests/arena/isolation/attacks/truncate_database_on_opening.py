"""Cut the database short by opening it for reading."""

import os

from hostile import targets

os.open(targets["database"], os.O_RDONLY | os.O_TRUNC)
