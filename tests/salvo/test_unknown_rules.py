"""A rule that is new to a reader is refused by name, by every reader of rules.

A field is added to the rules: how many shots the first turn has. Nothing knows it.
"""

import ast
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

import arena
from arena import environments
from arena.bot import Session
from arena.conformance.sparring import Sparring
from arena.environments import SoloBoards
from arena.errors import RulesError
from arena.player.person import Person, Sight
from arena.protocol import PROTOCOL_VERSION, Hello
from arena.records import Fixture
from arena.rules import PRESETS, Rules, RulesView, preset, rules_to_toml, view
from arena.scorebook import Scorebook
from benchmarks.games.solo_games import every_layout as layouts_to_play
from bots.tactics.learned.weight_files import read_weights
from bots.tactics.lone_ship import length_of_lone_ship
from bots.tactics.placement.opponent import Opponent
from bots.tactics.placement.weighted_layouts import scores_for
from bots.tactics.posterior.belief import can_follow
from bots.tactics.posterior.sampling import can_sample, sampled_belief
from bots.tactics.solver.small_game import game_of
from bots.tactics.solver.solved_game import find_policy
from bots.tactics.tracking import Tracker
from bots.tactics.value.advice import Advice
from bots.tactics.value.look_ahead import can_value
from bots.training import landy, q_learning
from bots.training.deep_salvo import learnable
from bots.training.ramesh import every_layout
from salvo.bundled import bot_class, bundled_bots
from salvo.reports.pages.posteriors import why_no_posterior
from salvo.reports.tables.analysis import why_not_analysed
from salvo.reports.tables.luck_adjustment import why_not_adjusted
from salvo.reports.tables.solo_shots import solo_shots
from salvo.reports.words.rules_text import describe_rules

ROOT = Path(__file__).parents[2]


class Opening(Rules, frozen=True, kw_only=True, omit_defaults=True):
    unheard_of: int = 1


class OpeningView(RulesView, frozen=True, kw_only=True):
    unheard_of: int = 1


def opened(rules: Rules, unheard_of: int = 5) -> Opening:
    return Opening(unheard_of=unheard_of, **msgspec.structs.asdict(rules))


def seen(rules: Rules, unheard_of: int = 5) -> OpeningView:
    return OpeningView(unheard_of=unheard_of, **msgspec.structs.asdict(view(rules, places=True)))


CLASSIC, ROW, SMALL = (preset(name) for name in ("classic", "row-5-3", "ramesh-5"))


def trainer_of(module: Any) -> Callable[[Rules], object]:  # noqa: ANN401 - a module
    return lambda rules: module.Trainer(module.Settings(), rules)


RAISE: dict[str, tuple[Callable[[Any], object], Any]] = {
    "batched boards": (lambda rules: SoloBoards(rules, 1, np.random.default_rng(1)), CLASSIC),
    "solo games": (
        lambda rules: Scorebook(Fixture("id", "a", None, 0, (1, 2)), rules),
        CLASSIC,
    ),
    "sparring": (Sparring, CLASSIC),
    "person": (lambda rules: Person(rules, None), CLASSIC),  # type: ignore[arg-type]
    "seat of a person": (lambda rules: Sight(rules, "first"), CLASSIC),
    "analysis": (why_not_analysed, CLASSIC),
    "rules in TOML": (rules_to_toml, CLASSIC),
    "rules in words": (describe_rules, CLASSIC),
    "luck": (why_not_adjusted, CLASSIC),
    "posteriors of replays": (why_no_posterior, CLASSIC),
    "tables of solo games": (solo_shots, CLASSIC),
    "list of layouts": (layouts_to_play, SMALL),
    "deep_salvo's trainer": (learnable, CLASSIC),
    "ramesh's and actor_critic's trainers": (every_layout, SMALL),
    "landy's trainer": (trainer_of(landy), ROW),
    "q_learning's trainer": (trainer_of(q_learning), CLASSIC),
    "tracker": (lambda rules: Tracker(view_of(rules)), CLASSIC),
    "sampled beliefs": (
        lambda rules: sampled_belief(view_of(rules), np.random.default_rng(1), solo=True),
        CLASSIC,
    ),
}
"""Readers that raise an error, with rules that they take but for the new one."""

DECLINE: dict[str, tuple[Callable[[RulesView], object], Rules]] = {
    "exact posterior": (can_follow, CLASSIC),
    "sampled posterior": (can_sample, CLASSIC),
    "optimal policy": (find_policy, ROW),
    "solver": (game_of, ROW),
    "search for a lone ship": (length_of_lone_ship, ROW),
    "placement": (scores_for, CLASSIC),
    "expected placement": (Opponent.by_rules, CLASSIC),
    "look ahead": (can_value, CLASSIC),
    "advice": (Advice.fits, CLASSIC),
    "weights": (
        read_weights(ROOT / "bots" / "landy" / "row-10-3.npz")[1].fits,
        preset("row-10-3"),
    ),
}
"""Readers that say that they know no way to play, with rules for which they know one."""


def view_of(rules: Rules) -> RulesView:
    fields = msgspec.structs.asdict(rules)
    unheard_of = fields.pop("unheard_of", 1)
    return seen(Rules(**fields), unheard_of)


@pytest.mark.parametrize("reader", RAISE)
def test_a_reader_refuses_a_new_rule_by_name(reader: str) -> None:
    read, rules = RAISE[reader]
    read(rules)
    with pytest.raises(RulesError, match=r"unheard_of: 5: .+; set unheard_of to 1"):
        read(opened(rules))


