"""A game as GIF and PNG: every salvo is a frame, and nothing is drawn beyond the margins."""

import io

from PIL import Image

from leaderboards.display import raster
from leaderboards.display.replay_frames import Frame, Mark, Panel, Replay

WHITE = (255, 255, 255)
MARGIN_PX = 24


def replay(salvos: int, lines: int = 1) -> Replay:
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
        rows=["A"],
        columns=list("12345678"),
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
