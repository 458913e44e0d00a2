"""Lines of bots are decoded strictly: a value, or ProtocolError with a reason."""

import itertools
import json
import runpy
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.protocol import (
    FromBot,
    Introduction,
    Layout,
    Numbers,
    ProtocolError,
    SalvoAnswer,
    ShipMove,
    Shots,
    Unavailable,
    decode_from_bot,
    decode_to_bot,
    encode,
)

naive = runpy.run_path(str(Path(__file__).parent / "naive.py"))["decode"]

MESSAGES: list[FromBot] = [
    Introduction(protocol=1, name="Ada"),
    Introduction(protocol=2, name="", author="B", version="3", plays=False, default_field=True),
    Layout("a1", {"Carrier": (0, 1, 2, 3, 4), "Patrol boat": (50, 60)}),
    Layout("", {}),
    Shots("5f0c3d9a1b7e2468", (0, 55, 99)),
    Shots("a", ()),
    ShipMove("a", None),
    ShipMove("a", "Carrier", (1, 2, 3, 4, 5)),
    SalvoAnswer("a", (3, 4)),
]


def shots(cells: bytes = b"[1]", id_: bytes = b'"a"') -> bytes:
    return b'{"type":"shots","id":' + id_ + b',"cells":' + cells + b"}"


def decoded(line: bytes) -> dict[str, Any] | str:
    """Return the fields of a message, or the reason why it is none."""
    try:
        message = decode_from_bot(line)
    except ProtocolError as error:
        return str(error)
    fields = json.loads(msgspec.json.encode(message))
    assert isinstance(fields, dict)
    return fields


def agreed(line: bytes) -> dict[str, Any] | None:
    """Return what both decoders make of a line, after holding one against the other."""
    told, expected = decoded(line), naive(line)
    if isinstance(told, dict):
        assert told == expected
        return told
    assert expected is None, f"refused: {told}"
    assert told.isprintable()
    assert 0 < len(told) < 2500
    return None


@pytest.mark.parametrize("message", MESSAGES, ids=repr)
def test_what_is_encoded_is_decoded(message: FromBot) -> None:
    assert decode_from_bot(encode(message)) == message
    assert encode(message).endswith(b"}\n")
    assert encode(message).count(b"\n") == 1


LARGEST: list[FromBot] = [
    Introduction(protocol=2**53, name="n" * 200, author="a" * 200, version="v" * 200),
    Layout("i" * 64, {f"{number:0200}": () for number in range(256)}),
    Shots("a", (-(2**53), 2**53)),
    Shots("a", tuple(range(4096))),
    ShipMove("a", "s" * 200, tuple(range(4096))),
    SalvoAnswer("a", tuple(range(4096))),
    Unavailable("a", "r" * 200),
    Numbers({f"n{number:019}": float(sign) * 1e15 for number, sign in enumerate([1, -1] * 4)}),
]


@pytest.mark.parametrize("message", LARGEST, ids=lambda message: type(message).__name__)
def test_messages_may_be_as_large_as_said(message: FromBot) -> None:
    assert decode_from_bot(encode(message)) == message
    with pytest.raises(ProtocolError, match="unknown field `x`"):
        decode_from_bot(encode(message).removesuffix(b"}\n") + b',"x":1}\n')


def test_a_bot_plays_and_stays_out_of_the_default_field_unless_it_says_otherwise() -> None:
    assert decoded(b'{"type":"hello","protocol":1,"name":"a"}') == {
        "type": "hello",
        "protocol": 1,
        "name": "a",
        "author": "",
        "version": "",
        "plays": True,
        "default_field": False,
    }


@pytest.mark.parametrize(
    "message",
    [
        Unavailable("a", "r" * 201),
        Numbers({"n" * 21: 1.0}),
        Numbers({"n": 1.000001e15}),
        Numbers({"n": -1.000001e15}),
        Numbers({f"n{number}": 1.0 for number in range(9)}),
        ShipMove("a", "s" * 201),
    ],
    ids=["reason", "name of a number", "number", "negative number", "numbers", "ship"],
)
def test_messages_may_be_no_larger(message: FromBot) -> None:
    with pytest.raises(ProtocolError, match=r"^(Expected|Object|Array)"):
        decode_from_bot(encode(message))


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(shots() + b"\n", id="LF"),
        pytest.param(shots() + b"\r\n", id="CRLF"),
        pytest.param(b" \t" + shots() + b" \t\r\n", id="space around"),
        pytest.param(b'{ "type" : "shots" , "id" : "a" , "cells" : [ 1 ] }', id="space inside"),
        pytest.param(b'{"cells":[1],"id":"a","type":"shots"}', id="other order"),
        pytest.param(rb'{"t\u0079pe":"sh\u006fts","\u0069d":"\u0061","cells":[1]}', id="escapes"),
    ],
)
def test_one_message_has_many_spellings(line: bytes) -> None:
    assert decode_from_bot(line) == Shots("a", (1,))
    assert agreed(line) is not None


