"""Describes who played, when, where and under which seed, and the command that repeats it."""

import contextlib
import shlex
import shutil
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from arena.entrants import Entrant, Secret, Terms
from arena.errors import RulesError
from arena.isolation import Program
from arena.origin import Introduced, Origin
from arena.records import Settings
from arena.rules import PRESETS, Rules
from arena.store import Tournament
from salvo.bundled import bundled_bots
from salvo.conditions import MATCHING
from salvo.rule_files import read_rules

_INTERPRETED = ("-P",)
_OF_COMMAND = ("-P", "--")
"""Where the TOML of a Python file or folder has its options."""


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
    secret = tournament.kind in ("league", "planned") and bool(tournament.seed)
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

    None can where classes of a notebook played. Files are named as seen from the working folder.
    Games are those of a pairing or, where results decided who met whom, of a bot.
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
    return shlex.join([*words, *_terms(tournament.entrants)])


def _terms(entrants: Sequence[Entrant]) -> list[str]:
    """Return the options that allow what the bots asked for in their TOML."""
    usual, programs = Terms(), [entrant.program for entrant in entrants]
    memory_mb = max(program.memory_mb for program in programs)
    temporary_mb = max(program.temporary_mb for program in programs)
    grants = dict.fromkeys(path for program in programs for path in program.grants)
    words = ["--allow-processes"] if any(program.processes for program in programs) else []
    words += ["--max-memory", f"{memory_mb}"] if memory_mb > usual.max_memory_mb else []
    if temporary_mb > usual.max_temporary_mb:
        words += ["--max-temporary", f"{temporary_mb}"]
    network = dict.fromkeys(address for program in programs for address in program.network)
    words += [word for address in network for word in ("--allow-network", address)]
    for entrant in entrants:
        for variable in entrant.program.secrets:
            words += ["--secret", str(Secret(entrant.name, variable))]
    return [*words, *(word for path in grants for word in ("--grant", _seen(path)))]


def _bot(entrant: Entrant, bundled: Mapping[str, str]) -> str:
    program = entrant.program
    path, options = _named(program)
    name = bundled.get(path) or (_seen(path) if path in _own(program) else _command(path))
    name = f"./{name}" if name in bundled.values() and path not in bundled else name
    words = [name, *(_seen(word) if word in program.files else word for word in options)]
    text = shlex.join(words) if options else name
    own = Path(path).name if path == program.import_folder else Path(path).stem
    return text if own == entrant.name and not options else f"{entrant.name}={text}"


def _named(program: Program) -> tuple[str, Sequence[str]]:
    """Return what starts a bot, a path or an installed program, and its options."""
    argv = program.argv
    if argv[1:3] == _OF_COMMAND:
        return program.import_folder or argv[3], ()
    if argv[1:2] == _INTERPRETED:
        return program.import_folder or argv[2], argv[3:]
    return (program.import_folder, ()) if program.import_folder else (argv[0], argv[1:])


def _own(program: Program) -> set[str | None]:
    return {*program.files, program.import_folder}


def _seen(path: str) -> str:
    """Return a path from the working folder where it lies inside, and else whole."""
    here = Path.cwd()
    return str(Path(path).relative_to(here)) if Path(path).is_relative_to(here) else path


def _command(program: str) -> str:
    """Return an installed program by its name alone where that finds it."""
    name = Path(program).name
    return name if shutil.which(name) == program else program


def _rules(rules: Rules) -> str:
    """Return a preset, or the file with these rules in the working folder or one of its folders."""
    preset, _ = PRESETS.get(rules.name, (None, ""))
    if preset == rules:
        return rules.name
    here = Path.cwd()
    for path in sorted([*here.glob("*.toml"), *here.glob("*/*.toml")]):
        with contextlib.suppress(RulesError):
            if read_rules(path) == rules:
                return _seen(str(path))
    return f"{rules.name}.toml"


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
