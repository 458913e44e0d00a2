"""``salvo check``: every step catches its own fault, and shows the exchange."""

import json
import math
import re
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from arena.errors import BotError
from arena.rules import preset, rules_to_toml
from salvo.cli.check import check

BOT = """
import json, random, sys, time

def say(message):
    print(json.dumps(message), flush=True)

for line in sys.stdin:
    ask = json.loads(line)
    kind = ask["type"]
    if kind == "hello":
        say({"type": "hello", "protocol": 1, "name": "Faulty"} | HELLO)
    elif kind == "game":
        game, turn = ask, 0
        columns = game["rules"]["columns"]
        draw = random.Random(game["seed"])
        untried = list(range(game["rules"]["rows"] * columns))
    elif kind == "place":
        ships = {
            ship["name"]: [row * columns + n for n in range(ship["length"])]
            for row, ship in enumerate(game["rules"]["fleet"])
        }
        PLACE
        say({"type": "layout", "id": ask["id"], "ships": ships})
    elif kind == "shoot":
        draw.shuffle(untried)
        turn += 1
        cells = [untried.pop() for _ in range(ask["shots"])]
        SHOOT
        say({"type": "shots", "id": ask["id"], "cells": cells})
    elif kind == "end":
        pass
        END
    elif kind == "bye":
        LAST
BYE
"""

SMALL = ("--rules", "ramesh-5")
"""Sixteen cells, two ships and two shots a turn."""

_USUAL = {"HELLO": "{}", "PLACE": "", "SHOOT": "", "END": "", "BYE": "", "LAST": "break"}
"""What stands in each place of the bot, unless it is to have a fault there."""

STEPS = [
    "starts and introduces itself",
    "plays these rules",
    "writes nothing that was not asked for",
    "places a legal fleet",
    "shoots legally",
    "shoots again after a report",
    "ignores fields that it does not know",
    "reads any spacing and order of fields",
    "plays whole games in the first seat",
    "plays whole games in the second seat",
    "plays whole games alone",
    "plays the same game for the same seed",
    "exits when it should",
]


def write_bot(folder: Path, **faults: str) -> str:
    text = BOT
    for place, usual in _USUAL.items():
        text = text.replace(place, faults.get(place, usual))
    path = folder / "faulty.py"
    path.write_text(text, encoding="utf-8")
    return str(path)


def run(*arguments: str) -> Result:
    command = ["--isolation", "none", "--move-time", "1", *arguments]
    return CliRunner().invoke(check, command, prog_name="salvo check")


def report_of(*arguments: str) -> tuple[int, dict[str, object], list[dict[str, object]]]:
    result = run("--format", "json", *arguments)
    report = json.loads(result.stdout)
    return result.exit_code, report, report["steps"]


def test_a_bot_without_fault_passes_every_step(tmp_path: Path) -> None:
    code, report, steps = report_of(write_bot(tmp_path))
    assert code == 0
    assert (report["ok"], report["rules"]) == (True, "salvo")
    assert [step["title"] for step in steps] == STEPS
    assert [step["verdict"] for step in steps] == ["ok"] * len(STEPS)


