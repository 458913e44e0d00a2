"""The wheel that a league hands out is made of what is installed."""

import base64
import hashlib
import io
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from salvo.server.web import wheel


class Installed:
    """A distribution of a few files."""

    version = "1.2.3"

    def __init__(self, folder: Path) -> None:
        about = "salvo_arena-1.2.3.dist-info"
        names = ("METADATA", "entry_points.txt", "licenses/LICENSE", "RECORD", "INSTALLER")
        self.files = [self._file(folder, f"{about}/{name}") for name in names]
        self.files.append(self._file(folder, "salvo/METADATA"))

    def _file(self, folder: Path, name: str) -> Any:  # noqa: ANN401 - a path of a package
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
        return SimpleNamespace(parts=Path(name).parts, read_binary=path.read_bytes)


def test_wheel_has_the_packages_what_is_said_of_them_and_a_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "package"
    for name in ("a.py", "inner/b.txt", ".hidden", "__pycache__/a.pyc"):
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(name)
    monkeypatch.setattr(wheel, "_PACKAGES", ("arena",))
    monkeypatch.setattr(wheel, "files", lambda _: package)
    monkeypatch.setattr(wheel, "examples", lambda: package / "inner")
    installed: Any = Installed(tmp_path / "site")
    made, again = wheel.Wheel(installed), wheel.Wheel(installed)
    assert made.file == "salvo_arena-1.2.3-py3-none-any.whl"
    assert made.data == again.data
    assert made.sha256 == hashlib.sha256(made.data).hexdigest()
    about = "salvo_arena-1.2.3.dist-info"
    with zipfile.ZipFile(io.BytesIO(made.data)) as archive:
        assert archive.testzip() is None
        read = archive.read
        infos = archive.infolist()
        assert [one.filename for one in infos] == [
            "arena/a.py",
            "arena/inner/b.txt",
            "salvo/examples/b.txt",
            *(f"{about}/{name}" for name in ("METADATA", "WHEEL", "entry_points.txt")),
            f"{about}/licenses/LICENSE",
            f"{about}/RECORD",
        ]
        for one in infos:
            assert one.date_time == (1980, 1, 1, 0, 0, 0)
            assert (one.external_attr, one.compress_type) == (0o644 << 16, zipfile.ZIP_DEFLATED)
        assert read("arena/inner/b.txt") == b"inner/b.txt"
        assert read(f"{about}/METADATA") == f"{about}/METADATA".encode()
        digest = base64.urlsafe_b64encode(hashlib.sha256(b"a.py").digest()).decode()
        rows = read(f"{about}/RECORD").decode().split("\n")
        assert rows[0] == f"arena/a.py,sha256={digest.rstrip('=')},4"
        assert rows[-2:] == [f"{about}/RECORD,,", ""]
