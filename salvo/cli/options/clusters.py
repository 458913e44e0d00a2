"""`--cluster ADDRESS`: the games are played by the workers of a Dask cluster."""

from importlib.util import find_spec

import click

from arena.errors import UserError


def _there(ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    if value is not None and not ctx.resilient_parsing and find_spec("distributed") is None:
        raise UserError(
            f"--cluster {value}: Dask is not installed; pip install 'salvo-arena[cluster]'"
        )
    return value


cluster_option = click.option(
    "--cluster",
    metavar="ADDRESS",
    callback=_there,
    help="Play on the workers of the Dask scheduler there, such as tcp://10.0.0.1:8786; `local` "
    "starts one with --workers.",
)
