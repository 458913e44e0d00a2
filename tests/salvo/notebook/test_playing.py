"""Playing from a notebook: `salvo.play`, `salvo.match`, `salvo.solo` and what they return."""

import os
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import plotly.graph_objects as go
import pytest
from click.testing import CliRunner

import salvo
from arena.errors import UserError
from arena.seeds import DEFAULT_SEED
from arena.store import Store
from salvo.cli.main import salvo as command
from salvo.cli.runs.game_counts import USUAL
from salvo.conditions import MOST_TESTED_GAMES, cores
from salvo.notebook import running
from salvo.notebook.running import Run
from salvo.playing.entering import Entered

SMALL = {"rules": "ramesh-1", "isolation": "none", "workers": 1}


class LeftToRight(salvo.Bot):
    """Notes in which process it plays."""

    processes: set[int] = set()  # noqa: RUF012 - all of its bots share it

    def choose_shots(self, count: int) -> Sequence[int]:
        self.processes.add(os.getpid())
        return self.untried[:count]


class Fails(salvo.Bot):
    def choose_shots(self, count: int) -> Sequence[int]:
        raise ValueError(f"no {count} shots today")


class Picky(LeftToRight):
    def plays(self, rules: object) -> bool:
        return rules is None


@pytest.fixture(scope="module")
def record() -> salvo.Record:
    return salvo.play(LeftToRight, "hunt_target", games=4, layouts=3, **SMALL)


def test_class_plays_in_this_process(record: salvo.Record) -> None:
    assert LeftToRight.processes == {os.getpid()}
    assert not record.games(bot="LeftToRight")["forfeit"].any()


def test_record_says_which_bot_played_in_the_process_of_the_arena(record: salvo.Record) -> None:
    assert record.tournament is not None
    with Store(record.path, create=False) as store:
        levels = store.isolation_levels(record.tournament)
    assert '{"level": "none", "promises": {}, "in_process": ["LeftToRight"]}' in levels
    assert len(levels) == 2
    assert "none for LeftToRight, which played in the arena&#39;s process" in record.report()


def test_games_and_leaderboards_are_tables(record: salvo.Record) -> None:
    assert len(record.games()) == 4 + 2 * 3
    assert set(record.elo()["bot"]) == set(record.turns()["bot"]) == {"LeftToRight", "hunt_target"}
    assert record.tournaments["tournament"].tolist() == [record.tournament]


def test_figures_are_those_of_plotly(record: salvo.Record) -> None:
    figures = record.figures()
    assert list(figures) == ["elo", "matrix", "turns", "shots"]
    assert all(isinstance(figure, go.Figure) for figure in figures.values())


def test_notebook_shows_both_leaderboards(record: salvo.Record) -> None:
    shown = record._repr_html_()
    assert "Salvo tournament: 2 bots, rules ramesh-1" in shown
    assert shown.count("<table>") == 2
    assert shown.count(">LeftToRight</td>") == 2


def test_games_of_a_stranger_to_the_tournament_are_refused(record: salvo.Record) -> None:
    with pytest.raises(UserError, match=r"no bot of that name.*LeftToRight, hunt_target"):
        record.games(bot="nobody")


def test_temporary_record_is_gone_with_what_play_returned() -> None:
    record = salvo.play(LeftToRight, games=0, layouts=1, **SMALL)
    path = record.path
    assert path.exists()
    del record
    assert not path.exists()


def test_kept_record_goes_on_where_it_was_and_counts_what_was_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "kept.sqlite3"
    steps: list[int] = []
    bots = ("hunt_target", LeftToRight)
    for layouts in (50, 100, 50):
        kept = salvo.play(
            *bots,
            **SMALL,
            games=0,
            layouts=layouts,
            db=path,
            progress=lambda done, _most: steps.append(done),
        )
        assert (kept.turns()["games"] == layouts).all()
    assert steps[0] == 0
    assert steps[-4:] == [100, 150, 200, 100]
    assert (salvo.open_record(path).turns()["games"] == 100).all()


def test_command_reads_and_extends_what_was_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "kept.sqlite3"
    bots = ("hunt_target", "uniform_random")
    kept = salvo.play(*bots, games=4, layouts=2, db=path, **SMALL)
    words = ["tournament", *bots, "--rules", "ramesh-1", "--isolation", "none", "--db", str(path)]
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(command, [*words, "--games", "4", "--layouts", "2"])
    assert done.exit_code == 0
    assert "games to play" not in done.stderr
    assert salvo.open_record(path).tournaments["tournament"].tolist() == [kept.tournament]


def test_forfeits_are_warned_of() -> None:
    with pytest.warns(UserWarning, match=r"Fails forfeited 2 of 2 games.*no 1 shots today"):
        record = salvo.play(Fails, "uniform_random", games=2, layouts=0, **SMALL)
    forfeits = record.games(forfeits=True)
    assert forfeits["forfeit"].tolist() == [True, True]
    assert forfeits["stderr"].str.contains("no 1 shots today").all()
    assert "stderr" not in record.games()


