"""What nobody agreed to is shown with all that it would run, and is started by a person alone."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from desktop.base.paths import Paths
from desktop.bootstrap import open_config_store
from desktop.gui.servers.trust_view import ConfigWatch, TrustDialog
from desktop.gui.theme.tokens import PROPERTY
from desktop.gui.widgets.banner import BannerArea
from desktop.gui.widgets.focus_guard import focus_guard_of
from tests.gui.servers.conftest import entry
from tests.patience import LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from tests.gui.servers.conftest import OpenPanel, Panel

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def open_changed(open_panel: OpenPanel, tmp_path: Path) -> Callable[..., Panel]:
    """The panel after another program changed what a person had agreed to."""

    def make(agreed: dict[str, Any], now: dict[str, Any]) -> Panel:
        paths = Paths(tmp_path / "mcp.json", tmp_path / "data")
        paths.config.write_text(json.dumps({"mcpServers": agreed}), "utf-8")
        open_config_store(paths).keep_adopted()
        return open_panel(now)

    return make


def dialog_of(panel: Panel) -> TrustDialog:
    (dialog,) = panel.page.findChildren(TrustDialog)
    return dialog


async def test_a_changed_command_is_shown_old_and_new_and_started_after_the_review(
    open_changed: Callable[..., Panel],
) -> None:
    agreed = {"files": {"command": "npx", "args": ["pkg"]}}
    panel = open_changed(agreed, {"files": entry("plain")})
    card, details = panel.card("files"), panel.page.details
    assert card.badge.text() == "Changed command"
    assert "warning" in str(card.badge.property(PROPERTY))
    assert "Not started" in card.accessibleName()
    shown = details.trust.view.toPlainText()
    assert "Before: npx pkg" in shown
    assert f"Now: {entry('plain')['command']}" in shown
    assert not details.restart.isEnabled()
    QTest.mouseClick(card.review, LEFT)
    dialog = dialog_of(panel)
    assert "Before: npx pkg" in dialog.view.toPlainText()
    assert panel.core.service.connection("files").state.phase == "untrusted"
    QTest.mouseClick(dialog.agree, LEFT)
    await panel.until_words("files", "Connected")
    assert card.review.isHidden()
    assert details.trust.isHidden()


async def test_a_new_server_shows_hidden_letters_and_dangers_and_cancel_starts_nothing(
    open_changed: Callable[..., Panel],
) -> None:
    new = {"command": "sh", "args": ["-c", "ls\u202e"], "env": {"LD_PRELOAD": "/tmp/x.so"}}
    panel = open_changed({}, {"files": new})
    assert panel.card("files").badge.text() == "New command"
    QTest.mouseClick(panel.page.details.trust.review, LEFT)
    dialog = dialog_of(panel)
    text = dialog.view.toPlainText()
    assert r"command: sh -c 'ls\u202e'" in text
    assert "env.LD_PRELOAD: /tmp/x.so" in text
    assert "! env.LD_PRELOAD" in text
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert panel.core.service.connection("files").state.phase == "untrusted"
    assert list(panel.core.store.untrusted) == ["files"]


async def test_the_yes_is_guarded_and_cancel_is_the_default(
    open_changed: Callable[..., Panel],
) -> None:
    panel = open_changed({}, {"files": {"command": "npx"}})
    panel.page.review_server("files")
    dialog = dialog_of(panel)
    assert focus_guard_of(dialog.agree) is not None
    assert dialog.cancel.isDefault()
    assert not dialog.agree.autoDefault()


async def test_a_remote_server_has_an_address_and_what_is_edited_and_saved_is_agreed_to(
    open_changed: Callable[..., Panel],
) -> None:
    agreed = {"web": {"url": "http://127.0.0.1:9/a"}}
    panel = open_changed(agreed, {"web": {"url": "http://127.0.0.1:9/b"}})
    assert panel.card("web").badge.text() == "Changed address"
    editor = panel.page.edit_server("web")
    assert editor is not None
    editor.accept()
    assert not panel.core.store.untrusted
    await panel.until(lambda: panel.card("web").badge.text() != "Changed address")


async def test_a_file_of_trust_that_cannot_be_read_is_said_on_the_page(
    open_panel: OpenPanel, tmp_path: Path
) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "trust.json").write_text("{", "utf-8")
    panel = open_panel({"files": {"command": "npx"}})
    (card,) = panel.page.problems.cards
    assert "trust.json" in card.accessibleName()
    assert panel.card("files").badge.text() == "New command"


def watch(panel: Panel, banners: BannerArea | None = None) -> ConfigWatch:
    """What the window has: it asks by itself."""
    page, core = panel.page, panel.core
    area = banners or BannerArea(page.theme)
    return ConfigWatch(page, page.theme, core.store, core.paths.trust, lambda: area)


async def until_asked(panel: Panel, *words: str) -> TrustDialog:
    """The review that opens by itself with these words."""
    async with asyncio.timeout(LIMIT):
        while True:
            for dialog in panel.page.findChildren(TrustDialog):
                text = dialog.view.toPlainText()
                if dialog.isVisible() and all(word in text for word in words):
                    return dialog
            await asyncio.sleep(0.01)


async def test_what_another_program_writes_is_asked_about_by_itself_all_in_one_click(
    open_changed: Callable[..., Panel],
) -> None:
    agreed = {f"s{number}": {"command": "npx", "args": ["pkg"]} for number in range(12)}
    panel = open_changed(agreed, agreed)
    watch(panel)
    assert not panel.page.findChildren(TrustDialog)
    written = {name: entry("plain") for name in agreed}
    provider = {"kind": "openai", "baseUrl": "https://models.example/v1"}
    document = {"mcpServers": written, "mcpDesktop": {"providers": {"mine": provider}}}
    panel.core.store.path.write_text(json.dumps(document), encoding="utf-8")
    dialog = await until_asked(panel, "s0 (changed)", "s11 (changed)", "Provider mine (new)")
    assert "models.example is sent your conversations" in dialog.view.toPlainText()
    assert dialog.agree.text() == "Approve all 13"
    assert focus_guard_of(dialog.agree) is not None
    QTest.mouseClick(dialog.agree, LEFT)
    assert not panel.core.store.untrusted
    await panel.until_words("s11", "Connected")


async def test_a_review_that_is_open_follows_the_file_and_is_not_asked_again_after_a_no(
    open_changed: Callable[..., Panel],
) -> None:
    panel = open_changed({}, {"a": {"command": "npx"}})
    watching = watch(panel)
    await until_asked(panel, "command: npx")
    both = {"a": {"command": "npx"}, "b": {"command": "uvx"}}
    panel.core.store.path.write_text(json.dumps({"mcpServers": both}), encoding="utf-8")
    dialog = await until_asked(panel, "a (new)", "b (new)")
    dialog.reject()
    panel.core.store.reload()
    assert not [each for each in panel.page.findChildren(TrustDialog) if each.isVisible()]
    changed = {"b": {"command": "uvx", "args": ["evil"]}}
    panel.core.store.path.write_text(
        json.dumps({"mcpServers": {**both, **changed}}), encoding="utf-8"
    )
    await until_asked(panel, "uvx evil")
    assert watching.parent() is panel.page


async def test_a_review_that_was_closed_can_be_had_again_as_long_as_something_waits(
    open_changed: Callable[..., Panel], qtbot: QtBot
) -> None:
    panel = open_changed({}, {"a": {"command": "npx"}, "b": {"command": "uvx"}})
    banners = BannerArea(panel.page.theme)
    qtbot.addWidget(banners)
    watch(panel, banners)
    dialog = await until_asked(panel, "command: npx")
    assert banners.messages == ()
    dialog.reject()
    waits = "2 entries of the config wait for your approval; they were not started."
    assert banners.messages == (waits,)
    (again,) = (one for one in banners.findChildren(QPushButton) if one.text() == "Review…")
    QTest.mouseClick(again, LEFT)
    assert banners.messages == ()
    dialog = await until_asked(panel, "a (new)", "b (new)")
    QTest.mouseClick(dialog.agree, LEFT)
    assert not panel.core.store.untrusted
    assert banners.messages == ()


async def test_a_yes_in_a_terminal_closes_the_review_of_the_window(
    open_changed: Callable[..., Panel],
) -> None:
    panel = open_changed({}, {"a": {"command": "npx"}})
    watch(panel)
    dialog = await until_asked(panel, "command: npx")
    closed = asyncio.Event()
    dialog.rejected.connect(closed.set)
    elsewhere = open_config_store(panel.core.paths, {})
    elsewhere.agree([elsewhere.servers["a"]])
    async with asyncio.timeout(LIMIT):
        await closed.wait()
    assert not panel.core.store.untrusted
