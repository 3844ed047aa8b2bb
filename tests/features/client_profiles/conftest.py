"""A terminal as for the other commands."""

from __future__ import annotations

from tests.cli.conftest import program, terminal

__all__ = ["program", "terminal"]
