"""Give the database a second name."""

import os

from hostile import targets

os.link(targets["database"], f"{targets['home']}/{targets['token']}")
