"""The author's kit: what the base class keeps book of, and what becomes of print and exceptions."""

import importlib.util
import io
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from arena import Bot, Unavailable
from arena.bot import _write_all, serve
from arena.protocol import (
    AnswerSalvo,
    Bye,
    End,
    Fault,
    Game,
    Hello,
    Limits,
    MoveShip,
    PlaceFleet,
    ProtocolError,
    ShootSalvo,
    ToBot,
    decode_from_bot,
    encode,
)
from arena.protocol import Unavailable as SaidUnavailable
from arena.rules import CellsReport, CountReport, Rules, RulesView, Ship, check_layout, preset, view

SALVO = preset("salvo")
FLEET = {ship.name: ship for ship in SALVO.fleet}


def game(rules: Rules = SALVO, *, seed: int = 7, solo: bool = False) -> Game:
    return Game(view(rules), "first", seed, solo, Limits(move_s=2.0, game_s=60.0, load_s=10.0))


def shoot(
    shots: int,
    report: CellsReport | CountReport | None = None,
    *incoming: tuple[int, ...],
    id_: str = "s",
    left_s: float = 59.0,
) -> ShootSalvo:
    return ShootSalvo(id_, shots, left_s, report, incoming)


def end(report: CellsReport | None = None, *incoming: tuple[int, ...]) -> End:
    return End("won", "sunk", "all are sunk", report, incoming, None)


def converse(bot: Bot, *messages: ToBot) -> list[dict[str, Any]]:
    """Return the answers of a bot to what the arena says."""
    answers: list[bytes] = []
    serve(bot, io.BytesIO(b"".join(map(encode, messages))), answers.append)
    return [json.loads(answer) for answer in answers]


class InOrder(Bot):
    """Shoots the cells that were not shot yet in ascending order."""

    author = "Ada"
    version = "2"

    def choose_shots(self, count: int) -> list[int]:
        return self.untried[:count]


def test_introduces_itself_by_its_class() -> None:
    assert converse(InOrder(), Hello(1, view(SALVO))) == [
        {
            "type": "hello",
            "protocol": 1,
            "name": "InOrder",
            "author": "Ada",
            "version": "2",
            "plays": True,
            "default_field": False,
        }
    ]


def test_says_what_it_can_play() -> None:
    class Choosy(InOrder):
        name = "The choosy one"
        default_field = True

        def plays(self, rules: Any) -> bool:  # noqa: ANN401
            return bool(rules.shots == 1)

    told = [converse(Choosy(), Hello(1, view(preset(rules))))[0] for rules in ("salvo", "classic")]
    assert [answer["plays"] for answer in told] == [False, True]
    assert told[0]["name"] == "The choosy one"
    assert told[0]["default_field"] is True


def test_plays_what_it_understands_by_default() -> None:
    class Learned(InOrder):
        understands = frozenset({"shots=afloat", "again"})

    told = {
        name: converse(Learned(), Hello(1, view(preset(name))))[0]["plays"]
        for name in ("classic", "again", "salvo", "silent", "paper")
    }
    salvo = replace(preset("salvo"), again=True)
    assert converse(Learned(), Hello(1, view(salvo)))[0]["plays"]
    assert told == {"classic": True, "again": True, "salvo": True, "silent": False, "paper": False}


def test_places_uniformly_at_random_from_the_seed_alone() -> None:
    def placed(seed: int) -> Any:  # noqa: ANN401
        (answer,) = converse(InOrder(), game(seed=seed), PlaceFleet("p", 60.0))
        assert (answer["type"], answer["id"]) == ("layout", "p")
        return answer["ships"]

    assert placed(1) == placed(1)
    assert placed(1) != placed(2)
    check_layout(SALVO, placed(3))


def test_answers_repeat_the_id_of_their_request() -> None:
    told = converse(InOrder(), game(), shoot(5, id_="one"), shoot(4, id_="two"))
    assert [(answer["type"], answer["id"]) for answer in told] == [
        ("shots", "one"),
        ("shots", "two"),
    ]
    assert [answer["cells"] for answer in told] == [[0, 1, 2, 3, 4], [5, 6, 7, 8]]


