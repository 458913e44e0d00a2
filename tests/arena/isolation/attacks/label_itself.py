"""Leave an attribute on its own file."""

import os

os.setxattr(__file__, "user.salvo", b"left")
