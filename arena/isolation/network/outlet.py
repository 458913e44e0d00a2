"""Starts the proxy of a box, before the bot in it runs."""

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Sequence

from arena.isolation.network.addresses import PROXY

STARTS_S = 20.0
"""Time for a box, and for its proxy, to start."""

VARIABLES = dict.fromkeys(
    ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"), f"http://{PROXY}"
)
"""By these clients find the proxy; HTTP without TLS has none, since no such request is known."""


class Outlet:
    """The way out of one box. Give the box ``descriptors``, then ``open`` it.

    The box says which process it is by the first descriptor, and waits at the second until the
    proxy listens.
    """

    def __init__(self, allowed: Sequence[str]) -> None:
        self._allowed = allowed
        self._info, info = os.pipe()
        block, self._block = os.pipe()
        self.descriptors = (info, block)
        self._held = {*self.descriptors, self._info, self._block}
        self._proxy: subprocess.Popen[bytes] | None = None

    def open(self, bind: Callable[[], None] | None) -> None:
        """Start the proxy, and let the bot begin; ``bind`` is called in its process before exec.

        Raises:
            OSError: If the box or the proxy does not start.
        """
        try:
            # While these are open here, what is read below has no end.
            self._let_go(*self.descriptors)
            box = json.loads(_all_of(self._info))["child-pid"]
            self._proxy = subprocess.Popen(
                [
                    *(sys.executable, "-I", "-m", "arena.isolation.network.proxy"),
                    *(str(box), *self._allowed),
                ],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                cwd="/",
                env={},
                start_new_session=True,
                preexec_fn=bind,  # noqa: PLW1509 - single-threaded workers start bots
            )
            assert self._proxy.stdout is not None
            with self._proxy.stdout as said:
                if _line_of(said.fileno()) != b"ready\n":
                    raise OSError("the proxy for its network did not start")
            os.write(self._block, b".")
        except (ValueError, KeyError) as error:
            raise OSError("its box did not start, or has no network of its own") from error
        finally:
            self._let_go(self._info, self._block)

    def close(self) -> None:
        """End the proxy, and with it all that the bot was connected to."""
        self._let_go(*self.descriptors, self._info, self._block)
        if self._proxy is not None:
            self._proxy.kill()
            self._proxy.wait()
            if self._proxy.stdin is not None:
                self._proxy.stdin.close()
            self._proxy = None

    def _let_go(self, *descriptors: int) -> None:
        """Close those of the descriptors that are still held."""
        for descriptor in self._held.intersection(descriptors):
            os.close(descriptor)
            self._held.remove(descriptor)


def _all_of(descriptor: int) -> bytes:
    return _read(descriptor, lambda _: False)


def _line_of(descriptor: int) -> bytes:
    return _read(descriptor, lambda text: text.endswith(b"\n"))


def _read(descriptor: int, is_whole: Callable[[bytes], bool]) -> bytes:
    text, until = b"", time.monotonic() + STARTS_S
    while not is_whole(text):
        ready, *_ = select.select([descriptor], [], [], max(until - time.monotonic(), 0))
        data = os.read(descriptor, 4096) if ready else b""
        if not data:
            break
        text += data
    return text
