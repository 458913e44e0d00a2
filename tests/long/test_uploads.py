"""10,000 fuzzed uploads: each is opened or refused, and none leaves a file behind."""

import gzip
import io
import random
import tarfile
import zipfile
from pathlib import Path

import pytest

from arena.errors import BotError
from salvo.server.work.unpacking import Limits, archive_reader
from salvo.server.work.unpacking.entries import write_entries

UPLOADS = 10_000
LIMITS = Limits(files=50, mb=1, depth=4, ratio=50)


def packed(source: random.Random) -> tuple[str, bytes]:
    """Return an archive of some files, some of them with names that lead elsewhere."""
    names = ["bot.py", "bot.toml", "data/w.bin", "../up", "/root", "a/b/c/d/e/f", "x\0y", "é", ""]
    chosen = source.sample(names, source.randrange(1, 5))
    data = io.BytesIO()
    if source.random() < 0.5:
        with zipfile.ZipFile(data, "w", source.choice([0, 8, 8, 12, 14])) as archive:
            for name in chosen:
                info = zipfile.ZipInfo(name or "n")
                info.external_attr = source.getrandbits(32)
                info.compress_type = archive.compression
                archive.writestr(info, source.randbytes(source.randrange(3000)))
        return ".zip", data.getvalue()
    with tarfile.open(fileobj=data, mode="w") as archive:
        for name in chosen:
            member = tarfile.TarInfo(name)
            text = source.randbytes(source.randrange(3000))
            member.size, member.mode = len(text), source.getrandbits(12)
            if source.random() < 0.2:
                member.type = source.choice([*b"0123456789xgLKS"]).to_bytes(1, "big")
                member.linkname = "/etc/passwd"
            archive.addfile(member, io.BytesIO(text))
    return ".tar.gz", data.getvalue()


def broken(data: bytes, source: random.Random) -> bytes:
    """Return bytes of which some are others, or missing, or there twice."""
    found = bytearray(data)
    for _ in range(source.randrange(6)):
        place = source.randrange(len(found))
        match source.randrange(4):
            case 0:
                found[place] = source.randrange(256)
            case 1:
                found[place : place + 4] = source.randbytes(4)
            case 2:
                del found[place:]
            case _:
                found += found[place : place + 600]
        if not found:
            return b"x"
    return bytes(found)


def unpack_here(upload: Path, kind: str, folder: Path) -> None:
    """Unpack an archive as the server does, but without a process of its own."""
    frames = io.BytesIO()
    most = LIMITS.max_bytes(upload.stat().st_size)
    archive_reader.send(str(upload), kind, LIMITS.files, most, frames)
    frames.seek(0)
    write_entries(frames.read, folder, LIMITS, most)


@pytest.mark.filterwarnings("ignore")  # of the libraries, about names that come twice
def test_fuzzed_uploads_leave_nothing_behind(tmp_path: Path) -> None:
    source = random.Random(20_091)
    opened = 0
    before = {path: path.stat().st_size for path in (Path("/etc/passwd"),)}
    for number in range(UPLOADS):
        suffix, data = packed(source)
        data = broken(data, source)
        upload, folder = tmp_path / "upload", tmp_path / f"opened{number}"
        upload.write_bytes(gzip.compress(data, 1) if suffix == ".tar.gz" else data)
        folder.mkdir()
        try:
            unpack_here(upload, "zip" if suffix == ".zip" else "tar", folder)
        except BotError:
            pass
        else:
            opened += 1
        for path in folder.rglob("*"):
            assert not path.is_symlink()
            assert path.is_file() or path.is_dir()
            path.stat()
        assert sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) < 1_100_000
        assert {path.name for path in tmp_path.iterdir()} == {"upload", folder.name}
        _remove(folder)
    assert opened > UPLOADS // 50
    assert {path: path.stat().st_size for path in before} == before


def _remove(folder: Path) -> None:
    for path in sorted(folder.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    folder.rmdir()
