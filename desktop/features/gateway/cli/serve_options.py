"""What `serve` is told, for it and for `client_setup`. Reads nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.cli.options import Options

if TYPE_CHECKING:
    from pathlib import Path


class ServeOptions(Options):
    """What `serve` is told."""

    http: int | None = None
    new_token: bool = False
    record: Path | None = None
    client: str = ""
    clients: bool = False
    install: str | None = None
    uninstall: str | None = None
    dry_run: bool = False
