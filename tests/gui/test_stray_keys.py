"""A walk over every page and dialog: no control that approves or destroys answers a stray key.

Each widget that takes the focus loses it as in real use, hidden or disabled; then space and Enter
are pressed where the focus went. What is dangerous is told by its words, not by its guard, so a
new button is found, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QTabWidget, QWidget

from desktop.agent.events import ApprovalQuestion
from desktop.config.imports.clients import ClientLocations
from desktop.config.imports.plan import make_plans
from desktop.config.imports.reader import look_at
from desktop.config.models import AppSettings, ServerConfig
from desktop.config.providers import ProviderSettings
from desktop.config.trust import UntrustedLaunch
from desktop.core import build_core
from desktop.gui.chat.approval_panel import ApprovalPanel
from desktop.gui.chat.page import ChatPage
from desktop.gui.history.save_dialog import SaveCallDialog
from desktop.gui.import_export.export_dialog import ConfigExportDialog
from desktop.gui.import_export.import_dialog import ImportDialog
from desktop.gui.processes.page import EndDialog
from desktop.gui.requests.form_view import FormView
from desktop.gui.requests.panel import RequestsPanel
from desktop.gui.requests.sampling_view import SamplingView
from desktop.gui.requests.url_view import UrlView
from desktop.gui.servers.page import ServersPage
from desktop.gui.servers.server_dialog import RemoveDialog, ServerDialog
from desktop.gui.servers.trust_view import TrustDialog
from desktop.gui.settings.approvals_section import ApprovalRow
from desktop.gui.settings.provider_dialog import ProviderDialog
from desktop.gui.shutdown import ClosingView
from desktop.gui.widgets.question_dialog import QuestionDialog
from desktop.paths import Paths
from desktop.redaction.redactor import Redaction
from desktop.servers.requests import ElicitationRequest, PendingRequest, UrlElicitationRequest
from desktop.tool_types import ToolCall
from tests.agent.definitions import tool
from tests.agent.scripted import Scripted
from tests.gui.chat.conftest import FakeProviders
from tests.gui.requests.asked import form, prompt, visit
from tests.gui.waiting import turns

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.core import Core
    from desktop.gui.main_window import MainWindow
    from desktop.gui.requests.request_view import RequestView
    from desktop.gui.theme import Theme
    from desktop.servers.requests import Request, SamplingAnswer, SamplingRequest

SUM = {"operation": "add", "a": 1, "b": 2}
_DANGEROUS = (
    "accept", "agree", "allow", "always", "answer by hand", "clear", "decline", "delete", "deny",
    "discard", "end ", "forget", "i'm done", "import 1 server", "kill", "let the model", "never",
    "open in browser", "refuse", "remove", "send a", "yes",
)  # fmt: skip


def _words(control: QWidget) -> str:
    text = control.text() if isinstance(control, QAbstractButton) else ""
    return (text or control.accessibleName() or control.toolTip()).replace("&", "").lower()


def _is_dangerous(control: QWidget) -> bool:
    if isinstance(control, QComboBox):
        return isinstance(control.parentWidget(), ApprovalRow)
    return isinstance(control, QAbstractButton) and _words(control).startswith(_DANGEROUS)


def _takes_focus(widget: QWidget) -> bool:
    takes = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    return takes and widget.isVisible() and widget.isEnabled()


def _dangers(root: QWidget) -> list[QWidget]:
    return [control for control in root.findChildren(QWidget) if _is_dangerous(control)]


class _Walk:
    """What went wrong on the way through one page or dialog."""

    def __init__(self, root: QWidget) -> None:
        self.root = root
        self.found: list[str] = []
        self.steps = 0
        self._dangers = _dangers(root)
        self._pressed: list[str] = []
        for control in self._dangers:
            self._note(control)

    def _note(self, control: QWidget) -> None:
        def note() -> None:
            self._pressed.append(_words(control))

        if isinstance(control, QAbstractButton):
            control.clicked.connect(note)
        elif isinstance(control, QComboBox):
            control.activated.connect(note)

    def take(self) -> None:
        others = [
            button
            for button in self.root.findChildren(QAbstractButton)
            if button not in self._dangers
        ]
        for button in others:
            button.blockSignals(True)  # they are pressed, too, but must not change the page
        for widget in [w for w in self.root.findChildren(QWidget) if _takes_focus(w)]:
            self._lose(widget, QWidget.hide, QWidget.show)
            self._lose(widget, lambda w: w.setEnabled(False), lambda w: w.setEnabled(True))
        for button in others:
            button.blockSignals(False)

    def _lose(
        self, widget: QWidget, go: Callable[[QWidget], None], back: Callable[[QWidget], None]
    ) -> None:
        widget.setFocus(Qt.FocusReason.MouseFocusReason)
        if not widget.hasFocus():
            return
        self.steps += 1
        go(widget)
        focus = QApplication.focusWidget()
        where = f"{type(widget).__name__} {_words(widget)!r}"
        if focus is not None and focus.isVisible() and _is_dangerous(focus):
            self.found.append(f"{where} left the focus to {_words(focus)!r}")
        for key in (Qt.Key.Key_Space, Qt.Key.Key_Return):
            if (target := QApplication.focusWidget()) is not None:
                QTest.keyClick(target, key)
        self.found += [f"{where}: a key pressed {words!r}" for words in self._pressed]
        self._pressed.clear()
        while (popup := QApplication.activePopupWidget()) is not None:
            popup.close()
        back(widget)


def _walk(root: QWidget) -> _Walk:
    root.window().activateWindow()
    assert QTest.qWaitForWindowActive(root.window())
    walk = _Walk(root)
    walk.take()
    return walk


@pytest.fixture
async def core(tmp_path: Path) -> AsyncIterator[Core]:
    made = build_core(Paths(tmp_path / "mcp.json", tmp_path / "data"), {})
    made.follow_store()
    made.store.set_enabled("calculator", enabled=True)
    made.store.add_server(
        ServerConfig(name="mine", command="nothing", enabled=False, env={"A": "1", "B": "2"})
    )
    await made.settle()
    await made.sessions.approvals.decide(tool("read"), "always")
    await made.sessions.approvals.decide(tool("write"), "never")
    yield made
    await made.close()


@pytest.mark.parametrize(
    "page",
    ["servers", "tools", "resources", "prompts", "chat", "activity", "processes", "settings"],
)
async def test_no_page_gives_a_stray_key_to_what_approves_or_destroys(
    window: MainWindow, core: Core, page: str
) -> None:
    window.show_page(page)
    await turns(10)
    await core.executor.run(ToolCall("calculator:calculate", SUM))  # something to clear
    shown = window.page(page)
    assert shown is not None
    if isinstance(shown, ServersPage):
        shown.list.select("mine")
    if isinstance(shown, ChatPage):
        question = _question(window.theme)
        shown.view.stack.addWidget(question)
        shown.view.stack.setCurrentWidget(question)
    await turns(10)
    tabs = shown.findChildren(QTabWidget)
    steps = 0
    for index in range(tabs[0].count() if tabs and page == "activity" else 1):
        if tabs and page == "activity":
            tabs[0].setCurrentIndex(index)
            await turns(10)
        walk = _walk(shown)
        steps += walk.steps
        assert walk.found == []
    assert steps > 0


def _question(theme: Theme) -> ApprovalPanel:
    panel = ApprovalPanel(theme, ApprovalQuestion("1", tool("write"), {"path": "x"}))
    panel.arm()
    return panel


def _server_dialog(parent: QWidget, theme: Theme, core: Core) -> ServerDialog:
    dialog = ServerDialog(parent, theme, core.store, "mine")
    dialog.form.name.setText("another")
    dialog.open()
    dialog.reject()  # asks whether to discard that
    return dialog


def _trust_dialog(parent: QWidget, theme: Theme, core: Core) -> TrustDialog:
    untrusted = UntrustedLaunch(ServerConfig(name="mine", command="x"), "1:")
    return TrustDialog(parent, theme, untrusted, untrusted.differences(Redaction()))


def _provider_dialog(parent: QWidget, theme: Theme, core: Core) -> ProviderDialog:
    providers = FakeProviders(Scripted([]))
    providers.known["mine"] = ProviderSettings(name="mine", kind="openai")
    providers.places["mine"] = "keyring"
    return ProviderDialog(parent, providers, "mine")


def _import_dialog(parent: QWidget, theme: Theme, core: Core) -> ImportDialog:
    file = core.paths.data / "theirs.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text('{"mcpServers": {"new": {"command": "x", "args": ["y"]}}}', "utf-8")
    places = ClientLocations(core.paths.data, {}, "linux")
    found = look_at(str(file), places, AppSettings())
    assert found.read is not None
    dialog = ImportDialog(parent, theme, core.store, places)
    dialog.sources.add(found, make_plans([found.read], core.store)[0], at=0)
    assert dialog.act.isEnabled()
    return dialog


def _closing_view(parent: QWidget, theme: Theme, core: Core) -> QWidget:
    view = ClosingView(theme)
    view.setParent(parent)
    view.show_progress(["mine"], 0, 0)
    return view


def _panel(parent: QWidget, theme: Theme, request: Request) -> RequestsPanel:
    """The panel over a window, with two requests in it."""
    providers = FakeProviders(Scripted([]))
    providers.known["mine"] = ProviderSettings(name="mine", kind="openai", model="m")

    async def sample(provider: str, model: str, asked: SamplingRequest) -> SamplingAnswer:
        raise NotImplementedError

    def make(pending: PendingRequest) -> RequestView:
        asked = pending.request
        if isinstance(asked, ElicitationRequest):
            return FormView(theme, asked, lambda _: [])
        if isinstance(asked, UrlElicitationRequest):
            return UrlView(theme, asked, lambda _: True)
        view = SamplingView(theme, asked, providers, sample)
        view.answer_text.setPlainText("x")
        view.send_answer.show()
        return view

    panel = RequestsPanel(theme, parent, make)
    for number in ("1", "2"):
        panel.add(PendingRequest(number, "mine", request))
    assert panel.view is not None
    panel.view.answers.arm()
    return panel


_MAKERS: dict[str, Callable[[QWidget, Theme, Core], QWidget]] = {
    "question": lambda parent, theme, core: QuestionDialog(parent, "Sure?", "All goes.", "Delete"),
    "remove server": lambda parent, theme, core: RemoveDialog(parent, "mine"),
    "trust server": _trust_dialog,
    "end process": lambda parent, theme, core: EndDialog(parent, "End it?", "It is gone."),
    "edit server": _server_dialog,
    "edit provider": _provider_dialog,
    "save call": lambda parent, theme, core: SaveCallDialog(parent, theme, {"tool": "a:b"}),
    "export": lambda parent, theme, core: ConfigExportDialog(parent, theme, core.store),
    "import": _import_dialog,
    "closing": _closing_view,
    "form of a server": lambda parent, theme, core: _panel(parent, theme, form()),
    "address of a server": lambda parent, theme, core: _panel(
        parent, theme, visit("https://a.example/", blocks_call=True)
    ),
    "prompt of a server": lambda parent, theme, core: _panel(parent, theme, prompt()),
}


@pytest.mark.parametrize("made", _MAKERS)
async def test_no_dialog_gives_a_stray_key_to_what_approves_or_destroys(
    qtbot: QtBot, theme: Theme, core: Core, made: str
) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.resize(800, 600)
    parent.show()
    dialog = _MAKERS[made](parent, theme, core)
    dialog.show()
    await turns(10)
    focus = QApplication.focusWidget()
    assert focus is None or not _is_dangerous(focus)
    walk = _walk(dialog)
    assert walk.steps > 0
    assert walk.found == []
