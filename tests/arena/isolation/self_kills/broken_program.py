"""Becomes a program that cannot be put into memory when it is too late to go back."""

import os
from pathlib import Path

os.execv(Path(__file__).with_name("broken"), ["broken"])  # noqa: S606 - the trick
