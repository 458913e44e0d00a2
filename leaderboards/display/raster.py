"""Draws a game as a PNG or an animated GIF, for places that show no SVG. It needs Pillow.

Importing this without Pillow raises a ``ModuleNotFoundError``, of which the caller says more.
"""

import io
import textwrap
from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageFont

from leaderboards.display.animation import fill_of
from leaderboards.display.replay_frames import SIGNS, Frame, Panel, Replay
from leaderboards.display.templating import printable

_CELL, _EDGE, _GAP, _PAD = 28, 24, 30, 24  # pixels
_HEAD, _LINE, _LINES = 64, 22, 4
_FRAME_MS, _LONGEST_MS, _END_MS = 1000, 45_000, 4000
_WIDE, _HIGH = 1200, 630  # of a picture that stands for a link
_INK, _SOFT, _CARD, _MARK = "#1b2430", "#566072", "#ffffff", "#0f172a"
_COLOURS = 64
_CHARACTER = 8.2  # pixels of a letter, on average


def gif(replay: Replay) -> bytes:
    """Return a game that has a frame as an animated GIF, which plays again and again."""
    images = [_drawn(replay, frame) for frame in replay.frames]
    # One palette for all: else colours flicker.
    palette = images[-1].quantize(_COLOURS)
    paletted = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
    each_ms = min(_FRAME_MS, _LONGEST_MS // len(images))
    file = io.BytesIO()
    paletted[0].save(
        file,
        "GIF",
        save_all=True,
        append_images=paletted[1:],
        duration=[each_ms] * (len(images) - 1) + [_END_MS],
        loop=0,
        optimize=False,
    )
    return file.getvalue()


def png(replay: Replay, number: int | None = None) -> bytes:
    """Return a salvo of a game that has a frame, by default the last, as a PNG.

    It has the shape in which pictures stand for links.
    """
    frames = replay.frames
    image = _drawn(replay, frames[-1 if number is None else number - 1])
    scale = min(_WIDE / image.width, _HIGH / image.height)
    fitted = image.resize(
        (round(image.width * scale), round(image.height * scale)), Image.Resampling.LANCZOS
    )
    whole = Image.new("RGB", (_WIDE, _HIGH), _CARD)
    whole.paste(fitted, ((_WIDE - fitted.width) // 2, (_HIGH - fitted.height) // 2))
    file = io.BytesIO()
    whole.save(file, "PNG")
    return file.getvalue()


def _drawn(replay: Replay, frame: Frame) -> Image.Image:
    rows, columns, panels = len(replay.rows), len(replay.columns), len(frame.panels)
    panel = _EDGE + _CELL * columns
    wide = max(2 * _PAD + panels * panel + (panels - 1) * _GAP, 420)
    board = _PAD + _HEAD
    high = board + 2 * _EDGE + _CELL * rows + _LINE * _LINES + _PAD
    image = Image.new("RGB", (wide, high), _CARD)
    draw = ImageDraw.Draw(image)
    heading = textwrap.shorten(printable(replay.heading), int((wide - 2 * _PAD) / 11))
    draw.text((_PAD, _PAD), heading, _INK, ImageFont.load_default(22))
    small = ImageFont.load_default(14)
    draw.text((_PAD, _PAD + 32), printable(frame.lines[0]), _SOFT, small)
    for place, one in enumerate(frame.panels):
        _draw_panel(draw, replay, one, (_PAD + place * (panel + _GAP), board))
    letters = int((wide - 2 * _PAD) / _CHARACTER)
    told = [part for line in frame.lines[1:] for part in textwrap.wrap(printable(line), letters)]
    for place, line in enumerate(_fitting(told)):
        at = (_PAD, board + 2 * _EDGE + _CELL * rows + 6 + _LINE * place)
        draw.text(at, line, _INK, small)
    return image


def _fitting(lines: Sequence[str]) -> Sequence[str]:
    return lines if len(lines) <= _LINES else [*lines[: _LINES - 1], "..."]


def _draw_panel(
    draw: ImageDraw.ImageDraw, replay: Replay, panel: Panel, at: tuple[int, int]
) -> None:
    left, top = at
    small, sign = ImageFont.load_default(12), ImageFont.load_default(16)
    name = textwrap.shorten(f"{printable(panel.name)}, {panel.kind}", 2 + 4 * len(replay.columns))
    draw.text((left + _EDGE, top - 4), name, _SOFT, small)
    top += _EDGE - 4
    left += _EDGE
    for column, text in enumerate(replay.columns):
        draw.text((left + _CELL * (column + 0.5), top + 8), text, _SOFT, small, anchor="mm")
    top += 20
    fired = set(panel.fired)
    for cell, mark in enumerate(panel.marks):
        row, column = divmod(cell, len(replay.columns))
        if not column:
            name = replay.rows[row]
            draw.text((left - 10, top + _CELL * (row + 0.5)), name, _SOFT, small, anchor="mm")
        x, y = left + _CELL * column, top + _CELL * row
        draw.rectangle((x, y, x + _CELL - 2, y + _CELL - 2), fill_of(panel, cell))
        middle = (x + _CELL / 2 - 1, y + _CELL / 2 - 1)
        if SIGNS[mark]:
            draw.text(middle, SIGNS[mark], _MARK, sign, anchor="mm")
        if cell in fired:
            draw.ellipse((x + 2, y + 2, x + _CELL - 4, y + _CELL - 4), outline=_MARK, width=2)
