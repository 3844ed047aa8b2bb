"""The button below the question: presets to begin with, and how this conversation is answered.

Shows and changes the setup of the chat that the page shows. Must not open a session.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, get_args

from msgspec.structs import replace
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QLineEdit,
    QMenu,
    QSpinBox,
    QToolButton,
    QWidget,
)

from desktop.base.errors import DesktopError
from desktop.base.visible_text import mark_hidden
from desktop.features.chat.agent.session_info import USUAL, ChatSettings
from desktop.features.presets.presets import MAX_NAME
from desktop.gui import bridge
from desktop.gui.layouts import in_column
from desktop.gui.theme import inset, space, style
from desktop.gui.translations import spoken
from desktop.gui.widgets.field_rows import FieldRows
from desktop.gui.widgets.labels import plain_label
from desktop.gui.widgets.text_editors import WrappedTextEditor
from desktop.tools.approval_policy import Approving

if TYPE_CHECKING:
    from desktop.features.chat.gui.chat import Chat
    from desktop.features.chat.gui.page import ChatPage
    from desktop.features.presets.presets import Presets

MAX_SYSTEM_LENGTH: Final = 100_000
"""Characters of a system prompt."""
_APPROVING: Final[tuple[Approving, ...]] = get_args(Approving)
_MINUTE: Final = 60


class SetupButton(QToolButton):
    """Says what differs from the usual; its menu has the presets."""

    def __init__(self, page: ChatPage, presets: Presets) -> None:
        super().__init__(page)
        self._page, self._presets = page, presets
        style(self, "flat")
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.choices = QMenu(self)
        self.setMenu(self.choices)
        self.choices.aboutToShow.connect(self.fill)
        self.setToolTip(self.tr("Presets, system prompt, approvals and limits"))
        page.view.shown.connect(self.show_chat)
        if page.view.chat is not None:
            self.show_chat(page.view.chat)

    def show_chat(self, chat: Chat) -> None:
        """Say what differs in this chat."""
        setup = chat.setup
        if setup.terms.approving == "allow":
            words = self.tr("Allows all calls")
        elif setup.system:
            words = self.tr("System prompt")
        else:
            words = self.tr("Setup")
        self.setText(f"{words} ▾")
        self.setAccessibleName(self.tr("Setup: {words}").format(words=words))
        style(self, "flat", *(("warning",) if setup.terms.approving == "allow" else ()))

    def fill(self) -> None:
        """Read the presets again, and offer them."""
        self.choices.clear()
        try:
            known = self._presets.all()
        except DesktopError as error:
            self.choices.addAction(spoken(str(error))).setEnabled(False)
            known = {}
        for name, setup in known.items():
            action = self.choices.addAction(mark_hidden(name))
            action.triggered.connect(lambda _=False, setup=setup: self.use(setup))
        if known:
            self.choices.addSeparator()
        self.choices.addAction(self.tr("System prompt, approvals and limits…"), self.edit)
        if known:
            gone = self.choices.addMenu(self.tr("Delete a preset"))
            for name in known:
                action = gone.addAction(mark_hidden(name))
                action.triggered.connect(lambda _=False, name=name: self.remove(name))

    def use(self, setup: ChatSettings) -> None:
        """Begin a conversation with a preset: this one, where nothing was said yet."""
        chat = self._page.view.chat
        if chat is None or chat.is_begun:
            chat = self._page.new_chat()
        chat.choose(setup)
        self._page.view.composer.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def edit(self) -> SetupDialog | None:
        """Open what this conversation is answered with."""
        chat = self._page.view.chat
        if chat is None:
            return None
        dialog = SetupDialog(self, chat.setup, is_begun=chat.is_begun)
        dialog.setup_chosen.connect(chat.choose)
        dialog.preset_named.connect(bridge.if_alive(self, SetupButton.save))
        dialog.open()
        return dialog

    def save(self, name: str, setup: ChatSettings) -> None:
        """Keep it under a name."""
        try:
            self._presets.save(name, setup)
        except DesktopError as error:
            bridge.show_error(self, error, self.tr("Save a preset"))

    def remove(self, name: str) -> None:
        """Forget a preset."""
        try:
            self._presets.remove(name)
        except DesktopError as error:
            bridge.show_error(self, error, self.tr("Delete a preset"))


class SetupDialog(QDialog):
    """System prompt, approvals and limits of one conversation; with a name, a preset as well."""

    setup_chosen = Signal(object)
    """The `ChatSettings`."""
    preset_named = Signal(str, object)
    """A name, and the `ChatSettings` to be kept under it."""

    def __init__(self, parent: QWidget, setup: ChatSettings, *, is_begun: bool) -> None:
        """Args: is_begun: then the system prompt stays as it is."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._setup = setup
        self.system = WrappedTextEditor(self)
        self.approving = QComboBox(self)
        self.turns, self.minutes = QSpinBox(self), QSpinBox(self)
        self.name = QLineEdit(self)
        self.name.setMaxLength(MAX_NAME)
        self.system.setReadOnly(is_begun)
        self._show(setup)
        self._lay_out(is_begun)

    @property
    def setup(self) -> ChatSettings:
        """As it is entered."""
        terms = replace(
            self._setup.terms,
            approving=_APPROVING[self.approving.currentIndex()],
            turns=self.turns.value(),
            seconds=float(self.minutes.value() * _MINUTE),
        )
        system = self.system.toPlainText()[:MAX_SYSTEM_LENGTH]
        return replace(self._setup, system=system, terms=terms)

    def accept(self) -> None:
        """Go on with it; with a name, keep it as a preset, too."""
        setup = self.setup
        if name := self.name.text().strip():
            self.preset_named.emit(name, setup)
        self.setup_chosen.emit(setup)
        super().accept()

    def _show(self, setup: ChatSettings) -> None:
        names = {
            "usual": self.tr("As decided for each tool"),
            "each": self.tr("Ask about each call"),
            "allow": self.tr("Allow all calls without asking"),
        }
        self.approving.addItems([names[each] for each in _APPROVING])
        self.approving.setCurrentIndex(_APPROVING.index(setup.terms.approving))
        for field in (self.turns, self.minutes):
            field.setRange(USUAL.turns, 100_000)
            inset(field)
            field.setSpecialValueText(self.tr("as in the settings"))
        self.turns.setValue(setup.terms.turns)
        self.minutes.setValue(round(setup.terms.seconds / _MINUTE))
        self.system.setPlainText(setup.system)

    def _lay_out(self, is_begun: bool) -> None:
        self.setWindowTitle(self.tr("Setup of the conversation"))
        self.setMinimumSize(space(130), space(120))
        self.system.setAccessibleName(self.tr("System prompt"))
        self.system.setPlaceholderText(self.tr("What the model is told before the first question"))
        fields = FieldRows()
        fields.add(self.tr("Approvals"), self.approving)
        fields.add(self.tr("Requests to the model, a question"), self.turns)
        fields.add(self.tr("Minutes, a question"), self.minutes)
        fields.add(self.tr("Save as a preset"), self.name)
        self.name.setPlaceholderText(self.tr("Name (optional)"))
        kept = self.tr("A conversation keeps the system prompt that it began with.")
        more = self.tr(
            "A preset has provider, model, effort, servers and built-in servers of this "
            "conversation, too. Tools that can do anything are asked about in any case."
        )
        roles = QDialogButtonBox.ButtonRole
        box = QDialogButtonBox()
        done = box.addButton(self.tr("Use"), roles.AcceptRole)
        style(done, "primary")
        box.addButton(self.tr("Cancel"), roles.RejectRole)
        box.accepted.connect(self.accept)
        box.rejected.connect(self.reject)
        head = plain_label(self.tr("System prompt"), "heading")
        column = in_column(self, head, (self.system, 1), margins=(5, 5, 5, 4), spacing=2)
        if is_begun:
            column.addWidget(plain_label(kept, "muted", "small"))
        column.addLayout(fields)
        column.addWidget(plain_label(more, "muted", "small"))
        column.addWidget(box)
