"""What a league tells whom: each page and each answer of the API, as a file that can be read."""

import difflib
import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from arena.checksums import with_checksum
from arena.isolation import Choice, Level, choose
from arena.league import Anchor, Charter, League, Planned
from arena.league.charter import write_charter
from arena.records import BlockRecord, Termination
from arena.rules import preset
from arena.store import Store
from salvo.bundled import bundled_bots
from salvo.server import clock
from salvo.server.database.challenges import Challenges
from salvo.server.database.keys import Visitor, add_key, find_key, new_invite, revoke
from salvo.server.database.queue import add_step, finish, submit, take_next
from salvo.server.database.server_database import Database, folder_of
from salvo.server.dates import allow_late
from salvo.server.leagues import Watched, open_league
from salvo.server.web import channels
from salvo.server.web.app import make_app
from salvo.server.web.guard import Guard, Policy
from salvo.server.work import league_play
from salvo.server.work.agenda import Agenda
from salvo.server.work.challenging import play_challenge
from salvo.server.work.rating import rate_again
from salvo.server.work.shares import Shares
from tests.golden import compare
from tests.salvo.server import asking
from tests.salvo.server.asking import Answer

GOLDEN = Path(__file__).parent / "visitors.txt"
NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
PAST = datetime(2026, 5, 1, tzinfo=UTC)
FAR = datetime(2099, 1, 1, tzinfo=UTC)
SANDBOX = Choice(Level.SANDBOX, ())
BOTS = (
    ("hunt_target", "hunt_target"),
    ("uniform_random", "uniform_random"),
    ("ada", "uniform_random"),
    ("ada", "hunt_parity"),
    ("bob", "hunt_parity"),
)
ABOUT = "# The autumn league\n\nThursdays at **ten**.\n"
STDERR = "Traceback (most recent call last):\nValueError: only Ada may read this\n"


class Made(NamedTuple):
    """A league, the keys of its visitors, and ids that a page is asked for by."""

    folder: Path
    keys: dict[str, str]
    ids: dict[str, str]


def forfeited(record: BlockRecord) -> BlockRecord:
    """Return a block whose first game ada forfeits, with what it wrote."""
    first, *others = record.games
    seat = "first" if first.fixture.first.startswith("ada@") else "second"
    lost = replace(
        first,
        result="second" if seat == "first" else "first",
        forfeit=seat,
        termination=Termination.EXITED,
        reason="ada@2 exited with code 1; its stderr ends: ValueError: only Ada may read this",
        stderr=STDERR,
        steps=first.steps[:8],
    )
    return with_checksum(replace(record, games=(lost, *others)))


def play(folder: Path, ids: dict[str, str]) -> None:
    """Play the league and its tournament here, one block after another."""
    with Store(folder / "salvo.sqlite3", create=True) as store, Database(folder) as db:
        agenda = Agenda(folder, SANDBOX, store, db)
        while True:
            watched = Watched(folder)
            planned = agenda.now(watched.league)
            shares = Shares(db, watched.league.charter.times)
            field = league_play._Field(watched, agenda, shares, planned)
            blocks = league_play._LeaguePlay(folder, planned, choose("none"))
            while (block := field.take()) is not None:
                record = blocks(block)
                if not (planned or ids) and len(block.entrants) == 2 and "ada@2" in block.entrants:
                    record = forfeited(record)
                    ids |= {
                        what: game.fixture.id
                        for what, game in zip(("forfeit", "game"), record.games, strict=False)
                    }
                field.settle(record)
            if planned is None:
                break
            rate_again(folder)
    rate_again(folder)


def upload(db: Database, folder: Path, visitor: Visitor, name: str, number: int) -> None:
    file = folder_of(folder) / "uploads" / f".{number}"
    file.parent.mkdir(exist_ok=True)
    file.write_text("it is not looked at")
    submit(
        db,
        folder,
        visitor,
        name=name,
        file=".py",
        address="192.0.2.1",
        upload=file,
        identifier=f"submission-{number}",
    )


