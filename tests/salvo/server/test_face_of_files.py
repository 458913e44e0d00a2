"""The face of a league is read from a file."""

from pathlib import Path

import pytest

from salvo.server.web import face
from salvo.server.web.face import Face, FaceOf


@pytest.mark.parametrize(
    ("text", "title", "html"),
    [
        ("# The *league* #\n\nWords.\n", "The *league*", "<p>Words.</p>"),
        ("\n  # Late \nWords.", "Late", "<p>Words.</p>"),
        ("Words.\n\n# Not first", "folder", '<p>Words.</p>\n<h2 id="not-first">Not first</h2>'),
        ("#tag", "folder", "<p>#tag</p>"),
        ("", "folder", ""),
        (None, "folder", ""),
    ],
)
def test_face_is_the_title_and_the_text_of_a_file(
    tmp_path: Path, text: str | None, title: str, html: str
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    if text is not None:
        (folder / "about.md").write_text(text)
    of = FaceOf(folder)
    assert of() == Face(title, html)  # type: ignore[arg-type]
    assert (of.stamp == 0) == (text is None)


def test_face_is_read_again_once_its_file_was_changed_and_no_further_than_a_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of = FaceOf(tmp_path)
    stamp = [1]
    monkeypatch.setattr(FaceOf, "stamp", property(lambda _: stamp[0]))
    monkeypatch.setattr(face, "_MOST_BYTES", 5)
    (tmp_path / "about.md").write_text("# One two")
    assert of().title == "One"
    (tmp_path / "about.md").write_text("# Six")
    assert of().title == "One"
    stamp[0] = 2
    assert of().title == "Six"
