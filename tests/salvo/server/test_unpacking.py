"""Uploads are opened within limits, whatever they are."""

import gzip
import io
import json
import random
import resource
import stat
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.errors import BotError
from salvo.server.work.unpacking import Limits, suffix_of, unpack

pytestmark = pytest.mark.usefixtures("_sandbox")

BOT = b"from arena import Bot, run\n"
SMALL = Limits(files=20, mb=1, depth=3, ratio=50)
UPLOADS = 10
"""Of the fuzzed ones; `tests/long/test_uploads.py` tries 10,000, outside the sandbox."""

SPEND = """
import json
import re
import resource
import sys
from pathlib import Path

from arena.errors import BotError
from salvo.server.work.unpacking import unpack

reason = ""
try:
    unpack(Path(sys.argv[1]), ".tar.gz", Path(sys.argv[2]) / "bot")
except BotError as error:
    reason = str(error)
spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
cpu_s = sum(one.ru_utime + one.ru_stime for one in spent)
# The most that getrusage knows of this process was used by the one that forked it.
[own_kb] = re.findall("VmHWM: *([0-9]+)", Path("/proc/self/status").read_text().replace("\t", " "))
print(json.dumps([reason, cpu_s, max(int(own_kb), spent[1].ru_maxrss) / 1024]))
"""


@pytest.fixture
def opened(tmp_path: Path) -> Callable[[bytes, str], Path]:
    """Return a function that opens an upload in a folder of its own."""
    number = 0

    def open_it(data: bytes, suffix: str) -> Path:
        nonlocal number
        number += 1
        upload = tmp_path / f"upload{number}"
        upload.write_bytes(data)
        folder = tmp_path / f"opened{number}"
        folder.mkdir()
        return unpack(upload, suffix, folder / "bot", SMALL)

    return open_it


def zipped(files: dict[str, bytes], mode: int = 0o644) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            info = zipfile.ZipInfo(name)
            info.external_attr = (stat.S_IFREG | mode) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, text)
    return data.getvalue()


def tarred(files: dict[str, bytes], **fields: object) -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as archive:
        for name, text in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(text)
            for field, value in fields.items():
                setattr(member, field, value)
            archive.addfile(member, io.BytesIO(text))
    return data.getvalue()


def header(name: str, size: int, kind: bytes) -> bytes:
    """Return what begins an entry of a tar file, of any size."""
    member = tarfile.TarInfo(name)
    member.size, member.type = size, kind
    return member.tobuf(tarfile.GNU_FORMAT)


def filled(data: bytes) -> bytes:
    return data + bytes(-len(data) % 512)


def bomb(hostile: str) -> bytes:
    """Return a small file that is worked on for long, or takes much memory."""
    match hostile:
        case "digits":  # on Pythons before the summer of 2024, 80 minutes
            return gzip.compress(header("x", 2_400_000, b"x") + filled(b"1" * 2_400_000))
        case "attributes":  # copied for each of the files
            each = b"".join(b"13 k%06d=1\n" % number for number in range(200_000))
            files = b"".join(header(f"f{number}", 0, b"0") for number in range(60))
            return gzip.compress(header("x", len(each), b"g") + filled(each) + files)
        case "sparse":
            return gzip.compress(header("x", 1 << 40, b"S") + bytes(1 << 20))
    kind = {"attribute of 900 MB": b"x", "name of 900 MB": b"L", "file of 900 MB": b"0"}[hostile]
    return gzip.compress(header("x", 900_000_000, kind)) + gzip.compress(bytes(10_000_000)) * 90


PACKED = {".zip": zipped, ".tar.gz": tarred}


@pytest.mark.parametrize("suffix", PACKED)
def test_folder_comes_out_as_it_was(opened: Callable[[bytes, str], Path], suffix: str) -> None:
    place = opened(PACKED[suffix]({"bot.py": BOT, "data/w.txt": b"1"}), suffix)
    assert (place / "bot.py").read_bytes() == BOT
    assert (place / "data" / "w.txt").read_bytes() == b"1"


@pytest.mark.parametrize("suffix", PACKED)
def test_folder_in_a_folder_is_the_bot(opened: Callable[[bytes, str], Path], suffix: str) -> None:
    place = opened(PACKED[suffix]({"mine/bot.py": BOT, "mine/w.txt": b""}), suffix)
    assert (place / "bot.py").read_bytes() == BOT


def test_file_alone_in_an_archive_is_the_bot(opened: Callable[[bytes, str], Path]) -> None:
    assert opened(zipped({"clever.py": BOT}), ".zip").name == "clever.py"


def test_file_that_is_no_archive_keeps_its_kind(opened: Callable[[bytes, str], Path]) -> None:
    place = opened(b"#!/usr/bin/env node\n", suffix_of("Clever Bot.JS"))
    assert place.name == "bot.js"
    assert place.stat().st_mode & stat.S_IXUSR


def test_program_in_an_archive_without_modes_can_be_executed(
    opened: Callable[[bytes, str], Path],
) -> None:
    place = opened(zipped({"bot.toml": b"", "run": b"#!/bin/sh\n"}, mode=0), ".zip")
    assert (place / "run").stat().st_mode & stat.S_IXUSR