@pytest.mark.parametrize(
    ("faults", "number", "reason"),
    [
        pytest.param({"HELLO": "[]"}, 1, "exited with code 1", id="crashes at the start"),
        pytest.param({"HELLO": "{'protocol': 2}"}, 1, "speaks protocol 2", id="other version"),
        pytest.param({"HELLO": "{'nmae': 'x'}"}, 1, "unknown field `nmae`", id="slip of the pen"),
        pytest.param({"HELLO": "{'plays': False}"}, 2, "says that it does not", id="plays not"),
        pytest.param({"PLACE": "ships.popitem()"}, 4, "lacks the ship", id="ship missing"),
        pytest.param({"PLACE": "ask['id'] = 'x'"}, 4, "has the id 'x'", id="other id"),
        pytest.param({"SHOOT": "cells.pop()"}, 5, "shots due: 5, fired: 4", id="too few"),
        pytest.param({"SHOOT": "time.sleep(3)"}, 5, "flush its output", id="too slow"),
        pytest.param({"SHOOT": "cells[0] += 0.5"}, 5, "got `float`", id="not an integer"),
        pytest.param(
            {"END": "say('x' * 300)"}, 3, f"asked: '\"{'x' * 199}'; ", id="writes unasked"
        ),
        pytest.param({"SHOOT": "print('hm')"}, 5, "in 'hm'; stdout is only for", id="prints"),
        pytest.param({"PLACE": "say(0)"}, 4, "in '0'; stdout is only for", id="answers early"),
        pytest.param(
            {"SHOOT": "say({'type': 'shots', 'id': ask['id'], 'cells': cells})"},
            5,
            "without being asked",
            id="twice",
        ),
        pytest.param({"SHOOT": "assert len(ask) < 7"}, 7, "exited with code 1", id="strict"),
        pytest.param(
            {"SHOOT": "cells[0] = -1 if turn > 5 else cells[0]"}, 9, "cell -1", id="late fault"
        ),
        pytest.param(
            {"SHOOT": "cells[0] = -1 if turn > 5 and game['seat'] == 'second' else cells[0]"},
            10,
            "cell -1",
            id="fault of one seat",
        ),
        pytest.param(
            {"SHOOT": "cells[0] = cells[-1] if turn > 8 and game['seed'] % 10 == 5 else cells[0]"},
            9,
            "twice",
            id="late fault in one game of ten",
        ),
        pytest.param({"SHOOT": "assert not game['solo']"}, 11, "AssertionError", id="not alone"),
    ],
)
def test_a_fault_fails_its_step_and_the_later_ones_are_skipped(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    faults: dict[str, str],
    number: int,
    reason: str,
) -> None:
    # All ten games, however busy the machine is.
    monkeypatch.setattr("arena.conformance.steps.GAMES_S", math.inf)
    code, report, steps = report_of(write_bot(tmp_path, **faults))
    verdicts = [step["verdict"] for step in steps]
    assert verdicts == ["ok"] * (number - 1) + ["failed"] + ["skipped"] * (len(STEPS) - number)
    assert reason in str(steps[number - 1]["detail"])
    assert (code, report["ok"]) == (1, False)


@pytest.mark.parametrize(
    ("faults", "number", "reason"),
    [
        pytest.param({"SHOOT": "time.sleep(0.6)"}, 9, "of 1000 allowed", id="slow"),
        pytest.param({"PLACE": "random.shuffle(untried)"}, 12, "the same seed", id="other game"),
        pytest.param({"BYE": "time.sleep(9)"}, 13, "it did not, and was killed", id="stays"),
        pytest.param({"BYE": "sys.exit('oh')"}, 13, "it exited with code 1: oh", id="dies"),
        pytest.param({"BYE": "sys.exit(3)"}, 13, "it exited with code 3", id="ends by a code"),
        pytest.param({"LAST": "pass"}, 13, "and not on 'bye': another host", id="heeds no bye"),
        pytest.param({"SHOOT": "assert '\": ' not in line"}, 8, "exited with code 1", id="dense"),
        pytest.param(
            {"SHOOT": "assert list(ask)[0] == 'type'"}, 8, "fields in another", id="in order"
        ),
    ],
)
def test_what_loses_no_game_is_a_warning(
    tmp_path: Path, faults: dict[str, str], number: int, reason: str
) -> None:
    if number == 9:
        faults = {"SHOOT": "turn == 6 and time.sleep(0.6)"}
    code, report, steps = report_of(*SMALL, write_bot(tmp_path, **faults))
    assert steps[number - 1]["verdict"] == "warning"
    assert str(reason) in str(steps[number - 1]["detail"])
    assert "failed" not in {step["verdict"] for step in steps}
    assert (code, report["ok"]) == (0, True)


