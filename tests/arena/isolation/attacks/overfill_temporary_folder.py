"""Write more into the temporary folder than was asked for."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from hostile import reached, targets

with tempfile.TemporaryDirectory() as folder:
    written = 0
    for number in range(4):
        with suppress(OSError):
            part = targets["temporary_bytes"] // 2
            descriptor = os.open(Path(folder, str(number)), os.O_WRONLY | os.O_CREAT)
            while part and (done := os.write(descriptor, bytes(min(part, 1 << 20)))):
                part -= done
                written += done
    if written > targets["temporary_bytes"]:
        reached(f"{written} bytes")
