"""The section *Storage*: real files in the rows, asked before anything goes, all by keyboard."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest

from desktop.config.models import HistorySettings
from desktop.config.store import ConfigStore
from desktop.features.chat.agent.session_store import SessionStore
from desktop.features.storage.gui.section import LimitsDialog, StorageSection
from desktop.features.storage.kinds import CHATS, KINDS
from desktop.features.storage.storage import Storage
from desktop.gui.settings.page import SettingsPage
from desktop.gui.widgets.question_dialog import QuestionDialog
from desktop.history.store import HistoryStore
from tests.features.storage.folder import CHAT, fill, paths_in, write
from tests.gui.waiting import arm, happens, turns
from tests.history.calls import ended, keep

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from desktop.base.paths import Paths
    from desktop.features.storage.gui.section import StorageRow
    from desktop.gui.theme import Theme


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    made = paths_in(tmp_path)
    fill(made)
    return made


@pytest.fixture
def store(paths: Paths) -> ConfigStore:
    made = ConfigStore(paths.config, {})
    made.load()
    return made


@pytest.fixture
async def history(paths: Paths) -> AsyncIterator[HistoryStore]:
    made = HistoryStore(paths.history)
    yield made
    await made.close()


@pytest.fixture
def storage(paths: Paths, store: ConfigStore, history: HistoryStore) -> Storage:
    return Storage(paths, store, lambda: SessionStore(paths.sessions), history)


async def show(qtbot: QtBot, theme: Theme, storage: Storage, store: ConfigStore) -> StorageSection:
    page = SettingsPage(
        store, theme, storage.paths, [lambda: StorageSection(theme, storage, store)]
    )
    qtbot.addWidget(page)
    page.resize(900, 700)
    page.show()
    section = page.section(StorageSection)
    assert section is not None
    await happens(section.measured)
    return section


@pytest.fixture
async def section(
    qtbot: QtBot, theme: Theme, storage: Storage, store: ConfigStore
) -> StorageSection:
    return await show(qtbot, theme, storage, store)


def row(section: StorageSection, key: str) -> StorageRow:
    return section.rows[key]


async def test_each_kind_has_its_size_its_day_and_its_bound(section: StorageSection) -> None:
    assert list(section.rows) == [kind.key for kind in KINDS]
    assert section.note.text() == "244 B in all, in 23 files."
    logs = row(section, "removed-server-logs")
    assert logs.amount.text() == "16 B"
    assert len(logs.since.text()) == len("2026-01-01")
    words = "At most 200 files or 100 MB; the oldest go first · 2 files now"
    assert logs.bound.text() == words
    assert row(section, "calls").bound.text().startswith("At most 10,000 calls or 200 MB")
    assert row(section, "calls").amount.text() == "–"


async def test_each_row_and_control_says_what_it_is_about(section: StorageSection) -> None:
    logs = row(section, "removed-server-logs")
    assert logs.accessibleName().startswith("Logs of removed servers · 16 B")
    assert logs.keep is not None
    assert logs.delete is not None
    assert logs.keep.accessibleName() == "Keep for: Logs of removed servers"
    assert logs.open.accessibleName() == "Open the folder of: Logs of removed servers"
    assert logs.delete.accessibleName() == "Delete: Logs of removed servers…"


async def test_an_empty_data_folder_says_what_will_be_counted(
    qtbot: QtBot, theme: Theme, tmp_path: Path
) -> None:
    paths = paths_in(tmp_path / "new")
    store = ConfigStore(paths.config, {})
    store.load()
    history = HistoryStore(paths.history)
    storage = Storage(paths, store, lambda: SessionStore(paths.sessions), history)
    section = await show(qtbot, theme, storage, store)
    assert section.note.text().startswith("Nothing is stored yet.")
    assert not any(one.delete.isEnabled() for one in section.rows.values() if one.delete)
    await history.close()


async def test_what_is_not_deleted_here_has_no_button_for_it(section: StorageSection) -> None:
    without = {key for key, one in section.rows.items() if one.delete is None}
    assert without == {
        *(
            "large-results",
            "saved-calls",
            "evals",
            "sandboxes",
            "bundles",
            "ledgers",
            "state",
            "other",
        ),
    }


async def test_a_kind_is_deleted_by_keys_after_a_question(
    section: StorageSection, paths: Paths
) -> None:
    delete = row(section, "removed-server-logs").delete
    assert delete is not None
    section.window().activateWindow()
    delete.setFocus(Qt.FocusReason.ShortcutFocusReason)
    arm(delete)
    QTest.keyClick(delete, Qt.Key.Key_Space)
    (dialog,) = section.findChildren(QuestionDialog)
    assert dialog.question.text() == "Delete “Logs of removed servers”?"
    assert "2 files, 16 B." in dialog.meaning.text()
    assert dialog.cancel.isDefault()
    assert (paths.server_logs / "gone.log").exists()
    arm(dialog.act)
    dialog.act.click()
    await happens(section.measured)
    await turns()
    assert not (paths.server_logs / "gone.log").exists()
    assert section.message.text() == "Deleted 2 files, 16 B."
    assert row(section, "removed-server-logs").amount.text() == "–"
    assert not delete.isEnabled()


async def test_no_stray_key_deletes(section: StorageSection, paths: Paths) -> None:
    delete = row(section, "chats").delete
    assert delete is not None
    delete.setFocus(Qt.FocusReason.OtherFocusReason)
    await turns()
    assert not delete.hasFocus()
    QTest.keyClick(delete, Qt.Key.Key_Space)  # it has just appeared
    assert section.findChildren(QuestionDialog) == []


async def test_an_open_chat_that_stays_is_said(section: StorageSection, paths: Paths) -> None:
    lock = SessionStore(paths.sessions).lock(CHAT % 1)
    assert lock.take()
    dialog = section.ask_to_delete(CHATS)
    dialog.accept()
    await happens(section.measured)
    await turns()
    lock.release()
    assert f"{CHAT % 1}: The session is open." in section.message.text()
    assert section.message.property("role") is not None
    assert (paths.sessions / f"{CHAT % 1}.jsonl").exists()


async def test_a_longer_time_is_saved_at_once(section: StorageSection, store: ConfigStore) -> None:
    keep = row(section, "removed-server-logs").keep
    assert keep is not None
    assert keep.currentText() == "30 days"
    arm(keep)
    QTest.keyClick(keep, Qt.Key.Key_Up)
    assert store.settings.keep.removed_server_logs == 90
    assert keep.currentText() == "90 days"


async def test_no_key_passes_a_shorter_time_on_the_way_to_a_longer_one(
    section: StorageSection,
) -> None:
    keep = row(section, "chats").keep
    assert keep is not None
    days = [keep.itemData(index) or 9_999 for index in range(keep.count())]
    assert days == sorted(days, reverse=True)


async def test_a_time_that_would_delete_now_is_asked_about(
    section: StorageSection, store: ConfigStore, paths: Paths
) -> None:
    write(paths.sessions / f"{CHAT % 2}.jsonl", days=20)
    section.look()
    await happens(section.measured)
    keep = row(section, "chats").keep
    assert keep is not None
    dialog = section.ask_to_keep(CHATS, 7)
    assert dialog is not None
    assert dialog.meaning.text().startswith("1 is older, 8 B, and goes now.")
    dialog.reject()
    assert store.settings.keep.chats == 0
    assert keep.currentText() == "For ever"
    dialog = section.ask_to_keep(CHATS, 7)
    assert dialog is not None
    dialog.accept()
    assert store.settings.keep.chats == 7
    assert keep.currentText() == "7 days"


async def test_days_that_only_the_file_names_are_shown(
    section: StorageSection, store: ConfigStore
) -> None:
    store.update_settings(keep=store.settings.keep.changed(crash_reports=45))
    keep = row(section, "crash-reports").keep
    assert keep is not None
    assert keep.currentText() == "45 days"


async def test_what_went_for_its_age_is_counted(
    section: StorageSection, storage: Storage, paths: Paths
) -> None:
    write(paths.server_logs / "old.log", days=40)
    await storage.remove_old()
    await happens(section.measured)
    assert row(section, "removed-server-logs").bound.text().endswith("1 removed for its age")


async def test_a_setting_that_cannot_be_saved_is_said_and_shown_as_it_is(
    section: StorageSection, store: ConfigStore
) -> None:
    store.path.write_text("{", "utf-8")
    section.ask_to_keep(CHATS, 365)
    assert "not valid JSON" in section.message.text()
    keep = row(section, "chats").keep
    assert keep is not None
    assert keep.currentText() == "For ever"


class Browser(QObject):
    """Stands for the file browser."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        self.opened.append(url.toLocalFile())


