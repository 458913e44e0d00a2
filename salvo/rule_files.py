"""Reads rule sets from presets and files."""

import os
from pathlib import Path

from arena.errors import RulesError
from arena.rules import PRESETS, Rules, preset, rules_from_toml


def read_rules(named: str | os.PathLike[str] | Rules) -> Rules:
    """Return a rule set: a preset by its name, or one from a TOML file.

    Raises:
        RulesError: If it names none, or the file is not one.
    """
    if isinstance(named, Rules):
        return named
    named = os.fspath(named)
    if named in PRESETS or not (Path(named).exists() or named.endswith(".toml")):
        return preset(named)
    try:
        text = Path(named).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise RulesError(f"rules file {named}: cannot be read: {error.strerror}") from error
    except UnicodeError as error:
        raise RulesError(f"rules file {named}: cannot be read: {error}") from error
    rules = rules_from_toml(text, named)
    if rules.name in PRESETS and rules != preset(rules.name):
        raise RulesError(
            f"rules file {named}: name: '{rules.name}' is a preset, which has other rules; "
            "give yours a name of its own"
        )
    return rules
