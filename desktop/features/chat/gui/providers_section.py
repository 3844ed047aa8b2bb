"""The model providers in the settings: where each key is stored, Edit, Test, Remove.

Shows no key. Test requests the provider's list of models and nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop.base.errors import DesktopError
from desktop.base.visible_text import mark_hidden
from desktop.config.providers import KINDS, PRESETS, checked
from desktop.gui import bridge
from desktop.gui.layouts import LEFT, MIDDLE, STRETCH, InnerColumn, InnerRow, in_column, in_row
from desktop.gui.servers.form_fields import FormLine
from desktop.gui.settings.rows import SectionCard
from desktop.gui.theme import space, style
from desktop.gui.translations import spoken
from desktop.gui.widgets.focus_guard import guard_focus
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import plain_label, plain_line
from desktop.gui.widgets.question_dialog import QuestionDialog

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent

    from desktop.config.providers import Preset, ProviderSettings
    from desktop.features.chat.gui.interfaces import Providers
    from desktop.gui.theme import Role, Theme

# The dialog that adds or edits a model provider: its API, address, model and key.
#
# A key is only ever written: a stored one is never shown. If a save is refused, what was
# typed stays.


_WIDTH = space(130)
CHOICES: Final = (*KINDS, "compatible")
"""A compatible server is one that speaks OpenAI's API at an address of its own."""
_APIS: Final = ("", "responses", "chat")


class PresetLine(FormLine):
    """Known providers, and what answers on this computer, to be filled in."""

    taken = Signal(object, str)
    """A `Preset`, and the model that it has, where one is known."""
    looked = Signal()
    """What answers on this computer is offered."""

    def __init__(self) -> None:
        self.box = QComboBox()
        super().__init__(self.box)
        self._presets: list[tuple[Preset, str]] = []
        self.box.addItem(self.tr("Anything"))
        for preset in PRESETS:
            self._add(len(self._presets), preset, preset.label)
        self.set_text(
            self.tr("Provider"), self.tr("Fills in the address; also what runs on this computer.")
        )
        self.box.activated.connect(self._take)

    async def look_around(self) -> None:
        """Offer what answers on this computer, before the others."""
        from desktop.features.chat.llm.services.factory import find_local

        for at, (preset, models) in enumerate(await find_local()):
            words = self.tr("{name}, on this computer: {model}")
            model = mark_hidden(models[0][:80])
            self._add(at, preset, words.format(name=preset.label, model=model), models[0])
        self.looked.emit()

    def _add(self, at: int, preset: Preset, words: str, model: str = "") -> None:
        self._presets.insert(at, (preset, model))
        self.box.insertItem(at + 1, words)

    def _take(self, row: int) -> None:
        if row > 0:
            self.taken.emit(*self._presets[row - 1])