@pytest.mark.parametrize(
    ("id_", "expected"),
    [
        (rb'"\ud83d\ude00"', "\U0001f600"),
        ('"\u2028\u2029\u0085"'.encode(), "\u2028\u2029\u0085"),
        (rb'"\"\\\/\b\f\n\r\t"', '"\\/\b\f\n\r\t'),
        (rb'"\u0000"', "\0"),
        (b'"\x7f"', "\x7f"),
        ('"\U0010ffff\ufeff"'.encode(), "\U0010ffff\ufeff"),
        (b'"' + "\u00e9".encode() * 64 + b'"', "\u00e9" * 64),
    ],
)
def test_any_text_is_taken_as_it_is(id_: bytes, expected: str) -> None:
    message = decode_from_bot(shots(id_=id_))
    assert isinstance(message, Shots)
    assert message.id == expected
    assert agreed(shots(id_=id_)) is not None


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"\n", id="empty line"),
        pytest.param(b"\r\n", id="empty line, CRLF"),
        pytest.param(b"hello", id="no JSON"),
        pytest.param(b"null", id="null"),
        pytest.param(b"[]", id="an array"),
        pytest.param(b"{}", id="no type"),
        pytest.param(b'{"type":null}', id="type null"),
        pytest.param(b'{"type":["shots"],"id":"a","cells":[1]}', id="type an array"),
        pytest.param(b'{"type":"fire","id":"a","cells":[1]}', id="type unknown"),
        pytest.param(b'{"type":"Shots","id":"a","cells":[1]}', id="type in capitals"),
        pytest.param(b'{"type":"shoot","id":"a","shots":1}', id="a message of the arena"),
        pytest.param(shots() + shots(), id="two objects"),
        pytest.param(shots() + b"," + shots(), id="two objects, a comma"),
        pytest.param(shots() + b"x", id="a letter behind"),
        pytest.param(shots() + b"\0", id="NUL behind"),
        pytest.param(shots() + b"\x0b", id="vertical tab behind"),
        pytest.param(shots() + b"\xc2\xa0", id="no-break space behind"),
        pytest.param(b"\xef\xbb\xbf" + shots(), id="byte order mark"),
        pytest.param(shots().decode().encode("utf-16"), id="UTF-16"),
        pytest.param(shots().decode().encode("utf-32-le"), id="UTF-32"),
        pytest.param(shots(id_=b'"\xff"'), id="invalid UTF-8"),
        pytest.param(shots(id_=b'"\xc0\xaf"'), id="overlong UTF-8"),
        pytest.param(shots(id_=b'"\xed\xa0\x80"'), id="a surrogate in UTF-8"),
        pytest.param(shots(id_=b'"\xf4\x90\x80\x80"'), id="UTF-8 above Unicode"),
        pytest.param(shots(id_=b'"\xe2\x82"'), id="UTF-8 cut short"),
        pytest.param(shots(id_=b'"\0"'), id="NUL in a string"),
        pytest.param(shots(id_=b'"\x1f"'), id="a control character in a string"),
        pytest.param(shots(id_=b'"a\tb"'), id="a tab in a string"),
        pytest.param(shots(id_=rb'"\ud800"'), id="half a surrogate pair"),
        pytest.param(shots(id_=rb'"\udc00"'), id="the other half"),
        pytest.param(shots(id_=rb'"\ud800\ud800"'), id="two first halves"),
        pytest.param(shots(id_=rb'"\ud800x\udc00"'), id="halves apart"),
        pytest.param(shots(id_=rb'"\x41"'), id="an escape of another language"),
        pytest.param(shots(id_=rb'"\u12"'), id="an escape cut short"),
        pytest.param(shots(id_=b"'a'"), id="single quotes"),
        pytest.param(shots(id_=b"1"), id="id a number"),
        pytest.param(shots(id_=b"null"), id="id null"),
        pytest.param(shots(id_=b'"' + b"a" * 65 + b'"'), id="id too long"),
        pytest.param(shots(b"[1.0]"), id="a float"),
        pytest.param(shots(b"[1e0]"), id="a float by its exponent"),
        pytest.param(shots(b"[-0.0]"), id="minus zero as a float"),
        pytest.param(shots(b"[true]"), id="true for 1"),
        pytest.param(shots(b'["1"]'), id="a string for 1"),
        pytest.param(shots(b"[null]"), id="null for 1"),
        pytest.param(shots(b"[[1]]"), id="an array for 1"),
        pytest.param(shots(b"[NaN]"), id="NaN"),
        pytest.param(shots(b"[Infinity]"), id="Infinity"),
        pytest.param(shots(b"[-Infinity]"), id="minus Infinity"),
        pytest.param(shots(b"[1e999]"), id="1e999"),
        pytest.param(shots(b"[9007199254740993]"), id="above 2**53"),
        pytest.param(shots(b"[-9007199254740993]"), id="below -2**53"),
        pytest.param(shots(b"[" + b"9" * 400 + b"]"), id="a huge integer"),
        pytest.param(shots(b"[" + b"9" * 60_000 + b"]"), id="an integer too huge to read"),
        pytest.param(shots(b"[01]"), id="a leading zero"),
        pytest.param(shots(b"[+1]"), id="a plus"),
        pytest.param(shots(b"[0x1]"), id="hexadecimal"),
        pytest.param(shots(b"[1_000]"), id="an underscore"),
        pytest.param(shots("[\uff11]".encode()), id="a digit of another script"),
        pytest.param(shots(b"[1,]"), id="a trailing comma"),
        pytest.param(shots(b"[,1]"), id="a leading comma"),
        pytest.param(shots(b"[1 2]"), id="no comma"),
        pytest.param(shots(b"[1"), id="an open array"),
        pytest.param(shots(b"null"), id="cells null"),
        pytest.param(shots(b"{}"), id="cells an object"),
        pytest.param(shots(b"1"), id="cells a number"),
        pytest.param(shots(b"[" + b",".join([b"1"] * 4097) + b"]"), id="too many cells"),
        pytest.param(shots()[:-1], id="an open object"),
        pytest.param(shots()[:-1] + b",}", id="a trailing comma in an object"),
        pytest.param(shots(b"[1]/**/"), id="a comment"),
        pytest.param(shots(b"[1]//"), id="a comment to the end"),
        pytest.param(b"{type:'shots'}", id="JavaScript"),
        pytest.param(b'{"type":"shots","id":"a"}', id="a field missing"),
        pytest.param(b'{"type":"shots","id":"a","cells":[1],"x":1}', id="a field too many"),
        pytest.param(b'{"type":"shots","id":"a","cell":[1]}', id="a field misspelt"),
        pytest.param(b'{"type":"shots","id":"a","cells":[1],"type":"shots"}', id="type twice"),
        pytest.param(b'{"type":"hello","type":"shots","id":"a","cells":[1]}', id="two types"),
        pytest.param(b'{"type":"shots","id":"a","id":"a","cells":[1]}', id="id twice"),
        pytest.param(
            rb'{"type":"shots","id":"a","\u0069d":"a","cells":[1]}', id="id twice, escaped"
        ),
        pytest.param(b'{"type":"shots","id":"a","cells":[2],"cells":[1]}', id="cells twice"),
        pytest.param(b'{"type":"shots","id":"","cells":[2],"cells":[]}', id="cells twice, short"),
        pytest.param(
            b'{"type":"layout","id":"a","ships":{"A":[1],"\\u0041":[2]}}', id="a ship twice"
        ),
        pytest.param(b'{"type":"layout","id":"a","ships":[[1]]}', id="ships an array"),
        pytest.param(b'{"type":"layout","id":"a","ships":{"A":null}}', id="a ship null"),
        pytest.param(b'{"type":"layout","id":"a","ships":{"A":[1.5]}}', id="a ship's cell a float"),
        pytest.param(
            rb'{"type":"layout","id":"a","ships":{"\ud800":[1]}}', id="half a pair, a key"
        ),
        pytest.param(
            b'{"type":"layout","id":"a","ships":{' + b'"A":[],' * 256 + b'"B":[]}}', id="many twins"
        ),
        pytest.param(encode(Layout("a", {str(n): () for n in range(257)})), id="too many ships"),
        pytest.param(b'{"type":"hello","protocol":true,"name":"a"}', id="protocol true"),
        pytest.param(b'{"type":"hello","protocol":1.0,"name":"a"}', id="protocol a float"),
        pytest.param(
            b'{"type":"hello","protocol":' + b"9" * 99 + b',"name":"a"}', id="protocol huge"
        ),
        pytest.param(b'{"type":"hello","protocol":1,"name":null}', id="name null"),
        pytest.param(b'{"type":"hello","protocol":1,"name":"a","plays":1}', id="plays 1"),
        pytest.param(b'{"type":"hello","protocol":1,"name":"a","plays":null}', id="plays null"),
        pytest.param(rb'{"type":"hello","protocol":1,"name":"\udfff"}', id="half a pair, a name"),
        pytest.param(
            b'{"type":"hello","protocol":1,"name":"' + b"a" * 201 + b'"}', id="name too long"
        ),
        pytest.param(b"[" * 60_000, id="deep arrays"),
        pytest.param(b'{"a":' * 10_000, id="deep objects"),
        pytest.param(b'{"x":' + b"[" * 30_000 + b"]" * 30_000 + shots()[1:], id="deep and closed"),
        pytest.param(shots(b"[" * 30_000 + b"]" * 30_000), id="deep cells"),
    ],
)
def test_what_is_no_message_is_refused(line: bytes) -> None:
    with pytest.raises(ProtocolError):
        decode_from_bot(line)
    assert agreed(line) is None


