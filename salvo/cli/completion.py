"""`salvo completion SHELL`: prints the script by which a shell completes commands."""

import click
from click.shell_completion import get_completion_class

_SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(_SHELLS))
@click.pass_context
def completion(context: click.Context, *, shell: str) -> None:
    """Print a script for SHELL that completes commands, options, bots, rules and records.

    To install it, once:

    \b
    echo 'eval "$(salvo completion bash)"' >> ~/.bashrc
    echo 'eval "$(salvo completion zsh)"' >> ~/.zshrc
    salvo completion fish > ~/.config/fish/completions/salvo.fish

    The shell then asks `salvo` itself, so that it knows new bots and games at once.
    """  # noqa: D301 - click leaves the lines after its mark as they are
    kind = get_completion_class(shell)
    assert kind is not None
    script = kind(context.find_root().command, {}, "salvo", "_SALVO_COMPLETE")
    click.echo(script.source(), nl=False)
