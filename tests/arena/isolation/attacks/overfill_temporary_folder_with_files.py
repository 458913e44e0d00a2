"""Make more files in the temporary folder than fit into it, each of which takes kernel memory."""

import tempfile
from pathlib import Path

from hostile import reached, targets

KERNEL_BYTES = 1024
with tempfile.TemporaryDirectory() as folder:
    for number in range(targets["temporary_bytes"] // KERNEL_BYTES):
        Path(folder, str(number)).touch()
    reached(f"{number} files")
