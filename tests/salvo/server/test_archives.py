"""What the reader of archives tells, and what is made of that; outside the sandbox."""

import gzip
import io
import os
import stat
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.errors import BotError
from salvo.server.work.unpacking import LIMITS, Limits, archive_reader, suffix_of, unpack
from salvo.server.work.unpacking.archive_reader import CHUNK, HEAD, TOO_LARGE, send
from salvo.server.work.unpacking.entries import write_entries
from salvo.server.work.unpacking.unpack import _Output, _root
from tests.salvo.server.conftest import Clock

Frame = tuple[bytes, bytes]
BEGUN, END = (b"(", b""), (b".", b"")
AGAIN = "; pack the folder of the bot again, as .zip or .tar.gz"
BROKEN = "the file cannot be unpacked; pack the folder of the bot again"
SMALL = Limits(files=3, mb=1, depth=2)
REGULAR = stat.S_IFREG | 0o644


def frames(data: bytes) -> list[Frame]:
    found = []
    while data:
        kind, size = HEAD.unpack(data[: HEAD.size])
        found.append((kind, data[HEAD.size : HEAD.size + size]))
        data = data[HEAD.size + size :]
    return found


def told(folder: Path, archive: bytes, kind: str, files: int = 9, most: int = 10**6) -> list[Frame]:
    """Return what the reader tells of an archive, between that it began and that it ended."""
    upload = folder / "upload"
    upload.write_bytes(archive)
    out = io.BytesIO()
    send(str(upload), kind, files, most, out)
    first, *others = frames(out.getvalue())
    assert first == BEGUN
    return others


def refused(reason: str) -> list[Frame]:
    return [(b"!", reason.encode())]


def zipped(*entries: tuple[str, bytes, int], system: int = 3, packed: int = 8) -> bytes:
    """Return a zip file with entries of a name, a content and a mode."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, content, mode in entries:
            info = zipfile.ZipInfo(name)
            info.external_attr, info.create_system = mode << 16, system
            info.compress_type = packed
            archive.writestr(info, content)
    return data.getvalue()


def test_entries_of_a_zip_are_told_one_after_another(tmp_path: Path) -> None:
    archive = zipped(
        ("mine/", b"", stat.S_IFDIR | 0o755),
        ("mine/a", b"one", REGULAR),
        ("mine/run", b"", stat.S_IFREG | 0o755),
        ("mine/group", b"two", stat.S_IFREG | 0o654),
        ("mine/none", b"three", 0),
        ("odd", b"", stat.S_IFDIR | 0o755),
    )
    assert told(tmp_path, archive, "zip") == [
        (b"d", b"mine/"),
        (b"f", b"mine/a"),
        (b"+", b"one"),
        (b"x", b"mine/run"),
        (b"f", b"mine/group"),
        (b"+", b"two"),
        (b"f", b"mine/none"),
        (b"+", b"three"),
        (b"d", b"odd"),
        END,
    ]


def test_modes_of_another_system_are_none_of_unix(tmp_path: Path) -> None:
    link = ("a", b"b", stat.S_IFLNK | 0o644)
    assert told(tmp_path, zipped(link, ("c", b"", 0)), "zip") == [(b"o", b"a"), END]
    assert told(tmp_path, zipped(link, system=0), "zip") == [(b"f", b"a"), (b"+", b"b"), END]


def test_file_comes_in_parts_of_at_most_64_kib(tmp_path: Path) -> None:
    found = told(tmp_path, zipped(("a", bytes(65_536 * 2 + 1), REGULAR)), "zip")
    assert [len(data) for kind, data in found if kind == b"+"] == [65_536, 65_536, 1]
    assert CHUNK == 65_536  # a frame has no more


def test_zip_that_is_encrypted_or_packed_in_an_odd_way_is_refused(tmp_path: Path) -> None:
    stored = zipped(("a", b"b", REGULAR), packed=zipfile.ZIP_STORED)
    assert told(tmp_path, stored, "zip") == [(b"f", b"a"), (b"+", b"b"), END]
    why = "the archive is packed in an unusual way; pack it as usual zip"
    odd = zipped(("a", b"b", REGULAR), packed=zipfile.ZIP_BZIP2)
    assert told(tmp_path, odd, "zip") == refused(why)
    secret = bytearray(stored)
    secret[stored.index(b"PK\x01\x02") + 8] |= 1
    why = "the archive is encrypted; pack it without a password"
    assert told(tmp_path, bytes(secret), "zip") == refused(why)


def test_zip_has_so_many_entries_wherever_they_lie_in_the_file(tmp_path: Path) -> None:
    for size in range(65_536 - 68, 65_536 - 60):  # the sign of one lies across parts, or does not
        stored = (("a", bytes(size), REGULAR), ("b", b"", REGULAR))
        archive = zipped(*stored, packed=zipfile.ZIP_STORED)
        assert told(tmp_path, archive, "zip", files=2)[-1] == END
        why = "the archive has more than 1 files and folders; leave out what the bot does not read"
        assert told(tmp_path, archive, "zip", files=1) == refused(why)


@pytest.mark.parametrize("kind", ["zip", "tar"])
def test_names_are_of_so_many_bytes(tmp_path: Path, kind: str) -> None:
    def packed(name: str) -> bytes:
        return zipped((name, b"", REGULAR)) if kind == "zip" else tarred((name, b"", b"0", 0o644))

    assert told(tmp_path, packed(4096 * "a"), kind) == [(b"f", 4096 * b"a"), END]
    why = "the archive has a name of 4097 bytes; use shorter names"
    assert told(tmp_path, packed(4095 * "a" + "\xe9"), kind) == refused(why)


def tarred(*entries: tuple[str, bytes, bytes, int]) -> bytes:
    """Return a packed tar file with entries of a name, a content, a type and a mode."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as archive:
        for name, content, kind, mode in entries:
            member = tarfile.TarInfo(name)
            member.size, member.type, member.mode = len(content), kind, mode
            archive.addfile(member, io.BytesIO(content))
    return data.getvalue()