@pytest.mark.parametrize("line", [b"", b"[]", b'{"type":"shots"}', b"[" * 60_000, b'{"type":"bye"'])
def test_what_the_arena_does_not_say_is_refused_too(line: bytes) -> None:
    with pytest.raises(ProtocolError):
        decode_to_bot(line)


def test_a_bot_ignores_fields_of_later_versions() -> None:
    line = b'{"type":"place","new":[{"deep":[1]}],"id":"a","time_left_s":1.5}'
    assert encode(decode_to_bot(line)) == b'{"type":"place","id":"a","time_left_s":1.5}\n'


def test_a_reason_has_no_room_for_what_a_line_smuggles() -> None:
    with pytest.raises(ProtocolError) as caught:
        decode_from_bot(b'{"type":"shots","' + rb"\u001b[2J" * 5000 + b'":1}')
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) == len("...") + 200


def test_a_key_that_appears_twice_is_told_by_its_beginning() -> None:
    for key, shown in (("k" * 80, "k" * 80), ("k" * 81, "k" * 80)):
        line = f'{{"type":"layout","id":"a","ships":{{"{key}":[1],"{key}":[2]}}}}'
        with pytest.raises(ProtocolError, match=f"^the key '{shown}' appears twice in one object$"):
            decode_from_bot(line.encode())


