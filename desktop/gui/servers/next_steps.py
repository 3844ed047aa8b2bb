"""Does what the buttons of a failure offer: another command, a variable, how to install a product.

Changes a server through the store, which the core follows; installs nothing itself.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

from desktop.base.errors import DesktopError
from desktop.config.imports.pasted import entry_of_line
from desktop.config.plain_secrets import PlainSecret
from desktop.config.variables import references_in, replace_variable
from desktop.gui import bridge
from desktop.gui.layouts import InnerRow, in_column
from desktop.gui.theme import space, style
from desktop.gui.translations import spoken
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.secrets_box import SecretsBox

if TYPE_CHECKING:
    from desktop.base.errors import NextStep
    from desktop.config.models import ServerConfig
    from desktop.config.secret_store import SecretStore
    from desktop.config.store import ConfigStore
    from desktop.gui.servers.interfaces import ServerEditing
    from desktop.gui.theme import Theme
    from desktop.servers.service import McpService

_WIDTH = space(120)
_COMMANDS: dict[str, dict[str, tuple[str, ...]]] = {
    "Node.js": {
        "linux": ("sudo apt install nodejs npm", "sudo dnf install nodejs"),
        "darwin": ("brew install node",),
        "win32": ("winget install OpenJS.NodeJS.LTS",),
    },
    "uv": {
        "linux": ("curl -LsSf https://astral.sh/uv/install.sh | sh",),
        "darwin": ("brew install uv", "curl -LsSf https://astral.sh/uv/install.sh | sh"),
        "win32": ("winget install astral-sh.uv",),
    },
    "Bun": {
        "linux": ("curl -fsSL https://bun.sh/install | bash",),
        "darwin": ("brew install oven-sh/bun/bun",),
        "win32": ('powershell -c "irm bun.sh/install.ps1 | iex"',),
    },
    "Deno": {
        "linux": ("curl -fsSL https://deno.land/install.sh | sh",),
        "darwin": ("brew install deno",),
        "win32": ("winget install DenoLand.Deno",),
    },
}
"""What the makers of each name as the way to install it, by platform."""


class NextSteps:
    """Takes the steps of the servers of a page."""

    def __init__(
        self,
        parent: QWidget,
        servers: ServerEditing,
        theme: Theme,
        store: ConfigStore,
        service: McpService,
        secrets: SecretStore | None,
    ) -> None:
        """Args: parent: over which dialogs open. servers: changes them."""
        self._parent, self._servers, self._theme = parent, servers, theme
        self._store, self._service, self._secrets = store, service, secrets

    def take(self, name: str, step: NextStep) -> QDialog | None:
        """Do it for the server `name`, or open the dialog that leads to it."""
        if step.kind == "edit":
            return self._servers.edit_server(name)
        if step.kind == "install":
            return self._open(InstallDialog(self._parent, self._theme, step))
        config = self._store.servers.get(name)
        if config is None:
            return None
        if step.kind == "use_command":
            self._servers.change_server(config.changed(command=step.subject))
            return None
        if step.kind in ("take_apart", "use_url"):
            self._servers.change_server(_taken_apart(config))
            return None
        dialog = VariableDialog(self._parent, config, step, self._secrets)

        def apply(steps: NextSteps, after: ServerConfig) -> None:
            if after != config:
                steps._servers.change_server(after)
            else:  # what was missing is in the keyring now
                steps._service.restart(name)

        dialog.kept.connect(bridge.if_alive(self, apply))
        return self._open(dialog)

    def _open(self, dialog: QDialog) -> QDialog:
        dialog.open()
        return dialog


def _taken_apart(config: ServerConfig) -> ServerConfig:
    """The server with what was written as its command in the places where it belongs."""
    entry = entry_of_line(config.command)
    if url := entry.get("url"):
        return config.changed(transport="http", command="", args=(), env={}, cwd=None, url=url)
    return config.changed(
        command=entry.get("command", config.command),
        args=(*entry.get("args", ()), *config.args),
        env={**entry.get("env", {}), **config.env},
    )


class InstallDialog(QDialog):
    """How to install what a command comes with: commands to copy, and the maker's page."""

    def __init__(self, parent: QWidget, theme: Theme, step: NextStep) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._address = step.address
        title = self.tr("Install {product}").format(product=step.subject)
        self.setWindowTitle(title)
        heading, words = QLabel(title), QLabel()
        style(heading, "heading")
        words.setWordWrap(True)
        commands = _COMMANDS.get(step.subject, {}).get(sys.platform, ())
        words.setText(
            self.tr(
                "Run one of these in a terminal, or follow the steps at {address}. Then restart "
                "the server."
            ).format(address=step.address)
            if commands
            else self.tr("Follow the steps at {address}. Then restart the server.").format(
                address=step.address
            )
        )
        self.copies: list[QPushButton] = []
        column = in_column(
            self,
            heading,
            words,
            *(self._line(theme, command) for command in commands),
            margins=(5, 5, 5, 4),
            spacing=3,
        )
        roles = QDialogButtonBox.ButtonRole
        box = QDialogButtonBox()
        self.site = box.addButton(self.tr("Open the page"), roles.ActionRole)
        self.close_button = box.addButton(self.tr("Close"), roles.RejectRole)
        self.close_button.setDefault(True)
        self.close_button.setFocus()
        self.site.clicked.connect(lambda: QDesktopServices.openUrl(QUrl(self._address)))
        box.rejected.connect(self.reject)
        column.addWidget(box)
        self.setFixedWidth(_WIDTH)

    def _line(self, theme: Theme, command: str) -> InnerRow:
        shown, copy = QLineEdit(command), QPushButton(self.tr("Copy"))
        shown.setReadOnly(True)
        shown.setCursorPosition(0)  # it begins where it is read from
        shown.setAccessibleName(command)
        style(shown, "mono")
        copy.setAutoDefault(False)
        copy.setAccessibleName(self.tr("Copy {command}").format(command=command))
        set_icon(theme, copy, "copy", "muted")
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(command))
        self.copies.append(copy)
        return InnerRow((shown, 1), copy)


