"""Gives the author of a bot what it needs: ``from arena import Bot, run``.

A bot is a class with two methods, ``place_fleet`` and ``choose_shots``, and a line ``run(MyBot)``.
``Bot`` tracks the game. Everything printed goes to stderr, since stdout is for the protocol. A
mistake is reported there by the line of the author's file, without what lies inside Salvo.
"""

import gc
import io
import os
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import TracebackType
from typing import Any, BinaryIO, ClassVar

from msgspec import UNSET
from msgspec.structs import replace

from arena import protocol
from arena.returned import (
    hits_in,
    layout_in,
    move_in,
    numbers_in,
    open_cells,
    shots_in,
    willingness_in,
)
from arena.rules import (
    FIRST_FEATURES,
    CellsReport,
    Report,
    RulesView,
    Ship,
    draw,
    name_layout,
    unusual,
)
from arena.text import printable

_ARENA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "")  # noqa: PTH100, PTH118, PTH120 - pathlib would be imported for this alone
_WRONG_USAGE = 2
"""The exit code of programs whose options are wrong."""


_REQUESTS = (protocol.ShootSalvo, protocol.PlaceFleet, protocol.MoveShip, protocol.AnswerSalvo)


class Unavailable(Exception):  # noqa: N818 - what the bot says, and no error of anybody here
    """What the bot needs from outside is not available, such as a model of a provider.

    Raise it from a method of a bot that was granted the network, with the reason: the game is then
    void and played later; see PROTOCOL.md.
    """


class Bot:
    """Base class of bots: places its fleet uniformly at random; subclasses choose the shots.

    One instance plays all games of a block, so what you keep on ``self`` lasts from one game to the
    next against the same opponent.

    Attributes:
        name: What the bot calls itself; the name of its class if empty. Tables do not use it.
        default_field: Whether it takes part in tournaments that name no bots.
        understands: The features of rules that it can play by; see ``arena.rules.rule_features``.
        rules: The view of the rules: rows, columns, cells, fleet, opponent_fleet, shots.
        seat: "first" or "second".
        solo: Whether the game is alone, against a layout of the arena: then ``place_fleet`` is
            never called, so prepare in ``game_begins``.
        limits: The time allowed: move_s, game_s, load_s.
        random: A generator with the game's seed; use no other randomness to be reproducible.
        shot: The cells you have shot, in order; the cells of one salvo in the order you gave.
        hits: Those of them reported as hits, in order; empty where only hits are counted.
        afloat: The opponent's ships not yet reported sunk by name; empty if they are unknown.
        sunk: Each ship reported sunk by name, with the cells of the salvo that sank it.
        hit_ships: The name of the ship on each cell that was hit, where hits name it.
        sunk_cells: The cells of each ship that was sunk, by its name, where they are reported.
        sunk_count: How many ships were reported sunk, named or not.
        reports: Each salvo with its report, oldest first.
        incoming: The salvos of the opponent, oldest first.
        layout: Where your own ships lie, by name.
        time_left_s: The time left for the game when the last request came, in seconds.
    """

    name: ClassVar[str] = ""
    author: ClassVar[str] = ""
    version: ClassVar[str] = ""
    default_field: ClassVar[bool] = False
    understands: ClassVar[frozenset[str]] = FIRST_FEATURES

    rules: RulesView
    seat: str
    solo: bool
    limits: protocol.Limits
    random: random.Random
    shot: list[int]
    hits: list[int]
    afloat: list[Ship]
    sunk: list[tuple[Ship, tuple[int, ...]]]
    hit_ships: dict[int, str]
    sunk_cells: dict[str, tuple[int, ...]]
    sunk_count: int
    reports: list[tuple[tuple[int, ...], Report]]
    incoming: list[tuple[int, ...]]
    layout: Mapping[str, Sequence[int]]
    time_left_s: float

    def plays(self, rules: RulesView) -> bool:
        """Return whether this bot can play ``rules``; by default those that it ``understands``."""
        return unusual(rules) <= self.understands

    def game_begins(self) -> None:
        """Prepare for a game; called in every game, also in one alone."""

    def place_fleet(self) -> Mapping[str, Sequence[int]]:
        """Return the cells of each of your ships, by name; at random by default.

        Not called in a game alone.
        """
        return name_layout(self.rules, draw(self.rules, self.random))

    def choose_shots(self, count: int) -> Sequence[int]:
        """Return ``count`` different cells that you have not shot yet."""
        raise NotImplementedError(f"{type(self).__name__} lacks choose_shots(self, count)")

    def move_ship(self) -> tuple[str, Sequence[int]] | None:
        """Return the name of an undamaged ship and its cells after the move, or None to stay.

        Called after your turn if ships may move: by one cell along the ship's own axis.
        """
        return None

    def answer_salvo(
        self, cells: Sequence[int], hits: Sequence[int], sunk: Sequence[str], lies_left: int
    ) -> Sequence[int]:
        """Return the cells of the opponent's salvo that you say were hits; by default the truth.

        Called if lies are allowed: about ``lies_left`` more cells, but never about one of a ship
        that the salvo sank.
        """
        del cells, sunk, lies_left
        return hits

    def game_ends(self, end: protocol.End) -> None:
        """Handle the end of a game, for example to learn from it."""

    def numbers(self) -> Mapping[str, float]:
        """Return numbers of your own about the game that has just ended, by short names.

        A bot that overrides this reports them, such as the tokens that a model read: they are kept
        beside the game and shown in tables, and nobody checks them. It is called after
        ``game_ends``, also if the game was not played to its end.
        """
        return {}

    @property
    def untried(self) -> list[int]:
        """Return the cells you have not shot yet, in ascending order.

        If cells may be shot again and none is left, return all cells.
        """
        shot = set(self.shot)
        left = [cell for cell in range(self.rules.cells) if cell not in shot]
        return list(range(self.rules.cells)) if self.rules.reshoot and not left else left


