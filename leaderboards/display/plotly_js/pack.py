"""Packs the script anew: ``python -m leaderboards.display.plotly_js.pack``, with npm installed.

To take another version, change ``VERSION`` and ``SHA256`` in the package first; the command prints
the hash of what it found.
"""

import gzip
import hashlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from leaderboards.display.plotly_js import PACKED, SHA256, VERSION

_PACKAGE = "plotly.js-basic-dist-min"
_SCRIPT, _LICENCE = "package/plotly-basic.min.js", "package/LICENSE"


def main() -> str | None:
    """Fetch the package, check the script and write it; return what is wrong, if anything is."""
    npm = shutil.which("npm")
    if npm is None:
        return "npm is not installed"
    with tempfile.TemporaryDirectory() as folder:
        command = [npm, "pack", "--silent", f"{_PACKAGE}@{VERSION}"]
        subprocess.run(command, cwd=folder, check=True)
        [archive] = Path(folder).glob("*.tgz")
        with tarfile.open(archive) as package:
            script, licence = (_read(package, name) for name in (_SCRIPT, _LICENCE))
    found = hashlib.sha256(script).hexdigest()
    if found != SHA256:
        return f"{_PACKAGE} {VERSION} has the hash {found}, not {SHA256}"
    here = Path(__file__).parent
    (here / PACKED).write_bytes(gzip.compress(script, 9, mtime=0))
    (here / "LICENSE").write_bytes(licence)
    return None


def _read(package: tarfile.TarFile, name: str) -> bytes:
    file = package.extractfile(name)
    assert file is not None, name
    return file.read()


if __name__ == "__main__":
    sys.exit(main())
