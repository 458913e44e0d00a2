"""Each stage of the training comes closer on 6x6; `tox -e deep` has PyTorch."""

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed; tox -e deep has it")

from benchmarks.compared.gap import gap


def test_deep_salvo_comes_closer_to_greedy_while_it_is_taught(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("benchmarks.compared.gap.SEEDS", (1,))
    found: dict[str, float] = {}
    text = "\n".join(gap(256, found))
    for stage in ("untrained", "taught", "improved"):
        assert f"`deep_salvo`, {stage}" in text
    assert found["gap_untrained"] < found["gap_taught"]
