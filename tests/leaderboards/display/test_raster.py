"""A game as GIF and PNG: every salvo is a frame, and nothing is drawn beyond the margins."""

import dataclasses
import io
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw, ImageFont

from leaderboards.display import raster
from leaderboards.display.replay_frames import Frame, Mark, Panel, Replay
from tests.golden import compare

GOLDEN = Path(__file__).parent / "raster_in_full.txt"
WHITE = (255, 255, 255)
MARGIN_PX = 24


def replay(salvos: int, lines: int = 1, rows: str = "A") -> Replay:
    sea: list[Mark] = ["water"] * 8
    frames = [
        Frame(
            [f"Salvo {number}", *(f"Line {line} is told." for line in range(lines))],
            [
                Panel(name, "ships", ["hit"] * number + sea[number:], None, [number - 1])
                for name in ("Wilhelmina of the North", "W")
            ],
        )
        for number in range(1, salvos + 1)
    ]
    return Replay(
        key="key",
        label="label",
        heading="Wilhelmina of the North against W, of whom nobody knew anything",
        bots=["one", "two"],
        notes=[],
        rows=list(rows),
        columns=list("12345678")[: 8 // len(rows)],
        frames=frames,
    )


def images(data: bytes) -> list[Image.Image]:
    whole = Image.open(io.BytesIO(data))
    found = []
    for number in range(getattr(whole, "n_frames", 1)):
        whole.seek(number)
        found.append(whole.convert("RGB"))
    return found


def drawn(image: Image.Image) -> tuple[int, int, int, int]:
    """Return the box of what is not white: left, top, right and bottom."""
    grey = image.convert("L").point(lambda shade: 255 * (shade < 250))
    box = grey.getbbox()
    assert box is not None
    return box


def test_each_salvo_is_a_frame_that_differs_from_the_last() -> None:
    film = images(raster.gif(replay(4)))
    assert len(film) == 4
    assert len({image.tobytes() for image in film}) == 4


def test_margins_are_empty() -> None:
    for lines in (1, 9):
        [image] = images(raster.gif(replay(1, lines)))
        left, top, right, bottom = drawn(image)
        assert left >= MARGIN_PX
        assert top >= MARGIN_PX
        assert image.width - 2 * MARGIN_PX <= right <= image.width - MARGIN_PX
        assert bottom <= image.height - MARGIN_PX


def test_more_lines_than_fit_are_cut() -> None:
    four, five, nine = (images(raster.gif(replay(1, lines)))[0] for lines in (4, 5, 9))
    assert four.size == five.size == nine.size
    assert five.tobytes() == nine.tobytes() != four.tobytes()


def test_picture_of_a_salvo_has_the_shape_of_pictures_for_links() -> None:
    [last], [first], [end] = (images(raster.png(replay(4), at)) for at in (4, 1, None))
    assert last.size == (1200, 630)
    assert last.tobytes() == end.tobytes() != first.tobytes()
    left, top, right, bottom = drawn(last)
    assert 0 < left < right < 1200
    assert 0 < top < bottom < 630
    assert last.getpixel((0, 0)) == WHITE


def test_film_plays_a_salvo_a_second_again_and_again_and_holds_the_end() -> None:
    short = replay(6)
    long = dataclasses.replace(short, frames=[*short.frames] * 8)
    for game, each_ms in ((short, 1000), (long, 45_000 / 48)):
        film = Image.open(io.BytesIO(raster.gif(game)))
        assert film.info["loop"] == 0
        shown = []
        for number in range(len(game.frames)):
            film.seek(number)
            shown.append(film.info["duration"])
        # A GIF counts hundredths of a second.
        assert shown == pytest.approx([*[each_ms] * (len(shown) - 1), 4000], abs=10)


def near(image: Image.Image, at: tuple[int, int], colour: tuple[int, int, int]) -> bool:
    """Return whether a pixel has a colour, but for what the palette of a GIF takes away."""
    seen = image.getpixel(at)
    assert isinstance(seen, tuple)
    return max(abs(one - other) for one, other in zip(seen, colour, strict=True)) < 12


def test_cells_stand_side_by_side_in_their_colours_and_shots_are_ringed() -> None:
    film = images(raster.gif(replay(6, rows="AB")))
    assert film[0].size == (420, 304)
    hit, water, ring = (251, 146, 60), (166, 189, 212), (15, 23, 42)
    for number, image in enumerate(film, 1):
        for panel, cell in itertools.product(range(2), range(8)):
            row, column = divmod(cell, 4)
            left, top = 48 + 166 * panel + 28 * column, 128 + 28 * row
            right, bottom = left + 26, top + 26
            corners = (left, top), (right, top), (left, bottom), (right, bottom)
            assert all(near(image, at, hit if cell < number else water) for at in corners)
            between = [(right + 1, top + 13), (left + 13, bottom + 1)]
            assert all(near(image, at, WHITE) for at in between)
            round_it = [(left + 2, top + 13), (right - 2, top + 13), (left + 13, top + 2)]
            assert all(near(image, at, ring) for at in round_it) == (cell == number - 1)
            sign = image.crop((left + 6, top + 6, right - 5, bottom - 5)).convert("L")
            box = sign.point(lambda shade: 255 * (shade < 90)).getbbox()
            assert (box is not None) == (cell < number)
            if box is not None:
                assert abs(box[0] + box[2] - sign.width) <= 2
                assert abs(box[1] + box[3] - sign.height) <= 2


def written_down(monkeypatch: pytest.MonkeyPatch, of: type, names: tuple[str, ...]) -> list[str]:
    """Return a list to which each further call of some methods is added."""
    calls: list[str] = []

    def told(argument: object) -> str:
        if isinstance(argument, ImageFont.FreeTypeFont):
            return f"{argument.size:g} px"
        return f"{argument.size}" if isinstance(argument, Image.Image) else f"{argument}"

    def telling(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        def call(self: object, *arguments: object, **named: object) -> Any:  # noqa: ANN401 - any
            words = [*map(told, arguments), *(f"{key}={told(one)}" for key, one in named.items())]
            calls.append(f"{name} {'; '.join(words)}")
            return method(self, *arguments, **named)

        return call

    for name in names:
        monkeypatch.setattr(of, name, telling(name, getattr(of, name)))
    return calls


def with_chances() -> Replay:
    """Return a game of one salvo on a wide board, with chances, more words than fit, and names."""
    marks: list[Mark] = ["water", "ship", "miss", "hit", "sunk", "water"]
    chances = [0.0, 0.1, 0.25, 0.5, 1.0, float("nan")]
    panels = [
        Panel("ada", "ships", marks, None, [2, 3]),
        Panel("bo\x1b", "chances", marks, chances, [4], hidden=True),
        Panel("Wilhelmina of the North", "ships", marks),
    ]
    lines = ["Salvo 1\x07 of 1", "words " * 60, "None of these."]
    frame = Frame(lines, panels)
    return dataclasses.replace(replay(1), frames=[frame], columns=list("123"), rows=list("AB"))


def test_all_is_drawn_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = written_down(monkeypatch, ImageDraw.ImageDraw, ("text", "rectangle", "ellipse"))
    fitted = written_down(monkeypatch, Image.Image, ("resize", "paste"))
    lines = []
    for what, game in (("chances", with_chances()), ("one board", replay(2, 4, rows="AB"))):
        picture = raster.png(game)
        size = images(picture)[0].size
        lines += [f"#### {what}: {size}", *drawn, "fitted:", *fitted]
        drawn.clear()
        fitted.clear()
    tall = dataclasses.replace(replay(1), rows=list("ABCDEFGH"), columns=["1"])
    raster.png(tall)
    lines += ["#### tall: fitted", *fitted]
    compare("".join(f"{line}\n" for line in lines), GOLDEN)
