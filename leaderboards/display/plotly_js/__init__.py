"""Holds the script that draws figures in a browser: Plotly's basic bundle, packed.

The Python package of Plotly has the full bundle alone, 4.8 MB. The figures here need lines and
markers, which the basic bundle draws: 1.2 MB, packed 0.4, so that a page that carries it is small.
``python -m leaderboards.display.plotly_js.pack`` makes the packed file anew from npm's package; the
licence (MIT) lies beside it.
"""

import base64
import functools
from importlib.resources import files

__all__ = ["PACKED", "SHA256", "VERSION", "packed_base64"]

VERSION = "4.1.1"
SHA256 = "99784e3abfb07b142a15e521a439e6d9addceadb3f79553fd24c72774f0649ba"
"""Of the script, unpacked."""

PACKED = "plotly-basic.min.js.gz"


@functools.cache
def packed_base64() -> str:
    """Return the script, compressed by gzip, in base64.

    A browser unpacks it with its own DecompressionStream.
    """
    data = files("leaderboards.display.plotly_js").joinpath(PACKED).read_bytes()
    return base64.b64encode(data).decode("ascii")
