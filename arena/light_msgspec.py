"""Imports msgspec without typing_extensions, which would double the time a bot takes to start.

Where that is installed, as it is with some extras, msgspec takes three names from it that typing
has too. A bot can import it all the same.
"""

import sys

_EXTENSIONS = "typing_extensions"

if _EXTENSIONS not in sys.modules:
    sys.modules[_EXTENSIONS] = None  # type: ignore[assignment] # has its import fail
    try:
        import msgspec  # noqa: F401 - for the others that import it
    finally:
        del sys.modules[_EXTENSIONS]