def test_bot_that_does_not_play_the_rules_is_warned_of_and_left_out() -> None:
    bots = (Picky, "uniform_random", "hunt_target")
    with pytest.warns(UserWarning, match="Picky does not play ramesh-1 and is left out"):
        record = salvo.play(*bots, games=2, layouts=0, **SMALL)
    assert set(record.elo()["bot"]) == {"uniform_random", "hunt_target"}


def test_challenger_meets_every_other() -> None:
    others = ("uniform_random", "hunt_target")
    record = salvo.play(*others, gauntlet=LeftToRight, games=2, layouts=0, **SMALL)
    games = dict(zip(record.elo()["bot"], record.elo()["games"], strict=True))
    assert games == {"LeftToRight": 4, "uniform_random": 2, "hunt_target": 2}


@pytest.mark.parametrize(
    ("bots", "given", "told"),
    [
        (("hunt_target",), {}, "salvo.solo plays one alone"),
        (("hunt_target", "hunt_parity"), {"games": 3}, "games is 3: .* an even number"),
        (("hunt_target", "hunt_parity"), {"games": -2}, "games is -2: .* an even number"),
        (("hunt_target", "hunt_parity"), {"layouts": -1}, "layouts is -1; give 0 or more"),
        (("hunt_target", "hunt_parity"), {"seed": -1}, "seed is -1; give 0 or more"),
        (("hunt_target", "hunt_parity"), {"workers": 0}, "workers is 0; give 1 or more"),
        (("hunt_target", "hunt_parity"), {"isolation": "box"}, "choose one of auto, none"),
        ((LeftToRight, "hunt_target"), {"workers": 2}, "LeftToRight plays in this process"),
        (("hunt_targt",), {}, "did you mean 'hunt_target'"),
        (("hunt_target",), {"rules": "slavo"}, "slavo"),
        ((LeftToRight, LeftToRight), {}, "two bots are called 'LeftToRight'"),
        ((int,), {}, "it is no bot"),
    ],
)
def test_mistake_is_an_error_that_says_how_to_fix_it(
    bots: tuple[str, ...], given: dict[str, object], told: str
) -> None:
    with pytest.raises(UserError, match=told):
        salvo.play(*bots, **(SMALL | given))  # type: ignore[arg-type]


def test_bots_that_do_not_start_are_named(tmp_path: Path) -> None:
    path = tmp_path / "broken.py"
    path.write_text("import sys\nsys.exit('not today')\n")
    with (
        pytest.warns(UserWarning, match="broken: gave no introduction.*not today"),
        pytest.raises(UserError, match="none of these bots starts: broken"),
    ):
        salvo.play(path, games=0, **SMALL)


def test_bundled_bots_are_a_table_of_who_plays_the_rules() -> None:
    table = salvo.bots("ramesh-1").set_index("bot")
    assert table["plays ramesh-1"].dtype == table["default field"].dtype == bool
    assert table.loc["hunt_target", "plays ramesh-1"]
    assert table.loc["ramesh", "plays ramesh-1"]
    assert not table.loc["optimal_row", "plays ramesh-1"]


def test_bot_given_instead_of_its_class_is_refused_in_words() -> None:
    with pytest.raises(UserError, match=r"give a name, a path, or the class itself.*\(Fails\)"):
        salvo.play(Fails(), "hunt_target", **SMALL)  # type: ignore[arg-type]


def test_match_says_which_bot_is_better() -> None:
    record = salvo.match("hunt_target", LeftToRight, games=60, **SMALL)
    assert len(record.games()) == 60
    verdict = "hunt_target is better than LeftToRight"
    assert verdict in " ".join(repr(record).split())
    assert verdict in " ".join(record._repr_html_().split())


def test_match_ends_when_the_sequential_test_does(tmp_path: Path) -> None:
    bots = ("hunt_target", LeftToRight)
    record = salvo.match(*bots, sprt=(0, 200), db=tmp_path / "kept.sqlite3", **SMALL)
    assert 0 < len(record.games()) < MOST_TESTED_GAMES
    assert "The sequential test accepted" in repr(record)


def test_test_that_does_not_decide_asks_for_more_games_by_the_argument_of_the_function() -> None:
    record = salvo.match("uniform_random", LeftToRight, games=2, sprt=(0, 5), **SMALL)
    assert "Raise games to play on." in repr(record)


def test_solo_plays_each_bot_alone() -> None:
    record = salvo.solo(LeftToRight, "hunt_target", layouts=3, **SMALL)
    assert (record.turns()["games"] == 3).all()
    assert record.elo().empty


