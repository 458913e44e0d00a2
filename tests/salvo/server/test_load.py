"""`salvo bench serve`, small: no event is lost or doubled, and every page is answered."""

import json

from click.testing import CliRunner

from salvo.cli.bench import bench


def test_watchers_hear_of_everything_once() -> None:
    words = ("serve", "--watchers", "20", "--bots", "2", "--seconds", "5")
    result = CliRunner().invoke(bench, words, catch_exceptions=False)
    outcome = json.loads(result.output.splitlines()[-1])
    assert (outcome["events_lost"], outcome["events_doubled"], outcome["resets"]) == (0, 0, 0)
    assert outcome["failed"] == 0
    assert outcome["pages"] >= 20
