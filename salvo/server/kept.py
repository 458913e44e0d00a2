"""Pages that are made once for all who ask."""

import gzip
import hashlib

from starlette.requests import Request
from starlette.responses import Response

__all__ = ["Kept"]


class Kept:
    """A page that was made, for all who ask until it changes.

    Args:
        rated: When it was made, see ``Live.rated``.
        page: The page.
    """

    def __init__(self, rated: int = -1, page: bytes = b"") -> None:
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