class Session:
    """A bot's side of the conversation: messages in, answers out.

    ``run`` reads messages from stdin; ``arena.player.InProcessPlayer`` passes them directly.

    The bot's attributes are updated from each message before its method is called.
    """

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self._last_salvo: tuple[int, ...] = ()
        self._shot_count = 0
        self._may_shoot: set[int] = set()
        """The cells that may be shot after the first ``_shot_count`` in ``bot.shot``."""
        self._outage: Unavailable | None = None
        """What the bot raised where no answer was due to say it in."""

    def answer(self, message: protocol.ToBot) -> protocol.FromBot | None:
        """Return the bot's answer to a message, or None if it needs none.

        Raises:
            Exception: Whatever the bot raises; TypeError or ValueError, in words for its author,
                if a method returns what it must not.
        """
        try:
            # Fast path: most messages ask for shots, and a type check is cheaper than ``match``.
            if isinstance(message, protocol.ShootSalvo):
                return self._shoot(message)
            return self._answer(message)
        except Unavailable as outage:
            if isinstance(message, _REQUESTS):
                reason = printable(str(outage), protocol.MAX_REASON - len("..."))
                return protocol.Unavailable(message.id, reason)
            if isinstance(message, protocol.Game):
                self._outage = outage  # said at the first request of the game
            if isinstance(message, protocol.End) and self._reports:
                return protocol.Numbers({})  # an answer is due, and the game is over
            return None

    def _answer(self, message: protocol.ToBot) -> protocol.FromBot | None:
        bot = self.bot
        match message:
            case protocol.PlaceFleet(id, time_left_s):
                self._raise_outage()
                bot.time_left_s = time_left_s
                placed = bot.place_fleet()
                ships = layout_in(bot.place_fleet, placed, bot.rules)
                bot.layout = placed
                return protocol.Layout(id, ships)
            case protocol.MoveShip(id, time_left_s, report, incoming):
                bot.time_left_s = time_left_s
                self._note(report, incoming)
                return self._moved(id)
            case protocol.AnswerSalvo(id, time_left_s, cells, hits, sunk, lies_left):
                bot.time_left_s = time_left_s
                told = bot.answer_salvo(cells, hits, sunk, lies_left)
                told = hits_in(bot.answer_salvo, told, cells, bot.rules)
                return protocol.SalvoAnswer(id, told)
            case protocol.Game():
                self._open(message)
            case protocol.End(report=report, incoming=incoming):
                self._note(report, incoming)
                bot.game_ends(message)
                if self._reports:
                    return protocol.Numbers(numbers_in(bot.numbers, bot.numbers()))
            case protocol.Hello(rules=rules):
                return protocol.Introduction(
                    protocol=protocol.PROTOCOL_VERSION,
                    name=bot.name or type(bot).__name__,
                    author=bot.author,
                    version=bot.version,
                    plays=self._plays(rules),
                    default_field=bot.default_field,
                    reports=self._reports or UNSET,
                )
            case protocol.Fault(termination, reason):
                sys.stderr.write(f"stopped by the arena: {termination}: {reason}\n")
            case protocol.Bye():
                pass
        return None

    @property
    def _reports(self) -> bool:
        return type(self.bot).numbers is not Bot.numbers

    def _plays(self, rules: RulesView) -> bool:
        try:
            return willingness_in(self.bot.plays, self.bot.plays(rules))
        except Unavailable as outage:
            self._outage = outage
            return True

    def _raise_outage(self) -> None:
        if self._outage is not None:
            raise self._outage

    def _shoot(self, request: protocol.ShootSalvo) -> protocol.Shots:
        self._raise_outage()
        bot = self.bot
        bot.time_left_s = request.time_left_s
        self._note(request.report, request.incoming)
        returned = bot.choose_shots(request.shots)
        rules = bot.rules
        if len(bot.shot) != self._shot_count:  # the bot changed it
            self._may_shoot = open_cells(rules, bot.shot)
        cells = shots_in(bot.choose_shots, returned, request.shots, rules, self._may_shoot)
        bot.shot += cells
        self._shot_count = len(bot.shot)
        if not rules.reshoot:
            self._may_shoot.difference_update(cells)
        self._last_salvo = cells
        return protocol.Shots(request.id, cells)

    def _open(self, game: protocol.Game) -> None:
        bot = self.bot
        self._shot_count, self._may_shoot = 0, open_cells(game.rules, ())
        bot.rules, bot.seat, bot.solo, bot.limits = game.rules, game.seat, game.solo, game.limits
        bot.random = random.Random(game.seed)
        bot.shot, bot.hits, bot.sunk, bot.incoming, bot.reports = [], [], [], [], []
        bot.sunk_count, bot.layout, bot.hit_ships, bot.sunk_cells = 0, {}, {}, {}
        bot.afloat = list(game.rules.opponent_fleet or ())
        bot.time_left_s = game.limits.game_s
        bot.game_begins()

    def _moved(self, request: str) -> protocol.ShipMove:
        bot = self.bot
        move = move_in(bot.move_ship, bot.move_ship(), bot.rules)
        if move is None:
            return protocol.ShipMove(request, None)
        name, cells = move
        bot.layout = {**bot.layout, name: cells}
        return protocol.ShipMove(request, name, cells)

    def _note(self, report: Report | None, incoming: tuple[tuple[int, ...], ...]) -> None:
        """Update the bot's attributes with what happened since the last request."""
        bot = self.bot
        bot.incoming += incoming
        if report is None:
            return
        bot.reports.append((self._last_salvo, report))
        if isinstance(report, CellsReport) and report.hits:
            bot.hits += report.hits
            if report.ships:
                bot.hit_ships.update(zip(report.hits, report.ships, strict=False))
        if report.sunk_cells:
            bot.sunk_cells.update(report.sunk_cells)
        sunk = report.sunk
        if not sunk:
            return
        if isinstance(sunk, int):
            bot.sunk_count += sunk
            return
        bot.sunk_count += len(sunk)
        bot.sunk += [(ship, self._last_salvo) for ship in bot.afloat if ship.name in sunk]
        bot.afloat = [ship for ship in bot.afloat if ship.name not in sunk]


