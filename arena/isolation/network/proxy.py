"""The proxy of one box; it is a program, which ``Outlet`` starts.

    python -m arena.isolation.network.proxy PID HOST:PORT...

It opens its socket in the network namespace of the process PID, says so by a line, and serves
until its input ends. Of HTTP it knows one request, ``CONNECT``, to one of the addresses; no name
that a bot says is ever looked up. It is no root, and opens no file.
"""

import asyncio
import concurrent.futures.thread  # noqa: F401 - what looks names up; see _give_up_rights
import contextlib
import ctypes
import encodings.idna  # noqa: F401 - the same
import os
import resource
import socket
import sys
from collections.abc import Collection
from pathlib import Path

from arena.isolation.kernel import check, libc
from arena.isolation.network.addresses import PROXY, Address, parse_address, resolve

MOST_CONNECTIONS = 32
MAX_HEAD_BYTES = 8192
HEAD_S = 10.0
CONNECT_S = 15.0

_CHUNK_BYTES = 65_536
_NOBODY = 65_534
_FILES = 256


def main() -> None:
    """Serve; see the module."""
    pid, allowed = int(sys.argv[1]), frozenset(map(parse_address, sys.argv[2:]))
    listener = _listening_in(pid)
    _give_up_rights()
    asyncio.run(_serve(listener, allowed))


def _listening_in(pid: int) -> socket.socket:
    """Return a socket that listens in the network namespace of a process.

    An ordinary user cannot come back from there, so that a child goes, and sends the socket.
    """
    ours, theirs = socket.socketpair()
    child = os.fork()
    if child == 0:
        code = 1
        with contextlib.suppress(OSError):
            _enter(pid)
            listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
            # The namespace has nothing but its own loopback, which may not be up yet.
            listener.bind(("0.0.0.0", PROXY.port))  # noqa: S104 - see above
            listener.listen(MOST_CONNECTIONS)
            socket.send_fds(theirs, [b"."], [listener.fileno()])
            code = 0
        os._exit(code)
    theirs.close()
    with ours:
        _, descriptors, *_ = socket.recv_fds(ours, 1, 1)
    os.waitpid(child, 0)
    if not descriptors:
        raise SystemExit("the network of the box cannot be entered")
    return socket.socket(fileno=descriptors[0])


def _enter(pid: int) -> None:
    assert libc is not None
    for kind in ("user", "net"):
        place = Path(f"/proc/{pid}/ns/{kind}")
        if place.stat().st_ino == Path(f"/proc/self/ns/{kind}").stat().st_ino:
            if kind == "net":
                raise OSError("the box has no network of its own")
            continue
        descriptor = os.open(place, os.O_RDONLY)
        check(libc.setns(ctypes.c_int(descriptor), ctypes.c_int(0)))
        os.close(descriptor)


def _give_up_rights() -> None:
    # What is imported later may not be readable any more.
    if os.geteuid() == 0:
        os.setgroups([])
        os.setresgid(_NOBODY, _NOBODY, _NOBODY)
        os.setresuid(_NOBODY, _NOBODY, _NOBODY)
    resource.setrlimit(resource.RLIMIT_NOFILE, (_FILES, _FILES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


async def _serve(listener: socket.socket, allowed: Collection[Address]) -> None:
    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(sys.stdin.fileno(), ended.set)
    free = asyncio.Semaphore(MOST_CONNECTIONS)

    async def serve_one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError, TimeoutError):
            if free.locked():
                await _refuse(writer, "503 Too many connections", "end others first")
            else:
                async with free:
                    await _tunnel(reader, writer, allowed)
        writer.close()

    server = await asyncio.start_server(serve_one, sock=listener, limit=MAX_HEAD_BYTES)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    await ended.wait()
    server.close()
    # What still talks ends with this process.
    os._exit(0)


async def _tunnel(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, allowed: Collection[Address]
) -> None:
    try:
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), HEAD_S)
    except asyncio.LimitOverrunError:
        await _refuse(writer, "431 Too large", f"a request has {MAX_HEAD_BYTES} bytes at most")
        return
    words = head.split(b"\r\n", 1)[0].split(b" ")
    if len(words) != 3 or words[0] != b"CONNECT" or words[2] not in {b"HTTP/1.1", b"HTTP/1.0"}:  # noqa: PLR2004 - the words of a request
        await _refuse(writer, "405 Method not allowed", "this proxy knows CONNECT HOST:PORT only")
        return
    try:
        address = parse_address(words[1].decode("ascii"))
    except ValueError:
        await _refuse(writer, "400 Bad request", "this is no HOST:PORT")
        return
    if address not in allowed:
        known = ", ".join(sorted(map(str, allowed)))
        await _refuse(writer, "403 Forbidden", f"this bot may reach {known} only")
        return
    try:
        there = await _connected(address)
    except (OSError, TimeoutError) as error:
        await _refuse(
            writer,
            "502 Bad gateway",
            f"{address} is not reached: {str(error) or 'it takes too long'}",
        )
        return
    writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
    await _relay((reader, writer), there)


async def _connected(address: Address) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(CONNECT_S):
        numbers = await loop.run_in_executor(None, resolve, address)
        for number in numbers[:-1]:
            with contextlib.suppress(OSError):
                return await asyncio.open_connection(number, address.port)
        return await asyncio.open_connection(numbers[-1], address.port)


async def _relay(
    *ends: tuple[asyncio.StreamReader, asyncio.StreamWriter],
) -> None:
    (one, to_one), (other, to_other) = ends
    tasks = [
        asyncio.create_task(_copy(source, target))
        for source, target in ((one, to_other), (other, to_one))
    ]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        to_other.close()


async def _copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    while data := await source.read(_CHUNK_BYTES):
        target.write(data)
        await target.drain()
    with contextlib.suppress(OSError):
        target.write_eof()


async def _refuse(writer: asyncio.StreamWriter, status: str, why: str) -> None:
    text = f"{why}\n".encode()
    writer.write(
        f"HTTP/1.1 {status}\r\nContent-Type: text/plain\r\nContent-Length: {len(text)}\r\n"
        "Connection: close\r\n\r\n".encode()
        + text
    )
    await writer.drain()


if __name__ == "__main__":
    main()