def step(number: int, title: str, verdict: str) -> dict[str, Any]:
    return {
        "number": number,
        "title": title,
        "verdict": verdict,
        "seconds": 0.5,
        "detail": f"a detail of step {number}",
        "exchange": {"sent": "a question", "received": "an answer", "expected": "another"},
        "stderr": "it wrote this",
    }


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    folder = tmp_path_factory.mktemp("visitors") / "league"
    folder.mkdir()
    tournaments = (
        Planned(name="sprint", at=PAST, games=8, looks=2, seed="123456789012345678901234567890"),
        Planned(name="final", at=FAR, games=4, looks=1, seed="234567890123456789012345678901"),
    )
    charter = Charter(
        rules=preset("ramesh-1"),
        seed="1234567890123456789",
        games=4,
        layouts=2,
        block_games=4,
        anchor=Anchor(bot="hunt_target@1"),
        closes=FAR,
        rivals=True,
        tournaments=tournaments,
    )
    write_charter(charter, folder / "league.toml")
    (folder / "about.md").write_text(ABOUT)
    ids: dict[str, str] = {}
    keys: dict[str, str] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clock, "now", lambda: NOW)
        league = League(folder, None, bundled_bots())
        for name, bot in BOTS:
            with league.candidate(bundled_bots()[bot], name) as candidate:
                league.admit(candidate)
        with Database(folder) as db:
            found = {}
            for name in ("ada", "bob", "cy", "dee", "eve"):
                keys[name] = new_invite(db, name.title())
                key = find_key(db, keys[name])
                assert key is not None
                found[name] = key
                if name in ("ada", "bob"):
                    db.execute("INSERT INTO names (name, invite) VALUES (?, ?)", (name, key.id))
            visitors = {name: Visitor((find_key(db, key),)) for name, key in keys.items()}
            play(folder, ids)
            allow_late(db, found["cy"].id, allowed=True)
            revoke(db, found["eve"].id)
            keys["operator"] = add_key(db, "operate")
            keys["reader"] = add_key(db, "read")
            keys["bob"] = add_key(db, "author", name="bob")
            for number, name in enumerate(("ada", "bob", "ada", "cy", "dee"), 1):
                upload(db, folder, visitors[name], name, number)
            accepted, refused, checked = (take_next(db) for _ in range(3))
            add_step(db, accepted, step(1, "It starts", "ok"))
            finish(db, accepted, "accepted", entry="ada@2")
            add_step(db, refused, step(1, "It starts", "ok"))
            add_step(db, refused, step(2, "It places its fleet", "failed"))
            finish(db, refused, "refused", reason="it fails its check: it places no fleet")
            add_step(db, checked, step(1, "It starts", "ok"))
            author = found["ada"].id
        with Challenges(folder) as challenges:
            challenge = ids["challenge"] = challenges.begin(author, "ada@2", "hunt_target@1")
            challenges.execute("UPDATE challenges SET seed = '7'")
            ids["waits"] = challenges.begin(author, "ada@2", "bob@1")
            league = open_league(folder)
            entries = {entry.full_name: entry for entry in league.entries}
            both = [league.entrant(entries[name]) for name in ("ada@2", "hunt_target@1")]
            found_one = challenges.find(challenge)
            assert found_one is not None
            play_challenge(league, challenges, found_one, both, choose("none"))
        yield Made(folder, keys, ids)


def ask(app: Guard, path: str, key: str | None = None, body: object = None, **more: str) -> Answer:
    """Ask as somebody with a key would, in a browser if nothing else is said."""
    headers = {"host": "here", "accept": "text/html"} | more
    if key is not None:
        headers["authorization"] = f"Bearer {key}"
    return asking.ask(app, path, body, **headers)


BLOCKS = frozenset(
    (
        "p",
        "div",
        "section",
        "article",
        "h1",
        "h2",
        "h3",
        "li",
        "tr",
        "pre",
        "table",
        "form",
        "summary",
        "title",
        "dt",
        "dd",
        "caption",
        "figure",
        "option",
        "textarea",
    )
)
SAID = ("href", "src", "data-post", "data-body", "data-sure", "data-to", "data-json", "action")
"""Attributes that say what a link or a button does."""

