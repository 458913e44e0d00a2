"""Defines the errors that a user of Salvo can meet.

SalvoError
├── UserError               a mistake in what the user asked for: one line, exit code 2
│   ├── RulesError          a rule set that is malformed or contradicts itself
│   ├── BotError            a BOT on the command line that cannot be played
│   ├── RecordError         a record that cannot be read, written or extended
│   │   └── EmptyRecordError    one that is to be read and has nothing in it yet
│   └── StorageError        a place of this machine that cannot be written: no bot can help that
└── IllegalActionError      an action that the rules forbid: its seat forfeits

A bot's fault is never one of these: it is a verdict (``arena.player.Fault``) that ends a game.
"""


class SalvoError(Exception):
    """The base of all errors that Salvo raises."""


class UserError(SalvoError):
    """The user asked for something impossible; the message says what, where and how to fix it."""

    def _render_traceback_(self) -> list[str]:
        """Return what IPython shows instead of a traceback: it is no bug."""
        return [f"{type(self).__name__}: {self}"]


class RulesError(UserError):
    """A rule set is malformed or contradicts itself."""


class BotError(UserError):
    """A BOT on the command line does not name anything that can be played."""


class RecordError(UserError):
    """The record of games cannot be read, written or extended as asked."""


class EmptyRecordError(RecordError):
    """The record that is to be read is empty, as it is before anything is written into it."""


class StorageError(UserError):
    """A place of this machine cannot be written, as a full disk; the same may work later."""


class IllegalActionError(SalvoError):
    """A well-formed action breaks the rules; the message is the reason given to the bot."""


def not_installed(package: str, extra: str) -> str:
    """Return that a package is missing, and how to install the extra of Salvo that brings it."""
    return (
        f"{package} is not installed; install Salvo's extra '{extra}': `pip install '.[{extra}]'` "
        f"in the folder of Salvo's source, or `pip install 'FILE.whl[{extra}]'` from a wheel"
    )
