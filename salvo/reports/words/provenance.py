"""Describes who played, when, where and under which seed, and the command that repeats it."""

import shlex
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from arena.entrants import Entrant
from arena.origin import Introduced, Origin
from arena.records import Settings
from arena.rules import PRESETS, Rules
from arena.store import Tournament
from salvo.bundled import bundled_bots
from salvo.conditions import MATCHING

_INTERPRETED = ("-P",)


def introductions(origins: Sequence[Origin], names: Mapping[str, str]) -> dict[str, Introduced]:
    """Return what each bot said of itself, at last, under the name that it is shown by."""
    said: dict[str, Introduced] = {}
    for origin in origins:
        said |= {names.get(name, name): one for name, one in origin.introduced.items()}
    return said


def describe_bot(bot: str, said: Introduced | None) -> str:
    """Return a bot with what it said of its version and its author."""
    version = f" {said.version}" if said is not None and said.version else ""
    author = f" by {said.author}" if said is not None and said.author else ""
    return f"{bot}{version}{author}"


def provenance(
    tournament: Tournament,
    origins: Sequence[Origin],
    bots: Sequence[str],
    isolation: str,
    names: Mapping[str, str],
) -> dict[str, str]:
    """Return who played what and when, as far as the record says, for the top of a page."""
    said = introductions(origins, names)
    versions = sorted({origin.salvo for origin in origins})
    machines = sorted({origin.machine for origin in origins})
    secret = tournament.kind == "league" and bool(tournament.seed)
    return {
        **({"Played": _when(origins)} if origins else {}),
        **({"By": f"Salvo {', '.join(versions)}"} if versions else {}),
        **({"On": "; ".join(machines)} if machines else {}),
        "Isolation": isolation or "none recorded",
        "Seed": f"secret; its fingerprint is {tournament.seed}" if secret else tournament.seed,
        "Bots": "; ".join(describe_bot(bot, said.get(bot)) for bot in bots),
    }


def repeat_command(
    tournament: Tournament, games: int, layouts: int, levels: Sequence[str]
) -> str | None:
    """Return the command that plays a tournament again; None where no command can.

    None can where classes of a notebook played. Files of bots and rules are named without their
    folders, which are nobody else's concern. Games are those of a pairing or, where results decided
    who met whom, of a bot.
    """
    commands = all(entrant.program.argv for entrant in tournament.entrants)
    if not commands or tournament.kind not in ("tournament", "match", "solo", *MATCHING):
        return None
    bundled = {str(path): name for name, path in bundled_bots().items()}
    words = ["salvo", "tournament" if tournament.kind in MATCHING else tournament.kind]
    words += ["--schedule", tournament.kind] if tournament.kind in MATCHING else []
    if tournament.gauntlet is not None:
        words += ["--gauntlet", tournament.gauntlet]
    words += [
        _bot(entrant, bundled)
        for entrant in tournament.entrants
        if entrant.name != tournament.gauntlet
    ]
    words += ["--rules", _rules(tournament.rules), "--seed", tournament.seed]
    words += [] if tournament.kind == "solo" else ["--games", str(games)]
    words += [] if tournament.kind == "match" else ["--layouts", str(layouts)]
    words += ["--common-layouts"] if tournament.common_layouts else []
    words += ["--isolation", levels[0]] if len(levels) == 1 else []
    usual, times = Settings(), tournament.settings
    words += [] if times.load_s == usual.load_s else ["--load-time", f"{times.load_s:g}"]
    words += [] if times.move_s == usual.move_s else ["--move-time", f"{times.move_s:g}"]
    words += [] if times.game_s == usual.game_s else ["--game-time", f"{times.game_s:g}"]
    return shlex.join(words)


def _bot(entrant: Entrant, bundled: Mapping[str, str]) -> str:
    argv = list(entrant.program.argv)
    if len(argv) > 1 and argv[1] in _INTERPRETED:
        argv = argv[2:]
    folder = entrant.program.folder
    script, *options = argv
    known = bundled.get(script) or (
        bundled.get(folder) if script == str(Path(folder) / "bot.py") else None
    )
    words = [known or Path(script).name, *(Path(word).name for word in options)]
    text = shlex.join(words)
    own = known or Path(script).stem
    return text if own == entrant.name and not options else f"{entrant.name}={text}"


def _rules(rules: Rules) -> str:
    preset, _ = PRESETS.get(rules.name, (None, ""))
    return rules.name if preset == rules else f"{rules.name}.toml"


def _when(origins: Sequence[Origin]) -> str:
    times = sorted(
        datetime.strptime(origin.at, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC) for origin in origins
    )
    first, last = times[0], times[-1]
    start = f"{first.day} {first:%B %Y, %H:%M}"
    if (first.date(), first.hour, first.minute) == (last.date(), last.hour, last.minute):
        return f"{start} UTC"
    same_day = first.date() == last.date()
    end = f"{last:%H:%M}" if same_day else f"{last.day} {last:%B %Y, %H:%M}"
    return f"{start} to {end} UTC"
