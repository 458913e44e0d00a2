"""A table of names becomes invites."""

import subprocess
import sys
from pathlib import Path

import pytest

from arena.errors import UserError
from salvo.server.database.keys import find_key, invites
from salvo.server.database.server_database import Database
from salvo.server.roster import read_roster


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("Ada\nGrace\n", ["Ada", "Grace"]),
        ("\ufeffname,mail\r\nAda,a@b.c\r\n\r\nGrace,\r\n", ["Ada", "Grace"]),
        ('id;Full Name\n1;"Lovelace; Ada"\n2;Hopper,  Grace\n', ["Lovelace; Ada", "Hopper, Grace"]),
        ("number\tLabel\n1\tÉva\n2\n3\t\n", ["Éva"]),
        ("Ada,7b\nGrace,7a", ["Ada", "Grace"]),
        ("mail,Student,name\na@b.c,2,Ada\n", ["Ada"]),
        ("\n1;2,3;Ada\nname\n", ["1", "name"]),
        (80 * "x", [80 * "x"]),
    ],
)
def test_labels_are_those_of_the_column_of_names(
    text: str, labels: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "roster.csv"
    path.write_text(text, encoding="utf-8", newline="")
    assert read_roster(path) == labels


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "it names nobody"),
        (b"name\n", "it names nobody"),
        (b"Ada\nBob\nAda\n", "line 3: 'Ada' stands in line 1 too"),
        (b"x" * 81, "line 1: a label of 81 characters; at most 80"),
        (b"\xc9va\n", "it is not UTF-8; save it as CSV UTF-8"),
    ],
)
def test_table_that_is_none_is_refused_in_one_line(data: bytes, told: str, tmp_path: Path) -> None:
    path = tmp_path / "roster.csv"
    path.write_bytes(data)
    with pytest.raises(UserError, match=told):
        read_roster(path)


def test_command_invites_a_roster_and_whoever_joins_it_later(league: Path, tmp_path: Path) -> None:
    with Database(league) as db:
        db.settle("address", "http://league.edu")
    roster = tmp_path / "roster.csv"

    def invite(text: str) -> tuple[list[list[str]], str]:
        roster.write_text(text, encoding="utf-8")
        words = (sys.executable, "-m", "salvo", "operate", "invite", "--from", str(roster))
        done = subprocess.run(
            (*words, "--league", str(league)), capture_output=True, text=True, check=True
        )
        return [line.split("\t") for line in done.stdout.splitlines()], done.stderr

    first, _ = invite("name\nAda\nGrace\n")
    assert [row[0] for row in first] == ["Ada", "Grace"]
    assert all(row[2] == f"http://league.edu/enter?key={row[1]}" for row in first)
    later, told = invite("name\nAda\nGrace\nLinus\n")
    assert [row[0] for row in later] == ["Linus"]
    assert "roster.csv: 2 already invited: Ada, Grace" in told
    with Database(league) as db:
        assert [one.label for one in invites(db)] == ["Ada", "Grace", "Linus"]
        assert all(find_key(db, row[1]) for row in (*first, *later))
