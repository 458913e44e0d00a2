"""A report says who played, when and where, and the command that plays it again."""

import shlex
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.entrants import parse_entrant
from arena.origin import Introduced, Origin
from arena.records import Settings
from arena.rules import preset, rules_to_toml
from arena.store import Tournament
from salvo.bundled import bundled_bots
from salvo.reports.words.provenance import describe_bot, provenance, repeat_command

ROUNDS = "tournament --schedule swiss"


def tournament(*texts: str, **more: object) -> Tournament:
    plain = Tournament(
        name="x",
        kind="tournament",
        rules=preset("classic"),
        seed="7",
        settings=Settings(),
        entrants=tuple(parse_entrant(text, bundled_bots()) for text in texts),
    )
    return msgspec.structs.replace(plain, **more)


def test_command_names_bundled_bots_files_and_options(tmp_path: Path) -> None:
    script = tmp_path / "own.py"
    script.write_text("")
    bots = ("hunt_target", "second=hunt_target", str(script), "js=sh -c pass")
    assert repeat_command(tournament(*bots), 20, 50, ["lite"]) == (
        f"salvo tournament hunt_target second=hunt_target {script} "
        "'js=sh -c pass' "
        "--rules classic --seed 7 --games 20 --layouts 50 --isolation lite"
    )


@pytest.mark.parametrize(
    "bot",
    [
        *("my bots/own.py", "my bots/folder", "x=y/own.py", "my bots/own.py --fast x"),
        *("hunt_target.py", "options/folder", "options/own.py", "shell=sh options/run.sh --fast"),
    ],
)
def test_bot_of_the_command_is_the_one_that_played(
    bot: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for path, text in (
        *((f"{place}/own.py", "") for place in ("my bots", "options", "x=y")),
        *((f"{place}/folder/bot.py", "") for place in ("my bots", "options")),
        ("hunt_target.py", ""),
        ("options/run.sh", ""),
        ("options/folder/bot.toml", 'command = "bot.py 300"'),
        ("options/own.py.toml", 'command = "own.py 300"'),
    ):
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(text)
    text = bot if " --" not in bot or "=" in bot else "own='my bots/own.py' --fast x"
    played = tournament(text)
    command = repeat_command(played, 2, 0, [])
    assert command is not None
    _, _, again, *_ = shlex.split(command)
    assert str(tmp_path) not in again
    assert tournament(again).entrants[0].program == played.entrants[0].program
    assert tournament(again).entrants[0].name == played.entrants[0].name


def test_command_names_the_file_that_has_the_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("rules").mkdir()
    mine = msgspec.structs.replace(preset("classic"), name="mine")
    Path("rules/other.toml").write_text("name = 'mine'")
    Path("rules/small.toml").write_text(rules_to_toml(mine))
    played = tournament(
        "hunt_target", rules=msgspec.structs.replace(preset("classic"), name="mine")
    )
    assert "--rules rules/small.toml" in str(repeat_command(played, 2, 0, []))


def test_command_allows_what_a_bot_asks_for() -> None:
    played = tournament("hunt_target")
    [entrant] = played.entrants
    program = msgspec.structs.replace(
        entrant.program, memory_mb=9000, processes=True, grants=("/usr/share/x",)
    )
    asking = msgspec.structs.replace(entrant, program=program)
    command = repeat_command(msgspec.structs.replace(played, entrants=(asking,)), 2, 0, [])
    assert str(command).endswith(
        "--layouts 0 --allow-processes --max-memory 9000 --grant /usr/share/x"
    )


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"memory_mb": 4096, "temporary_mb": 64}, ""),
        ({"memory_mb": 4097}, " --max-memory 4097"),
        ({"temporary_mb": 65}, " --max-temporary 65"),
        (
            {"network": ("a.org:443", "b.org:80"), "secrets": ("KEY",)},
            " --allow-network a.org:443 --allow-network b.org:80 --secret hunt_target=KEY",
        ),
    ],
)
def test_command_allows_no_more_than_what_is_not_usual(asked: dict[str, Any], words: str) -> None:
    played = tournament("hunt_target", "hunt_parity")
    entrant, other = played.entrants
    program = msgspec.structs.replace(entrant.program, **asked)
    asking = msgspec.structs.replace(entrant, program=program)
    command = repeat_command(msgspec.structs.replace(played, entrants=(asking, other)), 2, 0, [])
    assert str(command).partition("--layouts 0")[2] == words


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("match", "match hunt_target --rules classic --seed 7 --games 4"),
        ("solo", "solo hunt_target --rules classic --seed 7 --layouts 6"),
        (
            "swiss",
            f"{ROUNDS} hunt_target --rules classic --seed 7 --games 4 --layouts 6",
        ),
        ("league", None),
    ],
)
def test_command_has_what_its_kind_asks_for(kind: str, told: str | None) -> None:
    command = repeat_command(tournament("hunt_target", kind=kind), 4, 6, ["none", "lite"])
    assert command == (told and f"salvo {told}")


