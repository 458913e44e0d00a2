"""Trains the value function that separates luck from skill: the shots that are still needed.

A strong shooter plays alone at layouts of its own; the trainer draws them, and no record has them.
Every game gives, salvo by salvo, the features of all answers that might have come and how likely
each was. The target of an answer that came is the number of turns that followed, less the luck in
them by the network before this one: the first learns from plain counts, which luck scatters by
eight shots, each later one from targets that the one before has made several times more precise.

Half of the games are the classic one, or the salvo; the others are on boards, with fleets and with
numbers of shots that are drawn at random, so that any can be valued. In some the shooter takes
cells that are not quite the best, or any, to show what it would not come to by itself. What that
costs is no error of the network before, and is left out of the targets.

Run ``python -m bots.training.value``, and for salvos ``--shots 5``; games are kept in a folder, and
the same command goes on from there. Playing 1,000 games takes about a minute.
"""

import itertools
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from scipy.linalg import block_diag

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
from bots.tactics.learned.weight_files import Origin, write_weights
from bots.tactics.posterior.board_placements import Bools, Floats, Indices, board_of
from bots.tactics.posterior.evidence import observation_of
from bots.tactics.posterior.salvo import HIT_BITS_ALONE, best_set
from bots.tactics.value import network
from bots.tactics.value.answer_luck import Answers, answers_of, lucks, values
from bots.tactics.value.chances import Chances, Outlook
from bots.tactics.value.diagonal_classes import prospects
from bots.tactics.value.features import SHOTS, Features
from bots.tactics.value.layout_set import LayoutSet
from bots.tactics.value.look_ahead import off_class_bits, ship_layouts
from bots.tactics.value.network import Network, Weights, standardised
from bots.training.agent import option, parsed, say
from bots.training.source import origin_of

OFF_CLASS = 0.8  # what a cell counts off the class of diagonals that is hunted on
SIDES = range(4, 13)  # rows and columns of other boards
COVERED = (0.1, 0.35)  # the least and the greatest share of their cells that ships cover, about
LENGTHS, MOST_SHIPS = range(2, 6), 7  # of their fleets
SALVOS = range(2, 7)  # shots a turn of other games of salvos
BLUR_BITS = 0.7  # of a cell of a salvo, times the blur: what its handicap is off by


@dataclass(frozen=True)
class Args:
    """The settings of the training."""

    shots: int = option(1, "Shots a turn of the usual game: 1 or 5.")
    games: int = option(18_000, "How many games are played, in hundreds.")
    layouts: int = option(2_000, "Layouts in a set that the posterior is estimated by.")
    boards: float = option(0.5, "The share of games on other boards, with other fleets.")
    careless: float = option(0.2, "The share of games that begin with some random shots.")
    blurred: float = option(0.4, "The share of games in which what cells count is blurred.")
    blur: float = option(0.15, "By how much: Gumbel noise on the logarithm, times this.")
    generations: int = option(4, "How often a network is trained, first on plain counts.")
    members: int = option(2, "Networks of the last generation, of which the mean is taken.")
    epochs: int = option(60, "How often these go through all games; those before a quarter of it.")
    batch: int = option(256, "States a step.")
    rate: float = option(1e-3, "The first step of Adam; it falls to 0 along half a cosine.")
    trust: float = option(
        0.9, "How much each later salvo says of the turns left, against the one before."
    )
    units: tuple[int, ...] = (256, 64)
    held_out: float = option(0.1, "The share of games that are measured on, not trained on.")
    seed: int = option(7, "What all randomness derives from.")
    folder: Path = field(default=Path("value-games"), metadata={"help": "Where games are kept."})


GAMES_A_FILE = 100
FOR_SALVO = 500  # layouts by which a salvo is chosen, about


class Played(NamedTuple):
    """Some games, salvo by salvo."""

    answers: Answers  # the answers that their salvos might have got
    game: Indices
    left: Indices  # how many turns were left after each salvo
    chosen: Bools  # whether the shooter chose each salvo as it does by itself


