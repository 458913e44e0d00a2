"""Names the rule sets that come with Salvo."""

from msgspec.structs import replace

from arena.errors import RulesError
from arena.rules.board import Ship
from arena.rules.ruleset import Rules

STANDARD_FLEET = (
    Ship("Carrier", 5),
    Ship("Battleship", 4),
    Ship("Destroyer", 3),
    Ship("Submarine", 3),
    Ship("Patrol boat", 2),
)

WIKI_FLEET = (
    Ship("Carrier", 5),
    *(Ship(f"Battleship {letter}", 4) for letter in "AB"),
    *(Ship(f"Cruiser {letter}", 3) for letter in "ABC"),
    *(Ship(f"Destroyer {letter}", 2) for letter in "ABCD"),
)


def _standard(name: str, line: str, **fields: object) -> tuple[Rules, str]:
    rules = Rules(name=name, rows=10, columns=10, fleet=STANDARD_FLEET, **fields)  # type: ignore[arg-type]
    return rules, line


def _small(
    line: str, name: str, rows: int, columns: int, *lengths: int, shots: int = 1
) -> tuple[Rules, str]:
    """Return one of the small games of the literature: cells reported, sinkings not."""
    fleet = tuple(Ship(f"Ship of {length}", length) for length in lengths)
    rules = Rules(
        name=name, rows=rows, columns=columns, fleet=fleet, shots=shots, sinkings="silent"
    )
    return rules, line


_AFP = Rules(
    name="afp",
    rows=10,
    columns=10,
    fleet=WIKI_FLEET,
    again=True,
    sinkings="unnamed",
    touching="never",
    moves=True,
    reshoot=True,
    turn_limit=75,
    countdown=20,
    layouts="sequential",
)
_AFP_IMMOVABLE = replace(_AFP, name="afp-immovable", moves=False, reshoot=False)

_PRESETS = (
    _standard("salvo", "as many shots a turn as the shooter has ships afloat", shots="afloat"),
    _standard("classic", "one shot a turn"),
    _standard("boxed", "classic; a hit names the ship, as in the boxed game", hits_named=True),
    _standard("unnamed", "classic; sinkings do not name the ship", sinkings="unnamed"),
    _standard("silent", "classic; only hit or miss is reported", sinkings="silent"),
    _standard(
        "paper",
        "strict salvo on paper: only the number of hits of a salvo is reported",
        shots="afloat",
        told="count",
        sinkings="silent",
    ),
    _standard("apart", "classic; ships may not touch, not even at corners", touching="never"),
    _standard(
        "unknown",
        "classic; the opponent's fleet is unknown (Ebel and Wan)",
        fleet_known=False,
        sinkings="silent",
    ),
    _standard("again", "classic; a hit gives another shot", again=True),
    _standard(
        "lies",
        "classic; three lies a game, never about a sinking (Rochford)",
        lies=3,
        sinkings="unnamed",
    ),
    _standard("equal-turns", "classic; both get equally many turns", end="equal-turns"),
    _small("one ship of 3 in a row of 5 (Rochford)", "row-5-3", 1, 5, 3),
    _small("one ship of 3 in a row of 10 (Rochford, Landy)", "row-10-3", 1, 10, 3),
    _small("one ship of 3 in a 5x5 square (Rochford)", "square-5-3", 5, 5, 3),
    _small("4x4, one ship of 4, one shot (Ramesh)", "ramesh-1", 4, 4, 4),
    _small("5x5, ships of 4 and 2, one shot (Ramesh)", "ramesh-2", 5, 5, 4, 2),
    _small("4x4, one ship of 2, two shots (Ramesh)", "ramesh-3", 4, 4, 2, shots=2),
    _small("4x4, one ship of 4, two shots (Ramesh)", "ramesh-4", 4, 4, 4, shots=2),
    _small("4x4, ships of 4 and 2, two shots (Ramesh)", "ramesh-5", 4, 4, 4, 2, shots=2),
    (_AFP, "the AFP wiki's game: ten ships apart that move, 75 turns"),
    (_AFP_IMMOVABLE, "the AFP wiki's game without moving"),
)

PRESETS = {rules.name: (rules, line) for rules, line in _PRESETS}
"""The named rule sets, each with a description of one line."""


def preset(name: str) -> Rules:
    """Return the rule set with a name.

    Raises:
        RulesError: If no preset has that name.
    """
    try:
        return PRESETS[name][0]
    except KeyError:
        import difflib  # noqa: PLC0415 - every bot imports this module, and none needs that

        near = difflib.get_close_matches(name, PRESETS, n=1)
        guess = f"did you mean '{near[0]}'? There are" if near else "take one of"
        raise RulesError(
            f"rules '{name}': no preset has that name; "
            f"{guess} {', '.join(PRESETS)}, or the path of a TOML file"
        ) from None
