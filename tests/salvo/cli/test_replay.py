"""The replay of a game as a page and as a film: what they show."""

import itertools
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from arena.records import Fixture, Game, PlaceStep, ShootStep, Step, Tally, Termination
from arena.referee import play_bots
from arena.replay import replay
from arena.rules import CellsReport, Rules, Salvo, Seat, cells_of, mask_of, placements, preset
from leaderboards.display.replay_frames import plain_replay
from salvo.bundled import bot_class
from salvo.reports.pages.game_frames import renamed_game
from salvo.reports.pages.game_replay import game_animation, replay_of
from salvo.reports.pages.posteriors import QUICK_EFFORT, Glimpse, glimpses
from salvo.reports.words.game_text import describe_end

Run = Callable[..., Any]

TRANSCRIPTS = Path(__file__).resolve().parents[2] / "arena" / "transcripts"
FAST = ("--rules", "ramesh-5", "--isolation", "limits", "--workers", "1")


def recorded(preset: str) -> tuple[Game, Rules]:
    """Return the game of a transcript in which nobody moves or lies."""
    told: dict[str, Any] = json.loads((TRANSCRIPTS / f"{preset}.json").read_text())
    layouts, steps = {}, list[Step]()
    for step in told["steps"]:
        seat, does = step["asked"]["seat"], step["does"]
        if step["asked"]["type"] == "place":
            layouts[seat] = does["layout"]
            steps.append(PlaceStep(seat, 0.0))
        else:
            steps.append(ShootStep(seat, tuple(does["cells"]), 0.0))
    game = Game(
        fixture=Fixture("0123456789abcdef", "one", "<two>", 3, (1, 2)),
        result=told["result"],
        termination=Termination(told["ending"]),
        reason="it is over",
        forfeit=None,
        layouts=layouts,
        steps=tuple(steps),
        tallies=(Tally(), Tally()),
    )
    return game, msgspec.convert(told["rules"], Rules)


def salvos_of(game: Game, rules: Rules) -> list[Salvo]:
    pairs = itertools.pairwise(replay(game, rules))
    return [b.salvo for a, b in pairs if b.salvo is not None and b.salvo is not a.salvo]


def known(preset: str) -> list[tuple[Salvo, list[Salvo], Glimpse, int]]:
    """Return each salvo, those before it of its seat, what was known, and the true ships."""
    game, rules = recorded(preset)
    salvos = salvos_of(game, rules)
    *_, last = replay(game, rules)
    masks = {"first": last.waters.second, "second": last.waters.first}
    found = glimpses(rules, salvos, QUICK_EFFORT)
    return [
        (salvo, [one for one in salvos[:number] if one.by == salvo.by], glimpse, sum(mask.ships))
        for number, (salvo, glimpse) in enumerate(zip(salvos, found, strict=True))
        if (mask := masks[salvo.by]) is not None
    ]


@pytest.mark.parametrize("preset", ["salvo", "apart", "ramesh-5"])
def test_posterior_is_one_on_hits_and_zero_on_misses(preset: str) -> None:
    for _, before, glimpse, _ in known(preset):
        assert glimpse.cells is not None
        for salvo in before:
            assert isinstance(salvo.report, CellsReport)
            hits = list(salvo.report.hits)
            misses = [cell for cell in salvo.cells if cell not in hits]
            assert glimpse.cells[hits] == pytest.approx(1)
            assert glimpse.cells[misses] == pytest.approx(0)


@pytest.mark.parametrize("preset", ["salvo", "ramesh-5"])
def test_posterior_has_as_many_cells_as_the_fleet(preset: str) -> None:
    _, rules = recorded(preset)
    for _, _, glimpse, _ in known(preset):
        assert glimpse.cells is not None
        assert glimpse.cells.sum() == pytest.approx(sum(ship.length for ship in rules.fleet))


def test_exact_posterior_leaves_the_true_ships_possible() -> None:
    for _, _, glimpse, ships in known("salvo"):
        assert glimpse.cells is not None
        if glimpse.told.startswith("exact"):
            assert (glimpse.cells[cells_of(ships)] > 0).all()


