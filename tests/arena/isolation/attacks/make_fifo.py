"""Leave a pipe with a name."""

import os

from hostile import targets

os.mkfifo(f"/tmp/{targets['token']}")  # noqa: S108