LEFT_OUT = ("nav", "footer", "svg", "style")
LONG_PRE = 4


class Reader(HTMLParser):
    """Reads a page: its text in lines, with the addresses of links and what buttons do."""

    def __init__(self) -> None:
        super().__init__()
        self.lines = [""]
        self._left_out = 0
        self._pre = 0
        self._ends: list[str] = []

    def handle_starttag(  # noqa: C901 - a case after another
        self, tag: str, attributes: list[tuple[str, str | None]]
    ) -> None:
        told = dict(attributes)
        if tag in LEFT_OUT or (tag == "script" and "src" not in told):
            self._left_out += 1
        if self._left_out or tag in ("link", "script"):
            return
        if tag in BLOCKS:
            self.lines.append("")
        if tag == "pre":
            self._pre = len(self.lines)
        if tag in ("td", "th"):
            self.lines[-1] += "| "
        if tag in ("input", "img", "iframe"):
            kept = ("name", "value", "placeholder", "min", "max", "src", "alt", "accept")
            self.lines[-1] += (
                "<" + " ".join(f"{one}={told[one]}" for one in kept if one in told) + ">"
            )
        if tag in ("a", "button", "form", "body", "figure"):
            words = " ".join(f"{told[name]}" for name in SAID if name in told)
            follows = told.get("data-follow")
            if tag == "body" and follows:
                words = f"follows {follows}"
            if tag in ("form", "body", "figure"):
                self.lines[-1] += f"<{words}>" if words else ""
            elif tag == "button" or not words.startswith("#"):
                self.lines[-1] += f"[{'hidden ' if 'hidden' in told else ''}"
                self._ends.append(f" -> {words}]" if words else "]")
            else:
                self._ends.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag in LEFT_OUT or (tag == "script" and self._left_out):
            self._left_out -= 1
            return
        if self._left_out:
            return
        if tag in ("a", "button"):
            self.lines[-1] += self._ends.pop()
        if tag in BLOCKS:
            self.lines.append("")
        if tag == "pre":
            block = self.lines[self._pre :]
            if len(block) > LONG_PRE:
                self.lines[self._pre :] = [*block[:2], f"... {len(block)} lines", ""]
            self._pre = 0
        if tag in ("td", "th"):
            self.lines[-1] += " "

    def handle_data(self, data: str) -> None:
        if self._left_out:
            return
        if self._pre:
            first, *others = data.split("\n")
            self.lines[-1] += first
            self.lines += others
        else:
            self.lines[-1] += re.sub(r"\s+", " ", data)

    @classmethod
    def read(cls, page: str) -> str:
        reader = cls()
        reader.feed(page.replace('<a class="skip" href="#main">To the content</a>', ""))
        lines = (line.rstrip() for line in reader.lines)
        return "\n".join(line for line in lines if line.strip())


WHO = ("stranger", "reader", "cy", "bob", "ada", "operator")
"""Who asks: nobody, who has the link for readers, an invite that was not used, two authors."""

