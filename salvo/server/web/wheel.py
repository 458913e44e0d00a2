"""Makes the wheel of this Salvo, so that authors can install the version that the league has.

It is put together of what is installed, be that a wheel or a checkout: there is no index that has
it, and nothing is downloaded. The same files make the same bytes.
"""

import base64
import functools
import hashlib
import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from importlib.resources import files
from importlib.resources.abc import Traversable

from salvo.server.web.downloads import examples

_DISTRIBUTION = "salvo-arena"
_PACKAGES = ("arena", "bots", "leaderboards", "salvo")
_WHEEL = "Wheel-Version: 1.0\nGenerator: salvo serve\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
_MOMENT = (1980, 1, 1, 0, 0, 0)
"""The earliest that an archive knows, of every file."""


@dataclass(frozen=True)
class Wheel:
    """A wheel of what is installed, which is packed when it is first asked for."""

    installed: metadata.Distribution

    @property
    def file(self) -> str:
        """Return the name of the file, which pip reads."""
        return f"{self._name}-py3-none-any.whl"

    @functools.cached_property
    def data(self) -> bytes:
        """Return the bytes of the file; packing them takes a tenth of a second."""
        about = f"{self._name}.dist-info"
        return _archive(dict(_modules()) | _about(self.installed, about), about)

    @functools.cached_property
    def sha256(self) -> str:
        """Return the digest of the file, in hexadecimal."""
        return hashlib.sha256(self.data).hexdigest()

    @property
    def _name(self) -> str:
        return f"{_DISTRIBUTION.replace('-', '_')}-{self.installed.version}"


@functools.cache
def own_wheel() -> Wheel | None:
    """Return the wheel of this Salvo; None where it is not installed, but only lies there."""
    try:
        return Wheel(metadata.distribution(_DISTRIBUTION))
    except metadata.PackageNotFoundError:
        return None


def _modules() -> Iterator[tuple[str, bytes]]:
    for package in _PACKAGES:
        yield from _below(files(package), package)
    yield from _below(examples(), "salvo/examples")  # where a wheel has them


def _below(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    for one in folder.iterdir():
        if one.name.startswith((".", "__pycache__")):
            continue
        if one.is_dir():
            yield from _below(one, f"{path}/{one.name}")
        else:
            yield f"{path}/{one.name}", one.read_bytes()


def _about(installed: metadata.Distribution, folder: str) -> dict[str, bytes]:
    told = {"WHEEL": _WHEEL.encode()}
    for path in installed.files or ():
        if path.parts[0].endswith(".dist-info"):
            name = "/".join(path.parts[1:])
            if name in {"METADATA", "entry_points.txt"} or name.startswith("licenses/"):
                told[name] = path.read_binary()
    return {f"{folder}/{name}": data for name, data in told.items()}


def _archive(contents: dict[str, bytes], folder: str) -> bytes:
    records = [
        f"{path},sha256={_digest(data)},{len(data)}" for path, data in sorted(contents.items())
    ]
    record = f"{folder}/RECORD"
    listed = "\n".join([*records, f"{record},,", ""]).encode()
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in [*sorted(contents.items()), (record, listed)]:
            entry = zipfile.ZipInfo(path, _MOMENT)
            entry.external_attr = 0o644 << 16
            wheel.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return archive.getvalue()


def _digest(data: bytes) -> str:
    digest = hashlib.sha256(data).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
