"""The named rule sets."""

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
    Ship("Battleship A", 4),
    Ship("Battleship B", 4),
    Ship("Cruiser A", 3),
    Ship("Cruiser B", 3),
    Ship("Cruiser C", 3),
    Ship("Destroyer A", 2),
    Ship("Destroyer B", 2),
    Ship("Destroyer C", 2),
    Ship("Destroyer D", 2),
)


def _standard(name: str, **fields: object) -> Rules:
    return Rules(name=name, rows=10, columns=10, fleet=STANDARD_FLEET, **fields)  # type: ignore[arg-type]


def _small(name: str, rows: int, columns: int, lengths: tuple[int, ...], shots: int = 1) -> Rules:
    """Return one of the small games of the literature: cells reported, sinkings not."""
    fleet = tuple(Ship(f"Ship of {length}", length) for length in lengths)
    return Rules(name=name, rows=rows, columns=columns, fleet=fleet, shots=shots, sinkings="silent")


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
_AFP_IMMOVABLE = Rules(
    name="afp-immovable",
    rows=10,
    columns=10,
    fleet=WIKI_FLEET,
    again=True,
    sinkings="unnamed",
    touching="never",
    turn_limit=75,
    countdown=20,
    layouts="sequential",
)

PRESETS: dict[str, tuple[Rules, str]] = {
    rules.name: (rules, line)
    for rules, line in (
        (
            _standard("salvo", shots="afloat"),
            "as many shots a turn as the shooter has ships afloat",
        ),
        (_standard("classic"), "one shot a turn"),
        (
            _standard("boxed", hits_named=True),
            "classic; a hit names the ship, as in the boxed game",
        ),
        (_standard("unnamed", sinkings="unnamed"), "classic; sinkings do not name the ship"),
        (_standard("silent", sinkings="silent"), "classic; only hit or miss is reported"),
        (
            _standard("paper", shots="afloat", told="count", sinkings="silent"),
            "strict salvo on paper: only the number of hits of a salvo is reported",
        ),
        (
            _standard("apart", touching="never"),
            "classic; ships may not touch, not even at corners",
        ),
        (
            _standard("unknown", fleet_known=False, sinkings="silent"),
            "classic; the opponent's fleet is unknown (Ebel and Wan)",
        ),
        (_standard("again", again=True), "classic; a hit gives another shot"),
        (
            _standard("lies", lies=3, sinkings="unnamed"),
            "classic; three lies a game, never about a sinking (Rochford)",
        ),
        (_standard("equal-turns", end="equal-turns"), "classic; both get equally many turns"),
        (_small("row-5-3", 1, 5, (3,)), "one ship of 3 in a row of 5 (Rochford)"),
        (_small("row-10-3", 1, 10, (3,)), "one ship of 3 in a row of 10 (Rochford, Landy)"),
        (_small("square-5-3", 5, 5, (3,)), "one ship of 3 in a 5x5 square (Rochford)"),
        (_small("ramesh-1", 4, 4, (4,)), "4x4, one ship of 4, one shot (Ramesh)"),
        (_small("ramesh-2", 5, 5, (4, 2)), "5x5, ships of 4 and 2, one shot (Ramesh)"),
        (_small("ramesh-3", 4, 4, (2,), 2), "4x4, one ship of 2, two shots (Ramesh)"),
        (_small("ramesh-4", 4, 4, (4,), 2), "4x4, one ship of 4, two shots (Ramesh)"),
        (_small("ramesh-5", 4, 4, (4, 2), 2), "4x4, ships of 4 and 2, two shots (Ramesh)"),
        (_AFP, "the AFP wiki's game: ten ships apart that move, 75 turns"),
        (_AFP_IMMOVABLE, "the AFP wiki's game without moving"),
    )
}
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
