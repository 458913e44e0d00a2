"""What commands print is in files that can be read aloud, and reads as it did."""

import itertools
import json
import re
import shlex
import shutil
from collections.abc import Callable, Iterable, Iterator
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from arena.referee import play_bots
from arena.replay import replay
from arena.rules import Rules, Seat, preset, view
from salvo.bundled import bot_class
from salvo.cli.main import salvo as command
from salvo.reports.words.game_text import (
    describe_salvo,
    game_text,
    report_in_words,
    salvo_in_words,
)
from salvo.reports.words.rules_text import describe_rules
from tests.golden import compare
from tests.salvo.conftest import Ran

Salvo = Callable[..., Ran]

PRINTED = Path(__file__).parent / "printed"
SMALL = """
name = "small"
rows = 4
columns = 4
shots = "afloat"
fleet = [{ name = "Long", length = 3 }, { name = "Short", length = 2 }]
"""
MOODY = """
import sys

from arena import Bot, run


class Moody(Bot):
    author, version = "Ada", "0.3"

    def choose_shots(self, count):
        mood = self.random.random()
        if mood < 0.03:
            print("I have had enough", file=sys.stderr, flush=True)
            raise SystemExit(3)
        if mood < 0.06:
            raise SystemExit(f"{len(self.shot)} shots are too many")
        return self.untried[:count]

    def numbers(self):
        return {"thoughts": 100 * len(self.shot), "doubt": 0.25}


run(Moody)
"""
ORDERLY = """
from arena import Bot, run


class Orderly(Bot):
    def choose_shots(self, count):
        return self.untried[:count]


run(Orderly)
"""
LONG, SHOWN = 70, 2
BACKWARD = ORDERLY.replace("[:count]", "[-count:]")
HERE = ("--isolation", "none", "--workers", "1")
# So much time that no machine is too slow.
PLAIN = ("--rules", "small.toml", "--move-time", "1000", "--load-time", "1000")
PLAY = (*PLAIN, "--game-time", "10000", *HERE)
TWO = ("hunt_parity", "uniform_random")
FIRST = ("--tournament", "first")

OTHERWISE = (
    (re.compile(r" +\d+\.\d\d s  "), "  (time)  "),
    (re.compile(r"(?<![\w.])\d[\d.]* m?s\b(?! (?:an?|to) )"), "(time)"),
    (re.compile(r"--seed \d{20,}"), "--seed (secret)"),
    (re.compile(r"\bsmall-[0-9a-f]{6}"), "small-(digest)"),
    (re.compile(r"Content [0-9a-f]{12}"), "Content (digest)"),
    (re.compile(r"SHA-256 [0-9a-f]{12}"), "SHA-256 (digest)"),
    (re.compile(r"\bSalvo \d+\.\d+\.\d+\S*"), "Salvo (version)"),
    (re.compile(r"^(Played|On): .*", re.MULTILINE), r"\1: (then and there)"),
    (re.compile(r"(?<=\], )\d[\d.e-]*(?=\])"), "(time)"),
)
"""What differs between runs, machines and versions."""


class Session:
    """Runs commands one after the other, and notes what each prints."""

    def __init__(self, salvo: Salvo, *folders: Path) -> None:
        self._salvo, self._folders = salvo, folders
        self._told: list[str] = []

    def note(self, *lines: str) -> None:
        self._told += lines

    def run(self, words: str, shown: Callable[[str], Iterable[str]] = str.splitlines) -> Ran:
        ran = self._salvo(*shlex.split(words))
        self.note(f"$ salvo {words}", *shown(ran.out), *said(ran.err))
        self.note(*[f"(exit code {ran.code})"] * bool(ran.code), "")
        return ran

    @property
    def told(self) -> str:
        """What was printed; a long line that was there before is cut."""
        before: set[str] = set()
        lines = []
        for line in map(str.rstrip, self._told):
            is_known = len(line) > LONG and line in before
            lines.append(f"{line[: LONG // 2]} ... (as above)" if is_known else line)
            before.add(line)
        text = "\n".join([*lines, ""])
        for folder in self._folders:
            text = text.replace(f"{folder}/", "")
        for pattern, new in OTHERWISE:
            text = pattern.sub(new, text)
        return text


def said(err: str) -> list[str]:
    return [f"! {line}" for line in err.splitlines()]


