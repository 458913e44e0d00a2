"""PROTOCOL.md is the norm: what it shows is decoded, and nothing is missing from it."""

import json
import re
from importlib.resources import files

import msgspec
import pytest
from msgspec import Struct

from arena import protocol
from arena.protocol import FromBot, ToBot, decode_from_bot, decode_to_bot, encode
from arena.records import Settings, Termination
from arena.rules import Report, RulesView, Ship

TEXT = files("arena").joinpath("PROTOCOL.md").read_text(encoding="utf-8")
TO_BOT, FROM_BOT = TEXT.split("## What the arena says")[1].split("## What a bot says")
FROM_BOT = FROM_BOT.split("## Parts of messages")[0]
PARTS = TEXT.split("## Parts of messages")[1].split("## The clock")[0]

SAID_BY_ARENA: tuple[type[Struct], ...] = ToBot.__args__
SAID_BY_BOT: tuple[type[Struct], ...] = FromBot.__args__
SAID_BY_FEW = (protocol.Unavailable, protocol.Numbers)


def sections(text: str) -> dict[str, str]:
    parts = re.split(r"^### (.+)$", text, flags=re.MULTILINE)
    return {
        title.strip("`").lower(): body for title, body in zip(parts[1::2], parts[2::2], strict=True)
    }


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.+?)^```$", text, flags=re.MULTILINE | re.DOTALL)


def fields_in(section: str) -> list[str]:
    return re.findall(r"^\| `(\w+)` \|", section, flags=re.MULTILINE)


def fields_of(struct: type[Struct]) -> list[str]:
    return [field.encode_name for field in msgspec.structs.fields(struct)]


def tag_of(struct: type[Struct]) -> str:
    tag = struct.__struct_config__.tag
    assert isinstance(tag, str)
    return tag


@pytest.mark.parametrize("struct", SAID_BY_ARENA, ids=tag_of)
def test_every_message_of_the_arena_stands_with_its_fields_and_an_example(
    struct: type[Struct],
) -> None:
    section = sections(TO_BOT)[tag_of(struct)]
    assert fields_in(section) == fields_of(struct)
    (line,) = blocks(section, "json")
    message = decode_to_bot(line.encode())
    assert type(message) is struct
    assert encode(message).decode() == line


@pytest.mark.parametrize("struct", SAID_BY_BOT, ids=tag_of)
def test_every_message_of_a_bot_stands_with_its_fields_and_an_example(
    struct: type[Struct],
) -> None:
    section = sections(FROM_BOT)[tag_of(struct)]
    assert fields_in(section) == fields_of(struct)
    (line,) = blocks(section, "json")
    assert type(decode_from_bot(line.encode())) is struct


def test_the_document_has_no_message_that_the_decoders_lack() -> None:
    assert set(sections(TO_BOT)) == {tag_of(struct) for struct in SAID_BY_ARENA}
    assert set(sections(FROM_BOT)) == {tag_of(struct) for struct in SAID_BY_BOT}


@pytest.mark.parametrize(
    ("title", "struct"),
    [("rules view", RulesView), ("ship", Ship), ("limits", protocol.Limits)],
)
def test_every_part_of_a_message_stands_with_its_fields(title: str, struct: type[Struct]) -> None:
    assert sorted(fields_in(sections(PARTS)[title])) == sorted(fields_of(struct))


@pytest.mark.parametrize("report", Report.__args__, ids=tag_of)
def test_every_kind_of_report_stands_with_its_fields(report: type[Struct]) -> None:
    _, *kinds = re.split(r"^`(\w+)`: ", sections(PARTS)["report"], flags=re.MULTILINE)
    section = dict(zip(kinds[::2], kinds[1::2], strict=True))[tag_of(report)]
    assert fields_in(section) == ["type", *fields_of(report)]


def test_every_struct_of_the_protocol_is_covered_above() -> None:
    covered = {*SAID_BY_ARENA, *SAID_BY_BOT, protocol.Limits}
    defined = {
        value
        for value in vars(protocol).values()
        if isinstance(value, type) and issubclass(value, Struct) and value is not Struct
    }
    assert {struct for struct in defined if struct.__module__ == protocol.__name__} == covered


def test_every_termination_stands_in_the_table_of_faults() -> None:
    assert fields_in(TEXT.split("## Faults")[1]) == [
        termination.value for termination in Termination
    ]


def test_the_version_and_the_cap_of_a_line_stand_as_they_are() -> None:
    assert TEXT.startswith(f"# The protocol, version {protocol.PROTOCOL_VERSION}\n")
    assert f"{protocol.MAX_LINE_BYTES:,} bytes at most" in TEXT


def test_the_usual_times_stand_as_they_are() -> None:
    usual = Settings()
    assert f"`load_s` seconds ({usual.load_s:g} by default)" in TEXT
    limits = json.dumps(
        {"move_s": usual.move_s, "game_s": usual.game_s, "load_s": usual.load_s},
        separators=(",", ":"),
    )
    assert TEXT.count(f'"limits":{limits}') == TEXT.count('"limits":{')


@pytest.mark.parametrize("transcript", blocks(TEXT, "transcript"))
def test_a_transcript_is_one_of_the_protocol(transcript: str) -> None:
    asked: str | None = None
    for line in transcript.splitlines():
        who, text = line.split(" ", 1)
        if who == ">":
            assert asked is None, "an answer is due"
            decode_to_bot(text.encode())
            message = json.loads(text)
            if message["type"] in {"hello", "place", "shoot", "move", "answer"}:
                asked = message.get("id", "")
        else:
            decode_from_bot(text.encode())
            assert json.loads(text).get("id", "") == asked
            asked = None


def test_transcripts_have_every_message_and_the_common_reports() -> None:
    lines = "".join(blocks(TEXT, "transcript")).splitlines()
    shown = {(line[0], json.loads(line[2:])["type"]) for line in lines}
    assert shown == {
        *((">", tag_of(struct)) for struct in SAID_BY_ARENA if struct is not protocol.Fault),
        # Few bots may say that something is unavailable, or have numbers to report.
        *(("<", tag_of(struct)) for struct in SAID_BY_BOT if struct not in SAID_BY_FEW),
    }
    for report in Report.__args__:
        assert any(f'"report":{{"type":"{tag_of(report)}"' in line for line in lines)


def test_every_link_leads_to_a_heading() -> None:
    titles = re.findall(r"^#+ (.+)$", TEXT, flags=re.MULTILINE)
    anchors = {
        title.lower().replace("`", "").replace(",", "").replace(" ", "-") for title in titles
    }
    for link in re.findall(r"\]\(#([\w-]+)\)", TEXT):
        assert link.removesuffix("-1") in anchors