PAGES = [
    "/",
    "/bots/ada",
    "/bots/nobody",
    "/games?bot=bob",
    "/games?before=0",
    "/games/GAME",
    "/games/FORFEIT",
    "/games/GAME/analysis",
    "/games/GAME/other",
    "/queue",
    "/rules",
    "/data",
    "/submit",
    "/submissions/submission-1",
    "/submissions/submission-2",
    "/submissions/submission-4",
    "/submissions/other",
    "/mine",
    "/mine/ada",
    "/operate",
    "/operate/sources?bot=ada@1&bot=ada@2",
    "/operate/sources",
    "/operate/sources?bot=nobody@1",
    "/operate/grades.csv",
    "/enter",
    "/enter?key=wrong",
    "/entered/author",
    "/entered/nobody",
    "/tournaments",
    "/tournaments/sprint",
    "/tournaments/final",
    "/tournaments/final/report.html",
    "/challenge",
    "/challenges/CHALLENGE",
    "/challenges/WAITS",
    "/challenges/other",
    "/play",
    "/play/other",
    "/live",
    "/live?game=other",
    "/embed/GAME",
    "/static/nothing",
    "/api/league",
    "/api/standings",
    "/api/bots",
    "/api/bots/ada",
    "/api/bots/nobody",
    "/api/games?limit=2",
    "/api/games?bot=bob&limit=1",
    "/api/games?limit=0",
    "/api/games?limit=1001",
    "/api/games/FORFEIT",
    "/api/queue",
    "/api/submissions/submission-2",
    "/api/tournaments",
    "/api/challenges/CHALLENGE",
    "/api/challenges/WAITS/live",
    "/api/live?game=GAME",
    "/api/live?bot=nobody",
    "/api/play/other",
    "/api/operate",
    "/data/elo.csv",
    "/data/turns.csv",
    "/data/games.csv",
]


def words(data: object, indent: str = "") -> str:
    """Return JSON in lines that are not too long, and of long lists the beginning alone."""
    line = json.dumps(data, ensure_ascii=False)
    if len(line) + len(indent) <= 160 or not isinstance(data, dict | list) or not data:
        return line
    deeper = indent + " "
    if isinstance(data, dict):
        told = [f"{deeper}{name}: {words(value, deeper)}" for name, value in data.items()]
        return "\n".join(["{", *told, f"{indent}}}"])
    told = [f"{deeper}{words(value, deeper)}" for value in data[:3]]
    more = [f"{deeper}... {len(data)} of them"] if len(data) > len(told) else []
    return "\n".join(["[", *told, *more, f"{indent}]"])


ON_EACH_PAGE = re.compile(r"Bots c[oa]me in|Tournament \[|.* - The autumn league$")


