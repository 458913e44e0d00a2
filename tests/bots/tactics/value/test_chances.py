from collections.abc import Sequence

import numpy as np
import pytest

from arena.rules import Ship
from bots.tactics.posterior.board_placements import board_of
from bots.tactics.posterior.evidence import Observation
from bots.tactics.value.agreeing_layouts import Drawn
from bots.tactics.value.answer_luck import answers_of, lucks, values
from bots.tactics.value.chances import Chances, Outlook
from bots.tactics.value.features import FEATURES, describe
from bots.tactics.value.layout_set import LayoutSet

LENGTHS = (3, 2)
BOARD = board_of(4, 4, LENGTHS)
ANSWERS = (
    Observation((5,), (), ()),
    Observation((9,), (9,), ()),
    Observation((10,), (10,), (2,)),
)


def randoms(seed: int) -> list[np.random.Generator]:
    return [np.random.default_rng([seed, number]) for number in range(2)]


def followed(chances: Chances, answers: Sequence[Observation] = ANSWERS) -> list[Outlook]:
    outlooks = [chances.observe(told) for told in answers]
    assert None not in outlooks
    return outlooks  # type: ignore[return-value]


@pytest.fixture
def drawn_from(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have layouts drawn on a board so small that they would be listed."""
    monkeypatch.setattr("bots.tactics.value.chances.MOST_LISTED", 0)


def test_chances_of_listed_layouts_are_exact() -> None:
    outlook = followed(Chances(BOARD, LENGTHS, randoms(1)))[0]
    covered = {length: BOARD.covers[length] for length in LENGTHS}
    both = np.argwhere(BOARD.fits[3, 2] > 0)
    hit = np.mean([covered[3][one, 5] or covered[2][two, 5] for one, two in both])
    assert outlook.chances[outlook.came] == pytest.approx(1 - hit, abs=1e-12)
    assert outlook.chances.sum() == pytest.approx(1, abs=1e-12)


@pytest.mark.usefixtures("drawn_from")
def test_chances_of_drawn_layouts_are_unbiased() -> None:
    estimates = [
        [
            outlook.chances[outlook.came]
            for outlook in followed(Chances(BOARD, LENGTHS, randoms(seed), 60))
        ]
        for seed in range(120)
    ]
    exact = exact_chances()
    error = np.std(estimates, axis=0, ddof=1) / np.sqrt(len(estimates))
    assert (np.abs(np.mean(estimates, axis=0) - exact) < 4.5 * error).all()


def exact_chances() -> list[float]:
    both = np.argwhere(BOARD.fits[3, 2] > 0)
    ships = [set(np.flatnonzero(BOARD.covers[3][one])) for one, _ in both]
    small = [set(np.flatnonzero(BOARD.covers[2][two])) for _, two in both]
    left = list(zip(ships, small, strict=True))
    found = []
    for keeps in (
        lambda long, short: 5 not in long | short,
        lambda long, short: 9 in long | short,
        lambda _, short: short == {9, 10},
    ):
        kept = [pair for pair in left if keeps(*pair)]
        found.append(len(kept) / len(left))
        left = kept
    return found


@pytest.mark.usefixtures("drawn_from")
def test_sets_are_filled_again_when_answers_have_emptied_them() -> None:
    chances = Chances(BOARD, LENGTHS, randoms(1), 500)
    followed(chances)
    assert all(len(one.weights) >= 250 for one in chances.sets)


@pytest.mark.usefixtures("drawn_from")
def test_layouts_are_multiplied_where_hits_have_too_many_explanations(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bots.tactics.value.chances.MOST_EXPLANATIONS", 3)
    chances = Chances(BOARD, LENGTHS, randoms(1), 500)
    followed(chances)
    assert all(len(one.weights) >= 250 for one in chances.sets)


def test_nothing_is_said_after_an_answer_that_no_layout_gives() -> None:
    chances = Chances(BOARD, LENGTHS, randoms(1))
    followed(chances)
    chances.observe(Observation((15,), (15,), (3,)))
    assert chances.observe(Observation((0,), (), ())) is None


def test_salvo_answers_are_told_apart_by_hits_and_sinkings() -> None:
    outlook = Chances(BOARD, LENGTHS, randoms(1)).observe(Observation((5, 6), (), ()))
    assert outlook is not None
    # Nothing; the left or the right cell; both without a sinking; both and the ship of two.
    assert len(outlook.chances) == 5


def test_unnamed_sinkings_are_told_apart_by_their_number() -> None:
    chances = Chances(BOARD, LENGTHS, randoms(1))
    chances.observe(Observation((5,), (5,), 0))
    outlook = chances.observe(Observation((6,), (6,), 1))
    assert outlook is not None
    assert len(outlook.chances) == 3


def named(lengths: tuple[int, ...] = (2, 2)) -> Chances:
    return Chances(board_of(4, 4, lengths), lengths, randoms(1), 500, named=True)


def test_answers_are_told_apart_by_the_ship_that_is_hit() -> None:
    outlook = named(LENGTHS).observe(Observation((5,), (), (), ()))
    assert outlook is not None
    assert len(outlook.chances) == 3  # nothing, the one or the other


@pytest.mark.parametrize("listed", [True, False])
def test_ship_that_was_named_is_told_from_another_of_its_length(
    request: pytest.FixtureRequest, *, listed: bool
) -> None:
    if not listed:
        request.getfixturevalue("drawn_from")
    chances = named()
    first = chances.observe(Observation((5,), (5,), (), (Ship("B", 2),)))
    assert first is not None
    assert len(first.chances) == 2  # no name tells two ships apart that were not hit
    outlook = chances.observe(Observation((6,), (6,), (), (Ship("A", 2),)))
    assert outlook is not None
    assert len(outlook.chances) == 3  # nothing, the same ship, which sinks, or the other
    covers = board_of(4, 4, (2, 2)).covers[2]
    for one in chances.sets:
        assert covers[one.places[0], 5].all()
        assert covers[one.places[1], 6].all()
        if listed:  # every layout twice, as its ships were alike before
            assert np.exp(one.log_layouts) == pytest.approx(len(set(zip(*one.places, strict=True))))


def test_every_answer_has_its_features() -> None:
    outlooks = followed(Chances(BOARD, LENGTHS, randoms(1)))
    described = describe(BOARD, outlooks, 1)
    assert described.shape == (sum(len(outlook.chances) for outlook in outlooks), FEATURES)
    assert np.isfinite(described).all()


def test_luck_of_an_answer_is_its_value_less_that_which_was_expected() -> None:
    outlooks = followed(Chances(BOARD, LENGTHS, randoms(1)))
    answers = answers_of(BOARD, outlooks, 1)
    worth = values(answers, np.arange(len(answers.chances), dtype=float))
    first = outlooks[0]
    expected = worth[first.came] - first.chances @ worth[: len(first.chances)]
    assert lucks(answers, worth)[0] == pytest.approx(expected)


def test_nothing_is_left_after_the_last_hit() -> None:
    told = [Observation((9, 10), (9, 10), (2,)), Observation((0, 1, 2), (0, 1, 2), (3,))]
    answers = answers_of(BOARD, followed(Chances(BOARD, LENGTHS, randoms(1)), told), 1)
    worth = values(answers, np.full(len(answers.chances), 7.0))
    assert worth[answers.came[-1]] == 0


@pytest.mark.parametrize(("shots", "told"), [(59, True), (60, False), (63, False)])
def test_salvos_with_too_many_answers_are_given_up(*, shots: int, told: bool) -> None:
    # What sank takes three bits: each ship did or not, from 1.
    lengths = (2, 1)
    board = board_of(8, 8, lengths)
    answer = Observation(tuple(range(shots)), (0, 1), (2,))
    assert (Chances(board, lengths, randoms(1)).observe(answer) is not None) == told
    chances = Chances(board, lengths, randoms(1))
    chances.follow(answer)
    assert bool(chances.sets) == told


def test_salvos_whose_hits_name_ships_are_given_up() -> None:
    assert named().observe(Observation((5, 6), (), (), ())) is None


def few(*sizes: int, thorough: bool = False) -> Chances:
    """Return some sets that were of ten layouts each, with so many left."""
    generators = [np.random.default_rng(seed) for seed in range(len(sizes))]
    chances = Chances(BOARD, LENGTHS, generators, 10, thorough=thorough)
    chances.sets = [
        one._replace(places=one.places[:, :size], weights=one.weights[:size])
        for one, size in zip(chances.sets, sizes, strict=True)
    ]
    return chances


@pytest.mark.usefixtures("drawn_from")
@pytest.mark.parametrize(
    ("sizes", "thorough", "after"),
    [
        ((5, 5), False, [5, 5]),
        ((10, 5), False, [10, 5]),
        ((4, 10), False, [10, 10]),
        ((4, 7), False, [10, 10]),
        ((0, 10), False, []),
        ((0, 10), True, [10, 10]),
        ((1, 1), True, [10, 10]),
    ],
)
def test_sets_are_filled_again_once_half_is_gone(
    sizes: tuple[int, ...], after: list[int], *, thorough: bool
) -> None:
    chances = few(*sizes, thorough=thorough)
    before = [one.places for one in chances.sets]
    chances._refill()
    assert [len(one.weights) for one in chances.sets] == after
    assert [one.places.shape[1] for one in chances.sets] == after
    for one, places in zip(chances.sets, before, strict=False):
        assert (one.places[:, : places.shape[1]] == places).all()


@pytest.mark.usefixtures("drawn_from")
def test_once_all_is_hit_nothing_is_drawn() -> None:
    chances = few(4, 4)
    chances.hit[:5] = True
    chances._refill()
    assert [len(one.weights) for one in chances.sets] == [4, 4]


@pytest.mark.usefixtures("drawn_from")
@pytest.mark.parametrize(("size", "after"), [(4, [10, 10]), (0, [])])
def test_layouts_are_copied_where_what_explains_hits_is_not_known(
    size: int, after: list[int]
) -> None:
    chances = few(4, size, thorough=True)
    chances._known = None
    assert chances._drawn(chances.sets[0]) == 4
    chances._refill()
    assert [len(one.weights) for one in chances.sets] == after
    if after:
        assert chances._drawn(chances.sets[0]) == 0
        assert all(set(one.weights) == {1.0} for one in chances.sets)


def test_of_listed_layouts_it_is_known_how_many_there_are() -> None:
    chances = Chances(BOARD, LENGTHS, randoms(1))
    every = len(np.argwhere(BOARD.fits[3, 2] > 0))
    assert np.exp(chances.log_layouts) == pytest.approx(every)
    followed(chances)
    assert np.exp(chances.sets[0].log_layouts) == pytest.approx(len(chances.sets[0].weights))
    assert np.exp(chances.log_layouts) == pytest.approx(every)
    assert len(chances.sets) == 2


def repeated(*layouts: tuple[int, int], chance: float) -> Drawn:
    """Return layouts, the placement of each ship, that are likely by themselves."""
    weights = np.full(len(layouts), chance / len(layouts))
    return Drawn(np.array(layouts).T, weights, 0.0, whole=False)


def places(three: Sequence[int], two: Sequence[int]) -> tuple[int, int]:
    """Return the layout of two ships on some cells."""
    found = [
        np.flatnonzero(BOARD.covers[len(ship)][:, list(ship)].all(axis=1)) for ship in (three, two)
    ]
    return int(found[0][0]), int(found[1][0])


def test_layouts_likely_by_themselves_are_kept_as_long_as_they_agree() -> None:
    right, wrong = places((8, 9, 10), (12, 13)), places((4, 5, 6), (12, 13))
    chances = Chances(BOARD, LENGTHS, randoms(1), repeated=repeated(right, wrong, chance=0.2))
    chances.follow(ANSWERS[0])  # cell 5 is a miss
    assert chances.repeated is not None
    assert chances.repeated.places.T.tolist() == [list(right)]
    chances.follow(ANSWERS[1])
    assert len(chances.repeated.weights) == 1
    chances.follow(ANSWERS[2])  # the ship of two is sunk, but lies elsewhere
    assert len(chances.repeated.weights) == 0


def test_bayes_says_how_likely_it_is_one_of_them() -> None:
    right, wrong = places((8, 9, 10), (12, 13)), places((4, 5, 6), (12, 13))
    chances = Chances(BOARD, LENGTHS, randoms(1), repeated=repeated(right, wrong, chance=0.2))
    every = len(chances.sets[0].weights)
    assert chances.share_repeated(chances.sets[0], 1) == pytest.approx(0.2)
    chances.follow(ANSWERS[0])
    left = len(chances.sets[0].weights)
    assert chances.share_repeated(chances.sets[0], 1) == pytest.approx(
        0.1 / (0.1 + 0.8 * left / every)
    )
    # Of the others, those that are left may be likelier than uniformly.
    assert chances.share_repeated(chances.sets[0], 3) == pytest.approx(
        0.1 / (0.1 + 0.8 * 3 * left / every)
    )


def test_layouts_with_others_joined_keep_their_shares() -> None:
    chances = Chances(BOARD, LENGTHS, randoms(1))
    (one, _) = chances.sets
    right = places((8, 9, 10), (12, 13))
    layouts = LayoutSet(BOARD, LENGTHS, one, chances.hit, chances.untried)
    both = layouts.joined(repeated(right, chance=0.2), 0.75)
    assert both.drawn.weights.mean() == pytest.approx(1)
    of_right = np.zeros(16)
    of_right[[8, 9, 10, 12, 13]] = 1
    assert both.cells == pytest.approx(0.25 * layouts.cells + 0.75 * of_right, abs=1e-6)
