"""Messages in a notebook name what Python can do, not options of commands."""

from pathlib import Path

import pytest

import salvo
from arena.errors import RecordError, UserError
from salvo.notebook.wording import in_python


@pytest.mark.parametrize(
    ("said", "in_a_notebook"),
    [
        ("Raise --games to play on.", "Raise games to play on."),
        ("such as --seed 123", "such as seed=123"),
        (
            "`salvo match A B --sprt 0,20` decides",
            "`salvo.match(A, B, sprt=(0, 20))` decides",
        ),
        (
            "`salvo games --forfeits --tournament salvo-1` shows all",
            "`record.games(forfeits=True)` shows all",
        ),
        ("give --common-layouts", "give common_layouts"),
        (
            "choose a stronger --isolation, fewer --workers",
            "choose a stronger isolation, fewer workers",
        ),
        ("use --isolation sandbox", 'use isolation="sandbox"'),
        ("allow it with --max-memory 900", "allow it with terms=salvo.Terms(max_memory_mb=900)"),
        (
            "allow it with --allow-network a.org:443, or in a league",
            'allow it with terms=salvo.Terms(network=("a.org:443",)), or in a league',
        ),
        (
            "give it with --secret chat=API_KEY, or in a league",
            'give it with terms=salvo.Terms(secrets=("chat=API_KEY",)), or in a league',
        ),
        ("chmod --recursive", "chmod --recursive"),
    ],
)
def test_options_become_arguments(said: str, in_a_notebook: str) -> None:
    assert in_python(said) == in_a_notebook


def test_missing_record_is_refused_by_the_name_of_the_argument(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"`salvo.play` creates one, db names another") as refused:
        salvo.open_record(tmp_path / "none.sqlite3")
    assert "--" not in str(refused.value)


@pytest.mark.filterwarnings("ignore:isolation:UserWarning")  # where no sandbox holds
def test_notebook_shows_a_mistake_as_one_line() -> None:
    with pytest.raises(UserError) as refused:
        salvo.play("hunt_targt")
    [line] = refused.value._render_traceback_()
    assert line.startswith("BotError: bot 'hunt_targt'")
    assert "\n" not in line


def test_warning_points_at_the_line_that_called(tmp_path: Path) -> None:
    bots = [tmp_path / "one.py", tmp_path / "other.py"]
    for path in bots:
        path.write_text(
            "from arena import run\nfrom bots.hunt_target import HuntTarget\nrun(HuntTarget)\n"
        )
    with pytest.warns(UserWarning, match="seed=") as warned:
        salvo.match(*bots, games=2, rules="ramesh-1", isolation="none")
    assert {warning.filename for warning in warned} == {__file__}
    assert all("--seed" not in str(warning.message) for warning in warned)
