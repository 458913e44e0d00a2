"""The rules that a trainer is given by name."""

from pathlib import Path

from arena.errors import RulesError
from arena.rules import PRESETS, Rules, preset, rules_from_toml


def read_rules(named: str) -> Rules:
    """Return the preset of a name, or the rules of a TOML file.

    Raises:
        RulesError: If there is no such preset, or the file cannot be read or is no rule set.
    """
    if named in PRESETS or not named.endswith(".toml"):
        return preset(named)
    try:
        return rules_from_toml(Path(named).read_text(encoding="utf-8-sig"), named)
    except (OSError, UnicodeError) as error:
        raise RulesError(f"rules file {named}: cannot be read: {error}") from error
