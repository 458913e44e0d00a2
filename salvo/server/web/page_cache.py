"""Keeps pages that are made once for all who ask."""

import gzip
import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response


class CachedPage:
    """A page that was made, for all who ask until it changes.

    ``rated`` is ``Live.rated`` when it was made; 0 for one that never changes.
    """

    def __init__(self, rated: int, page: bytes) -> None:
        self.rated = rated
        self._packed = gzip.compress(page, 5)
        self._tag = f'"{hashlib.sha256(page).hexdigest()[:16]}"'

    def answer(self, request: Request) -> Response:
        """Return it, unless the browser has it."""
        headers = {
            "etag": self._tag,
            "cache-control": "private, no-cache",
            "vary": "accept-encoding, cookie",
        }
        if request.headers.get("if-none-match") == self._tag:
            return Response(status_code=304, headers=headers)
        data = self._packed
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers["content-encoding"] = "gzip"
        else:
            data = gzip.decompress(data)
        return Response(data, media_type="text/html", headers=headers)


class PageCache:
    """Keeps pages as they were last made: the ``most`` that were asked for last."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._pages: OrderedDict[str, CachedPage] = OrderedDict()
        self._reading, self._making = threading.Lock(), threading.Lock()

    def find(self, name: str, rated: int) -> CachedPage | None:
        """Return a page that is kept; None if there is none of that time."""
        with self._reading:
            page = self._pages.get(name)
            if page is None or page.rated != rated:
                return None
            self._pages.move_to_end(name)
            return page

    def get(self, name: str, rated: int, make: Callable[[], bytes]) -> CachedPage:
        """Return a page, which is made if need be: one at a time, and once for all who wait."""
        if (page := self.find(name, rated)) is not None:
            return page
        with self._making:
            if (page := self.find(name, rated)) is None:
                page = CachedPage(rated, make())
                with self._reading:
                    self._pages[name] = page
                    self._pages.move_to_end(name)
                    if len(self._pages) > self._most:
                        self._pages.popitem(last=False)
            return page
