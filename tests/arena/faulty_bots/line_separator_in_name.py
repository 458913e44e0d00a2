"""Has U+2028 in its name, raw: legal JSON, and no end of a line."""

from honest import play

play(
    hello=lambda _: b'{"type":"hello","protocol":1,"name":"a\xe2\x80\xa8b\xc2\x85c"}\n',
)