def test_the_failed_exchange_is_shown(tmp_path: Path) -> None:
    bot = write_bot(
        tmp_path, SHOOT="if turn == 2: print('my \\x1b[31mthoughts', file=sys.stderr); cells = [0]"
    )
    result = run(bot)
    assert result.exit_code == 1
    assert "FAIL  shoots again after a report" in result.stdout
    assert "illegal: shots due: 5, fired: 1" in result.stdout
    _, exchange = result.stdout.split("sent:")
    assert '{"type":"shoot"' in exchange
    assert '"cells": [0]}' in exchange.split("came back:")[1]
    assert "my \\x1b[31mthoughts" in exchange.split("stderr:")[1]
    assert "\x1b" not in result.stdout


def test_the_example_of_what_was_expected_is_legal(tmp_path: Path) -> None:
    *_, steps = report_of(write_bot(tmp_path, SHOOT="if turn == 2: cells = [0] * 5"))
    exchange = steps[5]["exchange"]
    assert isinstance(exchange, dict)
    example = json.loads(exchange["expected"].split("such as ")[1].split(", with")[0])
    assert example["id"] == json.loads(exchange["sent"])["id"]
    assert len({*example["cells"]}) == 5
    assert exchange["received"] is not None


def test_the_example_of_what_was_expected_has_cells_that_are_left(tmp_path: Path) -> None:
    fault = "if turn == 12: print(untried + cells, file=sys.stderr); cells = [0] * 5"
    *_, steps = report_of(write_bot(tmp_path, SHOOT=fault))
    [failed] = [step for step in steps if step["verdict"] == "failed"]
    exchange, left = failed["exchange"], json.loads(str(failed["stderr"]).splitlines()[-1])
    assert isinstance(exchange, dict)
    assert len(left) < 70
    example = json.loads(exchange["expected"].split("such as ")[1].split(", with")[0])
    assert {*example["cells"]} <= {*left}


def test_the_example_of_a_layout_is_legal(tmp_path: Path) -> None:
    *_, steps = report_of(write_bot(tmp_path, PLACE="ships = {}"))
    exchange = steps[3]["exchange"]
    assert isinstance(exchange, dict)
    ships = json.loads(exchange["expected"].split("such as ")[1])["ships"]
    assert [len(cells) for cells in ships.values()] == [5, 4, 3, 3, 2]


def test_what_nobody_asked_for_is_shown_as_what_came_back(tmp_path: Path) -> None:
    *_, steps = report_of(write_bot(tmp_path, END="say('well played')"))
    exchange = steps[2]["exchange"]
    assert isinstance(exchange, dict)
    assert json.loads(exchange["sent"])["type"] == "end"
    assert (exchange["received"], exchange["expected"]) == ('"well played"', "nothing")


def test_a_line_that_was_printed_to_debug_is_shown_above_the_answer(tmp_path: Path) -> None:
    result = run(write_bot(tmp_path, SHOOT="print('thinking', flush=True); print('hard')"))
    shown = result.stdout.split("came back:")[1].split("expected:")[0]
    first, second, answer = (line.strip() for line in shown.strip().splitlines())
    assert (first, second) == ("thinking", "hard")
    assert answer.startswith('{"type": "shots"')


def test_what_a_bot_writes_to_stderr_is_shown_under_its_step(tmp_path: Path) -> None:
    said = "print('my plan', turn, file=sys.stderr)"
    *_, steps = report_of(*SMALL, write_bot(tmp_path, SHOOT=said))
    written = {step["number"]: step["stderr"] for step in steps}
    assert written[4] == ""
    assert written[5] == "my plan 1\n"
    shown = run(*SMALL, write_bot(tmp_path, SHOOT=said)).stdout.splitlines()
    place = next(n for n, line in enumerate(shown) if "shoots legally" in line)
    assert shown[place + 1] == "       stderr: my plan 1"
    assert any(line.startswith("       stderr: ... ") for line in shown)


def test_silence_is_shown_as_nothing(tmp_path: Path) -> None:
    result = run("--move-time", "0.2", write_bot(tmp_path, SHOOT="time.sleep(3)"))
    assert "came back:  nothing" in result.stdout
    assert "stderr:     nothing" in result.stdout