def test_the_book_is_kept_from_reports() -> None:
    bot = InOrder()
    converse(bot, game(), shoot(5), shoot(5, CellsReport((0, 1), ("Patrol boat",)), (40, 41)))
    assert bot.shot == list(range(10))
    assert bot.untried == list(range(10, 100))
    assert bot.hits == [0, 1]
    assert bot.sunk == [(FLEET["Patrol boat"], (0, 1, 2, 3, 4))]
    assert [ship.name for ship in bot.afloat] == [
        "Carrier",
        "Battleship",
        "Destroyer",
        "Submarine",
    ]
    assert bot.incoming == [(40, 41)]
    assert bot.time_left_s == 59.0


def test_the_end_is_in_the_book_before_the_bot_hears_of_it() -> None:
    class Learner(InOrder):
        def game_ends(self, end: End) -> None:
            self.seen = (end.result, list(self.hits), list(self.incoming), self.sunk[0][1])

    bot = Learner()
    converse(bot, game(), shoot(2), end(CellsReport((1,), ("Carrier",)), (9, 8), (7,)))
    assert bot.seen == ("won", [1], [(9, 8), (7,)], (0, 1))


def test_names_of_hits_and_cells_of_sunk_ships_are_kept() -> None:
    bot = InOrder()
    wreck = {"Patrol boat": (0, 10)}
    report = CellsReport((0, 1), ("Patrol boat",), ("Patrol boat", "Carrier"), wreck)
    converse(bot, game(), shoot(2), shoot(2, report))
    assert bot.hit_ships == {0: "Patrol boat", 1: "Carrier"}
    assert bot.sunk_cells == wreck


def test_sinkings_without_names_are_counted() -> None:
    bot = InOrder()
    converse(
        bot,
        game(),
        shoot(1),
        shoot(1, CellsReport((0,), 2)),
        shoot(1, CellsReport((), None)),
        shoot(1, CountReport(1, None, 1)),
        shoot(1, CountReport(1, {"Carrier": 1}, ("Carrier",))),
    )
    assert bot.sunk_count == 4
    assert bot.hits == [0]
    assert [ship.name for ship, _ in bot.sunk] == ["Carrier"]
    assert [cells for cells, _ in bot.reports] == [(0,), (1,), (2,), (3,)]


def test_a_new_game_has_a_fresh_book_and_an_old_memory() -> None:
    class Elephant(InOrder):
        games = 0

        def game_begins(self) -> None:
            self.games += 1
            assert self.shot == []

    bot = Elephant()
    first = (game(), PlaceFleet("p", 60.0), shoot(5), shoot(5, CellsReport((1,), ())), end())
    converse(bot, *first, game(preset("classic"), seed=8, solo=True), shoot(1))
    assert bot.games == 2
    assert bot.shot == [0]
    assert (bot.hits, bot.sunk, bot.incoming, bot.layout) == ([], [], [], {})
    assert [ship.name for ship in bot.afloat] == list(FLEET)
    assert (bot.solo, bot.rules.shots, bot.limits.move_s) == (True, 1, 2.0)


