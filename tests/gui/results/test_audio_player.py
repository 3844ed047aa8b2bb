from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from desktop.gui.results.audio_player import AudioPlayer, can_play
from tests.gui.results.sounds import has_player, wav

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


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
