"""`salvo doctor` says what holds at which level, why others do not hold, and how to fix that."""

from collections.abc import Callable

import pytest

from arena.isolation import EXTRAS, MEANINGS, NOT_PROMISED, Choice, Extra, Level, Promise
from salvo.cli import doctor
from tests.salvo.conftest import Ran

Salvo = Callable[..., Ran]

ONE, TWO, THREE = list(MEANINGS)[:3]
HOLDS = tuple(Promise(name, held=True) for name in MEANINGS)


def broken(name: str, detail: str, fix: str) -> Promise:
    return Promise(name, held=False, detail=detail, fix=fix)


PROOFS = {
    Level.NONE: (),
    Level.LIMITS: (Promise(ONE, held=True), broken(TWO, "it was not", "update")),
    Level.LITE: (broken(ONE, "no kernel", "reboot"), broken(TWO, "too old", "reboot")),
    Level.SANDBOX: (
        broken(ONE, "it reads", "install"),
        broken(TWO, "it writes", "upgrade"),
        broken(THREE, "it runs", "install"),
        *HOLDS[3:],
    ),
}


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[Level, tuple[Promise, ...]]], None]:
    """Return a function that makes the machine one on which promises hold as they are given."""

    def make(proofs: dict[Level, tuple[Promise, ...]]) -> None:
        monkeypatch.setattr(doctor, "prove", proofs.__getitem__)
        monkeypatch.setattr(doctor, "choose", lambda _: Choice(Level.LIMITS, ()))
        monkeypatch.setattr(doctor, "refused", {Extra.NETWORK: "no route"}.get)
        monkeypatch.setattr(doctor, "fix_extra", lambda why: f"repair '{why}'")

    return make


Machine = Callable[[dict[Level, tuple[Promise, ...]]], None]


def test_what_holds_is_a_table_and_what_does_not_has_a_fix(salvo: Salvo, machine: Machine) -> None:
    machine(PROOFS)
    ran = salvo("doctor")
    assert ran.code == 0
    heads, _, *lines = ran.out.splitlines()
    assert heads.split() == ["a", "bot", "at", "level", "none", "limits", "lite", "sandbox"]
    table = dict(zip(MEANINGS, (line.split()[-4:] for line in lines), strict=False))
    assert [table[name] for name in (ONE, TWO, THREE)] == [
        ["-", "yes", "NO", "NO"],
        ["-", "NO", "NO", "NO"],
        ["-", "-", "-", "NO"],
    ]
    told = lines[len(MEANINGS) :]
    assert told[: told.index("What no level promises:")] == [
        *("", "--isolation auto is 'limits' here."),
        *("", f"limits does not hold ({TWO}): it was not", "  fix: update"),
        *("", "lite is not available: no kernel", "  fix: reboot"),
        *("", f"sandbox does not hold ({ONE}, {THREE}): it reads", "  fix: install"),
        *("", f"sandbox does not hold ({TWO}): it writes", "  fix: upgrade"),
        "",
    ]
    assert sum(line.startswith("- ") for line in told) == len(NOT_PROMISED)
    assert max(map(len, told)) <= 96


def test_what_a_sandbox_is_given_is_said_where_it_holds(salvo: Salvo, machine: Machine) -> None:
    machine(PROOFS | {Level.SANDBOX: HOLDS})
    told = salvo("doctor").out.partition("At 'sandbox' a bot is also given:\n")[2]
    lines = told.partition("\n\n")[0].splitlines()
    assert f"- {EXTRAS[Extra.TEMPORARY]}" in lines
    place = lines.index(f"- NO: {EXTRAS[Extra.NETWORK]}: no route")
    assert lines[place + 1] == "  fix: repair 'no route'"
    assert len(lines) == len(EXTRAS) + 1


def test_same_is_told_as_data(salvo: Salvo, machine: Machine) -> None:
    machine(PROOFS)
    told = salvo("doctor", "--format", "json").json
    assert told["auto"] == "limits"
    assert told["not_promised"] == list(NOT_PROMISED)
    assert {row["name"]: row["refused"] for row in told["extras"]} == {
        extra.value: "no route" if extra is Extra.NETWORK else None for extra in EXTRAS
    }
    assert {level: found["holds"] for level, found in told["levels"].items()} == {
        "none": True,
        "limits": False,
        "lite": False,
        "sandbox": False,
    }
    assert told["levels"]["limits"]["promises"][1] == {
        "name": TWO,
        "meaning": MEANINGS[TWO],
        "held": False,
        "detail": "it was not",
        "fix": "update",
    }
