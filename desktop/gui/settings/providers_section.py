"""The model providers in the settings: where each key is stored, Edit, Test, Remove.

Shows no key. Test requests the provider's list of models and nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QPushButton, QVBoxLayout

from desktop.base.errors import DesktopError
from desktop.config.providers import KINDS
from desktop.gui import bridge
from desktop.gui.layouts import LEFT, MIDDLE, STRETCH, InnerColumn, InnerRow, in_column, in_row
from desktop.gui.settings.provider_dialog import ProviderDialog
from desktop.gui.settings.rows import SectionCard
from desktop.gui.theme import space, style
from desktop.gui.translations import spoken
from desktop.gui.widgets.focus_guard import guard_focus
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import plain_label, plain_line
from desktop.gui.widgets.question_dialog import QuestionDialog

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent
    from PySide6.QtWidgets import QWidget

    from desktop.gui.chat.interfaces import Providers
    from desktop.gui.theme import Role, Theme


class ProviderRow(QFrame):
    """One provider."""

    edit_requested = Signal(str)
    remove_requested = Signal(str)
    tested = Signal()
    """The test has ended, and its outcome is shown."""

    def __init__(self, providers: Providers, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._providers, self.name = providers, name
        self.title, self.place = plain_line(name, "heading"), plain_line("", "badge")
        self.below = plain_label("", "muted", "small")
        self.edit, self.test, self.remove = QPushButton(), QPushButton(), QPushButton()
        self._lay_out()
        self.refresh()
        self.edit.clicked.connect(lambda: self.edit_requested.emit(self.name))
        self.remove.clicked.connect(lambda: self.remove_requested.emit(self.name))
        self.test.clicked.connect(self.start_test)

    def refresh(self) -> None:
        """Show the provider and where its key is stored, as they are now."""
        provider = self._providers.get(self.name)
        words, tone = self._key_label()
        self.place.setText(words)
        self.place.setVisible(bool(words))
        style(self.place, "badge", *((tone,) if tone else ()))
        if provider is not None:
            parts = (KINDS[provider.kind].label, provider.base_url, provider.model)
            self.below.setText(" · ".join(filter(None, parts)))
            style(self.below, "muted", "small")
        self.remove.setVisible(self._providers.is_removable(self.name))
        missing = self._providers.key_place(self.name) == "missing"
        self.edit.setText(self.tr("Enter key…") if missing else self.tr("Edit…"))
        self.test.setText(self.tr("Test"))
        self.remove.setText(self.tr("Remove…"))
        for button in (self.edit, self.test, self.remove):
            button.setAccessibleName(f"{button.text()} {self.name}")

    def start_test(self) -> None:
        """Ask the provider for its models."""
        self.test.setEnabled(False)
        self._show_message(self.tr("Loading models…"), "muted")
        bridge.run(self, self._test(), self.tr("Test the provider"))

    async def _test(self) -> None:
        try:
            service = self._providers.service(self.name)
            try:
                models = await service.list_models()
            finally:
                await service.close()
            words = self.tr("Connected. Models: {count}, such as {model}.")
            first = models[0][:80] if models else "–"
            self._show_message(words.format(count=len(models), model=first), "success")
        except DesktopError as error:
            self._show_message(spoken(str(error))[:600], "danger")
        finally:
            self.test.setEnabled(True)
            self.tested.emit()

    def _show_message(self, words: str, tone: Role) -> None:
        self.below.setText(words)
        style(self.below, tone, "small")

    def _key_label(self) -> tuple[str, Role | None]:
        match self._providers.key_place(self.name):
            case "keyring":
                return self.tr("Key in the keyring"), "success"
            case "environment":
                words = self.tr("Key from the environment ({name})")
                return words.format(name=self._providers.key_name(self.name)), "success"
            case "missing":
                return self.tr("No key"), "warning"
            case "unneeded":
                return self.tr("Without a key"), None
            case "unknown":
                return "", None

    def _lay_out(self) -> None:
        for button in (self.edit, self.test, self.remove):
            style(button, "link")
        guard_focus(self.remove)
        head = InnerRow(self.title, self.place, STRETCH)
        words = InnerColumn(head, self.below, spacing=0)
        in_row(
            self,
            (words, 1),
            (self.edit, MIDDLE),
            (self.test, MIDDLE),
            (self.remove, MIDDLE),
            spacing=1,
        )


class ProvidersSection(SectionCard):
    """All providers, and a button for another one."""

    refreshed = Signal()
    """The providers are shown, and where each key is stored."""

    def __init__(self, theme: Theme, providers: Providers) -> None:
        super().__init__()
        self._providers = providers
        self.rows: list[ProviderRow] = []
        self._list = QVBoxLayout()
        self._list.setSpacing(space(3))
        inside = QFrame()
        self.problem = plain_label("", "warning", "small")
        self.add_button = QPushButton(self.tr("Add provider…"))
        set_icon(theme, self.add_button, "plus", "text")
        in_column(inside, self._list, self.problem, (self.add_button, LEFT), spacing=3)
        self.add(inside)
        self.add_button.clicked.connect(self.add_provider)
        bridge.connect(self, providers.changed, self.refresh)
        self.set_title(self.tr("Model providers"))
        self.refresh()

    def refresh(self) -> None:
        names = [provider.name for provider in self._providers.all()]
        if names != [row.name for row in self.rows]:
            for row in self.rows:
                self._list.removeWidget(row)
                row.hide()
                row.deleteLater()
            self.rows = [self._row(name) for name in names]
        for row in self.rows:
            row.refresh()
        self.problem.setText(self._providers.problem[:600])
        self.problem.setVisible(bool(self._providers.problem))
        self.refreshed.emit()

    def add_provider(self) -> ProviderDialog:
        return self._open("")

    def edit_provider(self, name: str) -> ProviderDialog:
        return self._open(name)

    def remove_provider(self, name: str) -> QuestionDialog:
        """Remove the provider after a person confirms."""
        question = self.tr("Remove “{name}”?").format(name=name)
        meaning = self.tr("It is removed from the configuration and its key from the keyring.")
        dialog = QuestionDialog(self, question, meaning, self.tr("Remove"))
        dialog.setWindowTitle(self.tr("Remove provider"))
        providers, doing = self._providers, self.tr("Remove a provider")
        dialog.accepted.connect(
            bridge.if_alive(self, lambda shown: bridge.run(shown, providers.remove(name), doing))
        )
        dialog.open()
        return dialog

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        bridge.run(self, self._providers.look_for_keys(), self.tr("Look for keys"))

    def _open(self, name: str) -> ProviderDialog:
        dialog = ProviderDialog(self, self._providers, name)
        dialog.open()
        return dialog

    def _row(self, name: str) -> ProviderRow:
        row = ProviderRow(self._providers, name)
        row.edit_requested.connect(self.edit_provider)
        row.remove_requested.connect(self.remove_provider)
        self._list.addWidget(row)
        return row
