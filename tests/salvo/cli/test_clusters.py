"""`--cluster` without its extra; what it does with it is tested in tests/cluster."""

import importlib.util
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from typing import Any

import pytest

Salvo = Callable[..., Any]


@pytest.fixture
def _without_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec

    def hide(name: str, package: str | None = None) -> ModuleSpec | None:
        return None if name == "distributed" else find(name, package)

    monkeypatch.setattr("salvo.cli.options.run_options.find_spec", hide)


@pytest.mark.usefixtures("_without_dask")
def test_cluster_without_its_extra_says_how_to_install_it(salvo: Salvo) -> None:
    ran = salvo("tournament", "--cluster", "tcp://127.0.0.1:8786")
    assert ran.mistake == (
        "salvo: --cluster tcp://127.0.0.1:8786: Dask is not installed; "
        "install Salvo's extra 'cluster': `pip install '.[cluster]'` in the folder of Salvo's "
        "source, or `pip install 'FILE.whl[cluster]'` from a wheel"
    )