def test_entries_of_a_tar_are_told_up_to_one_that_is_neither_file_nor_folder(
    tmp_path: Path,
) -> None:
    entries = (
        ("mine", b"", tarfile.DIRTYPE, 0o755),
        ("mine/a", b"one", tarfile.REGTYPE, 0o644),
        ("mine/run", b"", tarfile.REGTYPE, 0o700),
        ("mine/group", b"two", tarfile.REGTYPE, 0o654),
    )
    found = [
        (b"d", b"mine"),
        (b"f", b"mine/a"),
        (b"+", b"one"),
        (b"x", b"mine/run"),
        (b"f", b"mine/group"),
        (b"+", b"two"),
    ]
    assert told(tmp_path, tarred(*entries), "tar") == [*found, END]
    for kind in (tarfile.SYMTYPE, tarfile.FIFOTYPE, tarfile.GNUTYPE_SPARSE):
        more = (*entries, ("odd", b"", kind, 0o644), ("b", b"", tarfile.REGTYPE, 0o644))
        assert told(tmp_path, tarred(*more), "tar") == [*found, (b"o", b"odd"), END]


@pytest.mark.parametrize(("most", "blocks"), [(0, 97), (20_480, 101)])
def test_tar_is_read_to_twice_what_its_files_may_have_and_a_megabyte(
    tmp_path: Path, most: int, blocks: int
) -> None:
    for more in (0, 1):
        size = (blocks + more) * 10_240 - 1536  # of a file that fills so many blocks of a tar file
        found = told(tmp_path, tarred(("a", bytes(size), b"0", 0o644)), "tar", most=most)
        assert found[-1] == (refused(TOO_LARGE)[0] if more else END)


