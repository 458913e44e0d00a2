"""The sequential test: its ratio, its answers, and how often it errs."""

from collections.abc import Sequence

import numpy as np
import pytest
from scipy import optimize

from benchmarks.simulations.sprt_errors import Contest, errors_of_tests
from leaderboards import sprt
from leaderboards.sprt import Answer, Hypotheses, SequentialTest, State, log_ratio


def score_of(elo: float) -> float:
    return 1 / (1 + 10 ** (-elo / 400))


def decided(blocks: Sequence[Sequence[float]], hypotheses: Hypotheses) -> State:
    test = SequentialTest(hypotheses)
    for block in blocks:
        test.add(block)
    return test.state


@pytest.mark.parametrize(
    ("seen", "counted"),
    [
        ([12, 25, 60, 33, 20], [12, 25, 60, 33, 20]),
        ([0, 25, 60, 33, 0], [0.001, 25, 60, 33, 0.001]),  # no score is impossible
    ],
)
def test_ratio_is_that_of_the_most_probable_chances_with_the_means_of_the_hypotheses(
    seen: list[int], counted: list[float]
) -> None:
    counts = np.array(counted)

    def best(mean: float) -> float:
        found = optimize.minimize(
            lambda logs: -counts @ (logs - np.log(np.exp(logs).sum())),
            np.zeros(5),
            constraints={
                "type": "eq",
                "fun": lambda logs: np.exp(logs) @ sprt.SCORES / np.exp(logs).sum() - mean,
            },
            tol=1e-12,
        )
        return float(-found.fun)

    expected = best(score_of(20)) - best(score_of(0))
    found = log_ratio(np.array([seen]), Hypotheses(0, 20))[0]
    assert found == pytest.approx(expected, abs=1e-5)


def test_ratio_turns_round_with_the_seats() -> None:
    counts = np.array([[5.0, 9.0, 30.0, 16.0, 8.0]])
    forth = log_ratio(counts, Hypotheses(-10, 30))
    back = log_ratio(counts[:, ::-1], Hypotheses(-30, 10))
    assert forth == pytest.approx(-back)


BEGUN = (
    "The sequential test has not decided after {} pairs of games whether ada is as good as bo, or "
    "ada is 200 Elo better than bo (log-likelihood ratio {}, bounds ±2.94)."
)
EARLY = f"{BEGUN} It decides after 30 pairs in 6 blocks at the earliest."
ENDED = (
    "The sequential test accepted after {} pairs of games that ada is 200 Elo better than bo, "
    "rather than that ada is as good as bo (log-likelihood ratio {}, bounds ±2.94). Such a test is "
    "wrong in 5% of cases. It tells these two leads apart, and the true one may lie beyond either: "
    "the score by then, {} of the points for ada, and the Elo that follows from it are biased, "
    "since the test stopped where luck had helped."
)


@pytest.mark.parametrize(
    ("blocks", "told"),
    [
        ([], BEGUN.format(0, "0.00")),
        ([[0] * 5] * 3, BEGUN.format(0, "0.00")),
        ([[0, 0, 0, 0, 29], *[[0] * 5] * 5], EARLY.format(29, "12.13")),
        ([[0, 0, 0, 0, 10]] * 5, EARLY.format(50, "20.92")),
        ([[0, 0, 0, 0, 5]] * 6, ENDED.format(30, "12.55", "100.0%")),
        ([[0, 0, 1, 0, 9]] * 50, ENDED.format(60, "25.10", "95.0%")),
        ([[4, 3, 2, 1, 0], [0, 1, 2, 3, 4], [3, 3, 2, 1, 1]], BEGUN.format(30, "-0.44")),
        ([[2, 0, 5, 0, 3]] * 3, EARLY.format(30, "-5.63")),
    ],
)
def test_state_in_words(blocks: Sequence[Sequence[float]], told: str) -> None:
    hypotheses = Hypotheses(0, 200)
    assert decided(blocks, hypotheses).sentence("ada", "bo", hypotheses) == told


def test_nothing_is_known_before_the_first_pair() -> None:
    state = decided([], Hypotheses(0, 20, error=0.1))
    assert (state.pairs, state.ratio, state.decided) == (0, 0.0, False)
    assert state.bound == pytest.approx(np.log(9))
    assert np.isnan(state.score)


