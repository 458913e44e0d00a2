"""Decode mutated lines, and hold the decoder against the naive one.

Run as ``fuzz_protocol.py SEED LINES``: it draws all from the seed and prints one JSON object.
"""

import json
import runpy
import sys
import time
from pathlib import Path
from random import Random

import msgspec

from arena.protocol import (
    End,
    FromBot,
    Introduction,
    Layout,
    PlaceFleet,
    ProtocolError,
    SalvoAnswer,
    ShipMove,
    ShootSalvo,
    Shots,
    ToBot,
    decode_from_bot,
    decode_to_bot,
    encode,
)
from arena.rules import CellsReport

naive = runpy.run_path(str(Path(__file__).parents[1] / "arena" / "protocol" / "naive.py"))["decode"]

FROM_BOT: list[FromBot] = [
    Shots("5f0c3d9a1b7e2468", (34, 54, 0, 99, 7)),
    Shots("5f0c3d9a1b7e2468", (34, 54, 0, 99, 7)),
    Shots("\u00e9", ()),
    Layout("5f0c3d9a1b7e2468", {"Carrier": (20, 21, 22, 23, 24), "Patrol boat": (67, 77)}),
    Introduction(protocol=1, name="Lighthouse", author="Ada", version="0.3"),
    ShipMove("5f0c3d9a1b7e2468", "Carrier", (1, 2, 3, 4, 5)),
    ShipMove("5f0c3d9a1b7e2468", None),
    SalvoAnswer("5f0c3d9a1b7e2468", (1, 2)),
]
TO_BOT: list[ToBot] = [
    PlaceFleet("5f0c3d9a1b7e2468", 60.0),
    ShootSalvo("5f0c3d9a1b7e2468", 5, 59.5, CellsReport((1, 2), ("Carrier",)), ((3, 4), (5,))),
    End("won", "sunk", "all", CellsReport((), 1), (), {"Carrier": (1, 2, 3, 4, 5)}),
]
LINES = [encode(message) for message in [*FROM_BOT, *TO_BOT]]

NASTY = [
    *(
        b"NaN",
        b"-Infinity",
        b"1e999",
        b"-0",
        b"-0.0",
        b"1.0",
        b"01",
        b"1e2",
        b"9" * 30,
        b"9" * 5000,
    ),
    *(b"9007199254740992", b"9007199254740993", b"-9007199254740993", b"18446744073709551616"),
    *(
        b"true",
        b"false",
        b"null",
        b"True",
        b"nul",
        b"[]",
        b"{}",
        b"[[",
        b"]]",
        b"[" * 3000,
        b'{"":',
    ),
    *(
        rb"\u0000",
        rb"\ud800",
        rb"\udc00",
        rb"\ud83d\ude00",
        rb"\u0022",
        rb"\u005c",
        rb"\u00",
        rb"\x",
    ),
    *(rb"\"", rb"\\", rb"\/", rb"\n", b"\\", b'"', b"'", b"`", b"\x00", b"\x1f", b"\x7f", b"\x0b"),
    *(
        b"\xef\xbb\xbf",
        b"\xff",
        b"\xfe\xff",
        b"\xc0\xaf",
        b"\xed\xa0\x80",
        b"\xe2\x80\xa8",
        b"\xc2\x85",
    ),
    *(b"\xf4\x90\x80\x80", b"\xf0\x9f\x98\x80", b"\xe2\x82", b"\xc3\xa9", b"\xc2\xa0"),
    *(b"\n", b"\r\n", b"\r", b"\t", b" ", b"/**/", b"//", b"#", b",", b",,", b":", b"::", b";"),
    *(
        b'"type":"shots"',
        b'"type":"hello",',
        b'"id":"a",',
        b',"id":"a"',
        b'"cells":[1],',
        b'"ships":{},',
    ),
    *(
        rb'"\u0069d":"a",',
        rb'"t\u0079pe":"shots",',
        rb'"cell\u0073":[],',
        b'"x":1,',
        b',"":null',
        b'"A":[1],',
    ),
    *(b'"protocol":1,', b'"plays":1,', b'"ship":null,', b'"hits":[],', b"a" * 300, b'"', b'"' * 10),
]


def mutate(random: Random, line: bytes) -> bytes:
    """Return a line with one thing changed."""
    start = random.randrange(len(line) + 1)
    stop = min(len(line), start + random.choice((0, 1, 1, 2, 5, 20)))
    middle, rest = line[start:stop], line[stop:]
    match random.randrange(9):
        case 0:
            middle = bytes([random.randrange(256)])
        case 1:
            middle = b""
        case 2:
            middle *= 2
        case 3 | 4:
            middle = random.choice(NASTY) + middle
        case 5:
            middle = random.choice(NASTY)
        case 6:
            middle = middle[::-1]
        case 7:
            other = random.choice(LINES)
            rest = other[random.randrange(len(other)) :]
        case _:
            # The same text, spelt by escapes: what is a letter in a string stays one.
            middle = b"".join(b"\\u%04x" % byte for byte in middle)
    return line[:start] + middle + rest


def decoded(line: bytes) -> object:
    """Return the fields of a message, or None if it is none."""
    try:
        message = decode_from_bot(line)
    except ProtocolError:
        return None
    fields: object = json.loads(msgspec.json.encode(message))
    return fields


def fuzz(seed: int, lines: int) -> dict[str, object]:
    """Return how many lines were taken, how long it took, and each line that went wrong."""
    random = Random(seed)
    wrong: list[str] = []
    taken = 0
    started = time.monotonic()
    for _ in range(lines):
        line = random.choice(LINES)
        for _ in range(random.choice((1, 1, 1, 2, 3, 6))):
            line = mutate(random, line)
        try:
            message = decoded(line)
            taken += message is not None
            if message != naive(line):
                wrong.append(f"{line!r}: {message}")
            decode_to_bot(line)
        except ProtocolError:
            pass
        except Exception as error:  # noqa: BLE001 - that there is none is what is to be shown
            wrong.append(f"{line!r}: {error!r}")
    return {
        "lines": lines,
        "taken": taken,
        "seconds": time.monotonic() - started,
        "wrong": wrong[:10],
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(fuzz(int(sys.argv[1]), int(sys.argv[2]))))