class Golden:
    """Writes down what visitors are told, without what differs from run to run."""

    def __init__(self, made: Made) -> None:
        self._made = made
        self._seen: dict[str, str] = {}
        self._first: dict[str, list[str]] = {}
        self.lines: list[str] = []

    def _plain(self, text: str) -> str:
        for name, key in self._made.keys.items():
            text = text.replace(key, f"KEY-OF-{name.upper()}")
        for name, identifier in self._made.ids.items():
            if name in ("challenge", "waits"):
                text = text.replace(identifier, name.upper())
        text = text.replace(str(self._made.folder), "FOLDER")
        for pattern, replacement in (
            (r"\[(\w{8}) -> /games/\1\w{8}\]", r"[\1 -> ...]"),
            (r"salvo_arena-.*?-any\.whl(#sha256=\w{64})?", "WHEEL"),
            (r"(latest \d+ answers half took up to).*", r"\1 ..."),
            (r'("(median|95% within|slowest)": )".*?"', r'\1"..."'),
            (r"(copies of bots|league|free) [\d.]+ MB", r"\1 ... MB"),
            (r'("(bots|league|free)": )\d+', r"\1..."),
            (r'(\["(?:place|shoot)".*), [\d.e-]+\]', r"\1, ...]"),
            (r'("at_s": )[\d.e-]+', r"\1..."),
            (r"( first -> /games/)\w{16}", r"\1..."),
            (r"/(play|challenges)/[0-9a-f]{16}", r"/\1/..."),
            (r"(?<=key=)[\w-]{32}|[2-9a-z]{5}(-[2-9a-z]{5}){3}", "A-NEW-KEY"),
            (r"(\d\.\d)\d{5,}", r"\1"),
            (r"(salvo_session=)[\w-]{32}|(salvo_player=)[\w-]{32}", r"\1\2..."),
            (r"submissions/[\w-]{16}(?![\w-])", "submissions/..."),
            (r'("id": )"[\w-]{16}", ("page": "http)', r'\1"...", \2'),
            (r"(fingerprint of its seed is )\w{32}", r"\1..."),
        ):
            text = re.sub(pattern, replacement, text)
        return text

    def tell(self, what: str, answers: Mapping[str, Answer]) -> None:
        """Write down what some visitors were answered, all who were answered alike at once."""
        self.lines += ["", f"=== {what}"]
        alike: dict[str, list[str]] = {}
        for name, one in answers.items():
            alike.setdefault(self._told(one), []).append(name)
        path = what.partition(": ")[2] or what
        for told, names in alike.items():
            others = [name for name in answers if name not in names]
            who = f"all but {', '.join(others)}" if others else "all"
            if len(names) <= len(others):
                who = ", ".join(names)
            status, _, text = told.partition("\n")
            self.lines.append(f"--- {who}: {status}")
            first = self._first.get(path)
            if text in self._seen:
                self.lines[-1] += f" (as at {self._seen[text]})"
            elif first and len(first) > 1 and status.startswith("200"):
                changes = list(difflib.unified_diff(first, text.splitlines(), n=0, lineterm=""))
                self.lines += [
                    line if line.startswith("+") else f"{line[:24]}..."
                    for line in changes[2:]
                    if not line.startswith("@@")
                ]
            elif text:
                self.lines.append(text)
                if status.startswith("200"):
                    self._first[path] = text.splitlines()
                if len(text) > 60:
                    self._seen[text] = what

    def _told(self, one: Answer) -> str:
        kind = one.headers.get("content-type", "").partition(";")[0]
        shown = "" if kind in ("text/html", "application/json") else kind
        head = f"{one.status} {one.headers.get('location', '')} {shown}"
        text = one.text
        if kind == "text/html":
            text = Reader.read(text)
            if self._seen:  # what stands on every page was told once
                lines = (line for line in text.splitlines() if not ON_EACH_PAGE.match(line))
                text = "\n".join(lines)
            text = text.partition("\nLines\nThe arena writes")[0]
            text = text.replace(str(self._made.folder), "FOLDER")  # however long it is
            text = re.sub(r"(?m)^(?!.* -> )(.{120}).+$", r"\1 ...", text)
        elif kind == "text/csv":
            text = "\n".join(text.splitlines()[:4])
        elif kind == "application/json":
            text = words(json.loads(text, parse_float=lambda number: round(float(number), 2)))
        for name in ("set-cookie", "content-disposition"):
            if name in one.headers:
                head += f" {name}: {one.headers[name]}"
        return self._plain(f"{' '.join(head.split())}\n{text.rstrip()}")


