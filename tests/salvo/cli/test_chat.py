"""The chat bot plays by what a server says, and goes on where that is of no use."""

import itertools
import json
import re
import runpy
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from arena import Unavailable
from arena.isolation import Extra, refused

Salvo = Callable[..., Any]

CHAT = Path(__file__).parents[3] / "examples" / "chat"
KEY = "sk-8d2f60aa41c3"

SMALL = ("--rules", "ramesh-1", "--seed", "1")
"""Four rows and columns, and one shot a turn."""


Reply = Callable[[list[dict[str, str]]], "str | int"]
"""Returns what the model says to a conversation, or the status of a refusal."""


class ChatServer(ThreadingHTTPServer):
    """The server; it keeps what it was asked."""

    daemon_threads = True

    def __init__(self, reply: Reply) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.reply = reply
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []

    @property
    def address(self) -> str:
        """Return where it is, as HOST:PORT."""
        return f"localhost:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    server: ChatServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(body)
        self.server.keys.append(self.headers["Authorization"])
        said = self.server.reply(body["messages"])
        answer: dict[str, Any] = {"error": {"message": f"refused {self.headers['Authorization']}"}}
        if isinstance(said, str):
            message = {"role": "assistant", "content": said}
            answer = {"choices": [{"message": message}], "usage": {"total_tokens": 100}}
        data = json.dumps(answer).encode()
        self.send_response(200 if isinstance(said, str) else said)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def chat_server(reply: Reply) -> Iterator[ChatServer]:
    """Yield a server that listens."""
    with ChatServer(reply) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def in_order(messages: list[dict[str, str]]) -> str:
    """Shoot the first cells of the board that are not shot yet."""
    board = messages[1]["content"]
    wanted = re.search(r"Answer with (\d+|one)", messages[-1]["content"])
    assert wanted is not None
    count = 1 if wanted[1] == "one" else int(wanted[1])
    rows = re.findall(r"^([A-Z]{1,2}) +([.Xo ]+)$", board, re.MULTILINE)
    free = [
        f"{letters}{column}"
        for letters, cells in rows
        for column, mark in enumerate(cells.split(), 1)
        if mark == "."
    ]
    return "I think, for example of B2, and so:\n" + " ".join(free[:count])


def slowly(messages: list[dict[str, str]]) -> str:
    """Answer too late."""
    time.sleep(3)
    return in_order(messages)


def bot_for(address: str, folder: Path, *, key: bool = False) -> str:
    """Return a copy of the example that asks a server of one's own."""
    bot = folder / "chat"
    shutil.copytree(CHAT, bot, ignore=shutil.ignore_patterns("__pycache__"))
    text = (bot / "bot.toml").read_text(encoding="utf-8")
    assert "localhost:8080" in text
    text = text.replace("localhost:8080", address)
    if key:
        text = text.replace('any"', 'any --key CHAT_KEY"') + 'secrets = ["CHAT_KEY"]\n'
    (bot / "bot.toml").write_text(text, encoding="utf-8")
    return str(bot)


def reported(salvo: Salvo) -> dict[str, float]:
    data = json.loads(salvo("standings", "--format", "json").out)
    return {row["number"]: row["mean"] for row in data["reported"]}


def test_chat_bot_plays_in_the_sandbox(tmp_path: Path, salvo: Salvo) -> None:
    if why := refused(Extra.NETWORK):
        pytest.skip(f"no box has the network here: {why}")
    with chat_server(in_order) as server:
        bot = bot_for(server.address, tmp_path)
        played = salvo(
            *("solo", bot, *SMALL, "--layouts", "2", "--isolation", "sandbox"),
            *("--log", "logs", "--allow-network", server.address),
        )
    assert played.code == 0, played.err
    assert "forfeit" not in played.out + played.err
    assert "tokens" in played.out
    told = reported(salvo)
    assert told["retries"] == told["random_salvos"] == 0
    assert told["tokens"] == pytest.approx(100 * told["asked"])
    assert len(server.asked) == pytest.approx(2 * told["asked"])
    assert "Had the network" in played.out
    text = "".join(path.read_text("utf-8") for path in Path("logs").rglob("*-chat.log"))
    assert "> You play Battleship. The board has cells A1 to D4" in text
    assert "< I think, for example of B2, and so:\n< A1\n" in text
    assert server.keys[0] is None


ILLEGAL = {
    "I would rather not.": "You named 0 cells. Answer with one cell marked .",
    "Z9": "Z9 is not on the board: rows A to D, columns 1 to 4.",
    "D4 D4": "D4 is there twice.",
    "D3 D4": "You named 2 cells.",
}
"""Answers of a model that are no legal shots, and what the bot then tells it."""


