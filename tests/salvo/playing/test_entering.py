"""What a bot asks for beyond the usual is said before it plays, by what the level gives."""

from typing import Any

import pytest

from arena.entrants import Entrant
from arena.isolation import USUAL_MB, Extra, Level, Program
from arena.rules import preset
from salvo.playing import entering
from salvo.playing.entering import Entered, needs_of

ALL = list(Level)


@pytest.fixture
def lacking(monkeypatch: pytest.MonkeyPatch) -> dict[Extra, str]:
    """Return why the machine lacks extras; tests fill it in."""
    reasons: dict[Extra, str] = {}
    monkeypatch.setattr(entering, "refused", reasons.get)
    return reasons


def needs(level: Level, **asked: Any) -> list[str]:  # noqa: ANN401 - what a TOML asks for
    return needs_of(Entrant("it", Program((), "", (), **asked), ""), level)


@pytest.mark.usefixtures("lacking")
@pytest.mark.parametrize("level", ALL)
def test_nothing_is_said_of_a_bot_that_asks_for_nothing_unusual(level: Level) -> None:
    assert needs(level) == needs(level, memory_mb=USUAL_MB) == []


@pytest.mark.usefixtures("lacking")
@pytest.mark.parametrize("level", ALL)
def test_memory_is_said(level: Level) -> None:
    assert needs(level, memory_mb=2048) == ["it is given 2048 MB, as its TOML asks"]


@pytest.mark.usefixtures("lacking")
@pytest.mark.parametrize(
    ("level", "told"),
    [
        *((level, f"it is given {USUAL_MB} MB and may start processes, as its TOML asks")
          for level in (Level.NONE, Level.LIMITS, Level.SANDBOX)),
        (Level.LITE, "it may start no processes: isolation lite lets no bot"),
    ],
)  # fmt: skip
def test_processes_are_said(level: Level, told: str) -> None:
    assert needs(level, processes=True) == [told]


def test_memory_that_processes_cannot_share_is_said(lacking: dict[Extra, str]) -> None:
    lacking[Extra.SHARED] = "it is full"
    _, told = needs(Level.SANDBOX, processes=True)
    assert told == "it is given no memory for its processes to share: it is full"
    assert len(needs(Level.LIMITS, processes=True)) == 1
    assert needs(Level.SANDBOX) == []


def test_temporary_folder_is_said(lacking: dict[Extra, str]) -> None:
    assert needs(Level.SANDBOX, temporary_mb=1) == [
        "it is given a temporary folder, as its TOML asks"
    ]
    for level in (Level.NONE, Level.LIMITS, Level.LITE):
        assert needs(level, temporary_mb=1) == [
            "it is given no temporary folder: only isolation sandbox gives one"
        ]
    lacking[Extra.TEMPORARY] = "it is full"
    assert needs(Level.SANDBOX, temporary_mb=1) == ["it is given no temporary folder: it is full"]


def test_network_is_said(lacking: dict[Extra, str]) -> None:
    asked = {"network": ("a.example:443", "b.example:1")}
    told = {level: needs(level, **asked) for level in ALL}
    open_ = "reaches all of the network: isolation {} keeps no bot from it"
    assert told == {
        Level.NONE: [f"it {open_.format('none')}"],
        Level.LIMITS: [f"it {open_.format('limits')}"],
        Level.LITE: ["it has no network: isolation lite lets no bot reach it"],
        Level.SANDBOX: ["it may reach a.example:443, b.example:1, as its TOML asks"],
    }
    lacking[Extra.NETWORK] = "no route"
    assert needs(Level.SANDBOX, **asked) == ["it has no network: no route"]


@pytest.mark.usefixtures("lacking")
@pytest.mark.parametrize("level", ALL)
def test_secrets_are_said_and_who_else_can_read_them(level: Level) -> None:
    others = {
        Level.NONE: "; at isolation none every bot can read them",
        Level.LIMITS: "; at isolation limits every bot can read them",
    }.get(level, "")
    assert needs(level, secrets=("KEY", "TOKEN")) == [
        f"it is given KEY, TOKEN, as its TOML asks{others}"
    ]


def test_bots_that_were_left_out_are_named() -> None:
    rules = preset("salvo")
    assert Entered([], []).notes(rules) == []
    assert Entered([], ["a", "b"]).notes(rules) == ["Left out, since they do not play salvo: a, b."]
