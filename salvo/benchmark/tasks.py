"""Defines the tasks of battleship-v1, and the layouts that agents are evaluated on."""

import functools
import hashlib
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from arena.errors import UserError
from arena.rules import Layout, Rules, cells_of, draw_uniform, placements, preset

VERSION = "battleship-v1"

DRAWN = 1000
"""Layouts of a task whose layouts are too many to play each, and games of a task for two."""

FEWEST_GAMES = 500
"""Games of a task on every layout, at least: layouts are played again until there are so many, and
each twice, so that an agent's own chance can be told from the layouts."""


@dataclass(frozen=True)
class Task:
    """What an agent plays: a shooter alone, against layouts, or whole games against opponents.

    Alone, the mean of its turns counts, the less the better. Against opponents, the mean of its
    points does, the more the better: 1 for a game won, 0.5 for a draw.

    Attributes:
        name: That of the preset with its rules, unless ``rules_name`` has that.
        optimum: The least mean turns, computed; None if it is not known.
        hash: The SHA-256 of its layouts, see ``layouts_hash``, or of how its opponents play, see
            ``salvo.benchmark.games.panel_hash``.
        opponents: Bundled bots, which take turns from game to game; none of a shooter alone.
    """

    name: str
    optimum: float | None
    hash: str
    rules_name: str = ""
    opponents: tuple[str, ...] = ()

    @property
    def rules(self) -> Rules:
        """The rules."""
        return preset(self.rules_name or self.name)

    @property
    def is_exact(self) -> bool:
        """Whether every layout is played, so that layouts add nothing to the error of a mean."""
        return self.optimum is not None


TASKS = {
    task.name: task
    for task in (
        Task("row-10-3", 4.5, "427ecf1e2e41c469c7572237b07157965e616c5f9d5104582514fdc22305c622"),
        Task("square-5-3", 6.9, "2dd4b448f55456cbe7df36b565e7b9e4f6ca09e8aee8abf5c7184fbef375e879"),
        Task("ramesh-1", 6.0, "995929c6994c934c81b94e7cfdf8625d7511026a2889644fada7a98bbc5173e4"),
        Task(
            "ramesh-2", 12.1182, "8088099b8e04c9ed936a7dcb7b91838618acf8e611e5696fc06386eb9b1325ff"
        ),
        Task("ramesh-5", 5.05, "cbb7b6e4a086dc9af5eff1cc713f2a1ce9dca1dc8ced3cdb37f68be287668150"),
        Task("classic", None, "3509299a70c151b8322c12ab23f4da0f7a9b59c7286b904e32486d6243e24448"),
        Task("salvo", None, "7012562952373073c32e2c85bc22b0c072b3aedefe3f3d6b54c8d1b9de2f0b96"),
        Task(
            "duel",
            None,
            "0057bdc7420f4bb784bcf3690b798e42b74c70caf98c59da2862164c1c26b617",
            rules_name="salvo",
            opponents=(
                "hunt_target",
                "hunt_parity",
                "probability_density",
                "posterior_greedy",
            ),
        ),
    )
}
"""The tasks by name: five games with an exact optimum, the classic game, salvos of five, and the
full game for two."""


def task_named(name: str) -> Task:
    """Return a task.

    Raises:
        UserError: If there is none of that name.
    """
    if name not in TASKS:
        raise UserError(f"{VERSION} has no task {name!r}; there are {', '.join(TASKS)}")
    return TASKS[name]


@functools.lru_cache(maxsize=32)
def layouts_of(task: Task, fresh: int | None = None) -> tuple[Layout, ...]:
    """Return the layouts of a task, each as often as it is played.

    They are the same for everybody; or, by the seed ``fresh``, others that nobody can have trained
    on. Where every layout is played, that is another order, in which each comes once a round.
    """
    rules = task.rules
    random = Random(f"{VERSION} {task.name}" + ("" if fresh is None else f" fresh {fresh}"))
    if task.is_exact:
        every = tuple(_every_layout(rules))
        rounds = max(2, -(-FEWEST_GAMES // len(every)))
        if fresh is None:
            return every * rounds
        return tuple(layout for _ in range(rounds) for layout in random.sample(every, len(every)))
    return tuple(draw_uniform(rules, random) for _ in range(DRAWN))


@functools.lru_cache(maxsize=32)
def conditions_hash(task: Task, fresh: int | None = None) -> str:
    """Return the hash of what an agent is put to: layouts, or opponents."""
    return task.hash if task.opponents else layouts_hash(task, fresh)


def layouts_hash(task: Task, fresh: int | None = None) -> str:
    """Return the SHA-256 of the layouts: a line a layout, each ship's cells in order."""
    lines = (
        ";".join(",".join(map(str, cells_of(mask))) for mask in layout) + "\n"
        for layout in layouts_of(task, fresh)
    )
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _every_layout(rules: Rules) -> Iterator[Layout]:
    """Yield every layout of ships that may touch."""
    places = [placements(rules.rows, rules.columns, ship.length) for ship in rules.fleet]
    for layout in itertools.product(*places):
        if sum(layout).bit_count() == sum(mask.bit_count() for mask in layout):
            yield layout