def test_a_program_that_cannot_start_has_no_exchange(tmp_path: Path) -> None:
    script = tmp_path / "bot.sh"
    script.write_text("#!/no/such/interpreter\n", encoding="utf-8")
    script.chmod(0o755)
    code, _, steps = report_of(str(script))
    assert code == 1
    assert "cannot be started" in str(steps[0]["detail"])
    assert steps[0]["exchange"] is None


def test_long_lines_are_cut_for_the_eye(tmp_path: Path) -> None:
    result = run(write_bot(tmp_path, PLACE="ships['x' * 150] = [0] * 400"))
    assert "... (" in result.stdout
    assert max(len(line) for line in result.stdout.splitlines()) < 700


def test_the_table_ends_in_a_count(tmp_path: Path) -> None:
    result = run(*SMALL, write_bot(tmp_path, BYE="sys.exit(3)"))
    assert result.stdout.startswith("faulty: ramesh-5, isolation none, 1 s a move\n")
    assert result.stdout.endswith("\n13 steps: 12 ok, 1 warning\n")


def test_other_rules_are_played(tmp_path: Path) -> None:
    code, report, _ = report_of(*SMALL, write_bot(tmp_path))
    assert (code, report["rules"]) == (0, "ramesh-5")


@pytest.mark.parametrize("rules", ["afp", "lies"])
def test_the_whole_family_of_rules_is_checked(rules: str, tmp_path: Path) -> None:
    whole = preset(rules)
    small = msgspec.structs.replace(whole, name="small", rows=6, columns=6, fleet=whole.fleet[-2:])
    (tmp_path / "small.toml").write_text(rules_to_toml(small), encoding="utf-8")
    code, _, steps = report_of("--rules", str(tmp_path / "small.toml"), "uniform_random")
    assert code == 0
    assert {step["verdict"] for step in steps} == {"ok"}


@pytest.mark.parametrize(
    ("rules", "fault", "example"),
    [
        ("afp", "move_ship(self): return 'Raft', [1]", '"move","id":"","ship":null,"cells":[]}'),
        (
            "afp",
            "choose_shots(self, count): return []",
            '"shots","id":"","cells":[49]}, with 1 cell',
        ),
        (
            "salvo",
            "choose_shots(self, count): return []",
            '"shots","id":"","cells":[49,97,53,5,33]}, with 5 cells not shot before',
        ),
        ("lies", "answer_salvo(self, *_): return [-1]", '"answer","id":"","hits":[]}'),
        ("salvo", "numbers(self): return {'': 1}", '"numbers","numbers":{"tokens":812}}'),
        (
            "salvo",
            "plays(self, rules): return 0 / 0",
            (
                '"hello","protocol":1,"name":"My bot","author":"","version":"","plays":true,'
                '"default_field":false}'
            ),
        ),
    ],
)
def test_every_request_has_an_example_of_what_was_expected(
    tmp_path: Path, rules: str, fault: str, example: str
) -> None:
    bot = tmp_path / "faulty.py"
    bot.write_text(
        "from arena import Bot, run\n\n"
        "class Faulty(Bot):\n"
        "    def choose_shots(self, count): return self.untried[:count]\n"
        f"    def {fault}\n\n"
        "run(Faulty)\n",
        encoding="utf-8",
    )
    code, _, steps = report_of("--rules", rules, str(bot))
    (failed,) = (step for step in steps if step["verdict"] == "failed")
    exchange = failed["exchange"]
    assert isinstance(exchange, dict)
    expected = re.sub('"id":"[^"]*"', '"id":""', exchange["expected"])
    time = "10 s" if example.startswith('"hello') else "1 s"
    assert expected == f'within {time}, such as {{"type":{example}'
    assert code == 1


def test_a_bundled_bot_is_checked_by_its_name() -> None:
    code, report, _ = report_of(*SMALL, "uniform_random")
    assert (code, report["bot"]) == (0, "uniform_random")


def test_a_bot_that_is_not_there_is_the_users_mistake() -> None:
    assert isinstance(run("no_such_bot").exception, BotError)


def test_it_says_what_a_bot_is() -> None:
    assert "a command in quotes" in run("--help").output