def test_random_depends_on_the_seed_alone() -> None:
    class Drawn(Bot):
        def choose_shots(self, count: int) -> list[int]:
            return self.random.sample(self.untried, count)

    drawn = [converse(Drawn(), game(seed=seed), shoot(5))[0]["cells"] for seed in (3, 3, 4)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_integers_of_other_libraries_are_written_as_integers() -> None:
    numpy = pytest.importorskip("numpy")

    class Numeric(Bot):
        def choose_shots(self, count: int) -> Any:  # noqa: ANN401
            return numpy.arange(count)

    assert converse(Numeric(), game(), shoot(3))[0]["cells"] == [0, 1, 2]


def test_a_ship_stays_unless_the_bot_moves_it() -> None:
    (stayed,) = converse(InOrder(), game(), MoveShip("m", 9.0, None, ((5,),)))
    assert stayed == {"type": "move", "id": "m", "ship": None, "cells": []}


def test_all_cells_are_left_again_where_they_may_be_shot_again() -> None:
    left = []
    for reshoot in (False, True):
        bot = InOrder()
        rules = Rules(name="row", rows=1, columns=3, fleet=(Ship("Raft", 1),), reshoot=reshoot)
        converse(bot, game(rules), shoot(1), shoot(1))
        left.append(bot.untried)
        bot.shot.append(2)
        left.append(bot.untried)
    assert left == [[2], [], [2], [0, 1, 2]]


def test_a_move_is_noted_in_the_layout() -> None:
    class Mover(InOrder):
        def place_fleet(self) -> dict[str, list[int]]:
            return {"Tug": [0, 1], "Ferry": [20, 21]}

        def move_ship(self) -> tuple[str, list[int]]:
            return "Tug", [1, 2]

    bot = Mover()
    _, moved = converse(bot, game(), PlaceFleet("p", 9.0), MoveShip("m", 9.0, None, ((5,),)))
    assert moved == {"type": "move", "id": "m", "ship": "Tug", "cells": [1, 2]}
    assert bot.layout == {"Tug": (1, 2), "Ferry": [20, 21]}
    assert bot.incoming == [(5,)]


def test_answers_are_true_unless_the_bot_lies() -> None:
    class Liar(InOrder):
        def answer_salvo(self, *_: object) -> list[int]:
            return [3]

    ask = AnswerSalvo("a", 9.0, (1, 2, 3), (2,), (), 1)
    assert converse(InOrder(), game(), ask)[0] == {"type": "answer", "id": "a", "hits": [2]}
    assert converse(Liar(), game(), ask)[0]["hits"] == [3]


def test_news_are_answered_by_nothing() -> None:
    assert converse(InOrder(), game(), end(), Bye()) == []


def test_a_fault_is_written_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    assert converse(InOrder(), Fault("illegal", "cell 100 is outside")) == []
    assert capsys.readouterr().err == "stopped by the arena: illegal: cell 100 is outside\n"


def test_a_line_that_is_no_message_is_an_error() -> None:
    with pytest.raises(ProtocolError):
        serve(InOrder(), io.BytesIO(b'{"type":"new"}\n'), lambda _: None)


def test_a_rule_that_the_kit_does_not_know_is_not_played(
    capsys: pytest.CaptureFixture[str],
) -> None:
    hello = json.loads(encode(Hello(1, view(SALVO))))
    hello["rules"]["opening"] = 5
    answers: list[bytes] = []
    serve(InOrder(), io.BytesIO(json.dumps(hello).encode() + b"\n"), answers.append)
    assert json.loads(answers[0])["plays"] is False
    assert "rules, opening: unknown to this version of Salvo" in capsys.readouterr().err


def test_a_bot_without_choose_shots_fails_with_what_it_lacks() -> None:
    with pytest.raises(NotImplementedError, match=r"Bot lacks choose_shots\(self, count\)"):
        converse(Bot(), game(), shoot(1))


# --- As a process ---

SCRIPT = """
from arena import Bot, run

class Talker(Bot):
    def choose_shots(self, count):
        CHOOSE
        return self.untried[:count]

run(Talker)
"""


def play(folder: Path, choose: str, *messages: ToBot) -> "subprocess.CompletedProcess[bytes]":
    script = folder / "talker.py"
    script.write_text(SCRIPT.replace("CHOOSE", choose), encoding="utf-8")
    # Where that is set, nothing that is printed waits anyway.
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}
    return subprocess.run(
        [sys.executable, str(script)],
        env=environment,
        input=b"".join(map(encode, messages)),
        capture_output=True,
        timeout=60,
        check=False,
    )


def test_print_goes_to_stderr(tmp_path: Path) -> None:
    played = play(tmp_path, 'print("thinking", flush=True)', game(), shoot(2))
    assert played.returncode == 0
    assert played.stdout == b'{"type":"shots","id":"s","cells":[0,1]}\n'
    assert played.stderr == b"thinking\n"


def test_what_child_processes_print_goes_to_stderr_too(tmp_path: Path) -> None:
    played = play(tmp_path, 'import os; os.system("echo outside")', game(), shoot(1))
    assert played.stdout == b'{"type":"shots","id":"s","cells":[0]}\n'
    assert b"outside" in played.stderr


