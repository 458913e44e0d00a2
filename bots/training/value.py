"""Trains the value function that separates luck from skill: the shots that are still needed.

Every game of ``bots.training.value_games`` gives, salvo by salvo, the features of all answers that
might have come and how likely each was. The target of an answer that came is the number of turns
that followed, less the luck in them by the network before this one: the first learns from plain
counts, which luck scatters by eight shots, each later one from targets that the one before has made
several times more precise.

What it costs that a shooter did not take the cells that it finds best is no error of the network
before, and is left out of the targets.

Run ``python -m bots.training.value``, and for salvos ``--shots 5``; games are kept in a folder, and
the same command goes on from there. Playing 1,000 games takes about a minute.
"""

import dataclasses
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bots.tactics.learned.weight_files import Origin, write_weights
from bots.tactics.posterior.board_placements import Bools, Floats, Indices
from bots.tactics.value import network
from bots.tactics.value.answer_luck import Answers, lucks, values
from bots.tactics.value.features import SHOTS, Features
from bots.tactics.value.network import Network, Weights, standardised
from bots.training.agent import option, parsed, say
from bots.training.source import origin_of
from bots.training.value_games import Games, Played, gather


@dataclass(frozen=True)
class Args(Games):
    """The settings of the training."""

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
    of_one = [part[None] for part in parameters]
    return Network(mean, scale, of_one[:layers], of_one[layers:])


def mean_of(networks: Sequence[Network]) -> Network:
    """Return the network that gives the mean of what some give, trained on the same states."""
    weights = zip(*(one.weights for one in networks), strict=True)
    biases = zip(*(one.biases for one in networks), strict=True)
    return networks[0]._replace(
        weights=[np.concatenate(layer) for layer in weights],
        biases=[np.concatenate(layer) for layer in biases],
    )


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
    board = {"rows": 10, "columns": 10, "shots": args.shots}
    path = Path(network.__file__).with_name(network.file_name(args.shots))
    save(train(args), path, origin_of(command_of(args), args.seed, args.games, **board))


def command_of(args: Args) -> str:
    """Return the command that trains so, whichever folder games are kept in."""
    options = [
        f"--{each.name.replace('_', '-')} {getattr(args, each.name)}"
        for each in dataclasses.fields(args)
        if each.name != "folder" and getattr(args, each.name) != each.default
    ]
    return " ".join(["python -m bots.training.value", *options])


if __name__ == "__main__":
    main()
