"""Defines the commands; no other room prints or exits. One file a command."""

from salvo.cli.main import main

__all__ = ["main"]