def test_an_exception_ends_the_process_with_a_traceback(tmp_path: Path) -> None:
    played = play(tmp_path, 'raise ValueError("no idea")', game(), shoot(1), shoot(1))
    assert played.returncode == 1
    assert played.stdout == b""
    assert b"Traceback" in played.stderr
    assert played.stderr.endswith(b"ValueError: no idea\n")


def test_print_comes_before_the_traceback_of_what_follows(tmp_path: Path) -> None:
    played = play(tmp_path, 'print("thinking"); raise ValueError("no idea")', game(), shoot(1))
    assert played.stderr.startswith(b"thinking\nTraceback")


def test_the_traceback_begins_in_the_authors_file(tmp_path: Path) -> None:
    played = play(tmp_path, 'raise ValueError("no idea")', game(), shoot(1))
    _, first, *_ = played.stderr.decode().splitlines()
    assert first == f'  File "{tmp_path / "talker.py"}", line 6, in choose_shots'


def test_a_mistake_in_what_is_returned_has_no_traceback(tmp_path: Path) -> None:
    played = play(tmp_path, "return None", game(), shoot(1))
    [line] = played.stderr.decode().splitlines()
    assert line.startswith("TypeError: choose_shots (talker.py, line 5) returned None; expected 1 ")


def run_script(folder: Path, ending: str, *options: str) -> "subprocess.CompletedProcess[str]":
    script = folder / "mine.py"
    script.write_text(f"from arena import Bot, run\n\nclass Mine(Bot): pass\n\n{ending}\n")
    return subprocess.run(
        [sys.executable, str(script), *options],
        input="",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_bot_without_options_refuses_them(tmp_path: Path) -> None:
    refused = run_script(tmp_path, "run(Mine)", "--deep", "3")
    assert refused.returncode == 2
    assert refused.stderr == "mine.py: error: it takes no options, but was given '--deep 3'\n"
    assert run_script(tmp_path, "run(lambda: Mine())", "--deep", "3").returncode == 0


def test_a_bot_that_is_started_at_a_terminal_says_what_it_waits_for(tmp_path: Path) -> None:
    script = tmp_path / "mine.py"
    script.write_text("from arena import Bot, run\nrun(Bot)\n", encoding="utf-8")
    ours, its = os.openpty()
    os.write(ours, b"\x04")  # the end of what is typed
    started = subprocess.run(
        [sys.executable, str(script)],
        stdin=its,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    os.close(ours)
    os.close(its)
    told = "mine.py waits for an arena on stdin; try: salvo check mine.py\n"
    assert (started.returncode, started.stdout, started.stderr) == (0, "", told)


@pytest.mark.parametrize(
    ("ending", "told"),
    [
        ("run(Mine())", "TypeError: run(Mine()) was given a bot; give it the class: run(Mine)\n"),
        (
            "class Other: pass\nrun(Other)",
            "TypeError: run was given Other, which is no Bot: write class Other(Bot)\n",
        ),
    ],
)
def test_what_is_no_bot_is_refused_in_words(tmp_path: Path, ending: str, told: str) -> None:
    assert run_script(tmp_path, ending).stderr == told


def test_a_long_answer_is_written_whole(tmp_path: Path) -> None:
    wide = Rules(name="wide", rows=64, columns=64, fleet=(Ship("Raft", 1),), shots=4096)
    played = play(tmp_path, "pass", game(wide), shoot(4096))
    assert json.loads(played.stdout)["cells"] == list(range(4096))


def test_an_answer_is_written_in_as_many_pieces_as_the_system_takes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written: list[bytes] = []

    def write(descriptor: int, data: bytes) -> int:
        assert descriptor == 5
        written.append(data[:4])
        return len(written[-1])

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", write)
        _write_all(5, b"0123456789")
    assert written == [b"0123", b"4567", b"89"]


# --- What the import costs ---


def run_alone(code: str) -> str:
    """Return what a fresh interpreter prints, without what measures coverage."""
    environment = {key: value for key, value in os.environ.items() if "COV" not in key}
    return subprocess.run(
        [sys.executable, "-P", "-c", code],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    ).stdout


def test_the_import_brings_in_one_library() -> None:
    loaded = run_alone(
        "import sys; before = set(sys.modules); import arena;"
        "print(*sorted({name.partition('.')[0] for name in set(sys.modules) - before}))"
    ).split()
    foreign = {name for name in loaded if not name.startswith("_")} - sys.stdlib_module_names
    assert foreign == {"arena", "msgspec"}


def test_a_bot_can_import_what_the_kit_leaves_out() -> None:
    code = "import arena, importlib.util; print(importlib.util.find_spec('{}') is not None)"
    there = importlib.util.find_spec("typing_extensions") is not None
    assert run_alone(code.format("typing_extensions")) == f"{there}\n"


def test_the_import_costs_little_more_than_one_of_the_standard_library() -> None:
    # Measured in turns, so that a busy machine slows both; numpy alone would cost more than this.
    ours, theirs = zip(*((cost("arena"), cost("asyncio")) for _ in range(7)), strict=True)
    assert min(ours) < 2.5 * min(theirs)


def cost(module: str) -> float:
    """Return the processor time of an import, in seconds."""
    code = f"import time; t = time.process_time(); import {module}; print(time.process_time() - t)"
    return float(run_alone(code))


def test_a_shot_that_the_bot_noted_itself_counts_as_shot() -> None:
    class Eager(Bot):
        def choose_shots(self, count: int) -> list[int]:
            self.shot.append(4)
            return [4] * count

    with pytest.raises(ValueError, match="of which cell 4 was already shot"):
        converse(Eager(), game(), shoot(1))


class Outside(Bot):
    """Finds the provider down in the methods that are named."""

    down: tuple[str, ...] = ()

    def _ask(self, method: str) -> None:
        if method in self.down:
            raise Unavailable(f"{method}:\n{'x' * 500}")

    def plays(self, rules: RulesView) -> bool:
        self._ask("plays")
        return super().plays(rules)

    def game_begins(self) -> None:
        self._ask("game_begins")

    def place_fleet(self) -> Mapping[str, Sequence[int]]:
        self._ask("place_fleet")
        return super().place_fleet()

    def choose_shots(self, count: int) -> list[int]:
        self._ask("choose_shots")
        return self.untried[:count]

    def move_ship(self) -> None:
        self._ask("move_ship")

    def answer_salvo(
        self, cells: Sequence[int], hits: Sequence[int], sunk: Sequence[str], lies_left: int
    ) -> Sequence[int]:
        self._ask("answer_salvo")
        return super().answer_salvo(cells, hits, sunk, lies_left)

    def game_ends(self, end: End) -> None:
        del end
        self._ask("game_ends")


@pytest.mark.parametrize(
    ("method", "request_", "said_at"),
    [
        ("plays", PlaceFleet("p", 60.0), "p"),
        ("plays", shoot(2), "s"),
        ("game_begins", PlaceFleet("p", 60.0), "p"),
        ("game_begins", shoot(2), "s"),
        ("place_fleet", PlaceFleet("p", 60.0), "p"),
        ("choose_shots", shoot(2), "s"),
        ("move_ship", MoveShip("m", 60.0, None, ()), "m"),
        ("answer_salvo", AnswerSalvo("a", 60.0, (1,), (), (), 1), "a"),
    ],
)
def test_bot_says_that_what_it_needs_is_unavailable(
    method: str, request_: ToBot, said_at: str
) -> None:
    bot = Outside()
    bot.down = (method,)
    hello, said = converse(bot, Hello(1, view(SALVO)), game(), request_)
    assert hello["type"] == "hello"
    assert hello["plays"]
    assert (said["type"], said["id"]) == ("unavailable", said_at)
    assert said["reason"].startswith(f"{method}:\\nxxx")
    assert len(said["reason"]) == 200
    assert decode_from_bot(json.dumps(said).encode()) == SaidUnavailable(said_at, said["reason"])


def test_outage_after_the_game_says_nothing_of_the_next() -> None:
    bot = Outside()
    bot.down = ("game_ends",)
    said = converse(bot, game(), shoot(1), end(), game(), shoot(1))
    assert [one["type"] for one in said] == ["shots", "shots"]