def test_reader_counts_what_it_reads_and_refuses_a_byte_more(tmp_path: Path) -> None:
    (tmp_path / "packed").write_bytes(gzip.compress(b"abcdef"))
    with gzip.open(tmp_path / "packed") as file:
        reader = archive_reader._Counted(file, 5)
        assert (reader.read(2), reader.read(0), reader.read(3)) == (b"ab", b"", b"cde")
        with pytest.raises(archive_reader._RefusedError, match=TOO_LARGE[:20]):
            reader.read(1)
    with gzip.open(tmp_path / "packed") as file, pytest.raises(archive_reader._RefusedError):
        archive_reader._Counted(file, 5).read()
    with gzip.open(tmp_path / "packed") as file:
        assert archive_reader._Counted(file, 6).read() == b"abcdef"


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (archive_reader._RefusedError("why"), "why"),
        (
            MemoryError(),
            "the file takes too much memory to unpack; pack the folder of the bot alone",
        ),
        (OSError(5, "no luck", "/secret"), f"the file cannot be unpacked: no luck{AGAIN}"),
        (OSError("odd"), f"the file cannot be unpacked: odd{AGAIN}"),
        (ValueError(), f"the file cannot be unpacked: ValueError{AGAIN}"),
    ],
)
def test_reason_names_no_file_of_the_server(error: Exception, words: str) -> None:
    assert archive_reader._message(error) == words


def written(folder: Path, *given: Frame, most: int = 1000, limits: Limits = SMALL) -> list[str]:
    """Return what files come of frames, those that can be executed with a star."""
    place = folder / str(len(list(folder.iterdir())))
    place.mkdir()
    source = io.BytesIO(b"".join(HEAD.pack(kind, len(data)) + data for kind, data in given))
    write_entries(source.read, place, limits, most)
    return [
        f"{path.relative_to(place)}{'*' if path.stat().st_mode & 0o100 else ''}: "
        f"{path.read_bytes().decode()}"
        for path in sorted(place.rglob("*"))
        if path.is_file()
    ]


def test_files_are_written_as_they_come(tmp_path: Path) -> None:
    assert written(
        tmp_path,
        BEGUN,
        (b"d", b"folder"),
        (b"f", b"./a//b"),
        (b"+", b"one,"),
        (b"+", b"two"),
        (b"x", b"run"),
        (b"+", b""),
        END,
    ) == ["a/b: one,two", "run*: "]


@pytest.mark.parametrize(
    ("content", "runs"),
    [((b"#!/bin/sh",), True), ((b"\x7fELF",), True), ((b"", b"#!"), True), ((b"a", b"#!"), False)],
)
def test_program_is_known_by_how_it_begins(
    tmp_path: Path,
    content: tuple[bytes, ...],
    runs: bool,  # noqa: FBT001 - a case
) -> None:
    [file] = written(tmp_path, (b"f", b"a"), *((b"+", part) for part in content), END)
    assert file.startswith("a*:") == runs


def odd(name: str) -> str:
    return (
        f"the archive has a file called {name!a}; use plain relative names, of at most 100 bytes a "
        "part"
    )