# --- The fast path: Shots with ten quotation marks are not read a second time for twins ---

KEYS = [b'"type":"shots"', b'"id":"a"', b'"cells":[1]']
TWINS = [
    b'"type":"shots"',
    b'"id":"a"',
    b'"cells":[1]',
    rb'"\u0069d":"a"',
    rb'"cell\u0073":[]',
    rb'"ty\u0070e":"shots"',
    b'"id":1',
    b'"id":null',
    b'"cells":null',
    b'"type":1',
    b'"":1',
    b"1:1",
    b"id:1",
    b"null:[]",
]


@pytest.mark.parametrize("twin", TWINS)
@pytest.mark.parametrize("id_", [b"a", rb"\u0022", rb"\"", rb"\\", b""])
def test_no_twin_slips_by_the_count_of_quotation_marks(twin: bytes, id_: bytes) -> None:
    keys = [key.replace(b'"a"', b'"' + id_ + b'"') for key in KEYS]
    for fields in itertools.chain(
        itertools.permutations([*keys, twin]),
        itertools.permutations([*keys, twin], 3),
    ):
        agreed(b"{" + b",".join(fields) + b"}")


@pytest.mark.parametrize("ships", range(9))
def test_no_twin_slips_by_in_a_layout_of_any_number_of_ships(ships: int) -> None:
    layout = Layout("a", {str(ship): (ship,) for ship in range(ships)})
    line = encode(layout)
    assert decode_from_bot(line) == layout
    for twin in (b'"id":"a"', b'"id":1', b'"type":"layout"', b'"ships":{}', b'"ships":{"0":[0]}'):
        with pytest.raises(ProtocolError):
            decode_from_bot(line.replace(b'"id"', twin + b',"id"'))


def test_with_ten_quotation_marks_there_is_room_for_three_keys_only() -> None:
    for fields in itertools.product([*TWINS, rb'"\u0022":"\u0022"'], repeat=3):
        line = b"{" + b",".join(fields) + b"}"
        agreed(line)
        agreed(line.replace(b"}", rb',"cells":[0]}'))


# --- The families of files by which JSON parsers are compared, made anew ---

