"""Other installations of Salvo, which a benchmark measures in the same run."""

from pathlib import Path

from arena.errors import UserError


def python_of(venv: Path) -> str:
    """Return the interpreter of a virtual environment.

    Raises:
        UserError: If it has none.
    """
    python = venv / "bin" / "python"
    if not python.exists():
        raise UserError(
            f"--against {venv}: it has no bin/python; name a virtual environment with Salvo in it"
        )
    return str(python)
