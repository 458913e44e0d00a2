"""The replay of a game as a page: what it shows, and which game a report replays."""

import itertools
import json
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pandas as pd
import pytest

from arena.records import Fixture, Game, PlaceStep, ShootStep, Step, Tally, Termination
from arena.replay import replay
from arena.rules import CellsReport, Rules, Salvo, cells_of, mask_of, placements
from salvo.reports.featured_game import pick_featured_game
from salvo.reports.game_text import describe_end
from salvo.reports.posteriors import QUICK_EFFORT, Glimpse, glimpses
from salvo.reports.replay_section import renamed_game, replay_section

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
        (salvo, [one for one in salvos[:number] if one.by == salvo.by], glimpse, sum(sea.ships))
        for number, (salvo, glimpse) in enumerate(zip(salvos, found, strict=True))
        if (sea := masks[salvo.by]) is not None
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
    [drawing] = replay_section(game, rules, QUICK_EFFORT).drawings
    last = drawing.figure.frames[-1]
    loser = 0 if game.result == "second" else 1
    signs = list(itertools.chain.from_iterable(last.data[loser].text))
    assert {cell for cell, sign in enumerate(signs) if sign == "X"} == {
        cell
        for cells in game.layouts["first" if loser == 0 else "second"].values()
        for cell in cells
    }
    assert "wins: it is over" in last.layout.title.text
    assert "wins" not in drawing.figure.frames[0].layout.title.text


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
    [drawing] = replay_section(game, rules, QUICK_EFFORT).drawings
    assert "turn 1, first seat" in drawing.figure.frames[0].layout.title.text
    shots = [cell for cells in game.layouts["second"].values() for cell in cells]
    pairs = [tuple(shots[place : place + 2]) for place in range(0, len(shots), 2)]
    alone = msgspec.structs.replace(
        game,
        fixture=Fixture("0123456789abcdef", "one", None, 3, (1, 2)),
        layouts={"second": game.layouts["second"]},
        steps=tuple(ShootStep("first", pair, 0.0) for pair in pairs),
        result="first",
    )
    [drawing] = replay_section(alone, rules, QUICK_EFFORT).drawings
    titles = [frame.layout.title.text for frame in drawing.figure.frames]
    assert "turn 1</b>" in titles[0]
    assert not any("seat" in title for title in titles)


def test_same_game_makes_the_same_bytes() -> None:
    game, rules = recorded("salvo")
    one, two = (replay_section(game, rules, QUICK_EFFORT) for _ in range(2))
    assert one.notes == two.notes
    assert one.drawings[0].figure.to_json() == two.drawings[0].figure.to_json()


@pytest.mark.parametrize(
    ("preset", "why"),
    [
        ("unknown", "the opponent's fleet is unknown"),
        ("paper", "only the number of hits of a salvo is reported"),
    ],
)
def test_rules_without_a_posterior_show_the_boards_and_say_why(preset: str, why: str) -> None:
    section = replay_section(*recorded(preset), QUICK_EFFORT)
    assert f"No posterior is shown: the game is {preset}, and {why}." in section.notes
    assert [trace.type for trace in section.drawings[0].figure.data] == [
        *["heatmap", "heatmap"],
        *["scatter", "scatter"],
    ]


def test_board_too_large_for_a_report_names_the_command_that_shows_it() -> None:
    section = replay_section(*recorded("salvo"), QUICK_EFFORT, most_cells=99)
    assert any("`salvo replay 0123456789abcdef --posterior`" in note for note in section.notes)
    assert len(section.drawings[0].figure.data) == 4


def test_game_without_a_salvo_says_so() -> None:
    game, rules = recorded("salvo")
    section = replay_section(msgspec.structs.replace(game, steps=()), rules, QUICK_EFFORT)
    assert section.drawings == ()
    assert "No salvo was fired." in section.notes


def test_bots_of_a_league_are_shown_under_their_names_there() -> None:
    game, _ = recorded("salvo")
    fixture = renamed_game(game, {"one": "lighthouse@2"}).fixture
    assert (fixture.first, fixture.second) == ("lighthouse@2", "<two>")


