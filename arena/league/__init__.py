"""Keeps leagues: bots are submitted one after another and meet the field as it stands.

A league is a folder::

    league.toml       what is played: rules, seed, games, layouts, times
    register.json     who was entered, which version of each is current, who was withdrawn
    left-out.json     pairings whose games do not count in the ratings, if there are any
    bots/HASH/        each bot as it was submitted, by the hash of its content
    bots/HASH.tar.gz  the same, packed, of a version that plays no more
    salvo.sqlite3     the record, one tournament whose entrants are versions: NAME@1, NAME@2; and
                      one for each of the calendar that has begun, such as a final
    results/          what came of those: a file for pages, and a report once it has ended
"""

from arena.league.amending import amend
from arena.league.calendar import announce, call_off
from arena.league.charter import Anchor, Charter
from arena.league.league import League
from arena.league.planned import FINAL, KIND, Planned
from arena.league.register import Entry, Pairing
from arena.league.storage import Storage
