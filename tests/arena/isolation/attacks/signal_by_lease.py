"""Take a lease on its own file, which reports who opens it."""

import fcntl
from pathlib import Path

from hostile import reached

with Path(__file__).open("rb") as file:
    fcntl.fcntl(file, 1024, fcntl.F_RDLCK)
    reached("leased")
