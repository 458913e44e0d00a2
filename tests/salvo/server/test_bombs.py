"""Archives that were made to keep the server busy keep nobody else waiting."""

import gzip
import tarfile
from typing import Any

import pytest

pytestmark = pytest.mark.long("an archive that takes as long as it may")

Served = Any


def slow_archive() -> bytes:
    """Return 3 KB that some Pythons read for 80 minutes: attributes without an end to a number."""
    member = tarfile.TarInfo("x")
    member.size, member.type = 2_400_000, tarfile.XHDTYPE
    digits = b"1" * member.size
    data = gzip.compress(member.tobuf(tarfile.GNU_FORMAT) + digits + bytes(-len(digits) % 512))
    assert len(data) < 3000
    return data


def test_archive_that_takes_long_is_refused_and_others_are_checked(served: Served) -> None:
    bombers = served.invite("one", "two", "three")
    sent = [
        served.submit(f"bomb{number}", slow_archive(), code, "bot.tar.gz")
        for number, code in enumerate(bombers)
    ]
    [code] = served.invite("Ada")
    honest = served.submit("ada", served.bot.encode(), code)
    assert served.post("/api/operate/ban", {"name": "bomb2"}, served.key).status == 200
    assert served.checked(honest)["state"] == "accepted"
    for submitted in sent:
        told = served.checked(submitted)
        assert told["state"] == "refused"
        assert "\n" not in told["reason"]
    served.until(lambda: not list((served.league / "serve").glob("unpacked/*")))
