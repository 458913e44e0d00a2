"""The versions of a league: each with its rating, and what it gained on the one before."""

import pandas as pd

from arena.league import Entry
from leaderboards import rate
from salvo.reports.tables.version_rows import version_rows

GAIN = "better than the one before by"


def test_each_version_is_compared_with_the_one_before() -> None:
    rows = []
    for one, other in (("ada@2", "ada@1"), ("ada@2", "bob@1"), ("ada@1", "bob@1")):
        for pair in range(20):
            winner = one if pair % 4 else other
            for first, second in ((one, other), (other, one)):
                rows.append((first, second, "first" if first == winner else "second", pair))
    columns = ["first", "second", "result", "pair"]
    ratings = rate(pd.DataFrame(rows, columns=columns).assign(forfeit=None))
    entries = [
        Entry(name=name, version=version, digest="", words=())
        for name, version in (("bob", 1), ("ada", 2), ("ada", 3), ("ada", 1))
    ]
    told = version_rows(entries, ratings)
    assert [(row["bot"], row["version"]) for row in told] == [
        *(("ada", "1"), ("ada", "2"), ("ada", "3"), ("bob", "1"))
    ]
    gain = ratings.difference("ada@2", "ada@1")
    assert gain.value > 0
    assert told[1][GAIN].startswith(f"{gain.value:.0f} (")
    assert [row[GAIN] for row in told if row["version"] != "2"] == ["-"] * 3
    assert [row["games"] for row in told] == ["80", "80", "0", "80"]
