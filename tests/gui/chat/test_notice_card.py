from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.gui.chat.entries import NoticeEntry
from desktop.gui.chat.notice_card import NoticeCard

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme

pytest_plugins = ("tests.gui.theme_fixture",)


def test_a_missing_key_leads_to_the_settings(qtbot: QtBot, theme: Theme) -> None:
    card = NoticeCard(theme, NoticeEntry("failed", "The key is wrong.", cause="key"))
    qtbot.addWidget(card)
    card.show()
    wanted: list[str] = []
    card.settings_wanted.connect(lambda: wanted.append("settings"))
    card.settings.click()
    assert wanted == ["settings"]
    assert "The key is wrong." in card.accessibleName()


def test_a_retry_is_told_anew_each_time(qtbot: QtBot, theme: Theme) -> None:
    notice = NoticeEntry("retry", "Busy.", 1.0, 1)
    card = NoticeCard(theme, notice)
    qtbot.addWidget(card)
    card.show()
    notice.attempt, notice.seconds = 2, 4.0
    card.refresh()
    assert "(2) in 4 s" in card.words.text()
    assert not card.settings.isVisible()


def test_stopped_is_a_quiet_word(qtbot: QtBot, theme: Theme) -> None:
    card = NoticeCard(theme, NoticeEntry("stopped"))
    qtbot.addWidget(card)
    card.show()
    assert (card.words.text(), card.icon.isVisible()) == ("Stopped.", False)