def test_command_asks_for_common_layouts_where_they_were() -> None:
    played = tournament("hunt_target", kind="solo", common_layouts=True)
    assert repeat_command(played, 0, 6, []) == (
        "salvo solo hunt_target --rules classic --seed 7 --layouts 6 --common-layouts"
    )


def test_command_names_the_challenger_and_other_times() -> None:
    played = tournament(
        "hunt_target",
        "hunt_parity",
        gauntlet="hunt_parity",
        settings=Settings(move_s=0.5, game_s=9),
        rules=msgspec.structs.replace(preset("classic"), name="mine"),
    )
    assert repeat_command(played, 2, 0, []) == (
        "salvo tournament --gauntlet hunt_parity hunt_target --rules mine.toml --seed 7 "
        "--games 2 --layouts 0 --move-time 0.5 --game-time 9"
    )


@pytest.mark.parametrize(
    ("times", "told"),
    [
        (("2026-11-22T03:05:10Z", "2026-11-22T03:05:59Z"), "22 November 2026, 03:05 UTC"),
        (("2026-11-22T04:00:00Z", "2026-11-22T03:05:10Z"), "22 November 2026, 03:05 to 04:00 UTC"),
        (
            ("2026-11-22T03:05:10Z", "2026-12-01T00:00:00Z"),
            "22 November 2026, 03:05 to 1 December 2026, 00:00 UTC",
        ),
    ],
)
def test_date_is_from_when_to_when(times: tuple[str, ...], told: str) -> None:
    origins = [Origin(time, "0.1.0", "a machine") for time in times]
    facts = provenance(tournament("hunt_target"), origins, ["hunt_target"], "lite", {})
    assert facts["Played"] == told
    assert (facts["By"], facts["On"]) == ("Salvo 0.1.0", "a machine")


def test_record_without_origins_leaves_out_what_it_does_not_say() -> None:
    facts = provenance(tournament("hunt_target"), [], ["hunt_target"], "lite", {})
    assert facts == {"Isolation": "lite", "Seed": "7", "Bots": "hunt_target"}


def test_seed_of_a_league_is_told_as_a_fingerprint() -> None:
    facts = provenance(tournament("hunt_target", kind="league"), [], [], "lite", {})
    assert facts["Seed"] == "secret; its fingerprint is 7"


def test_bots_have_their_version_and_author_under_the_name_they_are_shown_by() -> None:
    said = {"own@2": Introduced("Own", "A. Student", "3.1")}
    origin = Origin("2026-11-22T03:05:10Z", "0.1.0", "a machine", said)
    facts = provenance(tournament(), [origin], ["own", "other"], "lite", {"own@2": "own"})
    assert facts["Bots"] == "own 3.1 by A. Student; other"
    assert describe_bot("x", Introduced("X", "", "2")) == "x 2"
