"""Analyses games, and what people know in theirs, for whoever asks on a page."""

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from arena.league import League
from arena.rules import Rules, Salvo
from leaderboards.display.replay_frames import plain_replay
from salvo.reports.pages.game_replay import replay_of
from salvo.reports.pages.posteriors import FULL_EFFORT, glimpse_after, why_no_posterior
from salvo.reports.tables.analysis import analysis_of, cost_in_words, last_judgement
from salvo.server.database.analyses import Analyses
from salvo.server.database.human_games import HumanGames
from salvo.server.errors import Refusal
from salvo.server.kept_games import as_shown, recorded_game, sight_of
from salvo.server.leagues import open_league

_MILLE = 1000

_log = logging.getLogger(__name__)


def analyse(folder: Path, analyses: Analyses, what: str) -> None:
    """Analyse what somebody asked for, and write down what is found, or why nothing is."""
    try:
        kind, identifier, *number = what.split(" ")
        league = open_league(folder)
        if kind == "game":
            found = _game(league, identifier)
        else:
            found = _turn(league, identifier, int(number[0]))
        analyses.finish(what, "done", found)
    except Refusal as refusal:
        analyses.finish(what, "failed", str(refusal))
    except Exception:  # noqa: BLE001 - whatever fails here, others wait
        _log.exception("%s", what)
        analyses.finish(what, "failed", "the server failed; its operator can see why")


def _game(league: League, identifier: str) -> dict[str, Any]:
    """Return a game to watch, with the posterior and what each salvo cost."""
    game, rules = recorded_game(league, identifier)
    shown = as_shown(game)
    analysis = analysis_of(shown, rules)
    return plain_replay(replay_of(shown, rules, FULL_EFFORT, analysis=analysis))


def _turn(league: League, identifier: str, number: int) -> dict[str, Any]:
    """Return what a person knows: the probability of each cell, and what the last salvo cost."""
    with HumanGames(league.folder) as games:
        game = games.find(identifier)
    if game is None:
        raise Refusal(404, "there is no such game")
    rules = league.charter.rules
    sight = sight_of(game, rules, number)
    solo = game.fixture.second is None
    told = []
    judgement = last_judgement(rules, sight.fired, solo=solo)
    if judgement is not None:
        told.append(f"Your last salvo. {cost_in_words(judgement, rules, solo=solo)}")
    cells, about = _known(rules, sight.fired, solo=solo)
    return {"cells": cells, "told": [*told, about]}


def _known(rules: Rules, fired: Sequence[Salvo], *, solo: bool) -> tuple[list[int] | None, str]:
    why = why_no_posterior(rules)
    if why is not None:
        return None, why
    glimpse = glimpse_after(rules, fired, FULL_EFFORT, solo=solo)
    about = f"Posterior: {glimpse.told}."
    if not solo:
        about = f"{about} It counts every layout as equally likely, which a bot need not do."
    if glimpse.cells is None:
        return None, about
    return np.rint(_MILLE * glimpse.cells).astype(int).tolist(), about
