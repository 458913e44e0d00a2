"""Plays the games that a value function learns from.

A strong shooter plays alone at layouts of its own; no record has them. Half of the games are on the
usual board, the classic one or the salvo; the others are on boards, with fleets and with numbers of
shots that are drawn at random, so that any can be valued. In some the shooter takes cells that are
not quite the best, or any, to show what it would not come to by itself. Games are kept in a folder;
those that it has are not played again.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from arena.rules import (
    Rules,
    Ship,
    Shoot,
    apply,
    begin_solo,
    draw_uniform,
    preset,
    view,
)
from bots.tactics.posterior.board_placements import Bools, Indices, board_of
from bots.tactics.posterior.evidence import observation_of
from bots.tactics.posterior.salvo import HIT_BITS_ALONE, best_set
from bots.tactics.value.answer_luck import Answers, answers_of
from bots.tactics.value.chances import Chances, Outlook
from bots.tactics.value.diagonal_classes import prospects
from bots.tactics.value.layout_set import LayoutSet
from bots.tactics.value.look_ahead import off_class_bits, ship_layouts
from bots.training.agent import option, say

OFF_CLASS = 0.8  # what a cell counts off the class of diagonals that is hunted on
SIDES = range(4, 13)  # rows and columns of other boards
COVERED = (0.1, 0.35)  # the least and the greatest share of their cells that ships cover, about
LENGTHS, MOST_SHIPS = range(2, 6), 7  # of their fleets
SALVOS = range(2, 7)  # shots a turn of other games of salvos
BLUR_BITS = 0.7  # of a cell of a salvo, times the blur: what its handicap is off by
FOR_SALVO = 500  # layouts by which a salvo is chosen, about

GAMES_A_FILE = 100


@dataclass(frozen=True)
class Games:
    """The games that are played."""

    shots: int = option(1, "Shots a turn of the usual game: 1 or 5.")
    games: int = option(18_000, "How many games are played, in hundreds.")
    layouts: int = option(2_000, "Layouts in a set that the posterior is estimated by.")
    boards: float = option(0.5, "The share of games on other boards, with other fleets.")
    careless: float = option(0.2, "The share of games that begin with some random shots.")
    blurred: float = option(0.4, "The share of games in which what cells count is blurred.")
    blur: float = option(0.15, "By how much: Gumbel noise on the logarithm, times this.")
    seed: int = option(7, "What all randomness derives from.")
    folder: Path = field(default=Path("value-games"), metadata={"help": "Where games are kept."})


class Played(NamedTuple):
    """Some games, salvo by salvo."""

    answers: Answers  # the answers that their salvos might have got
    game: Indices
    left: Indices  # how many turns were left after each salvo
    chosen: Bools  # whether the shooter chose each salvo as it does by itself


def play(args: Games, number: int) -> tuple[Answers, list[bool]]:
    """Play one game; return what salvos might have got, and whether the shooter chose each."""
    seeds = np.random.SeedSequence([args.seed, args.shots, number]).spawn(4)
    random = Random(int(seeds[0].generate_state(1)[0]))
    randoms = [np.random.default_rng(seed) for seed in seeds[1:]]
    rules = drawn_rules(args, random)
    shots = rules.full_salvo
    fleet = view(rules).fleet
    lengths = tuple(sorted((ship.length for ship in fleet), reverse=True))
    by_name = {ship.name: ship.length for ship in fleet}
    board = board_of(rules.rows, rules.columns, lengths, rules.touching)
    chances = Chances(board, lengths, randoms, args.layouts)
    most = rules.rows * rules.columns * 2 // 5
    careless = random.randrange(1, most) if random.random() < args.careless else 0
    blur = args.blur if random.random() < args.blurred else 0.0
    state = begin_solo(rules, draw_uniform(rules, random))
    outlooks: list[Outlook] = []
    chosen: list[bool] = []
    while state.request is not None and chances.sets:
        by_itself = len(outlooks) * shots >= careless
        if not by_itself:
            untried = np.flatnonzero(chances.untried).tolist()
            cells = random.sample(untried, min(shots, len(untried)))
        else:
            best, cells = choose(chances, shots, blur, random)
            by_itself = set(best) == set(cells)
        state = apply(state, Shoot(cells))
        assert state.salvo is not None
        salvo = observation_of(state.salvo.cells, state.salvo.report, by_name)
        outlook = chances.observe(salvo)
        assert outlook is not None
        outlooks.append(outlook)
        chosen.append(by_itself)
    return answers_of(board, outlooks, shots), chosen


def drawn_rules(args: Games, random: Random) -> Rules:
    """Return the rules of a game: those of a preset, or of another board and fleet."""
    usual = preset("salvo" if args.shots > 1 else "classic")
    if random.random() >= args.boards:
        return usual
    # Small ones more often: a game on them has fewer shots to learn from.
    rows, columns = sorted(random.choices(SIDES, [1 / side**2 for side in SIDES], k=2))
    room = rows * columns * random.uniform(*COVERED)
    fleet: list[Ship] = []
    while not fleet or (room > LENGTHS[0] and len(fleet) < MOST_SHIPS):
        length = random.choice([n for n in LENGTHS if n <= columns and (n <= room or not fleet)])
        fleet.append(Ship(f"ship {len(fleet) + 1}", length))
        room -= length
    shots = random.choice(SALVOS) if args.shots > 1 else 1
    other = {"rows": rows, "columns": columns, "fleet": tuple(fleet), "shots": shots}
    return replace(usual, name="drawn", **other)


def choose(
    chances: Chances, count: int, blur: float, random: Random
) -> tuple[list[int], list[int]]:
    """Return the best cells of the next salvo, and the best if what cells count is blurred.

    They are found by a third set of layouts, which luck does not use.
    """
    return _salvos(chances, count, blur, random) if count > 1 else _cells(chances, blur, random)


def _salvos(
    chances: Chances, count: int, blur: float, random: Random
) -> tuple[list[int], list[int]]:
    drawn, untried = chances.sets[2], np.flatnonzero(chances.untried).tolist()
    rows = np.arange(0, len(drawn.weights), max(len(drawn.weights) // FOR_SALVO, 1))
    some = drawn._replace(places=drawn.places[:, rows], weights=drawn.weights[rows])
    lengths = tuple(chances.lengths)
    bits = off_class_bits(LayoutSet(chances.board, lengths, some, chances.hit, chances.untried))
    layouts = ship_layouts(chances, some.places)
    number = min(count, len(untried))
    best = best_set(layouts, untried, number, HIT_BITS_ALONE, bits)
    if not blur:
        return best, best
    noise = np.random.default_rng(random.getrandbits(64)).normal(size=len(bits))
    bits = bits + np.float32(blur * BLUR_BITS) * noise.astype(np.float32)
    return best, best_set(layouts, untried, number, HIT_BITS_ALONE, bits)


def _cells(chances: Chances, blur: float, random: Random) -> tuple[list[int], list[int]]:
    board, drawn = chances.board, chances.sets[2]
    untried = np.flatnonzero(chances.untried)
    cells = np.zeros(board.cells)
    hit_is_open = False
    smallest = max(chances.lengths)
    for slot, length in enumerate(chances.lengths):
        places = drawn.places[slot]
        unhit = (length - board.covers_32[length] @ chances.hit.astype(np.float32))[places]
        hit_is_open |= bool(((unhit > 0) & (unhit < length)).any())
        smallest = min(smallest, length) if unhit.any() else smallest
        cells += (
            np.bincount(places, drawn.weights, len(board.covers[length])) @ board.covers[length]
        )
    cells[~chances.untried] = 0
    if not hit_is_open:
        hunted = prospects((cells > 0)[None].astype(float), board.columns, smallest, 0.0)[0] > 0
        cells *= np.where(hunted, 1.0, OFF_CLASS)
    likely = cells[untried]
    best = [int(untried[likely.argmax()])]
    if not blur or likely.max() >= drawn.weights.sum():  # a cell that is certain is shot
        return best, best
    noise = np.random.default_rng(random.getrandbits(64)).gumbel(size=len(untried))
    return best, [int(untried[(likely * np.exp(blur * noise)).argmax()])]


def gather(args: Games) -> Played:
    """Return the games of the training; those that the folder lacks are played."""
    args.folder.mkdir(parents=True, exist_ok=True)
    parts = []
    started = time.perf_counter()
    for first in range(0, args.games, GAMES_A_FILE):
        path = args.folder / f"{args.shots}-{first}.npz"
        if not path.exists():
            games = [played_game(args, first + number) for number in range(GAMES_A_FILE)]
            played = join([game for game in games if game is not None])
            game, left, chosen = played[1:]
            np.savez(path, game=game, left=left, chosen=chosen, **played.answers._asdict())
            say(f"{first + GAMES_A_FILE} games, {time.perf_counter() - started:.0f} s")
        with np.load(path, allow_pickle=False) as file:
            answers = Answers(*(file[name] for name in Answers._fields))
            parts.append(Played(answers, file["game"], file["left"], file["chosen"]))
    return join(parts)


def played_game(args: Games, number: int) -> Played | None:
    """Play one game, and return what can be learned from it."""
    answers, chosen = play(args, number)
    # A few end early: what was done carelessly has left no layout to go on with.
    if answers.to_hit[answers.came[-1]]:
        return None
    turns = np.arange(len(chosen))
    return Played(answers, np.full(len(turns), number), len(turns) - 1 - turns, np.array(chosen))


def join(parts: Sequence[Played]) -> Played:
    """Return the games of all parts as one."""
    return Played(
        Answers.joined([part.answers for part in parts]),
        *(np.concatenate([part[place] for part in parts]) for place in range(1, 4)),
    )