def rows(out: str) -> Iterator[str]:
    """Yield JSON as lines: of a list the first and the last, of a sentence its start."""
    for key, value in json.loads(out).items():
        if isinstance(value, list) and value:
            texts = [row[:LONG] if isinstance(row, str) else json.dumps(row) for row in value]
            between = [f"and {len(value) - 2} more"] * (len(value) > 2)
            yield f"{key}:"
            yield from (f"    {text}" for text in [*texts[:1], *between, *texts[1:][-1:]])
        else:
            yield f"{key}: {json.dumps(value)}"


def only(key: str) -> Callable[[str], list[str]]:
    """Return a function that shows one part of JSON."""
    return lambda out: [f"{key}: {json.dumps(json.loads(out)[key])}"]


class Words(HTMLParser):
    """Collects the words of a page; a row of a table is a line."""

    INLINE = frozenset({"a", "b", "code", "em", "i", "span", "strong", "wbr"})
    SILENT = frozenset({"script", "style", "svg"})

    def __init__(self, page: str) -> None:
        super().__init__()
        self.text, self._silent, self._in_cell = "", 0, 0
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        del attrs
        self._silent += tag in self.SILENT
        if tag in {"td", "th"}:
            self.text += " | "
            self._in_cell += 1
        elif tag not in self.INLINE:
            self.text += " " if self._in_cell else "\n"

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in self.SILENT
        self._in_cell -= tag in {"td", "th"}
        if tag == "dt":
            self.text += ": "
        elif tag not in self.INLINE and not self._in_cell:
            self.text += "\n" if tag not in {"td", "th"} else ""

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.text += re.sub(r"\s+", " ", data)


