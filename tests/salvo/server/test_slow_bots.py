"""Slow bots that break no rule: with one worker, nobody else waits for long."""

import contextlib
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.isolation import children_of
from arena.league import Anchor, Charter, League
from arena.records import Settings
from arena.rules import preset
from salvo.bundled import bundled_bots
from salvo.server.database.keys import Key, Visitor, find_key, new_invite
from salvo.server.database.queue import Submitted, clear_leftovers, submit
from salvo.server.database.server_database import Database
from salvo.server.leagues import opened

Served = Any

SLOW = """
import random
import time

from arena import Bot, run

FIRST, SECOND = 4503599627370497, 9007199254740991
SEEDS = [*range(FIRST, FIRST + 10), *range(SECOND - 9, SECOND + 1)]
OF_A_CHECK = [random.Random(seed).random() for seed in SEEDS]


class Slow(Bot):
    def game_begins(self):
        self.checked = self.random.random() in OF_A_CHECK

    def choose_shots(self, count):
        if {when}:
            time.sleep({seconds})
        return self.untried[:count]


run(Slow)
"""
LAYOUTS = 400
UPLOADS = re.compile(rb"/(slow|quick)\.py\b")


@pytest.fixture
def patient_league(tmp_path: Path) -> Callable[[Settings], Path]:
    """Return a function that makes a league of some limits, whose bot has no opponent yet."""

    def make(times: Settings) -> Path:
        charter = Charter(
            rules=preset("ramesh-1"),
            seed="1234567890123456789",
            games=2,
            layouts=LAYOUTS,
            block_games=2,
            times=times,
            anchor=Anchor(bot="hunt_target@1"),
        )
        folder = tmp_path / "league"
        league = League(folder, charter, bundled_bots())
        with league.candidate(bundled_bots()["hunt_target"], "hunt_target") as candidate:
            league.admit(candidate)
        return folder

    return make


def games_of(served: Served) -> Counter[str]:
    """Return how many games each bot has in the record."""
    found: Counter[str] = Counter()
    with opened(served.league / "salvo.sqlite3") as store:
        for (bots, _), games in store.played("league").items() if store else ():
            found.update(dict.fromkeys(bots, games))
    return found


def uploads_in_play(served: Served) -> set[int]:
    """Return the processes of bots that were uploaded, also of those that are being checked."""
    found, parents = set[int](), [served.process.pid]
    while parents:
        for child in children_of(parents.pop()):
            parents.append(child)
            with contextlib.suppress(OSError):  # it has just ended
                if UPLOADS.search(Path(f"/proc/{child}/cmdline").read_bytes()):
                    found.add(child)
    return found


def submission(served: Served, identifier: str) -> Any:  # noqa: ANN401 - JSON has any shape
    return served.get(f"/api/submissions/{identifier}", served.key).json


def hand_in(served: Served, name: str, bot: str) -> Any:  # noqa: ANN401 - what it answered
    return served.submit(name, bot.encode(), *served.invite(name))


@pytest.mark.long("a bot that thinks for seconds is waited for")
def test_others_are_checked_while_slow_bots_of_one_author_are(
    patient_league: Callable[..., Path], make_server: Callable[..., Served], tmp_path: Path
) -> None:
    folder = patient_league(Settings(move_s=60.0, game_s=3600.0))
    clear_leftovers(folder)

    def hand_in_early(db: Database, author: Key, name: str, seconds: int) -> Submitted:
        upload = tmp_path / name
        upload.write_text(SLOW.format(when=seconds > 0, seconds=seconds))
        return submit(
            db, folder, Visitor((author,)), name=name, file=".py", address="", upload=upload
        )

    with Database(folder) as db:
        one, other = (find_key(db, new_invite(db, label)) for label in ("one", "other"))
        assert one is not None
        assert other is not None
        first, second = (hand_in_early(db, one, "slow", seconds) for seconds in (15, 16))
        quick = hand_in_early(db, other, "quick", 0)
    served = make_server(folder)
    served.until(lambda: submission(served, quick.id)["state"] != "queued")
    assert submission(served, first.id)["state"] == "checking"  # for the minute that it may take
    assert submission(served, second.id)["state"] == "queued"
    served.until(lambda: submission(served, quick.id)["state"] == "accepted")


@pytest.mark.long("a bot that thinks for seconds is waited for")
def test_others_play_while_a_slow_bot_plays(
    patient_league: Callable[..., Path], make_server: Callable[..., Served]
) -> None:
    served = make_server(patient_league(Settings(move_s=5.0, game_s=10.0)))
    slow = hand_in(served, "slow", SLOW.format(when="self.solo and not self.checked", seconds=0.3))
    assert served.checked(slow)["state"] == "accepted"
    quick = hand_in(served, "quick", served.bot)
    assert served.checked(quick)["state"] == "accepted"
    before = games_of(served)["slow@1"]
    served.until(lambda: games_of(served)["quick@1"])
    assert games_of(served)["slow@1"] - before <= 10  # what was in play, and some more


@pytest.mark.long("a bot that thinks for seconds is waited for")
def test_ban_ends_what_a_slow_bot_plays_and_voids_it(
    patient_league: Callable[..., Path], make_server: Callable[..., Served]
) -> None:
    served = make_server(patient_league(Settings(move_s=3000.0, game_s=3600.0)))
    endless = SLOW.format(when="not self.checked", seconds=2000)
    slow = hand_in(served, "slow", endless)
    assert served.checked(slow)["state"] == "accepted"
    served.until(lambda: not list((served.league / "serve").glob("unpacked/*")))
    playing = served.until(lambda: uploads_in_play(served))
    quick = hand_in(served, "quick", served.bot)
    assert served.checked(quick)["state"] == "accepted"
    assert playing <= uploads_in_play(served)
    served.post("/api/operate/ban", {"name": "slow"}, served.key)
    served.until(lambda: not playing & uploads_in_play(served))
    served.until(lambda: games_of(served)["quick@1"])
    assert not [bot for bot in games_of(served) if bot.startswith("slow@")]


def test_ban_ends_the_check_of_a_slow_bot(
    patient_league: Callable[..., Path], make_server: Callable[..., Served]
) -> None:
    league = patient_league(Settings(move_s=3000.0, game_s=3600.0))
    with Database(league) as db:
        db.settle("paused", "yes")
    served = make_server(league)
    slow = hand_in(served, "slow", SLOW.format(when="True", seconds=2000))
    checked = served.until(lambda: uploads_in_play(served))
    assert submission(served, slow.json["id"])["state"] == "checking"
    served.post("/api/operate/ban", {"name": "slow"}, served.key)
    assert submission(served, slow.json["id"])["state"] == "refused"
    served.until(lambda: not checked & uploads_in_play(served))
    served.until(lambda: not list((served.league / "serve").glob("unpacked/*")))
    served.until(lambda: not list((served.league / "bots").glob(".*")))
    assert submission(served, slow.json["id"])["reason"] == "it was withdrawn"
