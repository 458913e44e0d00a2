"""Reads which bot is given which of the operator's secrets: variables of the environment."""

import os
import re
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from arena.errors import BotError

LEAST_BYTES = 8
"""A shorter value would be found in what bots write by chance, and masked there."""

_VARIABLE = re.compile("[A-Za-z_][A-Za-z0-9_]*")


class Secret(NamedTuple):
    """A variable of the operator's environment, and the name of the bot that is given it."""

    bot: str
    variable: str

    def __str__(self) -> str:
        return f"{self.bot}={self.variable}"


def parse_secret(text: str) -> Secret:
    """Return the secret that a text, ``BOT=VARIABLE``, stands for.

    Raises:
        ValueError: If it stands for none, with what is wrong with it.
    """
    bot, equals, variable = text.partition("=")
    if not equals or not bot or not _VARIABLE.fullmatch(variable):
        raise ValueError(
            f"{text!r} is not BOT=VARIABLE, such as chat=API_KEY, with the name of a variable of "
            "the environment, not what is in it"
        )
    return Secret(bot, variable)


def refuse_unset(secret: Secret) -> None:
    """Refuse a secret that is not in the environment, or could not be kept one.

    Raises:
        BotError: If it is not.
    """
    value = os.environ.get(secret.variable)
    if not value:
        raise BotError(
            f"bot {secret.bot!r}: {secret.variable}, which it is to be given, is not set in the "
            f"environment; set it, as in `export {secret.variable}=...`"
        )
    if len(os.fsencode(value)) < LEAST_BYTES:
        raise BotError(
            f"bot {secret.bot!r}: {secret.variable} has fewer than {LEAST_BYTES} characters, too "
            "few to be told from what bots write; use a longer secret"
        )


def refuse_unasked(secrets: Iterable[str], asked: Mapping[str, Collection[str] | None]) -> None:
    """Refuse a secret for a bot that is not there, or does not ask for it.

    ``asked`` has what bots ask for by their names, None where that is not known.

    Raises:
        BotError: If there is one.
    """
    for secret in map(parse_secret, secrets):
        if secret.bot not in asked:
            raise BotError(
                f"--secret {secret}: no bot is called {secret.bot!r}; they are {', '.join(asked)}"
            )
        of_bot = asked[secret.bot]
        if of_bot is not None and secret.variable not in of_bot:
            raise BotError(
                f"--secret {secret}: {secret.bot} does not ask for it; write secrets = "
                f'["{secret.variable}"] in its TOML'
            )