def play(args: Args, number: int) -> tuple[Answers, list[bool]]:
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
            cells = choose(chances, shots, 0.0, random)
            if blur:
                best, cells = cells, choose(chances, shots, blur, random)
                by_itself = set(best) == set(cells)
        state = apply(state, Shoot(cells))
        assert state.salvo is not None
        salvo = observation_of(state.salvo.cells, state.salvo.report, by_name)
        outlook = chances.observe(salvo)
        assert outlook is not None
        outlooks.append(outlook)
        chosen.append(by_itself)
    return answers_of(board, outlooks, shots), chosen


def drawn_rules(args: Args, random: Random) -> Rules:
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


def choose(chances: Chances, count: int, blur: float, random: Random) -> list[int]:
    """Return the cells of the next salvo, by a third set of layouts that luck does not use."""
    board, drawn = chances.board, chances.sets[2]
    untried = np.flatnonzero(chances.untried)
    if count > 1:
        rows = np.arange(0, len(drawn.weights), max(len(drawn.weights) // FOR_SALVO, 1))
        some = drawn._replace(places=drawn.places[:, rows], weights=drawn.weights[rows])
        lengths = tuple(chances.lengths)
        bits = off_class_bits(LayoutSet(board, lengths, some, chances.hit, chances.untried))
        if blur:
            noise = np.random.default_rng(random.getrandbits(64)).normal(size=len(bits))
            bits = bits + np.float32(blur * BLUR_BITS) * noise.astype(np.float32)
        layouts = ship_layouts(chances, some.places)
        number = min(count, len(untried))
        return best_set(layouts, untried.tolist(), number, HIT_BITS_ALONE, bits)
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
    if blur and likely.max() < drawn.weights.sum():  # where no cell is certain
        noise = np.random.default_rng(random.getrandbits(64)).gumbel(size=len(untried))
        likely *= np.exp(blur * noise)
    return [int(untried[likely.argmax()])]


def gather(args: Args) -> Played:
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


def played_game(args: Args, number: int) -> Played | None:
    """Play one game, and return what can be learned from it."""
    answers, chosen = play(args, number)
    # A few end early: what was done carelessly has left no layout to go on with.
    if answers.to_hit[answers.came[-1]]:
        return None
    turns = np.arange(len(chosen))
    return Played(answers, np.full(len(turns), number), len(turns) - 1 - turns, np.array(chosen))


def join(parts: Sequence[Played]) -> Played:
    """Return the games of all parts as one."""
    salvos = np.cumsum([0, *(len(part.game) for part in parts)])
    rows = np.cumsum([0, *(len(part.answers.salvo) for part in parts)])
    answers = [
        part.answers._replace(salvo=part.answers.salvo + salvo, came=part.answers.came + row)
        for part, salvo, row in zip(parts, salvos[:-1], rows[:-1], strict=True)
    ]
    return Played(
        Answers(*(np.concatenate(column) for column in zip(*answers, strict=True))),
        *(np.concatenate([part[place] for part in parts]) for place in range(1, 4)),
    )


def targets(played: Played, found: Network | None, args: Args) -> Floats:
    """Return how many turns to learn that were left after each salvo.

    What a network finds left is wrong by as much as it changes, in expectation over the answers,
    by the next salvo: the errors of the salvos that follow add up, each weighing ``args.trust``
    times the one before it. With a trust of 1 that is the number of turns less the luck in them.
    A salvo that the shooter would not have chosen adds none.
    """
    if found is None:
        return played.left.astype(float)
    answers = played.answers
    after, expected = foreseen(answers, values(answers, found.misses(answers.features)))
    expected = np.where(played.chosen, expected, np.roll(after, 1))
    later = np.roll(surprises(after, expected, played.game, args.trust), -1)
    last = np.append(played.game[1:] != played.game[:-1], True)
    return np.asarray(after + np.where(last, 0.0, later), float)


def undisturbed(played: Played) -> Bools:
    """Return after which salvos all that followed was as the shooter chooses by itself."""
    found = np.ones(len(played.game), bool)
    for salvo in reversed(range(len(found) - 1)):
        if played.game[salvo] == played.game[salvo + 1]:
            found[salvo] = found[salvo + 1] and played.chosen[salvo + 1]
    return found


def foreseen(answers: Answers, worth: Floats) -> tuple[Floats, Floats]:
    """Return the turns left after each salvo, and those that it costs and leaves in expectation.

    The first are by the answer that came, the second over all answers; ``worth`` has each.
    """
    after = worth[answers.came]
    return after, 1 + after - lucks(answers, worth)


def surprises(after: Floats, expected: Floats, game: Indices, trust: float) -> Floats:
    """Return by how much each salvo, and those that follow it, went worse than was expected.

    Args:
        after: How many turns are left after each, by the answer that came.
        expected: How many turns it costs, itself included, in expectation over the answers.
        game: The game that each is of; those of a game follow each other.
        trust: How much each later salvo says, against the one before.

    Of the first salvo of a game nothing was expected before: it has all that the game costs.
    """
    found = np.zeros(len(after))
    later = 0.0
    for salvo in reversed(range(len(after))):
        first = not salvo or game[salvo - 1] != game[salvo]
        before = 0.0 if first else after[salvo - 1]
        found[salvo] = expected[salvo] + trust * later - before
        later = 0.0 if first else found[salvo]
    return found


def fit(features: Features, wanted: Floats, args: Args, seed: int, epochs: int) -> Network:
    """Return a network fitted to the misses wanted of each state by Adam (Kingma and Ba, 2015)."""
    random = np.random.default_rng([args.seed, seed])
    mean, scale = features.mean(axis=0), features.std(axis=0) + np.float32(1e-3)
    inputs = standardised(features, mean, scale).astype(np.float32)
    wanted = wanted.astype(np.float32)
    sizes = [inputs.shape[1], *args.units, 1]
    drawn = [
        random.normal(0, np.sqrt(2 / one), (one, two)) for one, two in itertools.pairwise(sizes)
    ]
    drawn += [np.zeros(size) for size in sizes[1:-1]] + [np.full(1, wanted.mean())]
    # One vector, of which all weights and biases are views.
    vector = np.concatenate([one.ravel() for one in drawn]).astype(np.float32)
    ends = np.cumsum([one.size for one in drawn])
    parts = np.split(vector, ends[:-1])
    parameters: list[Weights] = [
        part.reshape(one.shape) for part, one in zip(parts, drawn, strict=True)
    ]
    moment, square = np.zeros_like(vector), np.zeros_like(vector)
    a_round = len(inputs) // args.batch
    for step in range(epochs * a_round):
        if step % a_round == 0:
            order = random.permutation(len(inputs))
        rows = order[step % a_round * args.batch :][: args.batch]
        slopes = gradient(parameters, inputs[rows], wanted[rows])
        slope = np.concatenate([one.ravel() for one in slopes])
        moment += np.float32(0.1) * (slope - moment)
        square += np.float32(0.001) * (slope * slope - square)
        size = np.sqrt(square / (1 - 0.999 ** (step + 1))) + 1e-8
        change = moment / (1 - 0.9 ** (step + 1)) / size
        rate = args.rate * (1 + np.cos(np.pi * step / (epochs * a_round))) / 2
        vector -= (rate * change).astype(np.float32)
    layers = len(sizes) - 1
    return Network(mean, scale, parameters[:layers], parameters[layers:])


def mean_of(networks: Sequence[Network]) -> Network:
    """Return the network that gives the mean of what some give, trained on the same states."""
    weights, biases = [], []
    layers = list(zip(*(one.weights for one in networks), strict=True))
    for number, layer in enumerate(layers):
        beside = [one.biases[number] for one in networks]
        if number == 0:
            weights.append(np.concatenate(layer, axis=1))
        elif number == len(layers) - 1:
            weights.append(np.concatenate(layer) / len(networks))
            beside = [np.mean(beside, axis=0)]
        else:
            weights.append(block_diag(*layer))
        biases.append(np.concatenate(beside))
    return Network(networks[0].mean, networks[0].scale, weights, biases)


def gradient(parameters: Sequence[Weights], inputs: Weights, wanted: Weights) -> list[Weights]:
    """Return the slope of half the mean squared error by each weight and bias."""
    layers = len(parameters) // 2
    weights, biases = parameters[:layers], parameters[layers:]
    outputs = [inputs]
    for number in range(layers):
        layer = outputs[-1] @ weights[number] + biases[number]
        outputs.append(np.maximum(layer, 0) if number < layers - 1 else layer)
    error = (outputs[-1] - wanted[:, None]) / np.float32(len(wanted))
    of_weights: list[Weights] = []
    of_biases: list[Weights] = []
    for number in reversed(range(layers)):
        of_weights.append(outputs[number].T @ error)
        of_biases.append(error.sum(axis=0))
        error = (error @ weights[number].T) * (outputs[number] > 0)
    return of_weights[::-1] + of_biases[::-1]


def train(args: Args) -> Network:
    """Train generation after generation, and return the last network."""
    played = gather(args)
    answers = played.answers
    games = np.unique(played.game)
    trained = played.game < games[int(len(games) * (1 - args.held_out))]
    to_hit = answers.to_hit[answers.came]
    features = answers.features[answers.came]
    found: Network | None = None
    for generation in range(args.generations):
        # Plain counts have what was not chosen in them.
        rows = trained & (to_hit > 0) & (undisturbed(played) if found is None else True)
        last = generation == args.generations - 1
        members = args.members if last else 1
        epochs = args.epochs if last else max(args.epochs // 4, 1)
        wanted = (targets(played, found, args) * features[:, SHOTS] - to_hit)[rows]
        found = mean_of(
            [fit(features[rows], wanted, args, generation + n, epochs) for n in range(members)]
        )
        say(f"generation {generation + 1}: {measured(played, found, ~trained)}")
    assert found is not None
    return found


def measured(played: Played, found: Network, rows: Bools) -> str:
    """Return in words how much less a game varies once luck is taken away, over some salvos.

    What counts is how far each is from what was expected of it at its beginning: games are played
    on boards of all sizes.
    """
    answers = played.answers
    worth = values(answers, found.misses(answers.features))
    luck = lucks(answers, worth)
    _, expected = foreseen(answers, worth)
    games, first, number = np.unique(played.game[rows], return_index=True, return_inverse=True)
    turns = np.bincount(number).astype(float)
    usual = np.bincount(number, ~played.chosen[rows]) == 0
    plain = (turns - expected[rows][first])[usual]
    less = plain - np.bincount(number, luck[rows])[usual]
    return (
        f"{len(plain)} of {len(games)} games held out took {turns[usual].mean():.3f} turns; off by "
        f"{plain.std():.3f}, less luck {less.std():.3f}, variance / "
        f"{(plain.std() / less.std()) ** 2:.1f}"
    )


def save(found: Network, path: Path, origin: Origin) -> None:
    """Write a network where ``bots.tactics.value.network`` reads it."""
    arrays = {"mean": found.mean, "scale": found.scale}
    for layer, (weights, biases) in enumerate(zip(found.weights, found.biases, strict=True)):
        arrays |= {f"weights_{layer}": weights, f"biases_{layer}": biases}
    write_weights(path, arrays, origin)


def main() -> None:
    """Train, and write the weights anew."""
    args = parsed(Args, "Train the value function.")
    command = " ".join(["python -m bots.training.value", *sys.argv[1:]])
    board = {"rows": 10, "columns": 10, "shots": args.shots}
    path = Path(network.__file__).with_name(network.file_name(args.shots))
    save(train(args), path, origin_of(command, args.seed, args.games, **board))


if __name__ == "__main__":
    main()
