"""The card of one app: opens it, says its state, what it may reach and what it asked for.

Nothing opens by itself, and nothing that the app asks for is answered by itself. Its page is read
from the server when the card is made, so that a person sees what it wants to reach before they
open it. Ends its view when it goes.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, Qt, QUrl, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QCheckBox, QFrame, QLabel, QPushButton, QWidget

from desktop.base.errors import DesktopError
from desktop.base.visible_text import mark_hidden, mark_hidden_text
from desktop.features.mcp_apps.gui import embedded
from desktop.features.mcp_apps.loopback import PageLabels
from desktop.gui import bridge
from desktop.gui.layouts import LEFT, MIDDLE, InnerRow, in_column, in_row
from desktop.gui.requests.url_view import open_in_browser
from desktop.gui.results.companion import Companion
from desktop.gui.results.saving import SaveDialog, proposed_name, save_as
from desktop.gui.theme import space, style
from desktop.gui.translations import counted, listed, spoken
from desktop.gui.widgets.formatting import format_size
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import ElidedLabel, plain_label
from desktop.gui.widgets.styled_text import StyledText
from desktop.gui.widgets.visibility import discard

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.features.mcp_apps.bridge import ShownCall
    from desktop.features.mcp_apps.download import Download
    from desktop.features.mcp_apps.model_context import ContextSlot
    from desktop.features.mcp_apps.resource import AppResource
    from desktop.features.mcp_apps.views import AppView, AppViews
    from desktop.gui.theme import Theme
    from desktop.gui.widgets.approval_panel import ApprovalPanel
    from desktop.tools.approvals import ApprovalResponse
    from desktop.values.tool_types import ToolDefinition

_SHOWN_NOTES: Final = 5
_AROUND: Final = space(30)
_MAX_NOTE_LENGTH: Final = 300
_MAX_TITLE = 200


class AppCard(Companion):
    """One app beside one result."""

    loaded = Signal()
    """The app is read, or could not be."""
    history_requested = Signal(str)
    """A person wants to see the calls of the tool with this key."""

    def __init__(
        self,
        theme: Theme,
        views: AppViews,
        shown: ShownCall,
        parent: QWidget | None = None,
        *,
        open_url: Callable[[QUrl], bool] = open_in_browser,
        embed: Callable[[AppView, QWidget], QWidget] | None = None,
        for_model: ContextSlot | None = None,
    ) -> None:
        """Read the app; it is not opened.

        Args:
            theme: the look.
            views: where it is opened.
            shown: the call whose result it shows.
            parent: as for every widget.
            open_url: has the browser show an address.
            embed: makes what shows a view inside the window; None where that is not installed.
            for_model: takes what the app tells the model; None where it is in no conversation.
        """
        super().__init__(parent)
        self._theme, self._views, self._shown = theme, views, shown
        self._open_url, self._embed, self._for_model = open_url, embed, for_model
        self.resource: AppResource | None = None
        self.view: AppView | None = None
        self.inside: QWidget | None = None
        self.download: OfferedFile | None = None
        self._problem = ""
        self._panels: dict[str, tuple[QLabel, ApprovalPanel]] = {}
        style(self, "card")
        self.title, self.state = ElidedLabel(), plain_label("", "badge")
        self.open, self.here = QPushButton(self), QPushButton(self)
        self.close_view, self.copy = QPushButton(self), QPushButton(self)
        self.network = plain_label("", "small", "muted")
        self.allow = QCheckBox(self)
        self.problem = plain_label("", "small", "danger")
        self.notes = plain_label("", "small", "muted")
        self.calls = QPushButton(self)
        self._lay_out()
        self.open.clicked.connect(self._open_in_browser)
        self.here.clicked.connect(self._open_here)
        self.close_view.clicked.connect(self.end)
        self.copy.clicked.connect(self._copy)
        self.calls.clicked.connect(lambda: self.history_requested.emit(self._shown.definition.key))
        held: list[AppView] = []
        self._held = held
        self.destroyed.connect(lambda: _end(held))
        bridge.run(self, self._load(), "read an app")
        self._set_texts()

    def end(self) -> None:
        """Close the view, if there is one."""
        self._remove_inside()
        if self.view is not None:
            self.view.close()

    # --- opening ----------------------------------------------------------------------------------

    async def _load(self) -> None:
        try:
            self.resource = await self._views.load(self._shown.definition)
        except DesktopError as error:
            self._problem = str(error)
        self._set_texts()
        self.loaded.emit()

    def _begin(self) -> AppView | None:
        """A new view; None where it cannot be."""
        if self.resource is None:
            return None
        self.end()
        try:
            view = self._views.open(
                self._shown,
                self.resource,
                page_labels(self._shown.definition),
                with_domains=self.allow.isChecked(),
                for_model=self._for_model,
            )
        except DesktopError as error:
            self._problem = str(error)
            self._set_texts()
            return None
        self._problem = ""
        self.view = view
        self._held[:] = [view]
        bridge.connect(self, view.changed, self._follow)
        self._set_texts()
        return view

    def _open_in_browser(self) -> None:
        view = self._begin()
        if view is not None and not self._open_url(QUrl(view.url)):
            self._problem = self.tr(
                "No browser could be started. Copy the address and open it yourself."
            )
            self._set_texts()

    def _open_here(self) -> None:
        if self._embed is None or (view := self._begin()) is None:
            return
        self.inside = self._embed(view, self)
        self._column.addWidget(self.inside)
        self.inside.show()
        self._set_texts()

    def _fit_inside(self) -> None:
        """Inside the window, an app in full view is as tall as the window lets it be."""
        if self.inside is not None and self.view is not None:
            full = max(embedded.HEIGHT, self.window().height() - _AROUND)
            is_full = self.view.mode == "fullscreen"
            self.inside.setFixedHeight(full if is_full else embedded.HEIGHT)

    def _remove_inside(self) -> None:
        if self.inside is not None:
            self._column.removeWidget(self.inside)
            self.inside.hide()
            self.inside.deleteLater()
            self.inside = None

    def _copy(self) -> None:
        if self.view is not None:
            QGuiApplication.clipboard().setText(self.view.url)

    # --- showing ----------------------------------------------------------------------------------

    def _follow(self) -> None:
        if self.view is not None and self.view.phase == "closed":
            self._remove_inside()
        self._fit_inside()
        self._show_questions()
        self._show_download()
        self._set_texts()

    def _show_questions(self) -> None:
        """A panel for each call that waits, in the order they came."""
        asked = self.view.questions if self.view is not None else {}
        for call_id in [one for one in self._panels if one not in asked]:
            for widget in self._panels.pop(call_id):
                self._column.removeWidget(widget)
                widget.hide()
                widget.deleteLater()
        for call_id, question in asked.items():
            if call_id in self._panels:
                continue
            from desktop.gui.widgets.approval_panel import ApprovalPanel  # few apps ask

            panel = ApprovalPanel(self._theme, question, self)
            panel.answered.connect(partial(self._answer, call_id))
            wish = self.tr("The MCP App requests a call of {tool}")
            words = plain_label(wish.format(tool=mark_hidden(question.definition.name)))
            self._panels[call_id] = words, panel
            for widget in (words, panel):
                self._column.insertWidget(self._column.indexOf(self.notes), widget)
                widget.show()

    def _show_download(self) -> None:
        """A row for the file that waits to be saved."""
        wanted = self.view.download if self.view is not None else None
        if self.download is not None and self.download.download is not wanted:
            self._column.removeWidget(self.download)
            discard(self.download)
            self.download = None
        if wanted is not None and self.download is None and self.view is not None:
            self.download = OfferedFile(wanted, self)
            self.download.answered.connect(partial(self.view.answer_download, wanted))
            self._column.insertWidget(self._column.indexOf(self.notes), self.download)
            self.download.show()

    @property
    def panels(self) -> tuple[ApprovalPanel, ...]:
        """The open questions, the oldest first."""
        return tuple(panel for _, panel in self._panels.values())

    def _answer(self, call_id: str, answer: ApprovalResponse) -> None:
        if self.view is not None:
            self.view.answer(call_id, answer)

    def _set_texts(self) -> None:
        view = self.view
        tool = self._shown.definition
        name = self.tr("MCP App of {tool}").format(tool=mark_hidden(tool.label[:_MAX_NOTE_LENGTH]))
        self.title.show_text(name)
        state = view_label(view, is_here=self.inside is not None)
        if self.resource is None and not self._problem:
            self.state.setText(self.tr("Reading…"))
            style(self.state, "badge")
        else:
            self.state.setText(state.text)
            style(self.state, "badge", *state.roles)
        self.setAccessibleName(f"{name}: {self.state.text()}")
        self._show_buttons(view)
        self._show_network()
        self._show_notes(view)

    def _show_buttons(self, view: AppView | None) -> None:
        is_open = view is not None and view.phase != "closed"
        self.open.setText(self.tr("Open in browser"))
        self.open.setToolTip(self.tr("Shows the result with the page of the server, in a sandbox"))
        self.here.setText(self.tr("Open here"))
        self.close_view.setText(self.tr("Close"))
        self.copy.setText(self.tr("Copy address"))
        for button in (self.open, self.here):
            button.setVisible(not is_open)
            button.setEnabled(self.resource is not None)
        self.here.setVisible(not is_open and self._embed is not None)
        self.close_view.setVisible(is_open)
        is_waiting = view is not None and view.phase == "waiting" and self.inside is None
        self.copy.setVisible(is_waiting)
        why = view.why if view is not None else ""
        words = spoken(self._problem or why)
        self.problem.setText(mark_hidden_text(words))
        self.problem.setVisible(bool(words))
        style(self.problem, "small", "danger" if self._problem else "muted")

    def _show_network(self) -> None:
        domains = self.resource.all_domains if self.resource is not None else ()
        is_open = self.view is not None and self.view.phase != "closed"
        self.allow.setText(self.tr("Allow these addresses"))
        self.allow.setVisible(bool(domains) and not is_open)
        if domains and is_open and self.allow.isChecked():
            words = self.tr("Network access: {domains}").format(domains=listed(domains))
        elif domains and not is_open:
            words = self.tr("Requests network access: {domains}").format(domains=listed(domains))
        elif self.resource is not None:
            words = self.tr(
                "No network access. Calls go to the same server, each with your approval."
            )
        else:
            words = ""
        if self.resource is not None and self.resource.refused and not is_open:
            more = self.tr("Not possible: {domains}")
            words += "\n" + more.format(domains=listed(self.resource.refused))
        if self.resource is not None and self.resource.permissions and not is_open:
            more = self.tr("Not available: {devices}")
            words += "\n" + more.format(devices=listed(self.resource.permissions))
        self.network.setText(mark_hidden_text(words))
        self.network.setVisible(bool(words) and not self._panels)

    def _show_notes(self, view: AppView | None) -> None:
        notes = list(view.notes.items()) if view is not None else []
        lines = [spoken(sentence)[:_MAX_NOTE_LENGTH] for sentence, _ in notes[-_SHOWN_NOTES:]]
        if (left := len(notes) - _SHOWN_NOTES) > 0:
            lines.insert(0, self.tr("{count} earlier notes").format(count=left))
        self.notes.setText(mark_hidden_text("\n".join(lines)))
        self.notes.setVisible(bool(lines) and not self._panels)  # first the answer
        count = view.calls if view is not None else 0
        one, many = self.tr("1 call, in the history"), self.tr("{count} calls, in the history")
        self.calls.setText(counted(count, one, many))
        self.calls.setVisible(count > 0 and not self._panels)

    def _lay_out(self) -> None:
        icon = QLabel(self)
        set_icon(self._theme, icon, "image", "accent")
        style(self.title, "heading")
        self.state.setWordWrap(False)
        set_icon(self._theme, self.open, "link", "text")
        for button in (self.copy, self.calls):
            style(button, "link", "small")
        row = InnerRow(
            icon,
            (self.title, 1),
            (self.state, MIDDLE),
            (self.copy, MIDDLE),
            (self.here, MIDDLE),
            (self.open, MIDDLE),
            (self.close_view, MIDDLE),
        )
        self._column = in_column(
            self,
            row,
            self.network,
            self.allow,
            self.problem,
            self.notes,
            (self.calls, LEFT),
            margins=(3, 2, 2, 2),
            spacing=1,
        )


def _end(views: list[AppView]) -> None:
    """The card is gone, and nothing of it may be touched: also not by what is told of the end."""
    import asyncio

    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:  # the window is over, and so is every view
        return
    for view in views:
        loop.call_soon(view.close)  # once everybody knows that it is gone


def view_label(view: AppView | None, *, is_here: bool = False) -> StyledText:
    """How far a view is; None where it was not opened yet."""
    translate = QCoreApplication.translate
    if view is None:
        return StyledText(translate("AppLabels", "Not open"), "muted")
    if view.phase == "closed":
        return StyledText(translate("AppLabels", "Closed"), "muted")
    if view.questions or view.download is not None:
        return StyledText(translate("AppLabels", "Approval needed"), "warning")
    if view.phase == "waiting":
        return StyledText(translate("AppLabels", "Waiting for the browser"), "accent")
    if is_here:
        return StyledText(translate("AppLabels", "Open below"), "success")
    return StyledText(translate("AppLabels", "Open in the browser"), "success")


def page_labels(tool: ToolDefinition) -> PageLabels:
    """The words of our page, in the language of the window."""
    translate = QCoreApplication.translate
    return PageLabels(
        title=f"{mark_hidden(tool.label[:_MAX_TITLE])} · {mark_hidden(tool.server)}",
        notice=translate(
            "AppLabels",
            "This page comes from the server and runs in a sandbox. Its requests are shown in "
            "mcp-desktop.",
        ),
        leave=translate("AppLabels", "Leave full view"),
        closed=translate("AppLabels", "This MCP App is closed. You can close the tab."),
        lost=translate("AppLabels", "mcp-desktop does not answer any more. You can close the tab."),
        taken=translate(
            "AppLabels", "This MCP App is open in another tab. Open it again from mcp-desktop."
        ),
    )


class OfferedFile(QFrame):
    """`answered` says whether the file is written."""

    answered = Signal(bool)

    def __init__(self, download: Download, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.download = download
        self.name = proposed_name(download.wanted, download.mime, "download")
        self.dialog: SaveDialog | None = None
        style(self, "well")
        self.words = plain_label("", "warning")
        self.deny = QPushButton(self.tr("Deny"), self)
        self.save = QPushButton(self.tr("Save…"), self)
        row = in_row(self, (self.words, 1), margins=(2, 1, 2, 1))
        for button in (self.deny, self.save):
            button.setAutoDefault(False)
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignVCenter)
        self.save.clicked.connect(self._save)
        self.deny.clicked.connect(lambda: self.answered.emit(False))
        self._set_texts()

    def _set_texts(self) -> None:
        words = self.tr("The MCP App requests to save a file: {name}, {size}")
        size = format_size(len(self.download.content))
        self.words.setText(words.format(name=mark_hidden(self.name), size=size))
        for button in (self.save, self.deny):
            button.setAccessibleName(f"{button.text()}: {self.name}")

    def _save(self) -> None:
        if self.dialog is None:
            content = self.download.content
            self.dialog = save_as(self, self.name, lambda: content)
            self.dialog.fileSelected.connect(self._finish)
            self.dialog.rejected.connect(self._leave)

    def _leave(self) -> None:
        """The dialog was closed: a person may still say yes or no."""
        self.dialog = None

    def _finish(self) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is not None and dialog.writing is not None:
            self.save.setEnabled(False)
            self.deny.setEnabled(False)
            bridge.run(self, self._wait(dialog), self.tr("Save…"))

    async def _wait(self, dialog: SaveDialog) -> None:
        writing = dialog.writing
        self.answered.emit(writing is not None and await writing)
