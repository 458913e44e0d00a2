"""Layouts and steps of games as the record keeps them: JSON, deflated to a third.

Deflate finds repetitions within one text; what most transcripts have in common it is given
beforehand. That text is part of the format: it must never change, since what was written with it
cannot be read without it. Records of older versions hold JSON as it is.
"""

import zlib

import msgspec

_COMMON = (
    b'{"first":{"Patrol boat":[0,10],"Destroyer":[20,21,22],"Cruiser":[30,40,50],"Battleship A":['
    b'"Ship of 2":[0,1],"Submarine":[34,44,54],"Battleship":[5,15,25,35],"Carrier":[60,61,62,63,64]'
    b'},"second":{"Carrier":[["answer","first",[["move","first",null,[],0.0],["place","first",0.00'
    b'],["place","second",0.0001],["shoot","first",[11,22,33,44,55],0.0002],["shoot","second",['
    b"66,77,88,99],0.0001"
)
_LEVEL = 9


def packed(value: object) -> bytes:
    """Return a value as deflated JSON."""
    deflate = zlib.compressobj(_LEVEL, zdict=_COMMON)
    return deflate.compress(msgspec.json.encode(value)) + deflate.flush()


def inflated(stored: str | bytes) -> str | bytes:
    """Return the JSON of a value that the record holds, deflated or not.

    Raises:
        zlib.error: If it is neither.
    """
    if isinstance(stored, str):
        return stored
    inflate = zlib.decompressobj(zdict=_COMMON)
    return inflate.decompress(stored) + inflate.flush()
