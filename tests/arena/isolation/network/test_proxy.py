"""A bot in the sandbox reaches the addresses that it was allowed, and nothing else."""

import os
import socket
import socketserver
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from arena.isolation import Child, Extra, Level, Program, children_of, refused, start
from arena.player import ProcessTransport

PATIENCE_S = 25.0
REACHED = b"reached the server"

Make = Callable[..., Program]
Start = Callable[[Level, Program], Child]

sandbox = pytest.mark.parametrize("level", [Level.SANDBOX], indirect=True)

ASK = r"""
import socket, sys, os
def ask(data, more=b""):
    talker = socket.create_connection(("127.0.0.1", 3128), 5)
    talker.sendall(data)
    said = talker.recv(4096)
    if said.startswith(b"HTTP/1.1 200"):
        talker.sendall(more or b"hello\n")
        while data := talker.recv(4096):
            said += data
    return said
def connect(address):
    return ask(f"CONNECT {address} HTTP/1.1\r\nHost: x\r\n\r\n".encode("latin-1"))
"""

BY_PROXY = [
    *("127.0.0.1:1", "127.0.0.2:{port}", "localhost:{port}", "[::1]:{port}", "0.0.0.0:{port}"),
    *("127.1:{port}", "0x7f.1:{port}", "2130706433:{port}", "0177.0.0.1:{port}"),
    *("[::ffff:127.0.0.1]:{port}", "127.0.0.1.:1", "user@127.0.0.1:1", "127.0.0.1:{port}@x:80"),
    *("169.254.169.254:80", "[fd00:ec2::254]:80", "metadata.google.internal:80", "10.0.0.1:443"),
    *("example.org:443", "127.0.0.1", ":{port}", "127.0.0.1:0{port}", "127.0.0.1:{port}0"),
    *("127.0.0.1:{port}\t", "*:{port}", "127.0.0.1:{port}#", "127.0.0.1:{port}/", "\x00:1"),
]
BY_REQUEST = [
    r"GET http://127.0.0.1:{port}/ HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n",
    r"POST http://127.0.0.1:{port}/ HTTP/1.1\r\n\r\n",
    r"connect 127.0.0.1:{port} HTTP/1.1\r\n\r\n",
    r"CONNECT  127.0.0.1:{port} HTTP/1.1\r\n\r\n",
    r"CONNECT example.org:443 HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n",
    r"CONNECT example.org:443 HTTP/1.1\r\n\r\nCONNECT 127.0.0.1:{port} HTTP/1.1\r\n\r\n",
    r"\x05\x01\x00\x01\x7f\x00\x00\x01\r\n\r\n",
    r"\r\n\r\n",
]
BY_SOCKET = [
    "socket.create_connection(('127.0.0.1', {port}), 2)",
    "socket.create_connection(('127.0.0.2', {port}), 2)",
    "socket.create_connection(('10.0.0.1', 80), 2)",
    "socket.create_connection(('169.254.169.254', 80), 2)",
    "socket.create_connection(('localhost', {port}), 2)",
    "socket.create_connection(('::1', {port}), 2)",
    "socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
    "socket.socket(socket.AF_INET6, socket.SOCK_STREAM)",
    "socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)",
    "socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)",
    "socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)",
    "socket.socket(socket.AF_INET, socket.SOCK_STREAM, 132) and sys.exit()",
    "socket.socket(socket.AF_PACKET, socket.SOCK_RAW)",
    "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
    "socket.socket(40, socket.SOCK_STREAM)",
    "socket.socket().bind(('127.0.0.1', 4000))",
    "socket.socket().listen()",
    "socket.socket().setsockopt(0, 8, 1)",
    "socket.socket().setsockopt(socket.SOL_SOCKET, 25, b'lo')",
    "socket.socket().setsockopt(socket.SOL_SOCKET, 36, 1)",
    "socket.getaddrinfo('example.org', 443)",
]


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


