"""Changes what may be changed in the charter of a league once games were played."""

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, get_origin

import msgspec
from msgspec.structs import fields, replace

from arena.entrants import Terms, parse_secret
from arena.errors import UserError
from arena.isolation import parse_address
from arena.league.charter import CHARTER, Charter, read_charter, rewrite_charter
from arena.league.register import locked

RAISED = {
    "games": "They may be raised; the games that are missing then are played.",
    "layouts": "They may be raised; the games that are missing then are played.",
}
"""Fields of a charter that can only grow, and what follows."""

CHANGED = {
    "opens": "Servers take bots from then on; it may be moved at any time.",
    "closes": "Servers take bots until then; it may be moved at any time.",
    "rivals": "Authors may play against bots of others, or challenge them, or no longer.",
    "max_versions": "It holds for what is submitted from then on.",
    "max_mb": "It holds for what is submitted from then on.",
    "max_memory_mb": "It holds for what is submitted from then on.",
    "processes": "It holds for what is submitted from then on.",
    "max_temporary_mb": "It holds for what is submitted from then on.",
    "grants": "It holds for all bots from the next game on.",
    "network": "It holds for all bots from the next game on.",
    "secrets": "It holds for all bots from the next game on.",
}
"""Fields of a charter, and of its terms, that can be changed, and what follows."""

FIXED = {
    "rules": "All games are played by them.",
    "seed": "Seeds and layouts of all games derive from it.",
    "block_games": "It says which games are played together, and so which are missing.",
    "times": "Bots were chosen, and games played, by them.",
    "anchor": "All ratings are measured by it.",
    "tournaments": "`salvo operate tournament` changes them until they begin.",
}
"""Fields of a charter that nobody can change, and why."""

_OF_CHARTER = {one.name: one.type for one in fields(Charter)}
_PARSED: dict[str, Callable[[str], object]] = {"network": parse_address, "secrets": parse_secret}
"""What refuses a word that makes no sense, by the fields of several words."""

_DATES = ("opens", "closes")

_OF_TERMS = {one.name: one.type for one in fields(Terms)}


def amend(folder: Path, field: str, words: Sequence[str]) -> str:
    """Change a field in the charter of a league, and return in words what was done.

    Comments stay. Who plays or submits at the same time goes by either charter, whole.

    Raises:
        UserError: If there is no such field, it cannot be changed, or not to that.
    """
    if field not in RAISED | CHANGED:
        free = ", ".join([*RAISED, *CHANGED])
        why = f"is fixed: {FIXED[field]}" if field in FIXED else "is no field"
        raise UserError(f"league file {folder / CHARTER}: '{field}' {why} These may be: {free}")
    with locked(folder):
        charter = read_charter(folder / CHARTER)
        of_terms = field in _OF_TERMS
        was = getattr(charter.terms if of_terms else charter, field)
        value = _converted(field, words, (_OF_TERMS if of_terms else _OF_CHARTER)[field])
        if field in RAISED and value < was:
            raise UserError(f"{field}: it is {was}, and may only be raised; give more than that")
        if value == was:
            raise UserError(f"{field}: it is {_shown(was)} already")
        change = {field: value}
        try:
            new = (
                replace(charter, terms=replace(charter.terms, **change))
                if of_terms
                else replace(charter, **change)
            )
        except ValueError as error:
            raise UserError(str(error)) from error
        rewrite_charter(new, folder / CHARTER, field, value)
    return f"{field} is {_shown(value)}, not {_shown(was)}. {(RAISED | CHANGED)[field]}"


def _converted(field: str, words: Sequence[str], type_: Any) -> Any:  # noqa: ANN401 - any field's
    several = get_origin(type_) is tuple
    if not several and len(words) != 1:
        raise UserError(f"{field}: give one value, not {len(words)}")
    given: list[str] | str = list(words) if several else words[0]
    if field in _DATES:
        return None if words[0] == "none" else moment_of(field, words[0], ", or none")
    if field in _PARSED:
        _refuse_unparsed(field, words)
    if field == "grants":
        given = [str(Path(word).resolve()) for word in words]
        _refuse_missing(given)
    try:
        return msgspec.convert(given, type_, strict=False)
    except msgspec.ValidationError as error:
        shown = " ".join(words)
        raise UserError(f"{field} {shown}: {str(error)[0].lower()}{str(error)[1:]}") from error


def moment_of(what: str, word: str, else_: str = "") -> datetime:
    """Return a moment that an operator wrote.

    Raises:
        UserError: If it is none, or has no time zone; the message names what else may be written.
    """
    try:
        at = datetime.fromisoformat(word)
    except ValueError:
        at = None
    if at is None or at.tzinfo is None:
        raise UserError(
            f"{what} {word}: give a moment with its time zone, such as 2026-12-11T23:59+01:00"
            f"{else_}"
        )
    return at


def _refuse_unparsed(field: str, words: Sequence[str]) -> None:
    for word in words:
        try:
            _PARSED[field](word)
        except ValueError as error:
            raise UserError(f"{field}: {error}") from None


def _refuse_missing(paths: Sequence[str]) -> None:
    for path in paths:
        if not Path(path).exists():
            raise UserError(f"grants: there is no {path!r}; name what is there")


def _shown(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat(" ", "minutes")
    return " ".join(map(str, value)) or "none" if isinstance(value, tuple) else str(value).lower()
