"""Secrets and the paths of copies are replaced, wherever pieces of what a bot writes part."""

import json
import os
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.isolation import Level, Program, start
from arena.player import Fault, Masking, ProcessTransport, masking_of
from arena.player.player import MAX_REASON
from arena.player.process_transport import STDERR_DRAINED_BYTES
from arena.player.stderr_log import TAIL_BYTES

SECRET = 'sk-0123/4567 89"ab\\cdé'  # noqa: S105 - of nobody
"""With characters that JSON and addresses write in another way."""

LONG_S = 20.0


def read(masking: Masking, pieces: list[bytes]) -> bytes:
    stream = masking.stream()
    return b"".join([*map(stream.more, pieces), stream.held()])


@given(st.lists(st.integers(0, 60), max_size=8), st.binary(max_size=6))
def test_secret_is_masked_wherever_it_is_cut(cuts: list[int], around: bytes) -> None:
    text = around + SECRET.encode() + around + SECRET.encode()
    places = sorted({0, *(min(cut, len(text)) for cut in cuts), len(text)})
    pieces = [text[one:other] for one, other in pairwise(places)]
    assert read(Masking([SECRET]), pieces) == around + b"***" + around + b"***"


@given(st.lists(st.binary(max_size=12), max_size=6))
def test_what_holds_no_secret_is_read_as_it_is(pieces: list[bytes]) -> None:
    assert read(Masking(["no-such-secret"]), pieces) == b"".join(pieces)


@pytest.mark.parametrize(
    "form",
    [
        str,
        json.dumps,
        lambda text: json.dumps(text, ensure_ascii=False),
        lambda text: json.dumps(text).replace("/", r"\/"),
        lambda text: repr(text)[1:-1],
        lambda text: ascii(text)[1:-1],
        quote,
        quote_plus,
        lambda text: quote(text, safe=""),
        lambda text: quote(text, safe="").lower(),
    ],
)
def test_secret_is_masked_in_the_ways_it_is_quoted(form: Callable[[str], str]) -> None:
    text = form(SECRET).strip('"').encode()
    masking = Masking([SECRET])
    assert masking.answer(b"<" + text + b">\n") == b"<***>\n"
    assert read(masking, [b"<", text, b">"]) == b"<***>"


def test_each_line_of_a_key_is_masked_by_itself() -> None:
    masking = Masking(["-----BEGIN-----\nMIIEvQIBADAN\nshort\n-----END KEY-----"])
    assert masking.answer(b"read MIIEvQIBADAN\n") == b"read ***\n"
    assert masking.answer(b"short\n") == b"short\n"
    masking = Masking(["12345678\n7654321\nthe rest of it"])
    assert masking.answer(b"12345678 7654321\n") == b"*** 7654321\n"


def test_beginning_of_a_secret_at_the_end_is_masked_and_less_is_not() -> None:
    masking = Masking([SECRET])
    assert read(masking, [b"key sk-0123"]) == b"key ***"
    assert read(masking, [b"key sk-0"]) == b"key ***"
    assert read(masking, [b"key sk-"]) == b"key sk-"
    assert read(masking, [b"task"]) == b"task"
    assert read(masking, [b"mask", b" s", b"k-"]) == b"mask sk-"


def test_a_longer_text_goes_before_one_that_it_begins_with() -> None:
    masking = Masking(paths={"/copy": "/mine", "/copy/bot.py": "/mine/one.py"})
    for pieces in ([b"/copy/bot.py x"], [b"/copy", b"/bot.py x"], [b"/co", b"py/bot.p", b"y x"]):
        assert read(masking, pieces) == b"/mine/one.py x"
    assert read(masking, [b"/copy", b"/other"]) == b"/mine/other"
    assert read(masking, [b"in /copy"]) == b"in /mine"


def test_paths_are_replaced_in_stderr_alone() -> None:
    masking = Masking(paths={"/copy": "/mine"})
    assert masking.answer(b'"/copy"\n') == b'"/copy"\n'
    assert not masking.in_answers


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], ProcessTransport]:
    """Return what runs a program that is given a secret, as ``key``."""
    monkeypatch.setenv("SALVO_KEY", SECRET)
    monkeypatch.setenv("SALVO_OTHER", "another-secret")

    def run(code: str) -> ProcessTransport:
        begin = "import os, sys, time\nkey = os.environ['SALVO_KEY']\n"
        program = Program(
            argv=(sys.executable, "-I", "-c", begin + code),
            folder=str(Path.cwd()),
            files=(),
            secrets=("SALVO_KEY",),
        )
        return ProcessTransport(start(Level.NONE, program), None, masking_of(program))

    return run


def later() -> float:
    return time.monotonic() + LONG_S


def test_program_is_given_its_secrets_and_no_others(run: Callable[[str], ProcessTransport]) -> None:
    bot = run("print(len(key), 'SALVO_OTHER' in os.environ, flush=True)")
    assert bot.receive(later()) == f"{len(SECRET)} False\n".encode()
    bot.close(grace_s=0)


def test_answers_are_masked_whole_and_in_pieces(run: Callable[[str], ProcessTransport]) -> None:
    bot = run(
        "os.write(1, f'one {key}\\n'.encode())\n"
        "os.write(1, f'two {key[:9]}'.encode()); time.sleep(0.2)\n"
        "os.write(1, f'{key[9:]}\\nthree\\n'.encode()); time.sleep(60)"
    )
    told = [bot.receive(later()) for _ in range(3)]
    assert told == [b"one ***\n", b"two ***\n", b"three\n"]
    bot.close(grace_s=0)


def test_reason_of_an_end_is_masked(run: Callable[[str], ProcessTransport]) -> None:
    bot = run("raise ValueError(f'401 for {key}')")
    with pytest.raises(Fault) as found:
        bot.receive(later())
    assert "ValueError: 401 for ***" in found.value.reason
    assert len(found.value.reason) < MAX_REASON
    bot.close(grace_s=0)


def test_tail_begins_with_no_half_of_a_secret(run: Callable[[str], ProcessTransport]) -> None:
    rest = TAIL_BYTES - len(SECRET.encode()) // 2
    bot = run(f"sys.stderr.write(key + 'x' * {rest}); sys.stderr.flush(); sys.exit()")
    with pytest.raises(Fault):
        bot.receive(later())
    bot.close(grace_s=0)
    assert set(bot.stderr()) <= set("x*")


def test_end_of_a_flood_is_masked(run: Callable[[str], ProcessTransport]) -> None:
    half = os.fsencode(SECRET)[:8]
    fill = STDERR_DRAINED_BYTES - len(half)
    bot = run(f"os.write(2, b'x' * {fill} + {half!r}); time.sleep(60)")
    assert bot.receive(time.monotonic() + 1) is None
    bot.close(grace_s=0)
    assert bot.stderr().endswith("x***")