def test_layouts_left_are_those_counted_one_by_one() -> None:
    _, rules = recorded("ramesh-5")
    places = [placements(rules.rows, rules.columns, ship.length) for ship in rules.fleet]
    layouts = [one | two for one, two in itertools.product(*places) if not one & two]
    for _, before, glimpse, _ in known("ramesh-5"):
        left = layouts
        for salvo in before:
            assert isinstance(salvo.report, CellsReport)
            fired, hits = mask_of(salvo.cells), mask_of(salvo.report.hits)
            left = [layout for layout in left if layout & fired == hits]
        covered = [sum(layout >> cell & 1 for layout in left) for cell in range(rules.cells)]
        assert glimpse.cells == pytest.approx(np.array(covered) / len(left))
        assert glimpse.told == f"exact, {len(left)} layout{'s' if len(left) > 1 else ''} left"


def test_only_what_was_counted_is_called_exact() -> None:
    told = [glimpse.told for _, _, glimpse, _ in known("salvo")]
    assert told[0] == told[1] == "exact, 30,093,975,536 layouts left"
    assert all(text.startswith(("exact, ", "sampled, effective size ")) for text in told)
    assert any(text.startswith("sampled") for text in told)


def test_last_frame_shows_the_fleet_that_was_sunk_and_who_won() -> None:
    game, rules = recorded("salvo")
    frames = replay_of(game, rules, None).frames
    loser: Seat = "first" if game.result == "second" else "second"
    marks = frames[-1].panels[0 if loser == "first" else 1].marks
    fleet = {cell for cells in game.layouts[loser].values() for cell in cells}
    assert {cell for cell, mark in enumerate(marks) if mark == "sunk"} == fleet
    assert frames[-1].lines[-1].endswith("wins: it is over.")
    assert not any("wins" in line for line in frames[0].lines)


@pytest.mark.parametrize("name", ["salvo", "paper", "unnamed", "silent", "unknown"])
def test_sinkings_are_told_in_words_with_what_is_left(name: str) -> None:
    game, rules = recorded(name)
    lines = [frame.lines[1] for frame in replay_of(game, rules, None).frames]
    last = next(line for line in reversed(lines) if "It sinks the" in line)
    assert f"of {'one' if game.result == 'second' else '<two>'}; nothing is left." in last
    names = [ship.name for ship in rules.fleet]
    loser: Seat = "first" if game.result == "second" else "second"
    shooter = "<two>" if loser == "first" else "one"
    told = " ".join(line for line in lines if line.startswith(f"{shooter} shoots"))
    sunk = [ship for ship in names if re.search(rf"sinks the [^;]*\b{ship}\b", told)]
    assert sunk == names


def test_what_was_reported_is_told_where_it_is_less_than_what_happened() -> None:
    game, rules = recorded("paper")
    lines = [frame.lines[1] for frame in replay_of(game, rules, None).frames]
    assert all(re.search(r"hit\. .*Reported: \d hits?", line) for line in lines)


@pytest.mark.parametrize(
    ("end", "told"),
    [
        ({"result": "first"}, "one wins: it is over"),
        ({"result": "draw"}, "a draw: both fleets are sunk"),
        ({"result": "draw", "termination": Termination.TURN_LIMIT}, "a draw: it is over"),
        (
            {"result": "first", "forfeit": "second", "termination": Termination.TIMEOUT},
            "one wins by forfeit (timeout) of <two>: it is over",
        ),
    ],
)
def test_end_of_a_game_is_described_in_words(end: dict[str, Any], told: str) -> None:
    game, _ = recorded("salvo")
    assert describe_end(msgspec.structs.replace(game, **end)) == told