def test_limits_hold_at_their_last_place_and_no_later(tmp_path: Path) -> None:
    files = [(b"f", name) for name in (b"a", b"b", b"c")]
    assert len(written(tmp_path, *files, END)) == 3
    long = 100 * b"n"
    assert written(tmp_path, (b"f", b"a/" + long), END) == [f"a/{long.decode()}: "]
    assert written(tmp_path, (b"f", b"a"), (b"+", b"12"), (b"f", b"b"), (b"+", b"3"), END, most=3)
    for given, why in (
        (
            [*files, (b"d", b"d")],
            "the archive has more than 3 files and folders; leave out what the bot does not read",
        ),
        ([(b"f", long + b"n")], odd(f"{long.decode()}...")),
        ([(b"f", b"\xff")], odd("\udcff")),
        ([(b"f", (99 * "n" + "\xe9").encode())], odd(99 * "n" + "\xe9")),
        (
            [(b"d", b"a/b/c")],
            (
                "more than 2 folders lie inside each other in the archive, as in 'a/b/c'; pack the "
                "folder of the bot itself"
            ),
        ),
        ([(b"f", b"a"), (b"+", b"12"), (b"f", b"b"), (b"+", b"34")], TOO_LARGE),
    ):
        with pytest.raises(BotError) as error:
            written(tmp_path, *given, END, most=3)
        assert str(error.value) == why


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ([(b"f", b".")], BROKEN),
        ([(b"+", b"data")], BROKEN),
        ([(b"f", b"a"), (b"d", b"b"), (b"+", b"data")], BROKEN),
        ([(b"?", b"")], BROKEN),
        ([(b"f", b"a/b"), (b"f", b"A/B")], "'A/B' is in the archive twice; leave one out"),
        (
            [(b"f", b"a"), (b"f", b"A/b")],
            (
                "a file and a folder have the same name in the archive, at 'A/b'; pack the folder "
                "of the bot again"
            ),
        ),
        (
            [(b"f", b"a/b"), (b"f", b"A")],
            (
                "a file and a folder have the same name in the archive, at 'A'; pack the folder of "
                "the bot again"
            ),
        ),
        (
            [(b"o", b"a")],
            ("'a' in the archive is neither a file nor a folder; put a copy in its place"),
        ),
        ([(b"!", b"why\nnot")], "why\\nnot"),
        ([(b"f", b"/a")], odd("/a")),
        ([(b"f", b"a/../b")], odd("a/../b")),
        ([(b"f", b"a\\b")], odd("a\\b")),
        ([(b"f", b"c:b")], odd("c:b")),
        ([(b"f", b"a\nb")], odd("a\nb")),
    ],
)
def test_what_must_not_be_in_an_archive_is_refused(
    tmp_path: Path, given: list[Frame], why: str
) -> None:
    with pytest.raises(BotError) as error:
        written(tmp_path, *given, END)
    assert str(error.value) == why


def test_frame_is_no_longer_than_it_may_be(tmp_path: Path) -> None:
    [file] = written(tmp_path, (b"f", b"a"), (b"+", CHUNK * b"1"), END, most=CHUNK)
    assert file == f"a: {CHUNK * '1'}"
    with pytest.raises(BotError, match=BROKEN):
        written(tmp_path, (b"f", b"a"), (b"+", (CHUNK + 1) * b"1"), END, most=10**6)


@pytest.mark.parametrize(
    ("packed", "most"),
    [
        (None, 64_000_000),
        (1, 1_000_000),
        (5_000, 1_000_000),
        (5_001, 1_000_200),
        (320_000, 64_000_000),
        (320_001, 64_000_000),
    ],
)
def test_archive_may_become_two_hundred_times_as_large_within_limits(
    packed: int | None, most: int
) -> None:
    assert LIMITS.max_bytes(packed) == most


@pytest.mark.parametrize(
    ("file", "suffix"),
    [
        ("bot.py", ".py"),
        ("My Bot.TAR.GZ", ".tar.gz"),
        ("bot.tgz", ".tgz"),
        ("bot.v2.zip", ".zip"),
        ("bot.gz", ".gz"),
        ("bot", ""),
        ("", ""),
        (".abcdefgh", ""),
        ("a.abcdefgh", ".abcdefgh"),
        ("a.abcdefghi", ""),
        ("a.p-y", ""),
    ],
)
def test_suffix_says_what_a_file_is(file: str, suffix: str) -> None:
    assert suffix_of(file) == suffix


@pytest.mark.parametrize(("suffix", "runs"), [(".py", False), (".js", True), ("", True)])
def test_file_alone_is_the_bot_and_all_but_python_can_be_executed(
    tmp_path: Path,
    suffix: str,
    runs: bool,  # noqa: FBT001 - a case
) -> None:
    upload = tmp_path / "upload"
    upload.write_bytes(bytes(CHUNK + 1))
    place = unpack(upload, suffix, tmp_path / "ada")
    assert place == tmp_path / f"ada{suffix}"
    assert place.read_bytes() == bytes(CHUNK + 1)
    assert bool(place.stat().st_mode & stat.S_IXUSR) == runs


