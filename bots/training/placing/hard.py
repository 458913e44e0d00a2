"""Finds kinds of layouts that cost shooters most, for shooters that expect to be searched against.

Each round searches layouts against a shooter (``annealing.py``), and describes what they have in
common by the distribution closest to uniform in which each feature of ``hard_layouts.py`` occurs as
often (maximum entropy: Jaynes, 1957). That is fitted by samples that are moved ship by ship while
the scores are learned (persistent chains: Younes, 1989; Tieleman, 2008). The shooter of the next
round takes the layouts found so far for possible: half of its belief is in the uniform
distribution, the other half in all kinds alike. So each kind is what the bots that expect those
before it would be answered with: the double oracle, as in ``search.py``.

Run ``python -m bots.training.placing.hard``, and again with ``--rules salvo``: some minutes each.
"""

from dataclasses import dataclass

import numpy as np

from bots.tactics.placement.hard_layouts import HardLayouts, Scores, features, file_of
from bots.tactics.placement.weighted_layouts import CAP, FLEET, MEAN
from bots.tactics.tables import write_rows
from bots.training.agent import option, parsed, say
from bots.training.placing.annealing import Annealing, Cost, anneal, cost_of
from bots.training.placing.numbered_layouts import (
    COVERS,
    FIRST,
    Doubles,
    Indices,
    draw_layouts,
)
from bots.training.placing.numbered_layouts import features as classes
from bots.training.placing.pool import Pool
from bots.training.placing.shooters import PLAIN, SALVO, Shooter, play, shooter_for, worth

SIZES = COVERS.sum(axis=1).astype(np.intp)
ENDS = {FIRST[length]: int(np.count_nonzero(length == SIZES)) + FIRST[length] for length in FLEET}

EXPECTED = 0.5  # how much of its belief a shooter has in all kinds together
CAPPED = 0.001  # the share of uniform layouts, the likeliest ones, that count the same
GREATEST = 6.0  # the greatest score of a feature
RATE, STEADY = 0.15, 0.2  # how fast scores are learned at first, and the share of that at the end
RARE = 0.02  # a feature in fewer ships than this is learned no faster
SHRINK = 0.002  # how far scores are drawn to 0


@dataclass(frozen=True)
class Args:
    """The settings of the search."""

    rules: str = option("classic", "The game.", choices=("classic", "salvo"))
    kinds: int = option(4, "Kinds of layouts, one a round.", least=1)
    layouts: int = option(400, "Layouts that are searched side by side.", least=10)
    rounds: int = option(40, "Changes of each.", least=1)
    games: int = option(4, "Games by which a change is judged.", least=1)
    fits: int = option(300, "Steps in which the scores of a kind are learned.", least=1)
    sample: int = option(60_000, "Uniform layouts that a shooter compares with.", least=100)
    seed: int = option(31, "What all randomness derives from.", least=0)

    @property
    def shots(self) -> int:
        """Return the shots of a turn."""
        return 1 if self.rules == "classic" else SALVO


def cost_at(shooter: Shooter, shots: int, random: np.random.Generator) -> Cost:
    """Return what a shooter's games cost it."""
    return lambda layouts: worth(play(layouts, shooter, shots, random), shots)


def moved(layouts: Indices, scores: Scores, random: np.random.Generator) -> Indices:
    """Return layouts with every ship moved to a place drawn by its score beside the others."""
    layouts = layouts.copy()
    clear = classes().clear
    likely = np.exp(scores.places)
    beside = np.where(clear, np.exp(scores.pairs), 0).astype(np.float32)
    for ship in random.permutation(len(FLEET)).tolist():
        start = FIRST[FLEET[ship]]
        places = slice(start, ENDS[start])
        ways = np.repeat(likely[None, places], len(layouts), axis=0)
        for other in range(len(FLEET)):
            if other != ship:
                ways *= beside[:, places][layouts[:, other]]
        bounds = np.cumsum(ways, axis=1)
        points = random.random((len(layouts), 1), np.float32) * bounds[:, -1:]
        layouts[:, ship] = start + (bounds > points).argmax(axis=1)
    return layouts


def fitted(layouts: Indices, steps: int, random: np.random.Generator) -> Doubles:
    """Return the scores of the distribution in which features occur as often as in layouts."""
    wanted = _means(layouts)
    scale = np.maximum(_means(draw_layouts(10 * len(layouts), random)), RARE)
    scores = np.zeros(len(wanted))
    chains = draw_layouts(2 * len(layouts), random)
    for step in range(steps):
        chains = moved(chains, Scores.of(scores), random)
        rate = RATE * (1 - (1 - STEADY) * step / steps)
        scores += rate * (wanted - _means(chains) - SHRINK * scores) / scale
        scores = np.clip(scores, -GREATEST, GREATEST)
    return scores


def _means(layouts: Indices) -> Doubles:
    return np.asarray(features().of(layouts.T).mean(axis=0, dtype=float), float)


def kind_of(scores: Doubles, uniform: Indices) -> HardLayouts:
    """Return the distribution of some scores, its cap and mean found on uniform layouts."""
    terms = Scores.of(scores)
    sums = terms.sums(uniform.T)
    cap = float(np.quantile(sums, 1 - CAPPED))
    return HardLayouts(terms, cap, float(np.exp(np.minimum(sums, cap)).mean()))


def search(args: Args) -> list[tuple[Doubles, HardLayouts]]:
    """Return the kinds: the score of each feature, and the distribution."""
    random = np.random.default_rng(args.seed)
    uniform = draw_layouts(args.sample, random)
    found: list[tuple[Doubles, HardLayouts]] = []
    shooter = PLAIN
    odds = np.zeros(len(uniform))
    for number in range(1, args.kinds + 1):
        cost = cost_at(shooter, args.shots, random)
        *_, (layouts, _) = anneal(cost, Annealing(args.layouts, args.rounds, args.games), random)
        taken = cost_of(layouts, args.games, cost, random).mean()
        scores = fitted(layouts, args.fits, random)
        kind = kind_of(scores, uniform)
        found.append((scores, kind))
        own = kind.odds(uniform.T)
        odds += own
        belief = 1 - EXPECTED + EXPECTED * odds / number
        shooter = shooter_for(uniform, belief, compares=False)._replace(pool=Pool(uniform, belief))
        divergence = float((own * np.log(own)).mean())
        say(
            f"kind {number}: {taken:.2f} shots, uniform layouts {cost(uniform[:4000]).mean():.2f} "
            f"for the shooter that expects it; {divergence:.2f} nats from uniform"
        )
    return found


def main() -> None:
    """Search, and write the table anew."""
    args = parsed(Args, "Search for layouts that shooters find late, and what they have in common.")
    found = search(args)
    columns = np.stack([scores for scores, _ in found], axis=1).tolist()
    rows = [*zip(features().names, columns, strict=True)]
    rows += [(CAP, [kind.cap for _, kind in found]), (MEAN, [kind.mean for _, kind in found])]
    write_rows(
        file_of(args.rules), [[name, *(f"{one:.4f}" for one in values)] for name, values in rows]
    )


if __name__ == "__main__":
    main()
