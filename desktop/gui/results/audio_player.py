"""Plays audio from memory where Qt Multimedia is installed; it is optional and imported on demand.

The module comes with PySide6-Addons (`mcp-desktop[audio]`), so nothing here names its types.
"""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

from PySide6.QtCore import QBuffer, QByteArray, QCoreApplication, QIODevice, QObject, Signal

translate = QCoreApplication.translate
_MODULE = "PySide6.QtMultimedia"


def can_play() -> bool:
    """Whether Qt Multimedia is installed; imports nothing of it."""
    return importlib.util.find_spec(_MODULE) is not None


class AudioPlayer(QObject):
    """One sound; `changed` tells of a new state, place, length or failure."""

    changed = Signal()

    def __init__(self, content: bytes, parent: QObject | None = None) -> None:
        """Raises: ImportError: Qt Multimedia is missing, or a library it needs."""
        super().__init__(parent)
        multimedia: Any = importlib.import_module(_MODULE)
        self._multimedia = multimedia
        self._device = QBuffer(self)
        self._device.setData(QByteArray(content))
        self._device.open(QIODevice.OpenModeFlag.ReadOnly)
        self._output = multimedia.QAudioOutput(self)
        self._player = multimedia.QMediaPlayer(self)
        self._player.setAudioOutput(self._output)
        self._player.setSourceDevice(self._device)
        for told in ("playbackStateChanged", "positionChanged", "durationChanged", "errorOccurred"):
            getattr(self._player, told).connect(self._tell)

    @property
    def is_playing(self) -> bool:
        states = self._multimedia.QMediaPlayer.PlaybackState
        return self._player.playbackState() == states.PlayingState

    @property
    def position(self) -> float:
        """Seconds from the start."""
        return self._player.position() / 1000

    @property
    def duration(self) -> float:
        """Seconds in all, 0 while not known."""
        return self._player.duration() / 1000

    @property
    def failure(self) -> str:
        """Why it cannot be played, in the words of Qt; empty while all is well."""
        return str(self._player.errorString())

    def toggle(self) -> None:
        """Play, or stop where it plays; from the start at the end."""
        if self.is_playing:
            self._player.stop()
        else:
            self._player.play()

    def _tell(self) -> None:
        self.changed.emit()