@pytest.mark.parametrize("suffix", PACKED)
@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("/etc/passwd", "plain relative names"),
        ("../../x", "plain relative names"),
        ("a\\..\\x", "plain relative names"),
        ("n" * 101, "plain relative names"),
        ("1/2/3/4", "inside each other"),
    ],
)
def test_name_that_leads_elsewhere_is_refused(
    opened: Callable[[bytes, str], Path], suffix: str, name: str, why: str
) -> None:
    with pytest.raises(BotError, match=why):
        opened(PACKED[suffix]({name: BOT}), suffix)


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE])
def test_what_is_no_file_is_refused(opened: Callable[[bytes, str], Path], kind: bytes) -> None:
    with pytest.raises(BotError, match="neither a file nor a folder"):
        opened(tarred({"bot.py": b""}, type=kind, linkname="/etc/passwd"), ".tar.gz")


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR])
def test_link_in_a_zip_is_refused(opened: Callable[[bytes, str], Path], kind: int) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        info = zipfile.ZipInfo("bot.py")
        info.create_system = 3
        info.external_attr = (kind | 0o777) << 16
        archive.writestr(info, "/etc/passwd")
    with pytest.raises(BotError, match="neither a file nor a folder"):
        opened(data.getvalue(), ".zip")


@pytest.mark.parametrize("suffix", PACKED)
def test_bomb_is_refused_before_it_is_large(
    opened: Callable[[bytes, str], Path], suffix: str, tmp_path: Path
) -> None:
    with pytest.raises(BotError, match="too large when it is unpacked"):
        opened(PACKED[suffix]({"bot.py": BOT, "zeros": bytes(30_000_000)}), suffix)
    written = sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file())
    assert written < 2_000_000


def test_attributes_of_a_tar_are_no_way_round_the_limit(
    opened: Callable[[bytes, str], Path],
) -> None:
    data = tarred({"bot.py": BOT}, pax_headers={"comment": "x" * 30_000_000})
    with pytest.raises(BotError):
        opened(data, ".tar.gz")


@pytest.mark.parametrize("suffix", PACKED)
def test_too_many_files_are_refused(opened: Callable[[bytes, str], Path], suffix: str) -> None:
    with pytest.raises(BotError, match="more than 20 files"):
        opened(PACKED[suffix]({f"{number}.py": BOT for number in range(21)}), suffix)


@pytest.mark.parametrize("suffix", PACKED)
def test_name_that_comes_twice_is_refused(
    opened: Callable[[bytes, str], Path], suffix: str
) -> None:
    with pytest.raises(BotError, match="twice"):
        opened(PACKED[suffix]({"bot.py": BOT, "BOT.py": BOT}), suffix)


@pytest.mark.parametrize("suffix", PACKED)
@pytest.mark.parametrize("names", [("a", "a/b"), ("a/b", "a")])
def test_file_with_the_name_of_a_folder_is_refused(
    opened: Callable[[bytes, str], Path], names: tuple[str, str], suffix: str
) -> None:
    with pytest.raises(BotError, match="a file and a folder have the same name"):
        opened(PACKED[suffix](dict.fromkeys(names, BOT)), suffix)


@pytest.mark.parametrize("suffix", PACKED)
def test_empty_archive_is_refused(opened: Callable[[bytes, str], Path], suffix: str) -> None:
    with pytest.raises(BotError, match="no file in it"):
        opened(PACKED[suffix]({}), suffix)


def test_fuzzed_uploads_are_opened_or_refused_and_stay_inside(
    opened: Callable[[bytes, str], Path], tmp_path: Path
) -> None:
    source = random.Random(7)
    seeds = {
        suffix: pack({"bot.py": BOT * 9, "d/e.txt": bytes(999)}) for suffix, pack in PACKED.items()
    }
    for _ in range(UPLOADS):
        suffix = source.choice(list(seeds))
        data = bytearray(seeds[suffix])
        if suffix == ".tar.gz" and source.random() < 0.7:
            data = bytearray(gzip.decompress(bytes(data)))
        packed = suffix == ".tar.gz" and len(data) != len(seeds[suffix])
        for _ in range(source.randrange(1, 9)):
            data[source.randrange(len(data))] = source.randrange(256)
        if source.random() < 0.2:
            del data[source.randrange(len(data)) :]
        try:
            place = opened(gzip.compress(bytes(data)) if packed else bytes(data), suffix)
        except BotError:
            continue
        assert place.is_relative_to(tmp_path)
        for path in tmp_path.rglob("*"):
            assert not path.is_symlink()


def test_bot_that_is_not_wanted_any_more_is_not_unpacked_to_the_end(tmp_path: Path) -> None:
    upload, folder = tmp_path / "upload", tmp_path / "opened"
    upload.write_bytes(bomb("digits"))
    folder.mkdir()
    wanted = iter([True, True, False])
    no_end = Limits(cpu_s=10_000, wall_s=10_000)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    with pytest.raises(BotError):  # Pythons that are fixed refuse it at once
        unpack(upload, ".tar.gz", folder / "bot", no_end, lambda: next(wanted))
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime < before + 30


@pytest.mark.long("an archive that takes as long as it may")
@pytest.mark.parametrize(
    "hostile",
    [
        *("digits", "attributes", "sparse"),
        *("attribute of 900 MB", "name of 900 MB", "file of 900 MB"),
    ],
)
def test_bomb_takes_bounded_time_and_memory(hostile: str, tmp_path: Path) -> None:
    upload, folder = tmp_path / "upload", tmp_path / "opened"
    upload.write_bytes(bomb(hostile))
    folder.mkdir()
    assert upload.stat().st_size < 1_500_000
    command = [sys.executable, "-c", SPEND, str(upload), str(folder)]
    done = subprocess.run(command, capture_output=True, check=True, timeout=300)
    reason, cpu_s, most_mb = json.loads(done.stdout)
    assert reason
    assert "\n" not in reason
    assert cpu_s < 30
    assert most_mb < 300
