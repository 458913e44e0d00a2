"""Text of others: printed safely, shortened, and with other names in it."""

import pytest

from arena.text import first_few, map_texts, mentions, printable, with_names


@pytest.mark.parametrize(
    ("text", "most", "shown"),
    [
        ("", None, ""),
        ("plain, with spaces", None, "plain, with spaces"),
        ("caf\u00e9 \u6f22", None, "caf\u00e9 \u6f22"),
        ("a\nb\tc\r", None, r"a\nb\tc\r"),
        ("\x1b[31m", None, r"\x1b[31m"),
        ("\u2028\u202e\ud800", None, r"\u2028\u202e\ud800"),
        ("abc", 3, "abc"),
        ("abcd", 3, "abc..."),
        ("a\nbc", 3, r"a\n..."),
    ],
)
def test_text_is_shown_on_one_line(text: str, most: int | None, shown: str) -> None:
    assert printable(text, most) == shown


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (0, ""),
        (1, "0"),
        (3, "0, 1, 2"),
        (4, "0, 1, 2 and 1 more"),
        (1204, "0, 1, 2 and 1,201 more"),
    ],
)
def test_few_of_many_names_are_shown(number: int, shown: str) -> None:
    assert first_few([str(name) for name in range(number)]) == shown


@pytest.mark.parametrize(
    ("text", "found", "changed"),
    [
        ("ada", True, "zoe"),
        ("Ada lost to ADA", True, "zoe lost to zoe"),
        ("ada.py, (ada), 'ada'", True, "zoe.py, (zoe), 'zoe'"),
        ("adas ada_1 my-ada ada-2 canada", False, None),
        ("ada.b beat ada", True, "one beat zoe"),
        ("adaxb", False, None),
        ("", False, None),
    ],
)
def test_names_are_replaced_where_they_are_words(
    text: str, *, found: bool, changed: str | None
) -> None:
    names = {"ada": "zoe", "Ada.b": "one"}
    assert mentions(text, names) is found
    assert with_names(text, names) == (text if changed is None else changed)


def test_no_names_change_nothing() -> None:
    assert not mentions("ada", [])
    assert with_names("ada", {}) == "ada"


def test_texts_of_json_are_changed_but_for_names_of_fields() -> None:
    value = {"a": ["a", 1, None, True], "b": {"a": "b"}, "c": 2.5}
    told = {"a": ["A", 1, None, True], "b": {"a": "B"}, "c": 2.5}
    assert map_texts(value, str.upper) == told
