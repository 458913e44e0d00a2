"""``salvo protocol`` prints the norm."""

from importlib.resources import files

from click.testing import CliRunner

from salvo.cli.protocol import protocol


def test_prints_the_document_as_it_is() -> None:
    printed = CliRunner().invoke(protocol)
    assert printed.exit_code == 0
    assert printed.stdout_bytes == files("arena").joinpath("PROTOCOL.md").read_bytes()
