"""The packed script that draws figures is the one that is said to be there."""

import base64
import gzip
import hashlib
from importlib.resources import files

from leaderboards.display.plotly_js import SHA256, VERSION, packed_base64


def test_packed_script_is_the_pinned_one() -> None:
    script = gzip.decompress(base64.b64decode(packed_base64()))
    assert hashlib.sha256(script).hexdigest() == SHA256
    assert f"plotly.js (basic - minified) v{VERSION}".encode() in script[:200]


def test_licence_of_the_script_lies_beside_it() -> None:
    text = files("leaderboards.display.plotly_js").joinpath("LICENSE").read_text(encoding="utf-8")
    assert text.startswith("MIT License")
    assert "Plotly" in text
