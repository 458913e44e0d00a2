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


def test_ratio_is_that_of_the_most_probable_chances_with_the_means_of_the_hypotheses() -> None:
    counts = np.array([12.0, 25.0, 60.0, 33.0, 20.0])

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
    assert log_ratio(counts[None], Hypotheses(0, 20))[0] == pytest.approx(expected, abs=1e-5)


def test_ratio_turns_round_with_the_seats() -> None:
    counts = np.array([[5.0, 9.0, 30.0, 16.0, 8.0]])
    forth = log_ratio(counts, Hypotheses(-10, 30))
    back = log_ratio(counts[:, ::-1], Hypotheses(-30, 10))
    assert forth == pytest.approx(-back)


@pytest.mark.parametrize(("pairs", "blocks"), [(1, 29), (10, 5)])
def test_nothing_is_decided_before_thirty_pairs_and_six_blocks(pairs: int, blocks: int) -> None:
    state = decided([[0, 0, 0, 0, pairs]] * blocks, Hypotheses(0, 200))
    assert state.answer is Answer.GO_ON
    assert state.pairs == pairs * blocks
    assert "has not decided" in state.sentence("a", "b", Hypotheses(0, 20))


def test_bot_that_wins_everything_is_accepted_as_better_at_the_end_of_a_block() -> None:
    hypotheses = Hypotheses(0, 200)
    state = decided([[0, 0, 1, 0, 9]] * 50, hypotheses)
    assert state.answer is Answer.ACCEPT_1
    assert state.pairs == 60
    words = state.sentence("a", "b", hypotheses)
    assert "a is 200 Elo better than b, rather than that a is as good as b" in words
    assert "biased, since the test stopped where luck had helped" in words


def test_what_comes_after_the_decision_changes_nothing() -> None:
    first = decided([[0, 0, 1, 0, 9]] * 6, Hypotheses(0, 200))
    assert first.decided
    assert decided([[0, 0, 1, 0, 9]] * 6 + [[9, 0, 1, 0, 0]] * 3, Hypotheses(0, 200)) == first


def test_hypothesis_below_zero_is_said_in_words() -> None:
    hypotheses = Hypotheses(-100, 100)
    state = decided([[4, 3, 2, 1, 0]] * 50, hypotheses)
    assert "a is 100 Elo worse than b, rather than" in state.sentence("a", "b", hypotheses)


def test_even_bots_are_accepted_as_even() -> None:
    state = decided([[1, 2, 4, 2, 1]] * 500, Hypotheses(0, 100))
    assert state.answer is Answer.ACCEPT_0
    assert state.score == pytest.approx(0.5)


def test_scores_never_seen_are_possible() -> None:
    assert np.isfinite(decided([[0, 0, 40, 0, 0]], Hypotheses(0, 20)).ratio)


def test_blocks_whose_pairs_are_alike_count_for_less() -> None:
    mixed = decided([[2, 0, 5, 0, 3]] * 5, Hypotheses(0, 20))
    alike = decided([[4, 0, 5, 0, 1], [0, 0, 5, 0, 5]] * 2 + [[2, 0, 5, 0, 3]], Hypotheses(0, 20))
    assert (mixed.pairs, mixed.score) == (alike.pairs, alike.score)
    assert 0 < alike.ratio < mixed.ratio / 1.5


@pytest.mark.parametrize(("elo0", "elo1"), [(20, 20), (20, 0)])
def test_hypotheses_that_cannot_be_distinguished_are_refused(elo0: float, elo1: float) -> None:
    with pytest.raises(ValueError, match="elo1 must be the larger"):
        Hypotheses(elo0, elo1)


def test_error_beyond_a_half_is_refused() -> None:
    with pytest.raises(ValueError, match="give a share between"):
        Hypotheses(0, 20, error=0.6)


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
