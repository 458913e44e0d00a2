"""Asks a server that speaks the chat-completions format."""

import contextlib
import json
import os
import socket
import threading
import time
from collections.abc import Mapping, Sequence
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import SplitResult, urlsplit

from arena import Unavailable

BUSY = (408, 425, 429, 500, 502, 503, 504)
"""What a server answers that may be well again in a moment."""

MOST_BYTES, MOST_TOKENS = 1_000_000, 10**9
"""More than this no server means in earnest."""

PAUSE_S = 1.0
"""How long to wait before such a server is asked again; each time twice as long."""


class Server:
    """A server that speaks the chat-completions format."""

    def __init__(self, url: str, model: str, key: str) -> None:
        self._url: SplitResult = urlsplit(url.rstrip("/") + "/chat/completions")
        self._model = model
        self._key = key
        self._headers = {"Content-Type": "application/json"}
        if key:
            self._headers["Authorization"] = f"Bearer {key}"

    def ask(self, messages: Sequence[Mapping[str, str]], until: float) -> tuple[str, int]:
        """Return the answer to a conversation, and the tokens that both took.

        Raises:
            TimeoutError: If none has come by ``until``, in monotonic seconds.
            Unavailable: If the server does not answer, or refuses to.
        """
        body = json.dumps({"model": self._model, "messages": messages, "temperature": 0})
        pause_s = PAUSE_S
        while True:
            status, text = self._post(body, until)
            if status == 200:  # noqa: PLR2004 - OK
                return _read(text)
            if status not in BUSY or time.monotonic() + pause_s > until:
                raise Unavailable(f"the server answered {status}: {text[:100]}")
            time.sleep(pause_s)
            pause_s *= 2

    def _post(self, body: str, until: float) -> tuple[int, str]:
        connection = self._connection(until)
        # A timeout of a socket is for each part of an answer: this one is for all of it.
        stop = threading.Timer(0, lambda: None)
        sent = False
        try:
            connection.connect()
            # The socket itself: the connection forgets it where the server is to close it.
            stop = threading.Timer(until - time.monotonic(), _hang_up, [connection.sock])
            stop.daemon = True
            stop.start()
            connection.request("POST", self._url.path, body, self._headers)
            sent = True
            answer = connection.getresponse()
            text = self._told(answer.read(MOST_BYTES + 1).decode("utf-8", "replace"))
        except (OSError, HTTPException, ValueError) as error:
            if sent and (isinstance(error, TimeoutError) or time.monotonic() >= until):
                raise TimeoutError from error
            raise Unavailable(f"{self._url.netloc} cannot be reached: {error}") from error
        else:
            if time.monotonic() >= until:
                raise TimeoutError
            if len(text) > MOST_BYTES:
                raise Unavailable(f"the server answered more than {MOST_BYTES:,} bytes")
            return answer.status, text
        finally:
            stop.cancel()
            connection.close()

    def _told(self, text: str) -> str:
        """Return a text without the key: what is cut off in the middle of it nobody recognises."""
        return text.replace(self._key, "***") if self._key else text

    def _connection(self, until: float) -> HTTPConnection:
        left_s = until - time.monotonic()
        if left_s <= 0:
            raise TimeoutError
        assert self._url.hostname is not None
        kind = HTTPSConnection if self._url.scheme == "https" else HTTPConnection
        # In the sandbox the only way out is a proxy that knows CONNECT alone, for HTTP as well.
        proxy = urlsplit(os.environ.get("HTTPS_PROXY", ""))
        if proxy.hostname is None:
            return kind(self._url.hostname, self._url.port, timeout=left_s)
        connection = kind(proxy.hostname, proxy.port, timeout=left_s)
        connection.set_tunnel(self._url.hostname, self._url.port or connection.default_port)
        return connection


def _hang_up(talker: socket.socket) -> None:
    with contextlib.suppress(OSError):
        talker.shutdown(socket.SHUT_RDWR)


def _read(text: str) -> tuple[str, int]:
    try:
        answer = json.loads(text)
        said = answer["choices"][0]["message"]["content"] or ""
        tokens = int((answer.get("usage") or {}).get("total_tokens") or 0)
        return str(said), min(max(tokens, 0), MOST_TOKENS)
    except (ValueError, ArithmeticError, LookupError, TypeError, AttributeError) as error:
        raise Unavailable(f"the server answered in another format: {text[:100]}") from error
    except RecursionError as error:
        raise Unavailable(f"the server answered in another format: {text[:100]}") from error
