"""Analyses a game salvo by salvo: what each cost beside the best, and what was luck.

Costs are those of ``bots.tactics.value.judge``, luck that of ``salvo solo --adjusted``. Luck has a
meaning only where the arena drew the layout uniformly, in solo games: see ``docs/luck.md``.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from arena.records import Game
from arena.replay import replay
from arena.rules import Rules, Salvo, Seat, cell_name, refuse_unknown, view
from arena.rules.rule_features import FIRST_FEATURES
from bots.tactics.posterior.evidence import observation_of
from bots.tactics.posterior.explanations import ImpossibleEvidenceError
from bots.tactics.value.judge import Judge, Judgement
from salvo.reports.tables.luck_adjustment import luck_by_salvo, why_not_adjusted
from salvo.reports.work_progress import Progress, no_progress

_SEED = 20_091


class Analysis(Struct, frozen=True):
    """What is known of each salvo of a game, None where it is not.

    Attributes:
        costs: What each cost beside the best, in turns, and the best.
        lucks: The luck of each, in turns: positive is bad luck; empty where luck has no meaning.
        turns: How many turns a solo game took.
        start: How many turns a strong player is expected to need from the start of a solo game.
    """

    costs: tuple[Judgement | None, ...]
    lucks: tuple[float | None, ...]
    turns: int = 0
    start: float | None = None

    @property
    def luck(self) -> float | None:
        """The luck of the game, in turns, as ``salvo solo --adjusted`` has it."""
        known = [luck for luck in self.lucks if luck is not None]
        return sum(known) if known else None


def why_not_analysed(rules: Rules) -> str | None:
    """Return in one sentence why choices are not judged by some rules; None if they are.

    Raises:
        RulesError: If they have a feature that the analysis does not know.
    """
    refuse_unknown(rules, FIRST_FEATURES, "the analysis of a game does not know this rule")
    if Judge.fits(view(rules)):
        return None
    return f"{rules.name}: what choices cost is not known by these rules."


def analysis_of(game: Game, rules: Rules, progress: Progress = no_progress) -> Analysis | None:
    """Return the analysis of a game; None if the rules allow none; the same every time."""
    salvos = salvos_of(game, rules)
    if why_not_analysed(rules) is not None or not salvos:
        return None
    solo = game.fixture.second is None
    judged = judgements(rules, salvos, solo=solo)
    costs = tuple(progress(judged, len(salvos), "choices"))
    if not solo or why_not_adjusted(rules) is not None:
        return Analysis(costs, ())
    lucks, expected = luck_by_salvo(rules, game)
    start = None
    if expected is not None and costs[0] is not None:
        start = 1 + expected - costs[0].cost
    return Analysis(costs, tuple(lucks), game.tallies[0].turns, start)


def salvos_of(game: Game, rules: Rules) -> list[Salvo]:
    """Return the salvos of a game, in order.

    Raises:
        RecordError: If its record does not follow the rules.
    """
    found: list[Salvo] = []
    for state in replay(game, rules):
        if state.salvo is not None and (not found or state.salvo is not found[-1]):
            found.append(state.salvo)
    return found


def judgements(rules: Rules, salvos: Sequence[Salvo], *, solo: bool) -> Iterator[Judgement | None]:
    """Yield what each salvo cost, as if the fleet it was fired at lay anywhere."""
    judges: dict[Seat, Judge | None] = {
        "first": Judge(view(rules), _SEED, solo=solo),
        "second": Judge(view(rules), _SEED + 1, solo=solo),
    }
    lengths = {ship.name: ship.length for ship in rules.fleet}
    for salvo in salvos:
        judge = judges[salvo.by]
        yield None if judge is None else judge.judge(salvo.cells)
        if judge is not None:
            try:
                judge.observe(observation_of(salvo.cells, salvo.report, lengths))
            except ImpossibleEvidenceError:
                judges[salvo.by] = None


def last_judgement(rules: Rules, salvos: Sequence[Salvo], *, solo: bool) -> Judgement | None:
    """Return what the last of one seat's salvos cost, if that is known."""
    if not salvos or why_not_analysed(rules) is not None:
        return None
    judge = Judge(view(rules), _SEED, solo=solo)
    lengths = {ship.name: ship.length for ship in rules.fleet}
    try:
        for salvo in salvos[:-1]:
            judge.observe(observation_of(salvo.cells, salvo.report, lengths))
    except ImpossibleEvidenceError:
        return None
    return judge.judge(salvos[-1].cells)


def cost_in_words(judgement: Judgement, rules: Rules, *, solo: bool) -> str:
    """Return what a salvo cost, in a sentence."""
    what = "shots" if rules.shots == 1 else "turns"
    where = "" if solo else ", if the fleet lay anywhere"
    if judgement.cost < _NOTHING:
        return f"Cost: nothing{where}; no better choice is known."
    best = " ".join(cell_name(cell, rules.columns) for cell in judgement.best)
    return f"Cost: {judgement.cost:.2f} {what} more than {best}{where}."


_NOTHING = 0.005  # turns: rounded, it is none


def luck_in_words(luck: float, rules: Rules) -> str:
    """Return the luck of a salvo, in a sentence."""
    what = "shots" if rules.shots == 1 else "turns"
    return f"Luck: {'bad' if luck > 0 else 'good'}, {abs(luck):.2f} {what}."


def summary(analysis: Analysis, game: Game, rules: Rules) -> list[str]:
    """Return in sentences what was luck and what choices cost, of the whole game."""
    what = "shots" if rules.shots == 1 else "turns"
    if analysis.luck is None:
        return _costs_in_all(analysis, game, rules, what)
    if game.result != "first":
        return [f"The fleet was not sunk, with {analysis.turns} {what}."]
    luck, start = analysis.luck, analysis.start
    needed = f"{game.fixture.first} needed {analysis.turns} {what}"
    gave = f"luck {'gave' if luck <= 0 else 'took'} {abs(luck):.1f}"
    if start is None:
        paid = sum(cost.cost for cost in analysis.costs if cost is not None)
        return [f"{needed}: {gave}, choices cost {paid:.1f} beside the best that are known."]
    choices = analysis.turns - luck - start
    costs = f"choices {'cost' if choices >= 0 else 'saved'} {abs(choices):.1f}"
    best = f"where a strong player needs {start:.1f} on average"
    return [f"{needed}, {best}: {gave}, {costs}."]


def _costs_in_all(analysis: Analysis, game: Game, rules: Rules, what: str) -> list[str]:
    salvos = salvos_of(game, rules)
    sums: dict[str, float] = {}
    for seat, name in game.fixture.seats.items():
        pairs = zip(analysis.costs, salvos, strict=True)
        own = [one.cost for one, salvo in pairs if one is not None and salvo.by == seat]
        if own:
            sums[name] = sum(own)
    if not sums:
        return []
    told = " and ".join(f"those of {name} {cost:.1f}" for name, cost in sums.items())
    return [
        (
            f"What choices cost, in {what}, if the fleets lay anywhere: {told}. What was luck "
            "nobody can say where each side hides as it likes."
        )
    ]


def salvo_lines(analysis: Analysis, number: int, rules: Rules, *, solo: bool) -> list[str]:
    """Return what is known of a salvo, by its place from 0, in sentences."""
    cost = analysis.costs[number]
    lines = [] if cost is None else [cost_in_words(cost, rules, solo=solo)]
    if analysis.lucks and (luck := analysis.lucks[number]) is not None:
        lines.append(luck_in_words(luck, rules))
    return lines
