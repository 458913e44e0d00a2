"""`salvo.check`: the steps of `salvo check`, for classes of bots too."""

from collections.abc import Sequence

import pytest

import salvo
from arena.conformance import Exchange, Step
from arena.errors import UserError
from salvo.notebook.checking import Check


class LeftToRight(salvo.Bot):
    def choose_shots(self, count: int) -> Sequence[int]:
        return self.untried[:count]


class Repeats(salvo.Bot):
    def choose_shots(self, count: int) -> Sequence[int]:
        return [0] * count


class Rolls(LeftToRight):
    """Draws from randomness that no seed repeats."""

    games: list[int] = []  # noqa: RUF012 - all of its bots share it

    def game_begins(self) -> None:
        self.games.append(0)

    def choose_shots(self, count: int) -> Sequence[int]:
        return self.untried[:count] if len(self.games) % 2 else self.untried[-count:]


def verdicts(check: object) -> list[str]:
    return [step.verdict for step in check.steps]  # type: ignore[attr-defined]


def test_class_passes_the_steps_that_are_not_about_the_lines_of_a_program() -> None:
    check = salvo.check(LeftToRight)
    assert check
    skipped = [step.title for step in check.steps if step.verdict == "skipped"]
    assert skipped == [
        "writes nothing that was not asked for",
        "ignores fields that it does not know",
        "reads any spacing and order of fields",
        "exits when it should",
    ]
    assert verdicts(check).count("ok") == len(check.steps) - 4


def test_class_that_repeats_cells_fails_with_the_reason() -> None:
    check = salvo.check(Repeats)
    assert not check
    assert verdicts(check).count("failed") == 1
    for shown in (repr(check), check._repr_html_()):
        assert "cell 0 appears twice" in shown


def test_class_that_plays_otherwise_for_the_same_seed_is_warned_of() -> None:
    check = salvo.check(Rolls)
    assert check
    assert "warning" in verdicts(check)


def test_program_passes_all_steps() -> None:
    check = salvo.check("hunt_target", isolation="none")
    assert set(verdicts(check)) == {"ok"}
    assert "HuntTarget" in check._repr_html_()


EXCHANGE = Exchange("shoot", "<what>", "cells")
SHOWN = (
    "<pre>\n  sent:       shoot\n\n  came back:  &lt;what&gt;\n\n  expected:   cells\n\n"
    "  stderr:{}\n</pre>"
)


@pytest.mark.parametrize(
    ("step", "below"),
    [
        (Step(1, "it shoots", "ok"), ""),
        (Step(1, "it shoots", "warning", detail="it said: a", stderr="a\n"), ""),
        (
            Step(1, "it shoots", "ok", stderr="use --load-time\n"),
            "<pre>       stderr: use settings=salvo.Settings(load_s=...)</pre>",
        ),
        (
            Step(1, "it shoots", "failed", detail="it said: a", exchange=EXCHANGE, stderr="a\n"),
            SHOWN.format("\n    a"),
        ),
        (
            Step(1, "it shoots", "failed", exchange=EXCHANGE),
            SHOWN.format("     nothing"),
        ),
    ],
)
def test_notebook_shows_below_the_table_what_the_table_does_not(step: Step, below: str) -> None:
    style = {"ok": "green", "warning": "darkorange", "failed": "red"}[step.verdict]
    left = f'<td style="text-align: left; color: {style}'
    cells = "".join(
        f'{left}; white-space: nowrap">{cell}</td>' for cell in (1, step.verdict, "it shoots")
    )
    check = Check("<it>", "classic", [step])
    assert check._repr_html_() == (
        f"<p><b>&lt;it&gt;: classic, 1 steps: 1 {step.verdict}</b></p>"
        f'<table><tr>{cells}{left}">{step.detail}</td></tr></table>{below}'
    )
    assert bool(check) == (step.verdict != "failed")


def test_name_of_nothing_is_an_error() -> None:
    with pytest.raises(UserError, match=r"did you mean 'hunt_target'\? `salvo.bots\(\)` lists"):
        salvo.check("hunt_targt")
