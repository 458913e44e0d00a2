"""What a league plays, in its ``league.toml``."""

import math
import os
import tomllib
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from arena.entrants import Terms
from arena.errors import RulesError, UserError
from arena.records import Settings
from arena.rules import Rules, rules_to_toml

__all__ = ["Anchor", "Charter", "read_charter", "write_charter"]


class Anchor(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The bot by which the Elo of a league is measured.

    Attributes:
        bot: One version of a bot, as ``NAME@VERSION``.
        elo: Where it stands.
    """

    bot: Annotated[str, Meta(pattern="^.+@[1-9][0-9]*$")]
    elo: float = 1500.0

    def __post_init__(self) -> None:
        """Refuse what is no number.

        Raises:
            ValueError: If the Elo is not finite.
        """
        if not math.isfinite(self.elo):
            raise ValueError(f"elo is {self.elo}; give a number")


class Charter(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a league plays.

    Attributes:
        rules: The rules of every game.
        seed: What all randomness derives from: a number of 128 bits that nobody but the operator
            knows, as text; leagues of older versions have a number of 53 bits.
        games: Games a pairing, an even number.
        layouts: Solo games a bot.
        times: The time that bots have.
        terms: What the TOML of a bot that is submitted may ask for, and what every bot may read.
        max_versions: The most versions of one name.
        max_mb: The most megabytes that the copies of all bots have.
        anchor: Which bot stands at a fixed Elo, for the life of the league; None in leagues of
            older versions, in which the mean of the field stands at 1500.
    """

    rules: Rules
    seed: Annotated[str, Meta(pattern="^[0-9]{1,78}$")] | int
    games: Annotated[int, Meta(ge=2, multiple_of=2)] = 100
    layouts: Annotated[int, Meta(ge=0)] = 200
    times: Settings = Settings()
    terms: Terms = Terms()
    max_versions: Annotated[int, Meta(ge=1)] = 50
    max_mb: Annotated[int, Meta(ge=1)] = 4096
    anchor: Anchor | None = None


def read_charter(path: Path) -> Charter:
    """Return the charter in a file.

    Raises:
        UserError: If it holds none; the message says what is wrong.
    """
    try:
        return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Charter)
    except (OSError, ValueError, msgspec.ValidationError, RulesError) as error:
        # What TOML and UTF-8 raise is a ValueError.
        raise UserError(
            f"league file {path}: {error}; the fields are {', '.join(Charter.__struct_fields__)}"
        ) from error


def write_charter(charter: Charter, path: Path) -> None:
    """Write a charter to a file that is not there yet."""
    times = "".join(
        f"{name} = {value}\n" for name, value in msgspec.structs.asdict(charter.times).items()
    )
    terms, anchor = charter.terms, charter.anchor
    scale = (
        ""
        if anchor is None
        else "[anchor]  # it stands at this Elo for life, so that newcomers move nobody's\n"
        f"bot = {_toml(anchor.bot)}\nelo = {_toml(anchor.elo)}\n\n"
    )
    text = (
        "# What this league plays. games and layouts may be raised at any time: the next\n"
        "# `salvo submit` plays what is missing. max_versions, max_mb, max_memory_mb, processes\n"
        "# and max_temporary_mb hold for what is submitted from then on. All else is fixed with\n"
        "# the first game.\n\n"
        f'seed = "{charter.seed}"  # keep it secret: whoever knows it knows every layout\n'
        f"games = {charter.games}  # a pairing, an even number\n"
        f"layouts = {charter.layouts}  # solo games a bot\n"
        f"max_versions = {charter.max_versions}  # of one name\n"
        f"max_mb = {charter.max_mb}  # the disk space of all copies of bots, in megabytes\n\n"
        f"[times]  # of bots, in seconds\n{times}\n"
        "[terms]\n"
        f"max_memory_mb = {terms.max_memory_mb}  # the most that a bot's TOML may ask for\n"
        f"processes = {_toml(terms.processes)}  # whether it may ask to start processes\n"
        f"max_temporary_mb = {terms.max_temporary_mb}  # the largest temporary folder\n"
        f"grants = {_toml(terms.grants)}  # files and folders that every bot may read\n\n"
        f"{scale}[rules]\n{rules_to_toml(charter.rules)}"
    )
    # The seed is for nobody but the owner of the league.
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)


def _toml(value: object) -> str:
    """Return a truth value, a number or text as TOML, which writes them as JSON does."""
    return msgspec.json.encode(value).decode()