class VariableDialog(QDialog):
    """Asks for the value that a server lacks, and keeps it in the keyring or in its entry."""

    kept = Signal(object)
    """The `ServerConfig` with the value, or a reference to it, in place."""

    def __init__(
        self, parent: QWidget, config: ServerConfig, step: NextStep, secrets: SecretStore | None
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._config, self._step, self._secrets = config, step, secrets
        self._is_keeping = False
        title = self.tr("Set {name}").format(name=step.subject)
        self.setWindowTitle(title)
        heading, words = QLabel(title), QLabel(self._meaning())
        self.value, self.error = QLineEdit(), QLabel()
        self.value.setEchoMode(QLineEdit.EchoMode.Password)
        self.value.setAccessibleName(step.subject)
        self.keep = SecretsBox(secrets if step.kind == "set_variable" else None)
        name = f"{config.name}.{step.subject}".replace(" ", "_")
        self.keep.show_secrets([PlainSecret(f"env.{step.subject}", name, "")])
        self._name = name
        for label in (heading, words, self.error):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
        style(heading, "heading")
        style(words, "muted")
        style(self.error, "danger")
        self.error.hide()
        roles = QDialogButtonBox.ButtonRole
        box = QDialogButtonBox()
        self.save = box.addButton(self.tr("Save and start"), roles.AcceptRole)
        box.addButton(self.tr("Cancel"), roles.RejectRole)
        style(self.save, "primary")
        self.save.setDefault(True)
        self.save.setEnabled(False)
        self.value.textChanged.connect(self._allow_save)
        box.accepted.connect(self.accept)
        box.rejected.connect(self.reject)
        in_column(
            self,
            heading,
            words,
            self.value,
            self.keep,
            self.error,
            box,
            margins=(5, 5, 5, 4),
            spacing=3,
        )
        self.setFixedWidth(_WIDTH)
        self.value.setFocus()

    def accept(self) -> None:
        """Keep the value; on a refusal stay open and say why."""
        if self._is_keeping or not self.value.text():
            return
        if self._step.kind == "keep_secret":
            self._run([PlainSecret("", self._step.subject, self.value.text())], self._config)
        elif self.keep.is_wanted:
            secret = PlainSecret(f"env.{self._step.subject}", self._name, self.value.text())
            self._run([secret], self._with(f"${{keyring:{self._name}}}"))
        else:
            self._finish(self._with(self.value.text()))

    def _allow_save(self, text: str) -> None:
        self.save.setEnabled(bool(text))

    def _run(self, secrets: list[PlainSecret], changed: ServerConfig) -> None:
        self._is_keeping = True
        bridge.run(self, self._keep(secrets, changed), self.tr("Keeping the secrets"))

    async def _keep(self, secrets: list[PlainSecret], changed: ServerConfig) -> None:
        try:
            if self._step.kind == "keep_secret" and self._secrets is not None:
                await self._secrets.put(secrets[0].name, secrets[0].value, for_session=True)
            else:
                await self.keep.keep(secrets)
        except DesktopError as error:
            self.error.setText(spoken(str(error)))
            self.error.show()
        else:
            self._finish(changed)
        finally:
            self._is_keeping = False

    def _finish(self, changed: ServerConfig) -> None:
        super().accept()
        self.kept.emit(changed)

    def _with(self, text: str) -> ServerConfig:
        """The server with `text` where it refers to the variable, or else in its environment."""
        name, config = self._step.subject, self._config
        if name in references_in(config.model_dump_json()):
            return replace_variable(config, name, text)
        return config.changed(env={**config.env, name: text})

    def _meaning(self) -> str:
        if self._step.kind == "keep_secret":
            words = self.tr("“{server}” requires this secret. It is kept in the keyring.")
        else:
            words = self.tr("“{server}” requires this variable. Only this server receives it.")
        return words.format(server=self._config.name)
