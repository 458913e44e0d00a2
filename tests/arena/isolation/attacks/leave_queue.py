"""Leave a POSIX message queue."""

import os

from hostile import call, targets

call(240, 180, targets["token"].encode(), os.O_CREAT | os.O_RDWR, 0o600, None)
