"""Plays challenges, pair by pair, so that they are watched while they go on."""

import logging
from collections.abc import Sequence
from pathlib import Path

from arena.entrants import Entrant
from arena.errors import UserError
from arena.isolation import Choice
from arena.league import League
from arena.schedule import Plan
from arena.seeds import Seeds
from arena.tournament import copied, play_here
from salvo.server.database.challenges import PAIRS, Challenge, Challenges
from salvo.server.leagues import open_league, without_place

_log = logging.getLogger(__name__)


def play_next(folder: Path, challenges: Challenges, isolation: Choice) -> bool:
    """Play the challenge that is next; return whether there was one."""
    challenge = challenges.take_next()
    if challenge is None:
        return False
    league = open_league(folder)
    entries = {entry.full_name: entry for entry in league.entries}
    try:
        entrants = [league.entrant(entries[n]) for n in (challenge.bot, challenge.opponent)]
        play_challenge(league, challenges, challenge, entrants, isolation)
    except UserError as error:
        challenges.finish(challenge.id, "failed", without_place(str(error), folder))
    except Exception:  # noqa: BLE001 - whatever fails here, others wait
        _log.exception("challenge %s", challenge.id)
        challenges.finish(challenge.id, "failed", "the server failed; its operator can see why")
    return True


def play_challenge(
    league: League,
    challenges: Challenges,
    challenge: Challenge,
    entrants: Sequence[Entrant],
    isolation: Choice,
) -> None:
    """Play the games that a challenge lacks; they are kept pair by pair.

    Raises:
        UserError: If a bot cannot be played.
    """
    names = sorted(entrant.name for entrant in entrants)
    seeds = Seeds(challenge.seed, league.charter.rules)
    pairing = names[0], names[1]
    plan = Plan(
        tournament=f"challenge {challenge.id}",
        seeds=seeds,
        pairings=(pairing,),
        soloists=(),
        pairs=PAIRS,
        layouts=0,
        block_pairs=1,
    )
    with copied(entrants, isolation.level) as copies:
        charter = league.charter
        play = play_here(charter.rules, charter.times, seeds, copies.bots, isolation)
        for number in range(len(challenges.games(challenge.id)) // 2, PAIRS):
            block = plan.block_of(pairing, number, range(number, number + 1))
            challenges.add(challenge.id, play(block).games)
    challenges.finish(challenge.id, "done")