class _Answer(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        self.rfile.readline()
        self.wfile.write(REACHED)


@pytest.fixture
def port() -> Iterator[int]:
    """Yield the port of a server on the loopback of the arena."""
    with _Server(("127.0.0.1", 0), _Answer) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield server.server_address[1]
        server.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def _has_network(level: Level) -> None:
    assert level is Level.SANDBOX
    if why := refused(Extra.NETWORK):
        pytest.skip(f"no box has the network here: {why}")


def said_by(child: Child) -> bytes:
    return ProcessTransport(child).receive(time.monotonic() + PATIENCE_S)


@sandbox
def test_bot_reaches_what_it_was_allowed(
    level: Level, started: Start, program: Make, port: int
) -> None:
    code = f"{ASK}\nprint(connect('127.0.0.1:{port}'), flush=True)"
    said = said_by(started(level, program(code, network=(f"127.0.0.1:{port}",))))
    assert b"200 Connection established" in said
    assert REACHED in said


@sandbox
def test_clients_find_the_way_by_themselves(
    level: Level, started: Start, program: Make, port: int
) -> None:
    code = f"""
import urllib.request
try:
    urllib.request.urlopen("https://127.0.0.1:{port}/", timeout=5)
except OSError as error:
    print(error, flush=True)  # the server does not speak TLS, and so it was reached
"""
    said = said_by(started(level, program(code, network=(f"127.0.0.1:{port}",))))
    assert b"SSL" in said


@sandbox
def test_what_was_not_allowed_is_not_reached_by_the_proxy(
    level: Level, started: Start, program: Make, port: int
) -> None:
    addresses = [address.format(port=port) for address in BY_PROXY]
    requests = [text.format(port=port) for text in BY_REQUEST]
    asked = ", ".join(f'b"{request}"' for request in requests)
    code = f"""{ASK}
for address in {addresses!r}:
    said = connect(address)
    if not said.startswith(b"HTTP/1.1 4"):
        print(address, said)
for request in [{asked}]:
    said = ask(request)
    if not said.startswith(b"HTTP/1.1 4"):
        print(request, said)
print("end", flush=True)
"""
    child = started(level, program(code, network=(f"127.0.0.1:{port}",)))
    assert said_by(child) == b"end\n"


@sandbox
def test_no_other_socket_reaches_anything(
    level: Level, started: Start, program: Make, port: int
) -> None:
    attacks = [attack.format(port=port) for attack in BY_SOCKET]
    code = f"""{ASK}
for attack in {attacks!r}:
    try:
        eval(attack)
    except OSError:
        continue
    print(attack)
print("end", flush=True)
"""
    child = started(level, program(code, network=(f"127.0.0.1:{port}",)))
    assert said_by(child) == b"end\n"


@sandbox
def test_bot_without_leave_has_no_socket_and_no_proxy(
    level: Level, started: Start, program: Make
) -> None:
    code = f"""{ASK}
try:
    connect("127.0.0.1:1")
except OSError as error:
    print(error.strerror, os.environ.get("HTTPS_PROXY"), flush=True)
"""
    assert said_by(started(level, program(code))) == b"Operation not permitted None\n"


@sandbox
def test_bot_inherits_nothing_of_how_its_box_was_opened(
    level: Level, started: Start, program: Make
) -> None:
    code = "import os; print(sorted(os.listdir('/proc/self/fd'))[:4], flush=True)"
    with_network = said_by(started(level, program(code, network=("127.0.0.1:9",))))
    assert with_network == said_by(started(level, program(code)))


@sandbox
def test_more_connections_than_may_be_are_refused(
    level: Level, started: Start, program: Make, port: int
) -> None:
    code = f"""{ASK}
kept, said = [], b""
for _ in range(40):
    talker = socket.create_connection(("127.0.0.1", 3128), 5)
    talker.sendall(b"CONNECT 127.0.0.1:{port} HTTP/1.1\\r\\n\\r\\n")
    said = talker.recv(100)
    if not said.startswith(b"HTTP/1.1 200"):
        break
    kept.append(talker)
print(len(kept), said[:12], flush=True)
"""
    child = started(level, program(code, network=(f"127.0.0.1:{port}",)))
    assert said_by(child) == b"32 b'HTTP/1.1 503'\n"


@sandbox
def test_head_without_end_is_refused(
    level: Level, started: Start, program: Make, port: int
) -> None:
    code = f"""{ASK}
try:
    print(ask(b"CONNECT 127.0.0.1:{port} HTTP/1.1\\r\\n" + b"x" * 100_000)[:12], flush=True)
except OSError as error:
    print("cut off", flush=True)
"""
    child = started(level, program(code, network=(f"127.0.0.1:{port}",)))
    assert said_by(child) in {b"b'HTTP/1.1 431'\n", b"cut off\n"}


@sandbox
def test_proxy_ends_with_its_bot_and_is_no_root(
    level: Level, started: Start, program: Make, port: int
) -> None:
    before = set(children_of(os.getpid()))
    code = 'print("ready", flush=True); input()'
    child = started(level, program(code, network=(f"127.0.0.1:{port}",)))
    assert said_by(child) == b"ready\n"
    (proxy,) = set(children_of(os.getpid())) - before - {child.pid}
    assert b"arena.isolation.network.proxy" in Path(f"/proc/{proxy}/cmdline").read_bytes()
    uids = Path(f"/proc/{proxy}/status").read_text().partition("Uid:")[2].split()[:4]
    assert "0" not in uids
    assert os.getsid(proxy) != os.getsid(0)  # Ctrl-C leaves it to the arena to end it
    child.kill()
    assert not Path(f"/proc/{proxy}").exists()


@sandbox
@pytest.mark.parametrize("fault", [{"argv": ("/nonexistent",)}, {"network": ("nowhere",)}])
def test_bot_that_does_not_start_leaves_nothing_open(
    level: Level, program: Make, fault: dict[str, Any]
) -> None:
    network = program("", network=("localhost:1",))
    start(level, network).kill()
    before = len(list(Path("/proc/self/fd").iterdir())), children_of(os.getpid())
    with pytest.raises(OSError, match=r"No such file|the proxy"):
        start(level, replace(network, **fault))
    assert (len(list(Path("/proc/self/fd").iterdir())), children_of(os.getpid())) == before


ARENA = """
import os, sys, time
from arena.isolation import Level, Program, children_of, start
code = "import time; time.sleep(600)"
program = Program((sys.executable, "-c", code), "/", (), network=("localhost:1",))
child = start(Level(sys.argv[1]), program)
print(*set(children_of(os.getpid())) - {child.pid}, flush=True)
time.sleep(600)
"""


@sandbox
def test_proxy_ends_when_the_arena_is_killed(level: Level) -> None:
    with subprocess.Popen([sys.executable, "-c", ARENA, level], stdout=subprocess.PIPE) as arena:
        assert arena.stdout is not None
        proxy = Path(f"/proc/{int(arena.stdout.readline())}/cmdline")
        assert b"arena.isolation.network.proxy" in proxy.read_bytes()
        arena.kill()
    until = time.monotonic() + PATIENCE_S
    while proxy.exists() and proxy.read_bytes() and time.monotonic() < until:
        time.sleep(0.02)
    assert not proxy.exists() or not proxy.read_bytes()


@sandbox
def test_two_bots_have_a_way_each(level: Level, started: Start, program: Make, port: int) -> None:
    code = f"{ASK}\nprint(connect('127.0.0.1:{port}')[:12], flush=True); input()"
    one = started(level, program(code, network=(f"127.0.0.1:{port}",)))
    with socket.create_server(("127.0.0.1", 0)) as other:
        allowed = f"127.0.0.1:{other.getsockname()[1]}"
        two = started(level, program(code, network=(allowed,)))
        assert said_by(one) == b"b'HTTP/1.1 200'\n"
        assert said_by(two) == b"b'HTTP/1.1 403'\n"
