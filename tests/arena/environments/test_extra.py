"""Without the extra: one line that names it, and the boards all the same."""

import subprocess
import sys

import pytest

WITHOUT = """
import sys

finders = sys.meta_path

def hide(finder):
    find = finder.find_spec
    class Hiding:
        def find_spec(self, name, path=None, target=None):
            if name.partition(".")[0] in ("gymnasium", "pettingzoo"):
                return None
            return find(name, path, target)
    return Hiding()

sys.meta_path[:] = [hide(finder) for finder in finders]
"""


def run(code: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", WITHOUT + code]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize(
    ("name", "package"),
    [
        ("AgainstBotEnv", "gymnasium"),
        ("BatchedSoloEnv", "gymnasium"),
        ("DuelEnv", "pettingzoo"),
        ("SoloEnv", "gymnasium"),
    ],
)
def test_a_missing_extra_is_named_in_one_line(name: str, package: str) -> None:
    done = run(f"import arena.environments\narena.environments.{name}\n")
    assert done.stderr.splitlines()[-1] == (
        f"ImportError: arena.environments.{name}: {package} is not installed; "
        "install Salvo's extra 'learn': `pip install '.[learn]'` in the folder of Salvo's source, "
        "or `pip install 'FILE.whl[learn]'` from a wheel"
    )


def test_the_boards_need_no_extra() -> None:
    done = run(
        "import numpy\nfrom arena.environments import SoloBoards\n"
        "print(SoloBoards('classic', 3, numpy.random.default_rng(1)).number)\n"
    )
    assert done.stdout == "3\n", done.stderr


def test_what_does_not_exist_is_an_attribute_error() -> None:
    done = run("import arena.environments\narena.environments.PolarEnv\n")
    assert done.stderr.splitlines()[-1].startswith("AttributeError: ")