def test_seats_are_named_where_there_are_two() -> None:
    game, rules = recorded("ramesh-5")
    assert replay_of(game, rules, None).frames[0].lines[0].endswith("turn 1, first seat")
    shots = [cell for cells in game.layouts["second"].values() for cell in cells]
    pairs = [tuple(shots[place : place + 2]) for place in range(0, len(shots), 2)]
    alone = msgspec.structs.replace(
        game,
        fixture=Fixture("0123456789abcdef", "one", None, 3, (1, 2)),
        layouts={"second": game.layouts["second"]},
        steps=tuple(ShootStep("first", pair, 0.0) for pair in pairs),
        result="first",
    )
    shown = replay_of(alone, rules, QUICK_EFFORT)
    assert shown.bots == ["one"]
    assert shown.frames[0].lines[0].endswith("turn 1")
    assert not any("seat" in frame.lines[0] for frame in shown.frames)


def test_same_game_makes_the_same_frames() -> None:
    game, rules = recorded("salvo")
    one, two = (replay_of(game, rules, QUICK_EFFORT) for _ in range(2))
    assert plain_replay(one) == plain_replay(two)


@pytest.mark.parametrize(
    ("rules_name", "bot"),
    [
        ("unknown", "hunt_target"),
        ("lies", "hunt_target"),
        ("paper", "uniform_random"),
        ("afp", "clever"),
    ],
)
def test_sampled_posterior_says_its_effective_size(rules_name: str, bot: str) -> None:
    rules = preset(rules_name)
    game = play_bots([bot_class(bot)()], rules, seeds=(1, 2))
    salvos = salvos_of(game, rules)[:12]
    for glimpse in glimpses(rules, salvos, QUICK_EFFORT, solo=True):
        assert re.fullmatch(r"sampled, effective size [\d,]+, error up to .*%", glimpse.told)
        assert glimpse.cells is not None
        assert 0 <= glimpse.cells.min() < glimpse.cells.max() < 1 + 1e-9


@pytest.mark.parametrize("name", ["lies", "paper", "afp"])
def test_chart_beside_a_sampled_posterior_shows_what_was_reported(name: str) -> None:
    rules = preset(name)
    game = play_bots([bot_class("uniform_random")()], rules, seeds=(1, 2))
    frames = replay_of(game, rules, QUICK_EFFORT).frames
    charts = [frame.panels[-1] for frame in frames]
    assert {chart.kind for chart in charts} == {"posterior before the salvo"}
    tried = {cell for chart in charts[:-1] for cell in chart.fired}
    marked = {cell for cell, mark in enumerate(charts[-1].marks) if mark != "water"}
    assert marked
    assert marked <= tried
    # Where hits are only counted, cells are known if all of a salvo hit or none did.
    assert name == "paper" or marked == tried


def test_rules_without_a_posterior_show_the_boards_and_say_why() -> None:
    game, rules = recorded("unknown")
    both = msgspec.structs.replace(rules, told="count")
    shown = replay_of(game, both, QUICK_EFFORT)
    why = "the opponent's fleet is unknown and hits are only counted"
    assert f"No posterior is shown: the game is unknown, and {why}." in shown.legend
    assert [panel.chances for panel in shown.frames[0].panels] == [None, None]


def test_game_without_its_posterior_names_the_command_that_shows_it() -> None:
    shown = replay_of(*recorded("salvo"), None)
    assert any("`salvo replay 0123456789abcdef --posterior`" in note for note in shown.legend)
    assert [len(frame.panels) for frame in shown.frames] == [2] * len(shown.frames)


def test_game_without_a_salvo_says_so() -> None:
    game, rules = recorded("salvo")
    nothing = msgspec.structs.replace(game, steps=())
    shown = replay_of(nothing, rules, QUICK_EFFORT)
    assert shown.frames == []
    assert "No salvo was fired." in shown.notes
    assert game_animation(nothing, rules, posterior=False) is None


def test_bots_of_a_league_are_shown_under_their_names_there() -> None:
    game, _ = recorded("salvo")
    fixture = renamed_game(game, {"one": "lighthouse@2"}).fixture
    assert (fixture.first, fixture.second) == ("lighthouse@2", "<two>")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory, salvo_in: Run) -> Path:
    """Return the record of a match."""
    folder = tmp_path_factory.mktemp("played")
    salvo_in(folder, "match", "hunt_target", "uniform_random", *FAST, "--games", "2")
    return folder / "salvo.sqlite3"