def test_replay_writes_the_page_and_prints_the_game_as_ever(salvo: Any, tmp_path: Path) -> None:  # noqa: ANN401
    salvo("match", "hunt_target", "uniform_random", *FAST, "--games", "2")
    game = salvo("games", "--format", "json").json[0]["game"]
    plain, paged = salvo("replay", game), salvo("replay", game, "--posterior")
    assert (plain.err, paged.out) == ("", plain.out)
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


def test_rules_without_a_posterior_say_so_in_one_line(salvo: Any) -> None:  # noqa: ANN401
    salvo("match", "hunt_target", "uniform_random", *FAST, "--rules", "lies", "--games", "2")
    ran = salvo("replay", salvo("games", "--format", "json").json[0]["game"], "--posterior")
    assert ran.code == 0
    assert ran.err.endswith("No posterior is shown: the game is lies, and a seat may lie.\n")
    assert ran.err.count("\n") == 1


def test_report_replays_a_game_and_is_the_same_bytes_again(salvo: Any, tmp_path: Path) -> None:  # noqa: ANN401
    two = ("hunt_target", "uniform_random")
    salvo("tournament", *two, *FAST, "--games", "2", "--layouts", "2")
    page = (tmp_path / "salvo-report.html").read_text()
    assert "The closest game of" in page
    assert "<h1>Salvo tournament: 2 bots, rules ramesh-5</h1>" in page
    assert ": 2 games between two bots and 4 solo games</p>" in page
    assert "2, in pairs with seats swapped" in page
    assert "2, all bots on the same layouts" in page
    assert 'data-figure="replay-1"' in page
    salvo("report", "--report", "again.html")
    assert (tmp_path / "again.html").read_text() == page
    salvo("solo", *two, *FAST, "--layouts", "3", "--db", "solo.sqlite3")
    salvo("report", "--db", "solo.sqlite3")
    page = (tmp_path / "salvo-report.html").read_text()
    assert "of median length" in page
    assert "<h1>Salvo solo: 2 bots, rules ramesh-5</h1>" in page
    assert "Games a pairing" not in page


COLUMNS = ["id", "first", "second", "first_hits", "second_hits", "forfeit", "first_shots"]
NOBODY = pd.DataFrame(columns=COLUMNS)


def rows(*games: tuple[object, ...]) -> pd.DataFrame:
    return pd.DataFrame([(*game, None, 50)[:7] for game in games], columns=COLUMNS)


def test_report_replays_the_closest_game_of_the_two_best_that_met() -> None:
    games = rows(
        ("a", "best", "worst", 17, 16),
        ("b", "best", "second", 17, 9),
        ("c", "second", "best", 14, 17),
        ("d", "second", "best", 17, 14),
        ("e", "best", "second", 17, 16, "second", 50),
    )
    chosen = pick_featured_game(games, NOBODY, ["best", "second", "worst"], [])
    assert chosen is not None
    assert chosen.id == "c"
    assert chosen.why == (
        "The closest game of best and second, the two best bots that met: they ended 3 hits apart."
    )
    gauntlet = pick_featured_game(
        games[games["second"] == "worst"], NOBODY, ["best", "x", "worst"], []
    )
    assert gauntlet is not None
    assert gauntlet.id == "a"


def test_report_of_solo_games_replays_one_of_median_length() -> None:
    solo = rows(
        *[(name, "best", None, 17, 0, None, shots) for name, shots in (("a", 70), ("b", 40))],
        *[(name, "best", None, 17, 0, None, shots) for name, shots in (("c", 55), ("d", 99))],
        ("e", "other", None, 17, 0, None, 30),
    )
    chosen = pick_featured_game(NOBODY, solo, [], ["best", "other"])
    assert chosen is not None
    assert (chosen.id, "55 shots" in chosen.why) == ("c", True)


def test_report_replays_no_forfeit() -> None:
    games = rows(("a", "best", "second", 17, 16, "second", 50))
    assert pick_featured_game(games, NOBODY, ["best", "second"], []) is None