def run(make_bot: Callable[[], Bot]) -> None:
    """Play as ``make_bot()`` until the arena says goodbye.

    ``make_bot`` is the bot's class, which then takes no options, or a function that makes a bot: it
    may read options from ``sys.argv``.
    """
    # Keep the real stdout for the protocol, and let print() write to stderr.
    answers = os.dup(1)
    os.dup2(2, 1)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Otherwise what is printed comes after a traceback, or is lost when the bot is killed.
        sys.stdout.reconfigure(line_buffering=True)
    program = os.path.basename(sys.argv[0])  # noqa: PTH119 - pathlib takes long to import
    if sys.stdin.isatty():
        sys.stderr.write(f"{program} waits for an arena on stdin; try: salvo check {program}\n")
    if isinstance(make_bot, type) and sys.argv[1:]:
        given = " ".join(sys.argv[1:])
        sys.stderr.write(f"{program}: error: it takes no options, but was given {given!r}\n")
        sys.exit(_WRONG_USAGE)
    # What was imported stays: looking through it again, at the latest when the interpreter ends,
    # would be a tenth of what a start costs.
    gc.freeze()
    try:
        serve(_made(make_bot), sys.stdin.buffer, partial(_write_all, answers))
    except Exception as error:  # noqa: BLE001 - a bot may raise anything
        trace = authors_part(error.__traceback__)
        sys.excepthook(type(error), error.with_traceback(trace), trace)
        sys.exit(1)


def _made(make_bot: Any) -> Bot:  # noqa: ANN401 - whatever the author gave
    if isinstance(make_bot, Bot):
        name = type(make_bot).__name__
        raise TypeError(f"run({name}()) was given a bot; give it the class: run({name})")
    bot = make_bot()
    if not isinstance(bot, Bot):
        name = type(bot).__name__
        raise TypeError(f"run was given {name}, which is no Bot: write class {name}(Bot)")
    return bot


def authors_part(trace: TracebackType | None) -> TracebackType | None:
    """Return a traceback from where the code of the bot's author begins; None if it has none."""
    while trace is not None and trace.tb_frame.f_code.co_filename.startswith(_ARENA):
        trace = trace.tb_next
    return trace


def serve(bot: Bot, lines: BinaryIO, write: Callable[[bytes], object]) -> None:
    """Answer each of ``lines`` through ``write`` until the last one, or until they end."""
    session = Session(bot)
    for line in iter(lines.readline, b""):
        message = protocol.decode_to_bot(line)
        if isinstance(message, protocol.Bye):
            return
        answer = session.answer(message)
        if isinstance(answer, protocol.Introduction) and (unknown := protocol.unknown_rules(line)):
            sys.stderr.write(f"rules, {', '.join(unknown)}: unknown to this version of Salvo\n")
            answer = replace(answer, plays=False)
        if answer is not None:
            write(protocol.encode(answer))


def _write_all(descriptor: int, data: bytes) -> None:
    sent = os.write(descriptor, data)
    while sent < len(data):
        sent += os.write(descriptor, data[sent:])
