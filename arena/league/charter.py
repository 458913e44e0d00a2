"""Reads and writes what a league plays, in its ``league.toml``."""

import math
import os
import re
import tomllib
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from arena.entrants import Terms
from arena.errors import RulesError, UserError
from arena.league.planned import Moment, Planned, refuse_impossible
from arena.records import LAYOUTS_PER_BLOCK, PAIRS_PER_BLOCK, Settings
from arena.rules import Rules, rules_to_toml

CHARTER = "league.toml"

MOST_THINKING_S = 600.0
"""How long a bot may think in a block of a new league, where two of its games are no longer."""


class Anchor(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The bot, as ``NAME@VERSION``, that fixes the Elo scale of a league."""

    bot: Annotated[str, Meta(pattern="^.+@[1-9][0-9]*$")]
    elo: float = 1500.0

    def __post_init__(self) -> None:
        """Refuse an Elo that is not finite.

        Raises:
            ValueError: If the Elo is not finite.
        """
        if not math.isfinite(self.elo):
            raise ValueError(f"elo is {self.elo}; give a number")


class Charter(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rules, amounts and limits of a league.

    Attributes:
        seed: What all randomness derives from: a number of 128 bits that nobody but the operator
            knows, as text; leagues of older versions have a number of 53 bits.
        block_games: Games a block, see ``games_a_block``; None in leagues of older versions, whose
            blocks have ten pairs or fifty solo games.
        rivals: Whether authors may play against bots of other authors on a server.
        opens: When the first bot may be submitted to a server; None for at once.
        closes: When the last may be; None for never.
        tournaments: What else is played, each on seeds of its own, in the order in which they were
            announced.
        anchor: Which bot stands at a fixed Elo, for the life of the league; None in leagues of
            older versions, in which the mean of the field stands at 1500.
    """

    rules: Rules
    seed: Annotated[str, Meta(pattern="^[0-9]{1,78}$")] | int
    games: Annotated[int, Meta(ge=2, multiple_of=2)] = 100
    layouts: Annotated[int, Meta(ge=0)] = 200
    block_games: Annotated[int, Meta(ge=2, multiple_of=2)] | None = None
    times: Settings = Settings()
    terms: Terms = Terms()
    max_versions: Annotated[int, Meta(ge=1)] = 50
    max_mb: Annotated[int, Meta(ge=1)] = 4096
    anchor: Anchor | None = None
    rivals: bool = False
    opens: Moment | None = None
    closes: Moment | None = None
    tournaments: tuple[Planned, ...] = ()

    def __post_init__(self) -> None:
        """Refuse dates that leave no time, and tournaments that cannot be played.

        Raises:
            ValueError: If it closes before it opens, or a tournament cannot be played.
        """
        if self.opens and self.closes and self.opens >= self.closes:
            raise ValueError(f"closes: {self.closes} is not after opens, {self.opens}")
        refuse_impossible(self.tournaments, self.closes, self.block_pairs)

    @property
    def block_pairs(self) -> int:
        """Pairs a block."""
        return PAIRS_PER_BLOCK if self.block_games is None else self.block_games // 2

    @property
    def block_layouts(self) -> int:
        """Solo games a block."""
        return LAYOUTS_PER_BLOCK if self.block_games is None else self.block_games


def games_a_block(times: Settings) -> int:
    """Return how many games a block of a new league has: an even number, by its charter alone.

    Nobody else plays on the worker before a block ends, so it is short: if a bot uses all of its
    time in each game, they take no more than ``MOST_THINKING_S`` together.
    """
    pairs = int(MOST_THINKING_S // (2 * times.game_s))
    return 2 * max(1, min(pairs, PAIRS_PER_BLOCK))


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
    _write(_text_of(charter), path)


def rewrite_charter(charter: Charter, path: Path, field: str, value: object) -> None:
    """Replace a charter of which one field has another value; hold the lock meanwhile.

    Comments stay where the field stands on one line of its own.
    """
    line = re.compile(rf"^({field}\s*=\s*)[^#\n]*?([ \t]*(?:#.*)?)$", re.MULTILINE)
    was = path.read_text(encoding="utf-8")
    text = line.sub(lambda found: f"{found[1]}{_toml(value)}{found[2]}", was, count=1)
    _replace(charter, path, text)


def rewrite_tournaments(charter: Charter, path: Path) -> None:
    """Replace a charter that has other tournaments; hold the lock meanwhile. Comments stay."""
    was = path.read_text(encoding="utf-8")
    without = re.sub(r"^\[\[tournaments\]\][^\[]*", "", was, flags=re.MULTILINE)
    _replace(charter, path, f"{without.rstrip()}\n{_tournaments(charter.tournaments)}")


def _replace(charter: Charter, path: Path, text: str) -> None:
    """Replace a charter by a text, or by a new one where that does not say the same."""
    if not _is(text, charter):
        text = _text_of(charter)
    draft = path.with_name(f".{path.name}.new")
    draft.unlink(missing_ok=True)
    _write(text, draft)
    draft.replace(path)


def _is(text: str, charter: Charter) -> bool:
    try:
        return msgspec.convert(tomllib.loads(text), Charter) == charter
    except (ValueError, msgspec.ValidationError, RulesError):
        return False


def _text_of(charter: Charter) -> str:
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
    games = charter.block_games
    size = "" if games is None else f"block_games = {games}  # begun and finished together\n"
    dates = "".join(
        f"{name} = {_toml(at)}  # when a server {what} bots\n"
        for name, at, what in (
            ("opens", charter.opens, "begins to take"),
            ("closes", charter.closes, "takes no more"),
        )
        if at is not None
    )
    rivals = "rivals = true  # authors may play against bots of others\n" * charter.rivals
    return (
        "# What this league plays. games and layouts may be raised at any time: the next\n"
        "# `salvo submit` plays what is missing. max_versions, max_mb and what stands under terms\n"
        "# hold from then on. `salvo operate set FIELD VALUE` changes each of these. All else is\n"
        "# fixed with the first game.\n\n"
        f'seed = "{charter.seed}"  # keep it secret: whoever knows it knows every layout\n'
        f"games = {charter.games}  # a pairing, an even number\n"
        f"layouts = {charter.layouts}  # solo games a bot\n"
        f"{size}"
        f"max_versions = {charter.max_versions}  # of one name\n"
        f"max_mb = {charter.max_mb}  # the disk space of all copies of bots, in megabytes\n"
        f"{rivals}{dates}\n"
        f"[times]  # of bots, in seconds\n{times}\n"
        "[terms]\n"
        f"max_memory_mb = {terms.max_memory_mb}  # the most that a bot's TOML may ask for\n"
        f"processes = {_toml(terms.processes)}  # whether it may ask to start processes\n"
        f"max_temporary_mb = {terms.max_temporary_mb}  # the largest temporary folder\n"
        f"grants = {_toml(terms.grants)}  # files and folders that every bot may read\n"
        f"network = {_toml(terms.network)}  # what bots that ask for it may reach, as HOST:PORT\n"
        f"secrets = {_toml(terms.secrets)}  # variables that a bot is given, as BOT=VARIABLE\n\n"
        f"{scale}[rules]\n{rules_to_toml(charter.rules)}"
        f"{_tournaments(charter.tournaments)}"
    )


def _tournaments(planned: Sequence[Planned]) -> str:
    return "".join(
        f"\n[[tournaments]]  # `salvo operate tournament` changes what stands here\n"
        f"name = {_toml(one.name)}\nat = {_toml(one.at)}\n"
        f"games = {one.games}  # a pairing, at most\nlooks = {one.looks}  # each may end it\n"
        f"seed = {_toml(one.seed)}  # secret until it has ended\n"
        for one in planned
    )


def _write(text: str, path: Path) -> None:
    # The seed is for nobody but the owner of the league.
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)


def _toml(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat()  # TOML has moments of its own
    return msgspec.json.encode(value).decode()