class ProviderDialog(QDialog):
    """Writes the provider when saved, and the key if one was typed."""

    saved = Signal(str)
    """The name of the provider."""
    settled = Signal()
    """Saved or refused."""

    def __init__(self, parent: QWidget, providers: Providers, name: str = "") -> None:
        """Args: name: of the provider to edit; empty to add one."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._providers, self._name = providers, name
        self.kind, self.api = QComboBox(), QComboBox()
        self.presets = PresetLine()
        self.presets.setVisible(not name)
        self.name, self.address, self.model = QLineEdit(), QLineEdit(), QLineEdit()
        self.key = QLineEdit()
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.forget = QPushButton()
        style(self.forget, "link")
        self._fields = [
            FormLine(field)
            for field in (self.kind, self.name, self.address, self.api, self.model, self.key)
        ]
        self.error = plain_label("", "danger")
        self.error.hide()
        self.save, self.cancel = QPushButton(), QPushButton()
        for widget in (self.kind, self.api):
            widget.addItems([""] * len(CHOICES if widget is self.kind else _APIS))
        self._lay_out()
        self._fill()
        self._connect()
        self._set_texts()
        self._follow_kind()
        if not name:
            words = self.tr("Look for models on this computer")
            bridge.run(self, self.presets.look_around(), words)

    def accept(self) -> None:
        """Save; if that is refused, stay open and say why."""
        self.save.setEnabled(False)
        bridge.run(self, self._save(), self.tr("Save the provider"))

    def settings(self) -> ProviderSettings:
        """The provider as typed. Raises a `ConfigError` that names what is wrong."""
        kind = CHOICES[self.kind.currentIndex()]
        name = self.name.text().strip() or ("" if kind == "compatible" else kind)
        before = self._providers.get(self._name)
        kept = before.model_dump(by_alias=True) if before is not None else {}
        return checked(
            {
                **kept,  # what has no field here stays as it is
                "name": name,
                "kind": "openai" if kind == "compatible" else kind,
                "baseUrl": self.address.text().strip(),
                "model": self.model.text().strip(),
                "api": _APIS[self.api.currentIndex()] or None,
            }
        )

    def show_error(self, message: str) -> None:
        """Show why a save was refused, or a failure that the bridge reports."""
        self.error.setText(message[:600])
        self.error.show()

    async def _save(self) -> None:
        try:
            settings = self.settings()
            if settings.name != self._name and self._providers.get(settings.name) is not None:
                is_known = not self._providers.is_removable(settings.name)
                if not is_known or self._name:
                    self.show_error(self.tr("A provider with this name already exists."))
                    return
            if CHOICES[self.kind.currentIndex()] == "compatible" and not settings.base_url:
                self.show_error(self.tr("An OpenAI-compatible server needs an address."))
                return
            self._providers.save(settings)
            before, self._name = self._name, settings.name  # a second Save goes on from here
            if key := self.key.text().strip():
                await self._providers.set_key(settings.name, key)
            if before and before != settings.name:
                await self._providers.remove(before)
            self.key.clear()
            self.saved.emit(settings.name)
            super().accept()
        except DesktopError as error:
            self.show_error(spoken(str(error)))
        finally:
            self.save.setEnabled(True)
            self.settled.emit()

    def _take_preset(self, preset: Preset, model: str) -> None:
        """Fill in what is known of it; the key is the person's."""
        self.kind.setCurrentIndex(CHOICES.index("compatible"))
        self.name.setText(preset.name)
        self.address.setText(preset.base_url)
        self.model.setText(model)
        self.api.setCurrentIndex(0)
        self._follow_kind()
        self.key.setFocus(Qt.FocusReason.OtherFocusReason)

    async def _forget(self) -> None:
        try:
            await self._providers.set_key(self._name, "")
        except DesktopError as error:
            self.show_error(spoken(str(error)))
        self._set_texts()
        self.settled.emit()

    def _fill(self) -> None:
        provider = self._providers.get(self._name)
        if provider is None:
            return
        speaks_openai = provider.kind == "openai"
        kind = "compatible" if provider.is_compatible and speaks_openai else provider.kind
        self.kind.setCurrentIndex(CHOICES.index(kind))
        self.name.setText(provider.name)
        self.address.setText(provider.base_url)
        self.model.setText(provider.model)
        self.api.setCurrentIndex(_APIS.index(provider.api or ""))
        self.name.setReadOnly(not self._providers.is_removable(self._name))

    def _follow_kind(self) -> None:
        """Show only the fields that this kind of provider has."""
        kind = CHOICES[self.kind.currentIndex()]
        self._fields[2].setVisible(kind == "compatible" or bool(self.address.text()))
        self._fields[3].setVisible(kind in {"openai", "compatible"})
        self.name.setPlaceholderText("" if kind == "compatible" else kind)

    def _connect(self) -> None:
        self.presets.taken.connect(self._take_preset)
        self.kind.currentIndexChanged.connect(self._follow_kind)
        self.save.clicked.connect(self.accept)
        self.cancel.clicked.connect(self.reject)
        self.forget.clicked.connect(
            lambda: bridge.run(self, self._forget(), self.tr("Forget the key"))
        )

    def _lay_out(self) -> None:
        for line in (self.name, self.address, self.model, self.key):
            line.setMaxLength(2_000)
        style(self.save, "primary")
        self.cancel.setAutoDefault(False)
        guard_focus(self.forget)
        box = QDialogButtonBox()
        box.addButton(self.cancel, QDialogButtonBox.ButtonRole.RejectRole)
        box.addButton(self.save, QDialogButtonBox.ButtonRole.AcceptRole)
        row = InnerRow(self.forget, STRETCH)
        in_column(
            self,
            self.presets,
            *self._fields,
            row,
            self.error,
            STRETCH,
            box,
            margins=(5, 5, 5, 4),
            spacing=3,
        )
        self.setFixedWidth(_WIDTH)
        self.save.setDefault(True)  # only now: outside a dialog it has no effect

    def _set_texts(self) -> None:
        labels = (kind.label for kind in KINDS.values())
        titles = (*labels, self.tr("OpenAI-compatible server"))
        apis = (self.tr("Automatic"), "Responses", "Chat Completions")
        for box, words in ((self.kind, titles), (self.api, apis)):
            for at, text in enumerate(words):
                box.setItemText(at, text)
        kind, name, address, api, model, key = self._fields
        kind.set_text(self.tr("Kind"))
        name.set_text(self.tr("Name"), self.tr("Shown wherever you choose a model."))
        example = self.tr("For example {address}").format(address="http://localhost:11434/v1")
        address.set_text(self.tr("Address"), example)
        api.set_text(self.tr("API"))
        model.set_text(self.tr("Model"), self.tr("New conversations start with it. Optional."))
        key.set_text(self.tr("Key"), self._key_hint())
        self.forget.setText(self.tr("Forget the stored key"))
        place = self._providers.key_place(self._name)
        self.forget.setVisible(place in ("keyring", "session"))
        added, edited = self.tr("Add model provider"), self.tr("Edit “{name}”")
        self.setWindowTitle(edited.format(name=self._name) if self._name else added)
        self.save.setText(self.tr("Save"))
        self.cancel.setText(self.tr("Cancel"))

    def _key_hint(self) -> str:
        if not self._name:
            return self.tr("Stored in your desktop's keyring and never shown again.")
        match self._providers.key_place(self._name):
            case "keyring":
                return self.tr("A key is stored in the keyring. Type another to replace it.")
            case "session":
                return self.tr("A key is kept until the app ends: this desktop has no keyring.")
            case "environment":
                words = self.tr("The environment variable {name} is used, whatever is stored here.")
                return words.format(name=self._providers.key_name(self._name))
            case _:
                return self.tr("Stored in your desktop's keyring and never shown again.")


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
            is_said = provider.is_compatible or provider.name == provider.kind
            api = "" if is_said else KINDS[provider.kind].label
            facts = (api, provider.base_url, provider.model)
            self.below.setText(" · ".join(filter(None, facts)))
            self.below.setVisible(bool(self.below.text()))
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
        self.below.show()
        style(self.below, tone, "small")

    def _key_label(self) -> tuple[str, Role | None]:
        match self._providers.key_place(self.name):
            case "keyring":
                return self.tr("Key in the keyring"), "success"
            case "session":
                return self.tr("Key for this session (no keyring)"), "warning"
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
