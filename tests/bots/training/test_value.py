import dataclasses
from pathlib import Path
from random import Random

import numpy as np
import pytest

from arena.rules import preset
from bots.tactics.learned.weight_files import Origin
from bots.tactics.value.features import FEATURES
from bots.tactics.value.network import Network
from bots.training import value, value_games
from bots.training.agent import parsed
from bots.training.value import Args, command_of, fit, mean_of, save, targets, train
from bots.training.value_games import Played, gather


@pytest.fixture(scope="module")
def args(tmp_path_factory: pytest.TempPathFactory) -> Args:
    return Args(
        games=3,
        layouts=200,
        generations=2,
        members=2,
        epochs=1,
        batch=16,
        units=(4, 3),
        held_out=0.4,
        careless=0.0,
        blurred=0.0,
        folder=tmp_path_factory.mktemp("games"),
    )


@pytest.fixture(scope="module")
def played(args: Args) -> Played:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(value_games, "GAMES_A_FILE", 3)
        return gather(args)


def any_network(seed: int = 1) -> Network:
    random = np.random.default_rng(seed)
    return Network(
        np.zeros(FEATURES),
        np.ones(FEATURES),
        [random.normal(size=(1, *shape)) for shape in ((FEATURES, 4), (4, 3), (3, 1))],
        [random.normal(size=(1, size)) for size in (4, 3, 1)],
    )


@pytest.mark.usefixtures("played")
def test_a_network_is_trained_and_written_as_plain_arrays(args: Args, tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(value_games, "GAMES_A_FILE", 3)
        found = train(args)
    origin = Origin(
        command="python", seed=7, date="2026-11-28", code="", games=3, rows=10, columns=10
    )
    save(found, tmp_path / "weights.npz", origin)
    with np.load(tmp_path / "weights.npz", allow_pickle=False) as file:
        assert file["weights_0"].shape == (2, FEATURES, 4)
        assert set(file) == {
            "origin",
            *("mean", "scale", "weights_0", "weights_1", "weights_2"),
            *("biases_0", "biases_1", "biases_2"),
        }


def test_the_command_takes_its_settings_as_options(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["value", "--folder", "here", "--shots", "5"])
    assert parsed(Args, "Train.") == Args(folder=Path("here"), shots=5)


def test_the_command_is_recorded_without_the_folder_of_its_games() -> None:
    args = Args(shots=5, held_out=0.2, folder=Path("here"))
    assert command_of(args) == "python -m bots.training.value --shots 5 --held-out 0.2"


@pytest.mark.usefixtures("played")
def test_games_that_the_folder_has_are_not_played_again(args: Args) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(value_games, "GAMES_A_FILE", 3)
        patch.setattr(value_games, "play", None)
        assert len(np.unique(gather(args).game)) == 3


def test_targets_of_the_first_generation_are_the_turns_that_were_left(
    args: Args, played: Played
) -> None:
    wanted = targets(played, None, args)
    assert wanted[0] == np.sum(played.game == played.game[0]) - 1
    assert wanted[-1] == 0


def test_targets_with_full_trust_are_the_turns_left_less_the_luck_in_them(
    args: Args, played: Played
) -> None:
    found = any_network()
    answers = played.answers
    worth = value.values(answers, found.misses(answers.features))
    luck = value.lucks(answers, worth)
    first = np.flatnonzero(played.game == played.game[0])
    wanted = targets(played, found, dataclasses.replace(args, trust=1.0))
    assert wanted[0] == pytest.approx(played.left[0] - luck[first[1:]].sum())


def test_targets_without_trust_are_the_value_one_salvo_later(args: Args, played: Played) -> None:
    found = any_network()
    answers = played.answers
    worth = value.values(answers, found.misses(answers.features))
    wanted = targets(played, found, dataclasses.replace(args, trust=0.0))
    expected = np.bincount(answers.salvo, answers.chances * worth)
    assert wanted[0] == pytest.approx(1 + expected[1])


def test_salvos_that_were_not_chosen_add_nothing_to_targets(args: Args, played: Played) -> None:
    found = any_network()
    chosen = played.chosen.copy()
    chosen[3] = False
    wanted = targets(played._replace(chosen=chosen), found, dataclasses.replace(args, trust=1.0))
    usual = targets(played, found, dataclasses.replace(args, trust=1.0))
    answers = played.answers
    worth = value.values(answers, found.misses(answers.features))
    expected = 1 + np.bincount(answers.salvo, answers.chances * worth)
    surprise = expected[3] - worth[answers.came[2]]
    assert usual[:3] - wanted[:3] == pytest.approx([surprise] * 3)
    assert wanted[3:].tolist() == usual[3:].tolist()


def test_plain_counts_are_learned_after_the_last_salvo_that_was_not_chosen(played: Played) -> None:
    chosen = np.ones(len(played.game), bool)
    chosen[3] = False
    found = value.undisturbed(played._replace(chosen=chosen))
    assert found[:4].tolist() == [False, False, False, True]
    assert found[4:].all()


def test_games_are_on_other_boards_and_have_other_salvos() -> None:
    random = Random(1)
    drawn = [value_games.drawn_rules(Args(shots=5), random) for _ in range(200)]
    usual = [rules for rules in drawn if rules == preset("salvo")]
    assert 70 < len(usual) < 130
    others = [rules for rules in drawn if rules.name == "drawn"]
    assert {rules.shots for rules in others} == {2, 3, 4, 5, 6}
    assert {rules.columns for rules in others} >= set(range(5, 10))
    one_shot = [value_games.drawn_rules(Args(), random) for _ in range(50)]
    assert {rules.shots for rules in one_shot} == {1}


@pytest.mark.parametrize("shots", [1, 5])
def test_games_that_are_blurred_have_salvos_that_were_not_chosen(shots: int) -> None:
    args = Args(shots=shots, boards=0, careless=0, blurred=1, blur=0.1, layouts=200)
    game = value_games.played_game(args, 1)
    assert game is not None
    assert 0 < game.chosen.mean() < 1


def test_surprises_add_up_within_a_game_each_later_one_counting_less() -> None:
    after = np.array([9.0, 8.5, 0.0, 7.0, 0.0])
    expected = np.array([10.0, 9.25, 9.0, 8.0, 6.5])
    game = np.array([3, 3, 3, 4, 4])
    found = value.surprises(after, expected, game, 0.5)
    assert found[2] == pytest.approx(9.0 - 8.5)
    assert found[1] == pytest.approx(9.25 - 9.0 + 0.5 * found[2])
    assert found[0] == pytest.approx(10.0 + 0.5 * found[1])
    assert found[3:].tolist() == pytest.approx([8.0 + 0.5 * -0.5, -0.5])


def test_mean_of_networks_gives_the_mean_of_what_they_give() -> None:
    networks = [any_network(seed) for seed in range(3)]
    features = np.random.default_rng(9).normal(size=(5, FEATURES))
    expected = np.mean([one.misses(features) for one in networks], axis=0)
    assert mean_of(networks).misses(features) == pytest.approx(expected)


def test_fit_learns_what_can_be_learned() -> None:
    random = np.random.default_rng(1)
    features = random.normal(size=(2_000, FEATURES))
    wanted = features[:, 0] + np.abs(features[:, 1])
    args = Args(batch=64, units=(16,))
    found = fit(features, wanted, args, 0, epochs=40)
    assert np.var(found.misses(features) - wanted) < 0.35 * np.var(wanted)