def words_of(page: str) -> list[str]:
    text = re.sub(r" +", " ", Words(page).text.replace(": \n", ": "))
    return [line.strip().removeprefix("| ") for line in text.splitlines() if line.strip("| ")]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the record of a small tournament, and with what playing it printed."""
    folder = tmp_path_factory.mktemp("played")
    (folder / "small.toml").write_text(SMALL, encoding="utf-8")
    (folder / "moody.py").write_text(MOODY, encoding="utf-8")
    (folder / "orderly.py").write_text(ORDERLY, encoding="utf-8")
    (folder / "backward.py").write_text(BACKWARD, encoding="utf-8")
    amount = ("--games", "10", "--layouts", "4", "--seed", "7")
    words = ("tournament", *TWO, "moody.py", *PLAY, *amount, *FIRST)
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        ran = CliRunner().invoke(command, words, catch_exceptions=False)
    told = [f"$ salvo {shlex.join(words)}", *ran.stdout.splitlines(), *said(ran.stderr), ""]
    (folder / "printed").write_text("\n".join(told), encoding="utf-8")
    return folder


@pytest.fixture
def session(salvo: Salvo, played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    """Return a session in a copy of that folder."""
    shutil.copytree(played, tmp_path, dirs_exist_ok=True)
    monkeypatch.setenv("COLUMNS", "80")
    return Session(salvo, played, tmp_path)


def test_tables_read_as_they_did(session: Session, played: Path) -> None:
    session.note(*(played / "printed").read_text(encoding="utf-8").splitlines(), "")
    session.run("tournaments")
    session.run("tournaments --format csv")
    session.run("standings --explain")
    session.run("standings --without-forfeits --prior none --anchor moody=1000 --explain")
    session.run("standings --format markdown")
    session.run("standings --format csv")
    session.run("standings --format csv --table differences")
    session.run("standings --format csv --table games", lambda out: out.splitlines()[::12])
    session.run("standings --format json", rows)
    compare(session.told, PRINTED / "tables.txt")


def test_games_read_as_they_did(session: Session) -> None:
    session.run("games", lambda out: out.splitlines()[::3])
    session.run("games --bot moody --format csv", lambda out: out.splitlines()[::7])
    session.run("games --forfeits")
    session.run("games --forfeits --bot uniform_random")
    session.run("games --forfeits --format csv")
    session.run("games --forfeits --format markdown --bot moody", lambda out: out.splitlines()[:3])
    games = session.run("games --format json", lambda out: out.splitlines()[:2]).json
    one, alone = (next(row for row in games if bool(row["second"]) == two) for two in (True, False))
    lost = next(row for row in games if row["termination"] == "exited")
    for row in (one, alone, lost):
        session.run(f"replay {row['game'][:6]}")
        session.run(f"replay {row['game'][:6]} --stderr")
    session.run(f"replay {alone['game']} --format json", rows)
    compare(session.told, PRINTED / "games.txt")


def test_report_reads_as_it_did(session: Session) -> None:
    session.run("report --report page.html")
    session.note(*words_of(Path("page.html").read_text(encoding="utf-8")))
    compare(session.told, PRINTED / "report.txt")


def test_matches_read_as_they_did(session: Session) -> None:
    two = f"orderly.py backward.py {shlex.join(PLAY)} --seed 3"
    session.run(f"match {two} --games 12")
    session.run(f"match {two} --games 16")
    session.run(f"match {two} --games 16 --format json", only("verdict"))
    session.run(f"match {two} --sprt 0,400 --games 60 --db test.sqlite3")
    session.run(
        f"match {two} --sprt 0,400 --games 60 --db test.sqlite3 --format json", only("sprt")
    )
    session.run("games --forfeits --db test.sqlite3")
    session.run("games --forfeits --db test.sqlite3 --format csv")
    session.run("standings --db test.sqlite3")
    session.run("standings --db test.sqlite3 --format csv --table turns")
    session.run(f"solo {two} --layouts 5 --common-layouts --format csv")
    session.run("tournaments")
    session.run("standings --format csv --table differences")
    session.run("standings --format csv --table elo")
    session.run("report --db test.sqlite3 --report page.html")
    words = words_of(Path("page.html").read_text(encoding="utf-8"))
    session.note(*(line for line in words if line.startswith(("Salvo match", "To repeat"))), "")
    shards = "salvo-1-of-2.sqlite3 salvo-2-of-2.sqlite3"
    for number in (1, 2):
        session.run(f"match {two} --games 60 --shard {number}/2")
    session.run(f"match {two} --games 60 --shard 2/2 --db salvo-1-of-2.sqlite3")
    session.run("merge salvo-1-of-2.sqlite3 --db all.sqlite3")
    session.run(f"merge {shards} --db all.sqlite3")
    session.run(f"merge {shards} --db all.sqlite3")
    session.run("verify all.sqlite3 --seed 1 --isolation none --workers 1")
    compare(session.told, PRINTED / "matches.txt")


def test_leagues_read_as_they_did(session: Session) -> None:
    rules = "--rules small.toml --games 4 --layouts 3 --seed 1 --move-time 1000"
    here = shlex.join(HERE)
    session.run(f"submit orderly.py {rules} {here}")
    session.run(f"submit hunt_parity --name orderly {here}")
    session.run("standings --league league --all --format csv")
    session.run("report --league league --report page.html")
    words = words_of(Path("page.html").read_text(encoding="utf-8"))
    start = next(place for place, line in enumerate(words) if line.startswith("Elo by version"))
    session.note(*words[start : start + 6], *(line for line in words if "Seed: " in line), "")
    session.run("withdraw orderly")
    session.run("standings --league league")
    compare(session.told, PRINTED / "leagues.txt")


def test_lists_read_as_they_did(session: Session) -> None:
    session.run("bots")
    session.run("bots --rules afp --format csv", lambda out: out.splitlines()[::5])
    session.run("rules")
    session.run("rules paper")
    session.run("rules small.toml --format json", rows)
    compare(session.told, PRINTED / "lists.txt")


MISTAKES = """
nonsense
standing
standings --db none.sqlite3
standings --db moody.py
standings --tournament other
standings --all
standings --league none
standings --table elo
standings --anchor moody
standings --anchor nobody=1500
standings --from moody.py
standings --from none.csv
standings --from none.csv --adjusted
standings --from none.csv --tournament first
standings --from none.csv --db salvo.sqlite3
standings --from none.csv --league none
standings --from none.csv --all
standings --league none --db salvo.sqlite3
standings --league none --anchor moody=1500
standings --adjusted --tournament other
games --bot nobody
games --tournament other
replay 0
replay zzz
replay 0 --html page.html
report --report none/page.html
rules none
rules none.toml
bots --rules none
tournament moody.py --isolation none
tournament moody.py orderly.py --isolation none --anchor nobody=1500
tournament moody.py orderly.py --schedule swiss --games 10
tournament moody.py orderly.py --schedule swiss --games 50
tournament moody.py orderly.py --schedule swiss --games 20 --gauntlet moody
tournament moody.py orderly.py --schedule adaptive --games 20 --shard 1/2
tournament moody.py orderly.py --report none/page.html
match moody.py moody.py
match moody.py none.py
match moody.py orderly.py --games 3
match moody.py orderly.py --games 0
match moody.py orderly.py --sprt 1
match moody.py orderly.py --sprt 20,0
match moody.py orderly.py --shard 3/2
match moody.py orderly.py --shard 1/2 --sprt 0,20
match moody.py orderly.py --shard 1/2 --format json
match moody.py orderly.py --shard 1/2 --prior none
match moody.py orderly.py --log moody.py/logs
match moody.py optimal_row --rules afp --isolation none
match moody.py orderly.py --move-time 0
match moody.py orderly.py --secret moody
match moody.py orderly.py --allow-network here
solo moody.py --layouts -1
verify salvo.sqlite3 --sample 0
verify salvo.sqlite3 --sample 101%
verify salvo.sqlite3 nobody=moody.py --isolation none
verify salvo.sqlite3 moody=orderly.py --isolation none --sample 100%
merge salvo.sqlite3
merge salvo.sqlite3 --db salvo.sqlite3
withdraw moody
new moody
new class
new random
new salvo
new none/moody
check nobody
train landy --games 0
train landy --out moody.py
benchmark nobody
benchmark --task nothing
benchmark hunt_target --out moody.py
play nobody
play --first --second
play hunt_parity --isolation none --rated
play hunt_parity --isolation none --name a/b
play hunt_parity --isolation none --name hunt_parity
play optimal_row --rules afp --isolation none
play optimal_row --rules small.toml --isolation none
play --browser nobody
play --browser --seed 1
play --browser --first
play --browser --second
play --browser --clock 5
play --browser --log logs
play --browser --rated
submit
submit --name moody
submit nobody
submit moody.py --anchor a@b=1500
serve --port 65536
serve --host-name https://arena.edu
serve --trusted-proxy arena.edu
operate pause
operate workers 0
site page
"""


def test_mistakes_read_as_they_did(session: Session, salvo: Salvo) -> None:
    for words in MISTAKES.strip().splitlines():
        ran = salvo(*shlex.split(words))
        assert (ran.code, ran.out) == (2, ""), ran
        told = [line for line in ran.err.splitlines() if "no 'sandbox' here" not in line]
        session.note(words, *(f"  {line.removeprefix('salvo: ')}" for line in told))
    compare(session.told, PRINTED / "mistakes.txt")


TOLD = (
    *("salvo", "boxed", "unnamed", "paper", "apart", "unknown", "again", "lies", "equal-turns"),
    *("row-10-3", "ramesh-5", "afp"),
)
"""Presets that have every rule together."""
BY_SHIP = msgspec.structs.replace(
    preset("salvo"), name="by ship", shots="by-ship", told="count-by-ship", sunk_cells=True
)


def words_of_game(rules: Rules) -> Iterator[str]:
    """Yield the words for rules, and for the begin of a game by them and the first sinkings."""
    yield f"{rules.name}:"
    yield from (f"  {key}: {value}" for key, value in describe_rules(rules).items())
    able = (bot_class(bot) for bot in ("hunt_target", "uniform_random", "optimal_row"))
    plays = next(bot for bot in able if bot().plays(view(rules)))
    game = play_bots([plays(), plays()], rules, seeds=(1, 2))
    names: dict[Seat, str] = {"first": "Ann", "second": "Bob"}
    shown = 0
    for before, after in itertools.pairwise(replay(game, rules)):
        salvo = after.salvo
        if salvo is None or salvo is before.salvo or (not salvo.report.hits and shown):
            continue
        if shown < SHOWN or salvo.report.sunk:
            shown += 1
            yield f"  {describe_salvo(salvo, rules)}"
            yield f"    {salvo_in_words(before, after, rules, names)}"
            yield f"    {report_in_words(salvo, rules, names)}"
        if shown == SHOWN + 2:
            break
    if rules.name in {"row-10-3", "lies", "afp"}:
        told = game_text(game, rules).splitlines()
        yield from [*told[:6], *told[-15:]]


def test_words_for_rules_and_games_read_as_they_did(salvo: Salvo) -> None:
    session = Session(salvo)
    for rules in (*map(preset, TOLD), BY_SHIP):
        session.note(*words_of_game(rules), "")
    compare(session.told, PRINTED / "rules.txt")
