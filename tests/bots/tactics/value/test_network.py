"""What layouts with few misses look like is judged by a small network, computed here by hand."""

import numpy as np

from bots.tactics.value.network import Network, file_name, network_for


def test_misses_are_the_output_of_a_rectified_network() -> None:
    network = Network(
        np.array([1.0, 0.0]),
        np.array([2.0, 0.1]),
        [np.array([[[1.0, -1.0], [2.0, 1.0]]]), np.array([[[3.0], [5.0]]])],
        [np.array([[0.5, 0.0]]), np.array([[7.0]])],
    )
    # The second feature is cut off at five deviations from the mean.
    features = np.array([[3.0, 0.1], [-3.0, 0.0], [1.0, 9.0], [1.0, -9.0]])
    # Standardised: (1, 1), (-2, 0), (0, 5), (0, -5); hidden: (3.5, 0), (0, 2), (10.5, 5), (0, 0).
    assert network.misses(features).tolist() == [17.5, 17, 63.5, 7]


def test_several_networks_have_a_say_each() -> None:
    network = Network(
        np.array([0.0]),
        np.array([1.0]),
        [np.array([[[1.0]], [[-2.0]]]), np.array([[[1.0]], [[3.0]]])],
        [np.array([[0.0], [0.0]]), np.array([[1.0], [2.0]])],
    )
    # The first gives 4 and 1, the second 2 and 14.
    assert network.misses(np.array([[3.0], [-2.0]])).tolist() == [3, 7.5]


def test_there_is_a_network_for_one_shot_a_turn_and_one_for_several() -> None:
    assert [file_name(shots) for shots in (1, 2, 5)] == ["one_shot.npz", "salvo.npz", "salvo.npz"]
    assert len(network_for(1).weights) == len(network_for(1).biases) > 1
    assert network_for(5) is network_for(2) is not network_for(1)
    assert all(weights.dtype == float for weights in network_for(2).weights)