NUMBERS = [
    b"".join(parts)
    for parts in itertools.product(
        [b"", b"-", b"+", b"--", b"."],
        [b"", b"0", b"1", b"00", b"07", b"12", b"0x1", b"9007199254740992", b"9007199254740993"],
        [b"", b".", b".0", b".5", b".e", b"..1"],
        [b"", b"e", b"e1", b"E+1", b"e-1", b"e+", b"e999", b"E-999", b"e1.5", b"f"],
    )
]
STRINGS = [
    b"".join(parts)
    for parts in itertools.product(
        [b"", b"a", b"\xc3\xa9", b"\xf0\x9f\x98\x80", b"\xed\xa0\x80", b"\xff", b"\xc3", b"\x01"],
        [
            *(b"", rb"\n", rb"\/", rb"\\", rb"\"", rb"\'", rb"\a", rb"\u", rb"\u00e9", rb"\u00G0"),
            *(rb"\U00e9", rb"\u{41}", rb"\ud83d\ude00", rb"\ud83d", rb"\ude00", rb"\ude00\ud83d"),
            *(rb"\ud83d\u0041", rb"\ud83d\n", rb"\uD83D\uDE00", rb"\u0000", b"\\", b'"', b"\n"),
        ],
        [b"", b"z", b"\x00", b"\x7f", b"\xe2\x80\xa8", b"\\", b"\x80"],
    )
]
STRUCTURES = [
    *(
        b"",
        b" ",
        b"[",
        b"]",
        b"{",
        b"}",
        b"[]",
        b"{}",
        b"[[]]",
        b"[}",
        b"{]",
        b"[[]",
        b"[]]",
        b"[,]",
    ),
    *(
        b"[1,2]",
        b"[1,,2]",
        b"[1;2]",
        b"[1:2]",
        b"[1}",
        b"[-]",
        b"[a]",
        b"[nul]",
        b"[tru]",
        b"[True]",
    ),
    *(b"[*]", b"[\x0c]", b"[\n1]", b"[\r1\t]", b"[1\x0b]", b"[\xa0]", b"[\xe2\x81\xa0]", b"[1]x"),
    *(b'{"a"}', b'{"a":}', b'{"a":1,}', b'{"a":1 "b":2}', b"{:1}", b"{1:1}", b"{a:1}", b'{"a":1}'),
    *(b'{"a"::1}', b'{"a":1,,}', b'{"a":[1,2}', b'{"a":1}#', b'{"a":1}/**/', b'{"a":1}//', b"'"),
    *(
        b"<null>",
        b"[<null>]",
        b"\xef\xbb\xbf[]",
        b"\xff\xfe[\0",
        b"\0[",
        b"\xe5",
        b"[\xe5]",
        b"[1]\0",
    ),
    *(
        b"true",
        b"false",
        b"null",
        b"0",
        b'""',
        b'"a',
        b"[0,1]",
        b"[ 0 , 1 ]",
        b"[-0]",
        b"[1]\n",
        b"[ ]",
    ),
]


@pytest.mark.parametrize("around", [b"", b" ", b"\n", b"\t"])
def test_numbers_are_those_of_json_and_integers(around: bytes) -> None:
    taken = 0
    for number in NUMBERS:
        taken += agreed(shots(b"[" + around + number + around + b"]")) is not None
        agreed(b'{"type":"hello","name":"a","protocol":' + number + around + b"}")
    assert taken == 9  # 0, 1, 12 and 2**53, with a minus or without; and none at all


def test_strings_are_those_of_json_and_text() -> None:
    taken = 0
    for text in STRINGS:
        taken += agreed(shots(id_=b'"' + text + b'"')) is not None
        agreed(b'{"type":"layout","id":"a","ships":{"' + text + b'":[1]}}')
        agreed(b'{"type":"shots","' + text + b'":"a","cells":[1]}')
        agreed(b'{"type":"' + text + b'","id":"a","cells":[1]}')
    assert taken > 100


def test_structures_are_those_of_json() -> None:
    taken = 0
    for text in STRUCTURES:
        assert agreed(text) is None
        taken += agreed(shots(text)) is not None
        taken += agreed(b'{"type":"layout","id":"a","ships":' + text + b"}") is not None
        agreed(b'{"type":"shots","id":"a","cells":[1],"x":' + text + b"}")
        agreed(shots() + text)
        agreed(text + shots())
    assert taken > 5


def test_a_line_cut_anywhere_is_refused() -> None:
    for message in MESSAGES:
        line = encode(message)
        for end in range(len(line) - 2):
            assert agreed(line[:end]) is None
