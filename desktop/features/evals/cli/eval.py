"""`eval`: another name of `test`, for who thinks of models first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.features.saved_calls.cli import test

if TYPE_CHECKING:
    from desktop.cli.output import Console


def run(args: list[str], console: Console) -> int:
    return test.run(args, console, "eval")
