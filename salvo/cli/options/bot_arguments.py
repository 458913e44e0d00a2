"""Makes arguments that name bots."""

import functools

import click

from salvo.cli.options.completing import complete_bots

bot_argument = functools.partial(click.argument, shell_complete=complete_bots)
bot_option = functools.partial(click.option, shell_complete=complete_bots)