ACTIONS: tuple[tuple[str, Any], ...] = (
    ("/api/games/GAME/analyse", {}),
    ("/api/games/other/analyse", {}),
    ("/api/play", {"bot": "hunt_target@1", "seat": "first"}),
    ("/api/play", {"bot": "bob@1"}),
    ("/api/play", {"bot": "ada@1"}),
    ("/api/challenges", {"bot": "ada", "opponent": "bob@1"}),
    ("/api/challenges", {"bot": "bob", "opponent": "hunt_target@1"}),
    ("/api/challenges", {"bot": "bob", "opponent": "bob@1"}),
    ("/api/bots?name=ada&file=bot.py", b"a bot"),
    ("/api/bots?name=newcomer&file=bot.py", b"a bot"),
    ("/api/bots?name=ada&file=bot.py", b""),
    ("/api/bots?name=Ada&file=bot.py&draft=bob@1", b"a bot"),
    ("/api/bots?name=bob&file=bot.py&draft=bob@1", b"a bot"),
    ("/api/bots/bob/withdraw", {}),
    ("/api/bots/nobody/withdraw", {}),
    ("/api/operate/pause", {}),
    ("/api/operate/pause", {"more": 1}),
    ("/api/operate/resume", {}),
    ("/api/operate/workers", {"count": 1}),
    ("/api/operate/workers", {"count": 2}),
    ("/api/operate/workers", {"count": 0}),
    ("/api/operate/people", {"count": 0}),
    ("/api/operate/people", {"count": 3}),
    ("/api/operate/leave-out", {"bot": "hunt_target", "opponent": "uniform_random"}),
    ("/api/operate/count", {"bot": "hunt_target", "opponent": "uniform_random"}),
    ("/api/operate/invites", {"labels": ["Fay"]}),
    ("/api/operate/invites", {"labels": []}),
    ("/api/operate/late", {"invite": 4, "allowed": True}),
    ("/api/operate/late", {"invite": 4, "allowed": False}),
    ("/api/operate/late", {"invite": 99, "allowed": True}),
    ("/api/operate/renew", {"invite": 4}),
    ("/api/operate/renew", {"invite": 5}),
    ("/api/operate/renew", {"invite": 99}),
    ("/api/operate/revoke", {"invite": 4}),
    ("/api/operate/revoke", {"invite": 99}),
    ("/api/operate/link", {"name": "ada"}),
    ("/api/operate/link", {"name": "nobody"}),
    ("/api/operate/tournament", {"name": "extra", "at": "2098-01-01T00:00Z", "games": 4}),
    ("/api/operate/call-off", {"name": "extra"}),
    ("/api/operate/call-off", {"name": "sprint"}),
    ("/api/operate/date", {"field": "closes", "at": "2098-06-01T00:00Z"}),
    ("/api/operate/withdraw", {"name": "uniform_random"}),
    ("/api/operate/withdraw", {"name": "nobody"}),
    ("/api/operate/ban", {"name": "ada"}),
    ("/api/operate/ban", {"name": "hunt_target"}),
    ("/api/operate/link", {"name": "ada"}),
    ("/api/operate/forget", {"invite": 2}),
    ("/api/operate/reader", {}),
    ("/api/operate/nothing", {}),
)
"""What each visitor asks for, the operator last, and in this order."""


def test_visitors_are_told_what_they_were_told(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    # What is on the air stays there, however long the answers take.
    monkeypatch.setattr(channels, "time", SimpleNamespace(monotonic=lambda: 1000.0))
    app, _ = make_app(made.folder, Policy(hosts=frozenset({"here"})), "")
    golden = Golden(made)
    for path in PAGES:
        address = path
        for name, identifier in made.ids.items():
            address = address.replace(name.upper(), identifier)
        golden.tell(path, {who: ask(app, address, made.keys.get(who)) for who in WHO})
    public, _ = make_app(made.folder, Policy(hosts=frozenset({"here"}), public=True), "no sandbox")
    for path in ("/api/games?limit=2", "/submit", "/mine/ada", "/play", "/challenge", "/operate"):
        visitors = ("stranger", "ada")
        told = {who: ask(public, path, made.keys.get(who)) for who in visitors}
        golden.tell(f"public, where bots cannot be submitted: {path}", told)
    for path in ("/embed/GAME", "/games/GAME"):
        told = {"stranger": ask(public, path.replace("GAME", made.ids["game"]))}
        golden.tell(f"public: {path}", told)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clock, "now", lambda: FAR)
        for path in ("/submit", "/mine/ada", "/play", "/api/league"):
            told = {who: ask(app, path, made.keys.get(who)) for who in ("reader", "cy", "ada")}
            golden.tell(f"once the league has closed: {path}", told)
        upload = "/api/bots?name=ada&file=bot.py"
        told = {who: ask(app, upload, made.keys[who], b"a bot") for who in ("reader", "ada")}
        golden.tell(f"once the league has closed: {upload}", told)
    for path, body in ACTIONS:
        address = path.replace("GAME", made.ids["game"])
        told = {
            who: ask(app, address, made.keys.get(who), body, accept="application/json")
            for who in WHO
        }
        golden.tell(f"{path} {body}", told)
    for path in ("/api/operate", "/api/bots", "/api/queue"):
        golden.tell(f"then: {path}", {who: ask(app, path, made.keys.get(who)) for who in WHO})
    text = "\n".join(golden.lines).strip() + "\n"
    compare(text, GOLDEN)
