"""Both sides of the board as text, as one seat knows them."""

from arena.player.person import Chart
from arena.rules import Waters, mask_of, preset, rules_from_toml
from salvo.reports.words.board_text import cell_states, draw_board, draw_chart

RULES = rules_from_toml(
    'name = "wide"\nrows = 3\ncolumns = 10\n'
    'fleet = [{ name = "Long", length = 3 }, { name = "Short", length = 2 }]\n',
    "",
)
LONG, SHORT = (0, 1, 2), (18, 28)


def chart() -> Chart:
    """Return a chart of a game: the short ship is sunk, the long one hit."""
    shown = Chart(RULES)
    long, short = mask_of(LONG), mask_of(SHORT)
    shot = mask_of((0, 5, *SHORT))
    shown.own = Waters((long, short), long, shot, hit=mask_of((0,)), sunk=2)
    shown.fresh = frozenset({5, 28})
    shown.marks = {3: "miss", 4: "hit", 29: "untold"}
    shown.salvo = (4,)
    shown.revealed = (mask_of((4, 14, 24)), mask_of((20, 21)))
    return shown


def lines(text: str) -> list[str]:
    return text.strip("\n").splitlines()


SIDE_BY_SIDE = """
Yours                              Theirs
   1  2  3  4  5  6  7  8  9 10       1  2  3  4  5  6  7  8  9 10
A  X  #  #  .  .  o  .  .  .  .    A  .  .  .  o  X  .  .  .  .  .
B  .  .  .  .  .  .  .  .  X  .    B  .  .  .  .  #  .  .  .  .  .
C  .  .  .  .  .  .  .  .  X  .    C  #  #  .  .  #  .  .  .  .  ?
"""
# Two sides of 31 letters with a gap of four.
WIDE_ENOUGH = 31 + 4 + 31


def test_sides_stand_side_by_side_where_there_is_room() -> None:
    assert draw_chart(chart(), WIDE_ENOUGH) == lines(SIDE_BY_SIDE)


def test_sides_stand_one_above_the_other_where_there_is_none() -> None:
    beside = lines(SIDE_BY_SIDE)
    above = [line[:31].rstrip() for line in beside] + [line[35:] for line in beside]
    assert draw_chart(chart(), WIDE_ENOUGH - 1) == above


def test_marks_of_the_last_salvos_are_painted() -> None:
    shown = draw_chart(chart(), 100, lambda mark, fresh: f"[{mark}]" if fresh else mark)
    assert shown[2] == ("A  X  #  #  .  .  [o]  .  .  .  .    A  .  .  .  o  [X]  .  .  .  .  .")
    assert [line.count("[") for line in shown] == [0, 0, 2, 0, 1]


def test_before_the_fleet_is_placed_the_own_side_stands_alone() -> None:
    placing = Chart(RULES)
    placing.placed = (mask_of(LONG),)
    assert draw_chart(placing, 31)[0] == "Yours"
    assert draw_chart(placing, 31)[2:4] == [
        "A  #  #  #  .  .  .  .  .  .  .",
        "B  .  .  .  .  .  .  .  .  .  .",
    ]
    assert len(draw_chart(placing, 31)) == 5


def test_ship_that_moved_is_whole_where_another_was_sunk() -> None:
    long, short = mask_of((0, 1, 2)), mask_of((2, 12))
    waters = Waters((long, short), long, shot=mask_of((2, 12, 13)), sunk=2)
    states = cell_states(waters, RULES.cells)
    assert states[:3] == ["ship", "ship", "ship"]
    assert (states[12], states[13], states[14]) == ("sunk", "miss", "water")


def test_rows_beyond_z_have_two_letters() -> None:
    rules = preset("ramesh-1")
    shown = draw_board(Waters.placed((mask_of((27 * rules.columns,)),)), 28, rules.columns)
    assert shown[0] == "   1 2 3 4"
    assert shown[1] == " A . . . ."
    assert shown[26:] == [" Z . . . .", "AA . . . .", "AB # . . ."]


def test_rows_up_to_z_have_one_letter() -> None:
    assert draw_board(Waters.placed((1,)), 26, 4)[1] == "A # . . ."
