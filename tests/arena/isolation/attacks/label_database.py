"""Set an attribute of the database."""

import os

from hostile import targets

os.setxattr(targets["database"], "user.salvo", b"hello")