@pytest.fixture
def game(salvo: Run, played: Path, tmp_path: Path) -> str:
    """Copy that record to where `salvo` runs, and return the id of its first game."""
    shutil.copy(played, tmp_path)
    return str(salvo("games", "--format", "json").json[0]["game"])


def test_replay_writes_the_page_and_prints_the_game_as_ever(
    salvo: Run, game: str, tmp_path: Path
) -> None:
    plain, paged = salvo("replay", game), salvo("replay", game, "--posterior")
    assert (plain.err, paged.out) == ("", plain.out)
    told = salvo("replay", game, "--format", "json").json
    assert (told["rules"]["name"], told["game"]["fixture"]["id"]) == ("ramesh-5", game)
    assert plain.out.startswith(f"game {game}: ")
    assert "salvo-replay.html shows it" in paged.err
    page = (tmp_path / "salvo-replay.html").read_text()
    listed = salvo("games", "--format", "json").json[0]
    title = f"Salvo game: {listed['first']} against {listed['second']}, rules ramesh-5"
    assert f"<h1>{title}</h1>" in page
    assert f'<p class="about">Game {listed["game"]}</p>' in page
    assert "layouts left" in page
    salvo("replay", game, "--posterior", "--html", "again.html")
    assert (tmp_path / "again.html").read_text() == page
    assert "add --posterior" in salvo("replay", game, "--html", "a.html").mistake
    ran = salvo("replay", game, "--posterior", "--html", "no/such/folder.html")
    assert (ran.code, ran.err.count("\n")) == (2, 1)


def test_rules_without_a_posterior_say_so_in_one_line(salvo: Run, tmp_path: Path) -> None:
    text = (
        'name = "liars"\nrows = 4\ncolumns = 4\nlies = 1\nmoves = true\nreshoot = true\n'
        'turn_limit = 30\nfleet = [{ name = "two", length = 2 }]\n'
    )
    (tmp_path / "liars.toml").write_text(text, encoding="utf-8")
    rules = ("--rules", str(tmp_path / "liars.toml"))
    salvo("match", "hunt_target", "uniform_random", *FAST, *rules, "--games", "2")
    ran = salvo("replay", salvo("games", "--format", "json").json[0]["game"], "--posterior")
    assert ran.code == 0
    why = "the game is liars, and ships move and a seat may lie"
    assert ran.err.endswith(f"No posterior is shown: {why}.\n")
    assert ran.err.count("\n") == 1


def test_replay_writes_an_animated_svg(salvo: Run, game: str, tmp_path: Path) -> None:
    ran = salvo("replay", game, "--svg", "game.svg")
    assert "game.svg plays it" in ran.err
    plain = (tmp_path / "game.svg").read_text(encoding="utf-8")
    assert plain.startswith("<svg ")
    assert "posterior before the salvo" not in plain
    salvo("replay", game, "--svg", "more.svg", "--posterior")
    assert "posterior before the salvo" in (tmp_path / "more.svg").read_text(encoding="utf-8")
    assert not (tmp_path / "salvo-replay.html").exists()
    assert "there is no folder" in salvo("replay", game, "--svg", "no/such/film.svg").mistake


def test_replay_draws_a_gif_and_a_png(salvo: Run, game: str, tmp_path: Path) -> None:
    ran = salvo("replay", game, "--gif", "game.gif", "--png", "end.png")
    assert ran.code == 0
    assert (tmp_path / "game.gif").read_bytes().startswith(b"GIF89a")
    assert (tmp_path / "end.png").read_bytes().startswith(b"\x89PNG")
    assert not (tmp_path / "salvo-replay.html").exists()


def test_without_pillow_it_is_said_how_to_get_it(game: str, tmp_path: Path) -> None:
    code = "import sys; sys.modules['PIL'] = None; from salvo.cli import main; main()"
    command = [sys.executable, "-c", code, "replay", game, "--gif", "game.gif"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert ran.stderr.startswith("salvo: --gif: pillow is not installed; install Salvo's extra")
    assert ran.stderr.count("\n") == 1
