from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.gui.results.audio import AudioCard, AudioPlayer, can_play
from desktop.gui.results.saving import SaveDialog
from desktop.values.tool_types import Content
from tests.gui.results.sounds import has_player, wav
from tests.patience import LIMIT

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme

with_player = pytest.mark.skipif(not has_player(), reason="mcp-desktop[audio] is not there")
without_player = pytest.mark.skipif(has_player(), reason="Qt Multimedia is installed")


@without_player
def test_without_qt_multimedia_there_is_no_player(qapp: object) -> None:
    with pytest.raises(ImportError):
        AudioPlayer(wav(0.1))


def test_asking_whether_it_can_play_imports_nothing() -> None:
    before = "PySide6.QtMultimedia" in sys.modules
    answer = can_play()
    assert ("PySide6.QtMultimedia" in sys.modules) is before
    assert answer or not has_player()


@with_player
@pytest.mark.qt_log_level_fail("CRITICAL")  # it warns where there is no sound device
def test_a_sound_is_played_and_its_length_known(qtbot: QtBot) -> None:
    player = AudioPlayer(wav(0.5))
    qtbot.waitUntil(lambda: player.duration == 0.5)
    assert not player.is_playing
    player.toggle()
    qtbot.waitUntil(lambda: player.is_playing or bool(player.failure))
    player.toggle()
    assert not player.is_playing


LEFT = Qt.MouseButton.LeftButton


def card(theme: Theme, qtbot: QtBot, data: bytes) -> AudioCard:
    made = AudioCard(theme, Content("audio", data=data, mime="audio/wav"))
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.mark.skipif(can_play(), reason="Qt Multimedia is installed")
def test_without_a_player_it_says_what_to_install(theme: Theme, qtbot: QtBot) -> None:
    made = card(theme, qtbot, wav(0.1))
    assert made.note.text() == "Install mcp-desktop[audio] to play it here."
    assert not made.play.isVisible()
    assert made.heading.text() == "Audio · audio/wav · 1.6 kB"


@without_player
def test_a_player_that_does_not_start_says_why(theme: Theme, qtbot: QtBot) -> None:
    made = card(theme, qtbot, wav(0.1))
    made.play.show()
    QTest.mouseClick(made.play, LEFT)
    assert made.note.text().startswith("Qt Multimedia could not start: ")
    assert not made.play.isVisible()


@with_player
@pytest.mark.qt_log_level_fail("CRITICAL")  # it warns where there is no sound device
def test_it_plays_only_when_asked_and_stops_when_hidden(theme: Theme, qtbot: QtBot) -> None:
    made = card(theme, qtbot, wav(5))
    assert made.player is None
    QTest.mouseClick(made.play, LEFT)
    player = made.player
    assert player is not None
    qtbot.waitUntil(lambda: player.is_playing or bool(player.failure))
    made.hide()
    assert not player.is_playing


def test_a_playlist_that_is_called_audio_is_not_played(theme: Theme, qtbot: QtBot) -> None:
    made = card(theme, qtbot, b"#EXTM3U\nhttp://127.0.0.1/x")
    assert not made.play.isVisible()
    assert "Save it" in made.note.text()


def test_a_sound_that_was_not_kept_says_so(theme: Theme, qtbot: QtBot) -> None:
    made = card(theme, qtbot, b"")
    assert "data is missing" in made.note.text()
    assert not made.save.isVisible()


async def test_it_can_always_be_saved(theme: Theme, qtbot: QtBot, tmp_path: Path) -> None:
    made = card(theme, qtbot, b"12345")
    QTest.mouseClick(made.save, LEFT)
    dialog = made.findChildren(SaveDialog)[0]
    dialog.fileSelected.emit(str(tmp_path / "a.wav"))
    dialog.reject()
    assert dialog.writing is not None
    await asyncio.wait_for(dialog.writing, LIMIT)
    assert (tmp_path / "a.wav").read_bytes() == b"12345"