@pytest.mark.parametrize(
    ("files", "bot"),
    [
        (["bot.py"], "."),
        (["bot.toml"], "."),
        (["a.py", "b.py"], "."),
        (["a.py"], "a.py"),
        (["mine/a.py"], "mine/a.py"),
        (["mine/bot.py"], "mine"),
        (["mine/a.py", "mine/b.py"], "mine"),
        (["mine/inner/a.py", "mine/inner/b.py"], "mine/inner"),
        (["mine/a.py", "b.py"], "."),
    ],
)
def test_bot_is_the_first_folder_with_more_than_one_thing_in_it(
    tmp_path: Path, files: list[str], bot: str
) -> None:
    for name in files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert _root(tmp_path) == tmp_path / bot


class Reader:
    """A process that reads an archive, whose output a test writes."""

    def __init__(self) -> None:
        self.stdout, self.out = os.pipe()
        self.stderr, self.errors = os.pipe()
        self.took: tuple[float, float] | None = None
        self.is_open = True

    def times_s(self) -> tuple[float, float] | None:
        return self.took

    def wait(self, _: float) -> None: ...

    def status(self) -> str:
        return "exited with code 1"

    def end(self) -> None:
        """Write nothing more."""
        if self.is_open:
            os.close(self.out)
            os.close(self.errors)
        self.is_open = False


@pytest.fixture
def reader() -> Iterator[Any]:
    found = Reader()
    yield found
    found.end()
    os.close(found.stdout)
    os.close(found.stderr)


def test_output_is_read_in_whatever_pieces_it_comes(reader: Any) -> None:  # noqa: ANN401 - above
    output = _Output(reader, LIMITS, lambda: True)
    os.write(reader.out, b"abcde")
    assert (output.read(2), output.read(0), output.read(3)) == (b"ab", b"", b"cde")


TOO_SLOW = "the file takes more than {} to unpack" + AGAIN


def test_archive_has_so_many_seconds_and_so_much_of_the_processor(
    reader: Any,  # noqa: ANN401 - above
    clock: Clock,
) -> None:
    output = _Output(reader, LIMITS, lambda: True)
    os.write(reader.out, b"abcdef")
    reader.took = (5.0, 99.0)
    assert output.read(6) == b"abcdef"
    os.write(reader.out, b"ab")
    clock.now += 30.0
    assert output.read(2) == b"ab"
    os.write(reader.out, b"ab")
    clock.now += 0.25
    with pytest.raises(BotError) as error:
        output.read(2)
    assert str(error.value) == TOO_SLOW.format("30 s")
    reader.took = (5.25, 0.0)
    with pytest.raises(BotError) as error:
        _Output(reader, LIMITS, lambda: True).read(2)
    assert str(error.value) == TOO_SLOW.format("5 s of processor time")


def test_it_is_asked_ten_times_a_second_whether_a_bot_is_wanted(
    reader: Any,  # noqa: ANN401 - above
    clock: Clock,
) -> None:
    asked: list[int] = []

    def wanted() -> bool:
        asked.append(1)
        return len(asked) < 3

    output = _Output(reader, LIMITS, wanted)
    for after_s, times in ((0.0, 1), (0.0625, 1), (0.0625, 2)):
        clock.now += after_s
        os.write(reader.out, b"a")
        output.read(1)
        assert len(asked) == times
    clock.now += 0.125
    with pytest.raises(BotError, match="it was withdrawn"):
        output.read(1)


def test_reader_that_ends_early_is_the_fault_of_an_archive_once_it_has_begun(
    reader: Any,  # noqa: ANN401 - above
) -> None:
    os.write(reader.out, b"(")
    os.write(reader.errors, b" no\nsandbox ")
    begun, silent = (_Output(reader, LIMITS, lambda: True) for _ in range(2))
    begun.read(1)
    reader.end()
    with pytest.raises(BotError) as error:
        begun.read(1)
    told = "the file cannot be unpacked: its reader exited with code 1" + AGAIN
    assert str(error.value) == told
    with pytest.raises(OSError, match=r"^the reader of archives exited with code 1: no\\nsandbox$"):
        silent.read(1)