def test_means_are_adjusted_for_luck_if_asked() -> None:
    plain = salvo.solo("hunt_target", layouts=2, **SMALL)
    adjusted = salvo.solo("hunt_target", layouts=2, adjusted=True, **SMALL)
    assert "adjusted" not in " ".join(plain.turns().columns)
    assert "adjusted" in " ".join(adjusted.turns().columns)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"games": 0}, "games is 0; give 2 or more"),
        ({"games": 1}, "games is 1; give 2 or more"),
        ({"games": 3}, "games is 3: .* an even number"),
        ({"sprt": (20, 0)}, r"sprt is \(20, 0\): give two leads in Elo, the smaller first"),
        ({"sprt": (20, 20)}, r"sprt is \(20, 20\): give two leads"),
        ({"sprt": (-1001, 0)}, r"sprt is \(-1001, 0\): .*, between -1000 and 1000$"),
        ({"sprt": (0, 1001)}, r"sprt is \(0, 1001\): .*, between -1000 and 1000$"),
    ],
)
def test_mistake_in_a_match_is_an_error_that_says_how_to_fix_it(
    given: dict[str, object], told: str
) -> None:
    with pytest.raises(UserError, match=told):
        salvo.match("hunt_target", "hunt_parity", **(SMALL | given))  # type: ignore[arg-type]


def test_search_of_no_layouts_is_refused() -> None:
    with pytest.raises(UserError, match="layouts is 0; give 1 or more"):
        salvo.solo("hunt_target", layouts=0, **SMALL)


def test_rules_whose_means_cannot_be_adjusted_are_refused() -> None:
    with pytest.raises(UserError, match=r"adjusted=True: .*leave it out"):
        salvo.solo("hunt_target", adjusted=True, rules="lies")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, dict[str, object]]]:
    """Return what is to be played, by the last call that plays; nothing is."""
    calls: list[tuple[str, dict[str, object]]] = []

    def entered(_run: Run, bots: Sequence[str], _gauntlet: str | None = None) -> Entered:
        return Entered([SimpleNamespace(name=bot) for bot in bots], [])  # type: ignore[misc]

    def noted(run: Run, kind: str, _entered: Entered, **amount: object) -> None:
        shared = {"seed": run.seed, "common_layouts": run.common_layouts}
        calls.append((kind, shared | amount))

    monkeypatch.setattr(Run, "enter", entered)
    monkeypatch.setattr(Run, "play", noted)
    return calls


USUALLY = {"seed": DEFAULT_SEED, "common_layouts": False}


def test_plays_as_much_as_the_commands_unless_it_is_told(
    asked: list[tuple[str, dict[str, object]]],
) -> None:
    salvo.play("a", "b")
    salvo.play("a", games=0)
    salvo.play("a", "b", games=2, layouts=0, common_layouts=True, seed=0)
    salvo.match("a", "b")
    salvo.match("a", "b", games=2, sprt=(-1000, 1000))
    salvo.match("a", "b", sprt=(0, 20))
    salvo.solo("a")
    salvo.solo("a", layouts=1, common_layouts=True, adjusted=True, rules="classic")
    usual = USUALLY | {"games": 200, "layouts": 500}
    assert (USUAL.games, USUAL.layouts) == (200, 500)
    assert asked == [
        ("tournament", usual),
        ("solo", usual | {"games": 0}),
        ("tournament", {"games": 2, "layouts": 0, "common_layouts": True, "seed": 0}),
        ("match", usual | {"layouts": 0, "sprt": None}),
        ("match", usual | {"games": 2, "layouts": 0, "sprt": (-1000, 1000)}),
        ("match", usual | {"games": 20_000, "layouts": 0, "sprt": (0, 20)}),
        ("solo", usual | {"games": 0, "adjusted": False}),
        ("solo", usual | {"games": 0, "layouts": 1, "common_layouts": True, "adjusted": True}),
    ]


@pytest.mark.usefixtures("asked")
def test_match_of_a_bot_whose_opponent_does_not_play_the_rules_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    left: list[Any] = [SimpleNamespace(name="a")]
    monkeypatch.setattr(Run, "enter", lambda *_: Entered(left, ["b"]))
    with pytest.raises(UserError, match="only a plays the rules; a match needs two bots"):
        salvo.match("a", "b")


def run_of(**given: object) -> Run:
    usual = {
        "rules": "ramesh-1",
        "seed": 0,
        "workers": None,
        "isolation": "none",
        "settings": salvo.Settings(),
        "terms": salvo.Terms(),
        "db": None,
        "tournament": None,
        "progress": None,
    }
    return Run(**usual | given)  # type: ignore[arg-type]


@pytest.mark.parametrize(("workers", "used"), [(None, cores()), (1, 1), (7, 7)])
def test_every_core_plays_unless_it_is_told(workers: int | None, used: int) -> None:
    conditions = run_of(workers=workers)._conditions()
    assert (conditions.workers, conditions.common_layouts) == (used, False)


@pytest.mark.parametrize("workers", [None, 1, 2])
def test_only_classes_do_not_play_beside_each_other(
    workers: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = Entered([SimpleNamespace(name="a")], [])  # type: ignore[list-item]
    monkeypatch.setattr(running, "enter", lambda *_, **__: found)
    assert run_of(workers=workers).enter(["a"]) is found
