"""Under what a tournament is recorded, where it is played, and what is said of its seed."""

from types import SimpleNamespace
from typing import Any

import pytest

from arena import Bot
from arena.entrants import ClassEntrant, Entrant
from arena.errors import UserError
from arena.executors import ThisProcess
from arena.isolation import Program
from arena.records import PAIRS_PER_BLOCK, PAIRS_PER_BLOCK_OF_A_FIELD, Settings
from arena.rules import preset
from arena.store import Tournament
from salvo.bundled import bundled_bots
from salvo.playing import recording
from salvo.playing.recording import make_tournament, play


def entrant(name: str, file: str = "", **asked: Any) -> Entrant:  # noqa: ANN401 - what a TOML asks
    return Entrant(name, Program((), "", (file,), **asked), f"digest of {name}")


A, B = entrant("a"), entrant("b")
CLASS = ClassEntrant("c", Program((), "", ()), "digest of c", bot_class=Bot)
BUNDLED = entrant("hunt_target", str(bundled_bots()["hunt_target"].resolve()))


def conditions(**given: Any) -> Any:  # noqa: ANN401 - any condition
    usual = {
        "rules": preset("classic"),
        "seed": 7,
        "workers": 3,
        "isolation": SimpleNamespace(level="none"),
        "settings": Settings(move_s=5),
        "tournament_name": "mine",
        "logs": None,
        "cluster": None,
        "common_layouts": False,
    }
    return SimpleNamespace(**usual | given)


@pytest.mark.parametrize(
    ("kind", "pairs"),
    [
        ("tournament", PAIRS_PER_BLOCK_OF_A_FIELD),
        ("match", PAIRS_PER_BLOCK),
        ("solo", PAIRS_PER_BLOCK),
        ("swiss", PAIRS_PER_BLOCK),
    ],
)
def test_tournament_has_all_that_its_games_depend_on(kind: str, pairs: int) -> None:
    assert make_tournament(kind, iter([A, B]), conditions(common_layouts=True), "a") == Tournament(
        name="mine",
        kind=kind,
        rules=preset("classic"),
        seed="7",
        settings=Settings(move_s=5),
        entrants=(A, B),
        gauntlet="a",
        block_pairs=pairs,
        common_layouts=True,
    )


def test_tournament_without_a_name_is_given_one_of_its_own() -> None:
    one, other = (
        make_tournament("match", [A, B], conditions(tournament_name=None, seed=seed))
        for seed in (1, 2)
    )
    assert one.name.startswith("classic-")
    assert one.name != other.name


class Ran(Exception):  # noqa: N818 - it is what was asked for
    """What is asked for instead of playing."""


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return what was said; nothing is played, but ``Ran`` is raised with the executor."""

    def ran(*_: object, executor: object, **__: object) -> None:
        raise Ran(executor)

    monkeypatch.setattr(recording, "run", ran)
    monkeypatch.setattr(recording, "LocalWorkers", lambda *_, **given: given)
    monkeypatch.setattr(recording, "payload_of", lambda *_: "payload")
    monkeypatch.setattr(recording, "Cluster", lambda *given, **_: given)
    monkeypatch.setattr(recording.secrets, "randbits", lambda bits: bits)
    return []


def executor_of(told: list[str], *entrants: Entrant, kind: str = "match", **given: Any) -> Any:  # noqa: ANN401
    asked = conditions(**given)
    schedule: Any = SimpleNamespace(seeds=None)
    store: Any = None
    with pytest.raises(Ran) as ran:
        play(
            make_tournament(kind, entrants, asked),
            schedule,
            asked,
            store,
            notify=told.append,
            progress=print,
        )
    return ran.value.args[0]


GUESSED = (
    "seed {} can be guessed, and whoever knows it knows every layout: if the authors of {} compete,"
    " {} a secret one, such as --seed 128"
)


@pytest.mark.parametrize(
    ("entrants", "given", "said"),
    [
        ((A, B), {}, [GUESSED.format(7, "a, b", "use")]),
        ((A, B), {"kind": "league"}, [GUESSED.format(7, "a, b", "begin another league with")]),
        ((A, BUNDLED, CLASS, B), {}, [GUESSED.format(7, "a, b", "use")]),
        ((A, B), {"seed": 2**64 - 1}, [GUESSED.format(2**64 - 1, "a, b", "use")]),
        ((A, B), {"seed": 2**64}, []),
        ((A, BUNDLED), {}, []),
        ((A, CLASS), {}, []),
        ((A,), {"seed": 2**64}, []),
    ],
)
def test_seed_that_can_be_guessed_is_warned_of_where_strangers_compete(
    told: list[str], entrants: tuple[Entrant, ...], given: dict[str, Any], said: list[str]
) -> None:
    executor_of(told, *entrants, **given)
    assert told == said


def test_class_plays_in_this_process_whatever_else_is_asked_for(told: list[str]) -> None:
    assert isinstance(executor_of(told, A, CLASS, cluster="tcp://it"), ThisProcess)


def test_blocks_wait_for_bots_that_wait_for_something_outside(told: list[str]) -> None:
    assert executor_of(told, A, B)["waits"] is None
    waits = executor_of(told, A, entrant("chat", network=("a.example:443",)))["waits"]
    assert waits(SimpleNamespace(entrants=("a", "chat")))
    assert not waits(SimpleNamespace(entrants=("a", "b")))


def test_games_go_on_unless_they_are_stopped(told: list[str]) -> None:
    assert not executor_of(told, A, B)["stop"]()


def test_cluster_is_given_what_plays_there(told: list[str]) -> None:
    assert executor_of(told, A, B, cluster="tcp://it") == ("tcp://it", "payload", 3)


@pytest.mark.parametrize(
    ("entrants", "given", "said"),
    [
        ((A, entrant("s", secrets=("KEY",))), {}, "--cluster tcp://it: s is given secrets, and"),
        ((A, B), {"logs": "logs"}, "--log logs: with --cluster bots write on other machines;"),
    ],
)
def test_what_a_cluster_cannot_do_is_refused(
    told: list[str], entrants: tuple[Entrant, ...], given: dict[str, Any], said: str
) -> None:
    asked = conditions(cluster="tcp://it", **given)
    anything: Any = None
    with pytest.raises(UserError) as refused:
        play(
            make_tournament("match", entrants, asked),
            anything,
            asked,
            anything,
            notify=told.append,
            progress=print,
        )
    assert str(refused.value).startswith(said)


def test_what_went_wrong_is_told_once_all_is_played(
    told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = make_tournament("match", [A, BUNDLED], conditions())
    store: Any = SimpleNamespace(origins_of_timeouts=lambda name: [name], voids=lambda name: [name])
    anything: Any = None
    monkeypatch.setattr(recording, "run", lambda *_, **__: ["put off"])
    monkeypatch.setattr(recording, "describe_forfeits", lambda one, _: [f"forfeits in {one.name}"])
    monkeypatch.setattr(recording, "describe_voids", lambda voids: [f"voids in {voids}"])
    for overload in ("overload", None):
        monkeypatch.setattr(recording, "describe_overload", lambda _, told=overload: told)
        assert play(wanted, anything, conditions(), store, notify=told.append, progress=print) == [
            "put off"
        ]
    lines = ["forfeits in mine", "voids in ['mine']"]
    assert told == [*lines, "overload", *lines]
