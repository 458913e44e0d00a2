"""The packed script that draws figures is the one that is said to be there."""

import base64
import gzip
import hashlib
import io
import shutil
import subprocess
import tarfile
from importlib.resources import files
from pathlib import Path

import pytest

from leaderboards.display.plotly_js import SHA256, VERSION, pack, packed_base64


def test_packed_script_is_the_pinned_one() -> None:
    script = gzip.decompress(base64.b64decode(packed_base64()))
    assert hashlib.sha256(script).hexdigest() == SHA256
    assert f"plotly.js (basic - minified) v{VERSION}".encode() in script[:200]


def test_licence_of_the_script_lies_beside_it() -> None:
    text = files("leaderboards.display.plotly_js").joinpath("LICENSE").read_text(encoding="utf-8")
    assert text.startswith("MIT License")
    assert "Plotly" in text


def packed_by_npm(script: bytes, licence: bytes, folder: Path) -> None:
    """Write what `npm pack` downloads."""
    with tarfile.open(folder / "plotly.js-basic-dist-min-9.9.9.tgz", "w:gz") as package:
        for name, content in (("plotly-basic.min.js", script), ("LICENSE", licence)):
            member = tarfile.TarInfo(f"package/{name}")
            member.size = len(content)
            package.addfile(member, io.BytesIO(content))


@pytest.fixture
def npm(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Stand in for npm, whose package has a short script; return where packed files go."""
    script = b"draw()"

    def run(command: list[str], *, cwd: str, check: bool) -> None:
        assert command == ["/npm", "pack", "--silent", f"plotly.js-basic-dist-min@{VERSION}"]
        assert check
        packed_by_npm(script, b"MIT", Path(cwd))

    monkeypatch.setattr(shutil, "which", lambda name: f"/{name}")
    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(pack, "SHA256", hashlib.sha256(script).hexdigest())
    monkeypatch.setattr(pack, "__file__", str(tmp_path / "pack.py"))
    return tmp_path


def test_script_is_packed_with_its_licence_the_same_at_any_time(npm: Path) -> None:
    assert pack.main() is None
    packed = (npm / "plotly-basic.min.js.gz").read_bytes()
    assert gzip.decompress(packed) == b"draw()"
    assert packed == gzip.compress(b"draw()", 9, mtime=0)
    assert (npm / "LICENSE").read_bytes() == b"MIT"


def test_another_script_is_not_packed(npm: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found, pinned = hashlib.sha256(b"draw()").hexdigest(), "0" * 64
    monkeypatch.setattr(pack, "SHA256", pinned)
    assert pack.main() == (f"plotly.js-basic-dist-min {VERSION} has the hash {found}, not {pinned}")
    assert list(npm.iterdir()) == []


def test_without_npm_nothing_is_packed(npm: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert pack.main() == "npm is not installed"
    assert list(npm.iterdir()) == []
