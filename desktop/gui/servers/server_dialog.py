"""The dialogs that add, edit and remove a server: as a form, or as a text.

The text of a new one is anything that describes it (`PasteForm`), that of one to edit its JSON.

The open tab decides what is saved. A save that the store refuses leaves everything as typed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QLabel,
    QLineEdit,
    QPushButton,
    QTabWidget,
    QWidget,
)

from desktop.base.errors import ConfigError, DesktopError
from desktop.config.imports.clients import ClientLocations
from desktop.config.plain_secrets import move_secrets, new_secrets
from desktop.config.variables import secrets_in
from desktop.gui import bridge, shortcuts
from desktop.gui.layouts import InnerColumn, in_column, in_row
from desktop.gui.servers.json_form import JsonForm, entry_json, written_json
from desktop.gui.servers.paste_form import PasteForm, why_no_server
from desktop.gui.servers.server_form import ServerForm
from desktop.gui.shortcuts import bind
from desktop.gui.theme import space, style
from desktop.gui.translations import spoken
from desktop.gui.widgets.focus_guard import guard_focus
from desktop.gui.widgets.labels import plain_label
from desktop.gui.widgets.question_dialog import QuestionDialog
from desktop.gui.widgets.secrets_box import SecretsBox

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.config.models import ServerConfig
    from desktop.config.plain_secrets import PlainSecret
    from desktop.config.secret_store import SecretStore
    from desktop.config.store import ConfigStore
    from desktop.gui.servers.finder import Finder
    from desktop.gui.theme import Theme


class RemoveDialog(QuestionDialog):
    """Whether to remove a server."""

    def __init__(self, parent: QWidget, name: str) -> None:
        super().__init__(
            parent,
            QCoreApplication.translate("RemoveDialog", "Remove “{name}”?").format(name=name),
            QCoreApplication.translate(
                "RemoveDialog",
                "The server is stopped and its entry is removed from the configuration file. To "
                "pause it, switch it off instead.",
            ),
            QCoreApplication.translate("RemoveDialog", "Remove"),
        )
        self.setWindowTitle(self.tr("Remove server"))
        self.remove = self.act


_WIDTH, _PASTE_HEIGHT, _FORM_HEIGHT = space(140), space(104), space(160)
_PAUSE_MS = 150
"""Until what was typed is looked at, so that it is not done for each letter."""


class ServerDialog(QDialog):
    """Two tabs that follow each other, and Save."""

    finder_requested = Signal(object)
    """A person would rather find a server with this `Finder`; the dialog is closed then."""
    import_requested = Signal(str)
    """The file has to be unpacked, which an import does; the dialog is closed then."""
    saved = Signal(str)  # the name of the server, of several the first one

    def __init__(
        self,
        parent: QWidget,
        theme: Theme,
        store: ConfigStore,
        name: str | None = None,
        secrets: SecretStore | None = None,
        finders: Iterable[Finder] = (),
        places: ClientLocations | None = None,
    ) -> None:
        """Args: name: of the server to edit; None to add one.

        secrets: keeps what is secret; without it that stays in the file.
        finders: where one to add can be found.
        places: whose home and environment a text is read for; None: those of this computer.
        """
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._store, self._name = store, name
        self._base: ServerConfig | None = store.servers.get(name) if name is not None else None
        self._done: list[str] = []
        self._opened: tuple[object, str] = (None, "")
        self._is_form_dirty = False
        self.form = ServerForm(theme)
        self.pasted = (
            PasteForm(theme, store, self._refuse, places or ClientLocations.here())
            if name is None
            else None
        )
        self.json: JsonForm = self.pasted or JsonForm(theme, store, self._refuse)
        self.tabs = QTabWidget()
        self.error = plain_label("", "danger")
        self.secrets = SecretsBox(secrets)
        self._is_keeping = False  # secrets are put into the keyring; the servers are written then
        self.save = QPushButton()
        self.cancel = QPushButton(self.tr("Cancel"))
        self.finders = {each: QPushButton(each.step) for each in finders if name is None}
        self.unsaved = QFrame()
        self._question = QLabel(self.tr("Discard your changes?"))
        self._offer_later = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self.keep = QPushButton(self.tr("Keep editing"))
        self.discard = QPushButton(self.tr("Discard"))
        self._lay_out()
        self._fill()
        self._connect()
        edited = self.tr("Edit “{name}”").format(name=self._name)
        self.setWindowTitle(self.tr("Add server") if self._name is None else edited)
        self.tabs.setTabText(self.tabs.indexOf(self.form), self.tr("Form"))
        text = self.tr("JSON") if self.pasted is None else self.tr("Paste")
        self.tabs.setTabText(self.tabs.indexOf(self.json), text)
        self.save.setText(self.tr("Add") if self._name is None else self.tr("Save"))
        self._opened = self._typed()
        self._offer_keyring()

    def show_pasted(self, text: str) -> None:
        """Begin with what was copied or dropped."""
        self.tabs.setCurrentWidget(self.json)
        if self.pasted is not None:
            self.pasted.show_pasted(text)
        self._offer_keyring()

    def accept(self) -> None:
        """Save; on a refusal stay open and say why."""
        if self._is_keeping:
            return
        if not self._is_text:
            self.form.take_apart()
            self._offer_keyring()
        try:
            configs = self._configs()
        except ConfigError as error:
            self._show_error(error)
            return
        if self.pasted is not None and self._is_text and not self._is_filled_in(self.pasted):
            return
        secrets: list[PlainSecret] = []
        if self.secrets.is_wanted:
            configs, secrets = self._moved(configs)
        if secrets:
            self._set_keeping(True)
            bridge.run(self, self._keep(configs, secrets), self.tr("Storing secrets"))
        else:
            self._save(configs)

    def _is_filled_in(self, pasted: PasteForm) -> bool:
        """Whether it can be written as it is: not a bundle, and no field is empty unseen."""
        if pasted.bundle is not None:
            super().reject()
            self.import_requested.emit(str(pasted.bundle))
            return False
        if not pasted.has_all():
            self.error.setText(self.tr("Fill this in, or press Add again to add it without."))
            self.error.show()
            return False
        return True

    async def _keep(self, configs: list[ServerConfig], secrets: list[PlainSecret]) -> None:
        try:
            await self.secrets.keep(secrets)
        except DesktopError as error:
            self.error.setText(spoken(str(error)))
            self.error.show()
        else:
            self._save(configs)
        finally:
            self._set_keeping(False)

    def _set_keeping(self, is_keeping: bool) -> None:
        self._is_keeping = is_keeping
        self.save.setEnabled(not is_keeping)

    def _save(self, configs: list[ServerConfig]) -> None:
        try:
            for config in configs:
                self._write(config)
        except ConfigError as error:
            self._show_error(error)
            return
        self.saved.emit(configs[0].name)
        super().accept()

    def _moved(self, configs: list[ServerConfig]) -> tuple[list[ServerConfig], list[PlainSecret]]:
        """The servers as they are written if their secrets are kept in the keyring."""
        others = [config for name, config in self._store.servers.items() if name != self._name]
        taken = {name for config in others for name in secrets_in(config)}
        moved = [move_secrets(config, taken) for config in configs]
        return [config for config, _ in moved], [one for _, found in moved for one in found]

    def _offer_keyring(self) -> None:
        """Name the secrets that stand in what was typed; new ones are kept unless unticked."""
        try:
            found = self._moved(self._configs())[1]
        except ConfigError:
            if self._is_text:  # unfinished: what was offered stays as long as it is in the text
                text = self.json.text.toPlainText()
                self.secrets.leave_out(lambda secret: secret.value not in text)
            return
        self.secrets.show_secrets(found, checked=bool(new_secrets(self._base, found)))

    def reject(self) -> None:
        """Escape, or the window's own close button: ask first where something was typed."""
        if self._typed() == self._opened:
            self._discard()
            return
        self.unsaved.show()
        self.keep.setFocus(Qt.FocusReason.OtherFocusReason)

    def _typed(self) -> tuple[object, str]:
        return self.form.values(), self.json.text.toPlainText()

    def _discard(self) -> None:
        super().reject()

    def _go_to(self, finder: Finder) -> None:
        """Not with something typed: that is asked about first, as on Escape."""
        if self._typed() != self._opened:
            self.reject()
            return
        self._discard()
        self.finder_requested.emit(finder)

    def _go_on(self) -> None:
        self.unsaved.hide()
        self.tabs.currentWidget().setFocus(Qt.FocusReason.OtherFocusReason)

    def _configs(self) -> list[ServerConfig]:
        if not self._is_text:
            config = self.form.config(self._base)
            if reason := self._refuse(config.name):
                raise ConfigError(f'"name" {reason}')
            return [config]
        configs = list(self.json.servers().values())
        if self._name is not None and len(configs) != 1:
            raise ConfigError(self.tr("To edit a server, the JSON must hold exactly one."))
        return configs

    def _write(self, config: ServerConfig) -> None:
        if self._name is not None:
            self._store.replace_server(self._name, config)
        elif config.name not in self._done:
            self._store.add_server(config)
            self._done.append(config.name)  # one that fails later must not have it added twice

    @property
    def _is_text(self) -> bool:
        return self.tabs.currentWidget() is self.json

    def _refuse(self, name: str) -> str:
        """Why a server cannot have this name."""
        if name == self._name or name in self._done:
            return ""
        known = self._store.servers.get(name)
        if name in self._store.problems or (known is not None and known.source != "builtin"):
            return self.tr("A server named “{name}” already exists. Choose another name.").format(
                name=name
            )
        return ""

    def _show_error(self, error: ConfigError) -> None:
        text = spoken(str(error)) if self._is_text else self.form.show_error(error)
        self.error.setText(text)
        self.error.setVisible(text not in ("", *self.json.messages))  # said there already

    def _check_name(self, name: str) -> None:
        self.form.fields["name"].set_error(self._refuse(name.strip()))

    def _form_changed(self) -> None:
        self._is_form_dirty = True
        self.error.hide()

    def _switched(self, _: int) -> None:
        """Carry over what was typed, as far as it can be understood."""
        self.error.hide()
        if not self._is_text:
            self.resize(self.width(), max(self.height(), _FORM_HEIGHT))
        if self._is_text and self._is_form_dirty:
            self.form.take_apart()
            self._form_to_json()
        elif not self._is_text and self.json.is_dirty:
            self._json_to_form()

    def _form_to_json(self) -> None:
        try:
            config = self.form.config(self._base)
            entry = self._store.written(self._name) if self._name is not None else None
            self.json.show_text(written_json(config, self._store.settings, self._base, entry))
        except ConfigError:
            return  # an unfinished form stays where it is; the text keeps what it had
        self._is_form_dirty = False

    def _json_to_form(self) -> None:
        try:
            servers = self.json.servers()
        except ConfigError:
            return
        if len(servers) == 1:
            self.form.show_config(next(iter(servers.values())))
            self._is_form_dirty = self.json.is_dirty = False

    def _fill(self) -> None:
        settings = self._store.settings
        self.form.timeout.setValue(settings.call_timeout)
        self.form.connect_timeout.setValue(settings.connect_timeout)
        if self._name is None:
            return
        self.json.show_text(entry_json(self._name, self._store.written(self._name)))
        if self._base is not None:
            self.form.show_config(self._base)
        else:
            self.form.name.setText(self._name)
            self.tabs.setCurrentWidget(self.json)

    def _connect(self) -> None:
        self.tabs.currentChanged.connect(self._switched)
        self.form.changed.connect(self._form_changed)
        self.form.name_changed.connect(self._check_name)
        self.json.changed.connect(self.error.hide)
        for part in (self.form, self.json):
            part.changed.connect(self._offer_later.start)
        self._offer_later.timeout.connect(self._offer_keyring)
        self.tabs.currentChanged.connect(self._offer_keyring)
        self.save.clicked.connect(self.accept)
        self.cancel.clicked.connect(self._discard)
        for finder, button in self.finders.items():
            finder.connect_button(button, self._go_to)
        self.discard.clicked.connect(self._discard)
        self.keep.clicked.connect(self._go_on)
        bind(self, shortcuts.ACCEPT, self.accept)
        if self.pasted is not None:
            self.pasted.submitted.connect(self.accept)
            for field in self.form.findChildren(QLineEdit):
                field.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """What describes a whole server is recognized in any field of an empty form."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            is_paste = event.matches(QKeySequence.StandardKey.Paste)
            if is_paste and self._typed() == self._opened and self._take_pasted(watched):
                return True
        return super().eventFilter(watched, event)

    def _take_pasted(self, field: QObject) -> bool:
        text = QGuiApplication.clipboard().text().strip()
        is_value = " " not in text and (field is self.form.url or "://" not in text)
        if is_value and "\n" not in text and not text.startswith("{"):
            return False
        if why_no_server(text):
            return False
        self.show_pasted(text)
        return True

    def _lay_out(self) -> None:
        style(self.save, "primary")
        self.error.setContentsMargins(space(5), 0, space(5), 0)
        self.error.hide()
        for tab in (self.json, self.form) if self.pasted is not None else (self.form, self.json):
            self.tabs.addTab(tab, "")
        box = QDialogButtonBox()
        box.addButton(self.cancel, QDialogButtonBox.ButtonRole.RejectRole)
        box.addButton(self.save, QDialogButtonBox.ButtonRole.AcceptRole)
        self._lay_out_question()
        below = QFrame()
        for button in self.finders.values():
            style(button, "link")
            button.setAutoDefault(False)
        in_row(below, *self.finders.values(), (box, 1), margins=(5, 2, 5, 4), spacing=1.5)
        offer = InnerColumn(self.secrets, margins=(5, 0, 5, 0))
        in_column(
            self, (self.tabs, 1), self.error, offer, self.unsaved, below, margins=(0, 3, 0, 0)
        )
        self.resize(_WIDTH, _FORM_HEIGHT if self.pasted is None else _PASTE_HEIGHT)
        self.save.setDefault(True)  # only now: outside a dialog it has no effect
        (self.form.name if self.pasted is None else self.json).setFocus()

    def _lay_out_question(self) -> None:
        style(self.unsaved, "banner", "warning")
        style(self.discard, "danger")
        guard_focus(self.discard)
        self._question.setWordWrap(True)
        in_row(self.unsaved, (self._question, 1), self.discard, self.keep, margins=(5, 2, 5, 2))
        for button in (self.discard, self.keep):
            button.setAutoDefault(False)
        self.unsaved.hide()
