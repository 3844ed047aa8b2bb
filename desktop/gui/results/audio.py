"""A sound of a result as a card: its facts, Save, and Play where Qt Multimedia is installed.

Plays from memory and only when asked. The first bytes have to prove that it is audio, whatever the
server calls it: a player's library reads playlists too, and those name files and URLs to fetch.
Qt Multimedia comes with `mcp-desktop[audio]` and is imported on demand, so its types are not named
here.
"""

from __future__ import annotations

import importlib
import importlib.util
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QBuffer, QByteArray, QCoreApplication, QIODevice, QObject, Signal
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QWidget

from desktop.gui.layouts import InnerColumn, in_row
from desktop.gui.results.saving import proposed_name, save_as
from desktop.gui.theme import Theme, style
from desktop.gui.widgets.formatting import format_size
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import plain_label
from desktop.values.media_types import detect_media_type

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent

    from desktop.values.tool_types import Content

translate = QCoreApplication.translate
_MODULE = "PySide6.QtMultimedia"
_HEAD = 4_096  # bytes that say what a file is


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


class AudioCard(QFrame):
    """What it is and how to hear it."""

    def __init__(self, theme: Theme, content: Content, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._content = content
        self.player: AudioPlayer | None = None
        style(self, "card")
        icon = QLabel(self)
        set_icon(theme, icon, "audio", "muted")
        self.heading = plain_label(self._facts(), "heading")
        self.note = plain_label("", "muted", "small")
        self.play = QPushButton(self.tr("Play"), self)
        set_icon(theme, self.play, "play")
        self.play.clicked.connect(self._toggle)
        self.save = QPushButton(self.tr("Save…"), self)
        style(self.save, "link")
        self.save.clicked.connect(self._save)
        self.save.setVisible(bool(content.readable_data))
        words = InnerColumn(self.heading, self.note, spacing=1)
        in_row(self, icon, (words, 1), self.play, self.save, margins=(3, 2, 2, 2), spacing=3)
        self._say_whether_it_plays()

    def hideEvent(self, event: QHideEvent) -> None:
        if self.player is not None and self.player.is_playing:
            self.player.toggle()  # no sound without a button to stop it
        super().hideEvent(event)

    def _say_whether_it_plays(self) -> None:
        reason = ""
        if not self._content.readable_data:
            reason = self.tr("The audio data is missing.")
        elif not detect_media_type(self._content.readable_data[:_HEAD]).startswith("audio/"):
            reason = self.tr("Not WAV, MP3, Ogg or FLAC. Save it to play it in another app.")
        elif not can_play():
            reason = self.tr("Install mcp-desktop[audio] to play it here.")
        self._refuse(reason)

    def _refuse(self, reason: str) -> None:
        self.note.setText(reason)
        self.note.setVisible(bool(reason))
        self.play.setVisible(not reason)

    def _toggle(self) -> None:
        if self.player is None:
            try:
                self.player = AudioPlayer(self._content.data, self)
            except ImportError as error:
                words = self.tr("Qt Multimedia could not start: {reason}")
                self._refuse(words.format(reason=error))
                return
            self.player.changed.connect(self._follow)
        self.player.toggle()

    def _follow(self) -> None:
        if (player := self.player) is None:
            return
        if player.failure:
            self._refuse(self.tr("Cannot play this: {reason}").format(reason=player.failure))
            return
        self.play.setText(self.tr("Stop") if player.is_playing else self.tr("Play"))
        set_icon(self._theme, self.play, "stop" if player.is_playing else "play")
        self.note.setText(f"{_clock(player.position)} / {_clock(player.duration)}")
        self.note.show()

    def _facts(self) -> str:
        content = self._content
        name, mime = (content.name or content.uri)[:120], content.mime[:80]
        size = format_size(len(content.readable_data)) if content.readable_data else ""
        return " · ".join(part for part in (self.tr("Audio"), name, mime, size) if part)

    def _save(self) -> None:
        content = self._content
        name = proposed_name(content.name or content.uri, content.mime, "audio")
        save_as(self, name, lambda: content.data)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02d}"
