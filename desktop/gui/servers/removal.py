"""The offer to undo the last removal of a server: a bar above the page, for a minute.

The files of its bundle are dropped when the offer ends, unless the person keeps them; its sign-in
is forgotten at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from desktop.base.visible_text import mark_hidden

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.config.models import ServerConfig
    from desktop.config.store import RemovedServer
    from desktop.gui.servers.interfaces import RemovedServers
    from desktop.gui.widgets.banner import Banner, BannerArea

OFFER_MS = 60_000
_KEY = "removed"


class Removal(QObject):
    """Holds what was removed last, until it is put back or the offer ends."""

    def __init__(
        self,
        parent: QObject,
        banners: BannerArea,
        servers: RemovedServers,
        bundles: Path | None = None,
    ) -> None:
        """Args: banners: where it is offered. servers: puts one back, or forgets it.

        bundles: where bundles are unpacked.
        """
        super().__init__(parent)
        self._bundles = bundles
        self._banners, self._servers = banners, servers
        self._removed: RemovedServer | None = None
        self._config: ServerConfig | None = None
        self._timer = QTimer(self, singleShot=True, interval=OFFER_MS)
        self._timer.timeout.connect(self.finish)

    def begin(self, removed: RemovedServer, config: ServerConfig | None) -> None:
        """Offer to undo it. Args: config: what it was; None where it had a problem."""
        self._removed, self._config = removed, config
        words = self.tr("Removed “{name}”.").format(name=removed.entry.name)
        has_files = config is not None and self._unpacked(config) is not None
        if has_files:
            words += " " + self.tr("Its unpacked files are deleted when this closes.")
        banner = self._show(words)
        if has_files:
            banner.add_action(self.tr("Keep its files"), self._keep_files)

    def _show(self, words: str) -> Banner:
        banner = self._banners.show_banner(_KEY, "info", words)
        banner.add_action(self.tr("Undo"), self._undo)
        banner.dismissed.connect(self.finish)
        self._timer.start()
        return banner

    def _keep_files(self) -> None:
        """What was removed can still be put back; its files stay either way."""
        config, self._config = self._config, None
        folder = self._unpacked(config) if config is not None else None
        if config is not None and folder is not None:
            words = self.tr("Removed “{name}”. Its files stay in {folder}.")
            self._show(words.format(name=config.name, folder=mark_hidden(str(folder))))

    def _unpacked(self, config: ServerConfig) -> Path | None:
        from desktop.config.imports.bundles import folder_of  # zip, for a removal alone

        return folder_of(config, self._bundles) if self._bundles is not None else None

    def finish(self) -> None:
        """End the offer: nothing can be put back any more."""
        self._end()
        config, self._config = self._config, None
        if config is not None:
            self._servers.forget_server(config)

    def _undo(self) -> None:
        removed, self._config = self._removed, None
        self._end()
        if removed is not None:
            self._servers.restore_server(removed)

    def _end(self) -> None:
        self._timer.stop()
        self._removed = None
        self._banners.remove(_KEY)