@pytest.mark.parametrize("number", [2, 4])
def test_ratio_is_divided_by_how_much_more_blocks_vary_than_independent_pairs(number: int) -> None:
    blocks = np.array([[4, 3, 2, 1, 0], [0, 1, 2, 3, 7], [1, 3, 2, 1, 1], [0, 0, 0, 2, 0]])
    blocks = blocks[:number]
    points, sizes = blocks @ sprt.SCORES, blocks.sum(axis=1)
    mean = points.sum() / sizes.sum()
    of_pairs = (blocks.sum(axis=0) * (sprt.SCORES - mean) ** 2).sum()
    of_blocks = ((points - mean * sizes) ** 2).sum() * number / (number - 1)
    # Two blocks of independent pairs are added, and the excess counts 1 + 24 / blocks times.
    doubted = of_pairs * 2 / number
    factor = 1 + (1 + 24 / number) * ((of_blocks + doubted) / (of_pairs + doubted) - 1)
    hypotheses = Hypotheses(-20, 60)
    alone = log_ratio(blocks.sum(axis=0)[None].astype(float), hypotheses)[0]
    assert factor > 2
    assert decided(blocks.tolist(), hypotheses).ratio == pytest.approx(alone / factor)


def test_what_comes_after_the_decision_changes_nothing() -> None:
    first = decided([[0, 0, 1, 0, 9]] * 6, Hypotheses(0, 200))
    assert first.decided
    assert decided([[0, 0, 1, 0, 9]] * 6 + [[9, 0, 1, 0, 0]] * 3, Hypotheses(0, 200)) == first


def test_hypothesis_below_zero_is_said_in_words() -> None:
    hypotheses = Hypotheses(-100, 100)
    state = decided([[4, 3, 2, 1, 0]] * 50, hypotheses)
    told = "that a is 100 Elo worse than b, rather than that a is 100 Elo better than b ("
    assert told in state.sentence("a", "b", hypotheses)


def test_even_bots_are_accepted_as_even() -> None:
    state = decided([[1, 2, 4, 2, 1]] * 500, Hypotheses(0, 100))
    assert state.answer is Answer.ACCEPT_0
    assert state.score == pytest.approx(0.5)


def test_blocks_whose_pairs_are_alike_count_for_less() -> None:
    mixed = decided([[2, 0, 5, 0, 3]] * 5, Hypotheses(0, 20))
    alike = decided([[4, 0, 5, 0, 1], [0, 0, 5, 0, 5]] * 2 + [[2, 0, 5, 0, 3]], Hypotheses(0, 20))
    assert (mixed.pairs, mixed.score) == (alike.pairs, alike.score)
    assert 0 < alike.ratio < mixed.ratio / 1.5


@pytest.mark.parametrize(("elo0", "elo1"), [(20, 20), (20, 0)])
def test_hypotheses_that_cannot_be_distinguished_are_refused(elo0: float, elo1: float) -> None:
    with pytest.raises(ValueError, match="elo1 must be the larger"):
        Hypotheses(elo0, elo1)


@pytest.mark.parametrize("error", [-0.1, 0, 0.5, 0.6])
def test_error_that_is_no_share_below_a_half_is_refused(error: float) -> None:
    with pytest.raises(ValueError, match=f"error is {error:g}; give a share between 0 and 0.5"):
        Hypotheses(0, 20, error=error)
    assert Hypotheses(0, 20, error=0.49).bound() == pytest.approx(np.log(51 / 49))


@pytest.mark.parametrize(
    "contest",
    [
        Contest("even", Hypotheses(0, 60)),
        Contest("alike", Hypotheses(0, 60), alike=0.6),
        Contest("scores of 90%", Hypotheses(380, 440)),
        Contest("blocks alike", Hypotheses(0, 100), learnt_elo=150),
    ],
    ids=lambda contest: contest.name,
)
def test_errors_are_those_that_were_asked_for(contest: Contest) -> None:
    table = errors_of_tests(400, 1, (contest,))
    # 6%, and two standard errors of a share in 400 tests.
    assert (table["wrong"] <= 0.084).all(), table
    assert (table["undecided"] == 0).all(), table
