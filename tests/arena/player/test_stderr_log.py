"""The files of what bots write to stderr: bounded, one a process, none for the silent."""

from pathlib import Path

import pytest

from arena.errors import UserError
from arena.player import LogFiles
from arena.player.stderr_log import LOG_BYTES, TAIL_BYTES


def test_what_is_written_is_in_the_file_at_once(tmp_path: Path) -> None:
    log = LogFiles(tmp_path / "deep" / "down", "3-mine").open()
    log.write(b"one\n")
    log.write(b"two\xff\n")
    assert (tmp_path / "deep" / "down" / "3-mine.log").read_bytes() == b"one\ntwo\xff\n"
    log.close()


def test_silent_bot_has_no_file(tmp_path: Path) -> None:
    LogFiles(tmp_path / "logs", "mine").open().close()
    assert list(tmp_path.iterdir()) == []


def test_every_process_has_a_file_of_its_own(tmp_path: Path) -> None:
    files = LogFiles(tmp_path, "mine")
    for word in (b"one", b"two", b"three"):
        log = files.open()
        log.write(word)
        log.close()
    found = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert found == {"mine.log": b"one", "mine-2.log": b"two", "mine-3.log": b"three"}


def test_of_a_flood_the_beginning_and_the_end_are_kept(tmp_path: Path) -> None:
    log = LogFiles(tmp_path, "mine").open()
    for number in range(300):
        log.write(f"{number:05}".encode() * 1000)
    log.close()
    text = (tmp_path / "mine.log").read_bytes()
    assert len(text) < LOG_BYTES + TAIL_BYTES + 100
    assert text.startswith(b"00000")
    assert text.endswith(b"00299")
    left_out = 300 * 5000 - LOG_BYTES - TAIL_BYTES
    assert f"\n[{left_out:,} bytes are left out here]\n".encode() in text


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        (LOG_BYTES, b"x" * LOG_BYTES),
        (LOG_BYTES + 3, b"x" * LOG_BYTES + b"\n[0 bytes are left out here]\nxyz"),
        (
            LOG_BYTES + TAIL_BYTES + 2,
            b"x" * LOG_BYTES + b"\n[2 bytes are left out here]\n" + b"x" * (TAIL_BYTES - 2) + b"yz",
        ),
    ],
)
def test_what_is_left_out_is_counted(tmp_path: Path, written: int, kept: bytes) -> None:
    data = b"x" * (written - 2) + b"yz" if written > LOG_BYTES else b"x" * written
    log = LogFiles(tmp_path, "mine").open()
    log.write(data[:10])
    log.write(data[10:])
    log.close()
    log.close()
    assert (tmp_path / "mine.log").read_bytes() == kept


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
def test_full_disk_is_a_mistake_with_the_name_of_the_option(tmp_path: Path) -> None:
    (tmp_path / "mine.log").symlink_to("/dev/full")
    with pytest.raises(UserError, match=r"--log: .*mine\.log cannot be written: No space left"):
        LogFiles(tmp_path, "mine").open().write(b"one")