@pytest.mark.parametrize("reader", DECLINE)
def test_a_tactic_declines_a_new_rule(reader: str) -> None:
    read, rules = DECLINE[reader]
    assert read(view(rules, places=True))
    assert read(seen(rules, 1))
    assert not read(seen(rules))


@pytest.mark.parametrize("name", sorted(bundled_bots()))
def test_a_bundled_bot_does_not_play_by_a_new_rule(name: str) -> None:
    bot = bot_class(name)()
    played = next(rules for rules, _ in PRESETS.values() if bot.plays(view(rules)))
    assert bot.plays(seen(played, 1))
    assert not bot.plays(seen(played))


def test_a_bot_of_an_author_does_not_play_by_a_new_rule() -> None:
    session = Session(arena.Bot())
    for unheard_of, plays in ((1, True), (5, False)):
        answer = session.answer(Hello(PROTOCOL_VERSION, seen(CLASSIC, unheard_of)))
        assert answer is not None
        assert getattr(answer, "plays") is plays  # noqa: B009 - of one kind of message alone


@pytest.mark.parametrize("name", [one for one in environments.__all__ if one.endswith("Env")])
def test_an_environment_refuses_a_new_rule(name: str) -> None:
    pytest.importorskip("pettingzoo")
    arguments = {"opponent": bot_class("uniform_random")} if name == "AgainstBotEnv" else {}
    make = getattr(environments, name)
    make(rules=CLASSIC, **arguments)
    with pytest.raises(RulesError, match="unheard_of: 5: environments"):
        make(rules=opened(CLASSIC), **arguments)


def test_what_a_bot_is_not_sent_is_no_rule_set_for_it() -> None:
    with pytest.raises(TypeError, match="unheard_of"):
        view(opened(CLASSIC))


SENT = {
    "rows", "columns", "shots", "again", "told", "sinkings", "touching", "moves", "reshoot",
    "turn_limit", "countdown", "lies", "end", "layouts", "hits_named", "sunk_cells",
    "fleet", "opponent_fleet",
}  # fmt: skip
"""The fields that every bot is sent. PROTOCOL.md promises that others are left out where they make
no difference, since a bot that does not know them says that it does not play."""


def test_a_later_field_is_sent_to_bots_only_where_it_makes_a_difference() -> None:
    plain = msgspec.to_builtins(view(CLASSIC))
    assert plain.keys() == SENT


GUARDED = {
    "arena/returned.py": "what a bot understands",
    "arena/conformance": "sparring",
    "arena/environments": "environments",
    "arena/player/person": "person",
    "benchmarks/exploit.py": "placement",
    "benchmarks/exploits": "placement",
    "benchmarks/games/distributions.py": "the presets that benchmarks name",
    "benchmarks/games/knowing.py": "tracker",
    "benchmarks/baselines": "the presets that are tasks of battleship-v1",
    "benchmarks/by_rules.py": "what each bot says",
    "benchmarks/compared/small_games.py": "the presets that its tables name",
    "benchmarks/compared/trainings.py": "the presets that its callers name",
    "benchmarks/sources.py": "the presets that its tables name",
    "bots/stupid.py": "what a bot understands",
    "bots/tactics/learned/placement_network_bot.py": "weights",
    "bots/tactics/placement": "placement",
    "bots/tactics/posterior": "exact posterior, sampled posterior",
    "bots/tactics/value": "exact posterior, advice",
    "bots/training/agent.py": "what each trainer understands",
    "bots/training/actor_critic.py": "ramesh's and actor_critic's trainers",
    "bots/training/deep_adjusted.py": "deep_salvo's trainer",
    "bots/training/value_games.py": "rules of its own",
    "bots/value_search.py": "look ahead",
    "salvo/benchmark/results.py": "the presets that are tasks of battleship-v1",
    "salvo/cli/terminal": "person",
    "salvo/server/web": "seat of a person",
}
"""Where a field of the rules is read by what declares nothing itself, and what stands before it."""

DECLARE = ("unusual(", "refuse_unknown(", "understands")


@cache
def readers() -> dict[str, bool]:
    """Return the files that read a field of the rules, and whether each declares what it knows."""
    fields = {*Rules.__struct_fields__} - {"name", "rows", "columns", "fleet"}
    found = {}
    for package in ("arena", "benchmarks", "bots", "leaderboards", "salvo"):
        for file in (ROOT / package).rglob("*.py"):
            source = file.read_text(encoding="utf-8")
            for node in ast.walk(ast.parse(source)):
                if isinstance(node, ast.Attribute) and node.attr in fields:
                    of = getattr(node.value, "id", getattr(node.value, "attr", ""))
                    if of.strip("_") == "rules":
                        name = file.relative_to(ROOT).as_posix()
                        found[name] = any(word in source for word in DECLARE)
    return {file: declares for file, declares in found.items() if "arena/rules/" not in file}


def test_whatever_reads_a_field_of_the_rules_declares_what_it_knows_or_is_guarded() -> None:
    unguarded = {
        file
        for file, declares in readers().items()
        if not declares and GUARDED.keys().isdisjoint([file, *map(str, Path(file).parents)])
    }
    assert unguarded == set()


def test_nothing_is_listed_as_guarded_that_reads_no_rules() -> None:
    found = readers()
    assert [one for one in GUARDED if not any(file.startswith(one) for file in found)] == []