@pytest.fixture
def browser(qapp: QApplication) -> Iterator[Browser]:
    made = Browser()
    QDesktopServices.setUrlHandler("file", made, "open")  # pyright: ignore[reportArgumentType]
    yield made
    QDesktopServices.unsetUrlHandler("file")


async def test_its_folder_is_opened(
    section: StorageSection, paths: Paths, browser: Browser
) -> None:
    QTest.mouseClick(row(section, "removed-server-logs").open, Qt.MouseButton.LeftButton)
    QTest.mouseClick(row(section, "recordings").open, Qt.MouseButton.LeftButton)
    assert browser.opened == [str(paths.server_logs), str(paths.data)]


async def test_several_looks_at_once_are_one_after_the_other(section: StorageSection) -> None:
    shown: list[bool] = []
    section.measured.connect(lambda: shown.append(True))
    for _ in range(5):
        section.look()
    await happens(section.measured)
    await asyncio.sleep(0)
    assert len(shown) == 1


async def test_limits_of_calls_are_changed_and_what_would_go_is_said_before(
    section: StorageSection, history: HistoryStore, store: ConfigStore
) -> None:
    await keep(history, *(ended() for _ in range(130)))
    limits = row(section, "calls").limits
    assert limits is not None
    limits.click()
    (dialog,) = section.findChildren(LimitsDialog)
    assert (dialog.calls.value(), dialog.megabytes.value(), dialog.days.value()) == (10_000, 200, 0)
    assert dialog.cancel.isDefault()
    dialog.calls.setValue(100)
    assert not dialog.save.isEnabled()
    await happens(dialog.counted)
    assert dialog.meaning.text().startswith("The oldest 30 calls go now, ")
    assert dialog.save.text() == "Delete the oldest"
    arm(dialog.save)
    dialog.save.click()
    assert store.settings.history == HistorySettings(calls=100)


async def test_limits_that_are_cancelled_change_nothing(
    section: StorageSection, store: ConfigStore
) -> None:
    dialog = section.ask_for_limits()
    dialog.days.setValue(30)
    await happens(dialog.counted)
    assert dialog.meaning.text() == "No call goes now."
    dialog.reject()
    assert store.settings.history == HistorySettings()