def test_illegal_answer_is_asked_for_once_more(tmp_path: Path, salvo: Salvo) -> None:
    illegal = itertools.cycle(ILLEGAL)

    def reply(messages: list[dict[str, str]]) -> str:
        return next(illegal) if len(messages) == 2 else in_order(messages)

    with chat_server(reply) as server:
        bot = bot_for(server.address, tmp_path)
        options = ("--layouts", "1", "--isolation", "none", "--allow-network", server.address)
        played = salvo("solo", bot, *SMALL, *options)
    assert played.code == 0, played.err
    numbers = reported(salvo)
    assert numbers["random_salvos"] == 0
    assert numbers["asked"] == 2 * numbers["retries"]
    roles = ["system", "user", "assistant", "user"]
    assert len(server.asked) >= 2 * len(ILLEGAL)
    for again, told in zip(server.asked[1::2], ILLEGAL.values(), strict=False):
        assert [message["role"] for message in again["messages"]] == roles
        assert told in again["messages"][-1]["content"]


def test_cell_that_was_shot_already_is_not_shot_again(tmp_path: Path, salvo: Salvo) -> None:
    with chat_server(lambda _: "A1") as server:
        bot = bot_for(server.address, tmp_path)
        options = ("--layouts", "1", "--isolation", "none", "--allow-network", server.address)
        played = salvo("solo", bot, *SMALL, *options)
    assert played.code == 0, played.err
    assert "forfeit" not in played.out
    assert "A1 was shot already." in server.asked[2]["messages"][-1]["content"]
    numbers = reported(salvo)
    assert numbers["random_salvos"] == numbers["retries"] >= 1


def test_slow_model_leaves_the_salvo_to_chance(tmp_path: Path, salvo: Salvo) -> None:
    with chat_server(slowly) as server:
        bot = bot_for(server.address, tmp_path)
        options = ("--layouts", "1", "--isolation", "none", "--allow-network", server.address)
        played = salvo("solo", bot, *SMALL, *options, "--move-time", "0.7", "--log", "logs")
    assert played.code == 0, played.err
    assert "forfeit" not in played.out
    assert reported(salvo)["random_salvos"] >= 1
    assert "! no answer in time" in next(Path("logs").rglob("*-chat.log")).read_text("utf-8")


@pytest.mark.parametrize("status", [401, 503])
def test_server_that_refuses_is_an_outage_and_tells_no_key(
    status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, salvo: Salvo
) -> None:
    monkeypatch.setenv("CHAT_KEY", KEY)
    with chat_server(lambda _: status) as server:
        bot = bot_for(server.address, tmp_path, key=True)
        played = salvo(
            *("solo", bot, *SMALL, "--layouts", "1", "--isolation", "none", "--log", "logs"),
            *("--allow-network", server.address, "--secret", "chat=CHAT_KEY"),
        )
    assert set(server.keys) == {f"Bearer {KEY}"}
    assert f"the server answered {status}: " in played.err
    assert "refused Bearer ***" in played.err
    assert KEY not in played.out + played.err
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert not any(KEY.encode() in path.read_bytes() for path in files)


def test_key_that_an_error_quotes_is_told_in_no_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, salvo: Salvo
) -> None:
    # The reason of an outage is cut after a hundred characters, in the middle of this key.
    key = "sk-" + "0123456789" * 20
    monkeypatch.setenv("CHAT_KEY", key)
    with chat_server(lambda _: 401) as server:
        bot = bot_for(server.address, tmp_path, key=True)
        played = salvo(
            *("solo", bot, *SMALL, "--layouts", "1", "--isolation", "none", "--log", "logs"),
            *("--allow-network", server.address, "--secret", "chat=CHAT_KEY"),
        )
    assert "refused Bearer ***" in played.err
    assert key[:8] not in played.out + played.err
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert not any(key[:8].encode() in path.read_bytes() for path in files)


def test_server_that_is_not_there_is_an_outage(tmp_path: Path, salvo: Salvo) -> None:
    with chat_server(in_order) as server:
        address = server.address
    bot = bot_for(address, tmp_path)
    options = ("--layouts", "1", "--isolation", "none", "--allow-network", address)
    played = salvo("solo", bot, *SMALL, *options)
    assert played.code != 0
    assert f"{address} cannot be reached" in played.err


def test_chat_bot_passes_the_check(tmp_path: Path, salvo: Salvo) -> None:
    if why := refused(Extra.NETWORK):
        pytest.skip(f"no box has the network here: {why}")
    with chat_server(in_order) as server:
        bot = bot_for(server.address, tmp_path)
        options = ("--rules", "ramesh-1", "--isolation", "sandbox")
        checked = salvo("check", bot, *options, "--allow-network", server.address)
    assert checked.code == 0, checked.out


