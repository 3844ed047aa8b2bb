"""What the parts of the Servers page ask of the page, as protocols.

So that they need not know it, which knows them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from PySide6.QtWidgets import QDialog

    from desktop.config.models import ServerConfig
    from desktop.config.store import RemovedServer


class ServerEditing(Protocol):
    """Changes servers of the config file as a person wants it."""

    def edit_server(self, name: str) -> QDialog | None:
        """Open the dialog for a server; None where it is not one of the file."""
        ...

    def change_server(self, config: ServerConfig) -> None:
        """Write a server anew; it is started with it."""
        ...


class RemovedServers(Protocol):
    """What can still be done for a server that was removed."""

    def restore_server(self, removed: RemovedServer) -> None:
        """Put it back, and select it."""
        ...

    def forget_server(self, config: ServerConfig) -> None:
        """Drop the files that it leaves behind."""
        ...
