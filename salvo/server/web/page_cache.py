"""Pages that are made once for all who ask."""

import gzip
import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response


class CachedPage:
    """A page that was made, for all who ask until it changes."""

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
    """Pages as they were last made, of which those are kept that were asked for last."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._pages: OrderedDict[str, CachedPage] = OrderedDict()
        self._looking, self._making = threading.Lock(), threading.Lock()

    def find(self, name: str, rated: int) -> CachedPage | None:
        """Return a page that is kept; None if there is none of that time."""
        with self._looking:
            kept = self._pages.get(name)
            if kept is None or kept.rated != rated:
                return None
            self._pages.move_to_end(name)
            return kept

    def get(self, name: str, rated: int, make: Callable[[], bytes]) -> CachedPage:
        """Return a page, which is made if need be: one at a time, and once for all who wait."""
        kept = self.find(name, rated)
        if kept is not None:
            return kept
        with self._making:
            kept = self.find(name, rated)
            if kept is not None:
                return kept
            kept = CachedPage(rated, make())
            with self._looking:
                self._pages[name] = kept
                self._pages.move_to_end(name)
                while len(self._pages) > self._most:
                    self._pages.popitem(last=False)
            return kept