def test_league_does_not_start_it_unless_its_charter_has_the_network(
    tmp_path: Path, salvo: Salvo
) -> None:
    with chat_server(in_order) as server:
        bot = bot_for(server.address, tmp_path)
        league = ("--league", str(tmp_path / "league"), "--isolation", "none")
        amount = ("--games", "2", "--layouts", "1")
        assert salvo("submit", "uniform_random", *league, *SMALL, *amount).code == 0
        refusal = salvo("submit", bot, *league).mistake
    assert f"asks to reach {server.address}, and no bot may" in refusal
    assert server.asked == []


@pytest.fixture(scope="module")
def ask() -> Callable[[str, float], object]:
    """Return how the example asks a server, given its address and how long that may take."""
    server = runpy.run_path(str(CHAT / "completions.py"))["Server"]

    def ask(address: str, patience_s: float) -> object:
        asked = server(f"http://{address}/v1", "model", "")
        return asked.ask([{"role": "user", "content": "B2"}], time.monotonic() + patience_s)

    return ask


def answer(content: object, tokens: object = 1) -> bytes:
    told = {"choices": [{"message": {"content": content}}], "usage": {"total_tokens": tokens}}
    return json.dumps(told).encode()


RAW = {
    "nothing": b"",
    "no HTTP": b"hello\r\n\r\n",
    "no JSON": b"HTTP/1.1 200 OK\r\n\r\nhello",
    "another format": b'HTTP/1.1 200 OK\r\n\r\n{"choices": []}',
    "nested": b"HTTP/1.1 200 OK\r\n\r\n" + b"[" * 100_000,
    "endless tokens": b"HTTP/1.1 200 OK\r\n\r\n" + answer("A1", 1e999),
    "a redirect": b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n",
    "a wrong length": b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{}",
    "too much": b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 2_000_000,
}


@contextmanager
def raw_server(data: bytes, pause_s: float = 0.0, begin: bytes = b"") -> Iterator[str]:
    """Yield the address of a server that answers everything alike, a byte at a time with pauses."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            while True:
                try:
                    talker, _ = listening.accept()
                except OSError:
                    return
                with talker, suppress(OSError):
                    talker.recv(65_536)
                    talker.sendall(begin)
                    for place in range(len(data) if pause_s else 0):
                        talker.sendall(data[place : place + 1])
                        time.sleep(pause_s)
                    talker.sendall(b"" if pause_s else data)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield f"localhost:{listening.getsockname()[1]}"
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            thread.join()


@pytest.mark.parametrize("name", RAW)
def test_server_that_answers_nonsense_is_an_outage(
    name: str, ask: Callable[[str, float], object]
) -> None:
    with raw_server(RAW[name]) as address, pytest.raises(Unavailable):
        ask(address, 2.5)


def test_outage_is_no_fault_of_the_bot(tmp_path: Path, salvo: Salvo) -> None:
    with raw_server(RAW["nested"]) as address:
        bot = bot_for(address, tmp_path)
        options = ("--layouts", "1", "--isolation", "none", "--allow-network", address)
        played = salvo("solo", bot, *SMALL, *options, "--move-time", "3")
    assert "says that it cannot go on" in played.err, played
    assert "forfeit" not in played.out + played.err
    assert "Traceback" not in played.err


@pytest.mark.parametrize(
    "begin",
    [
        b"",
        b"HTTP/1.1 200 OK\r\n\r\n",
        b"HTTP/1.0 200 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\nfff\r\n",
    ],
    ids=["head", "until it closes", "an old one", "by its length", "in pieces"],
)
def test_server_that_answers_a_byte_at_a_time_takes_no_longer_than_it_may(
    begin: bytes, ask: Callable[[str, float], object]
) -> None:
    slow = raw_server(b"HTTP/1.1 200 OK" * 1000, 0.05, begin)
    with slow as address, pytest.raises(TimeoutError):
        ask(address, 0.7)


def test_endless_answer_is_neither_logged_whole_nor_a_fault(tmp_path: Path, salvo: Salvo) -> None:
    with chat_server(lambda messages: "x " * 400_000 + "\n" + in_order(messages)) as server:
        bot = bot_for(server.address, tmp_path)
        options = ("--layouts", "1", "--isolation", "none", "--allow-network", server.address)
        played = salvo("solo", bot, *SMALL, *options, "--log", "logs")
    assert played.code == 0, played.err
    assert "forfeit" not in played.out
    assert reported(salvo)["random_salvos"] == 0
    assert next(Path("logs").rglob("*-chat.log")).stat().st_size < 500_000
