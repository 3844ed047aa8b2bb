"""Why a server failed: the first line that matters, its last words, and buttons for what helps.

A button offers another command, a variable, or how to install a product. A server is changed
through the store, which the core follows; nothing is installed here. All text of servers is plain
and bounded.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QWidget,
)

from desktop.base.errors import DesktopError
from desktop.config.plain_secrets import PlainSecret
from desktop.config.variables import references_in, replace_variable
from desktop.gui import bridge
from desktop.gui.layouts import STRETCH, TOP, InnerColumn, InnerRow, in_column, in_row
from desktop.gui.servers import labels
from desktop.gui.theme import space, style
from desktop.gui.translations import spoken
from desktop.gui.widgets.focus_guard import guard_focus
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import plain_label, selectable_label
from desktop.gui.widgets.secrets_box import SecretsBox
from desktop.gui.widgets.visibility import discard, scroll_inside
from desktop.servers.state import Problem

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from desktop.base.errors import NextStep
    from desktop.config.models import ServerConfig
    from desktop.config.secret_store import SecretStore
    from desktop.config.store import ConfigStore
    from desktop.gui.servers.interfaces import ServerEditing
    from desktop.gui.theme import Theme
    from desktop.servers.connection import ServerConnection
    from desktop.servers.service import McpService

_MAX_HEIGHT = space(40)
_MAX_SHOWN_LENGTH = 6000
_MAX_HEADLINE = 400


class NextStepsRow(QWidget):
    """A button for each step; the same steps keep their buttons, and with them the focus."""

    step_requested = Signal(object)
    """The `NextStep` whose button was pressed."""

    def __init__(self) -> None:
        super().__init__()
        self.buttons: dict[NextStep, QPushButton] = {}
        self._is_remote = False
        self._row = in_row(self, STRETCH, margins=(0, 1, 0, 1))

    def show_steps(self, steps: tuple[NextStep, ...], *, is_remote: bool) -> None:
        self._is_remote = is_remote
        if steps != tuple(self.buttons):
            for button in self.buttons.values():
                discard(button)
            self.buttons = {step: self._button(step) for step in steps}
        self.setVisible(bool(steps))
        self._set_texts()

    def _set_texts(self) -> None:
        for step, button in self.buttons.items():
            button.setText(self._label(step).replace("&", "&&"))

    def _button(self, step: NextStep) -> QPushButton:
        button = QPushButton(self)
        button.clicked.connect(lambda: self.step_requested.emit(step))
        guard_focus(button)
        self._row.insertWidget(self._row.count() - 1, button)
        button.show()
        return button

    def _label(self, step: NextStep) -> str:
        match step.kind:
            case "use_command":
                return self.tr("Use “{command}”").format(command=step.subject)
            case "take_apart":
                return self.tr("Split it into command and arguments")
            case "use_url":
                return self.tr("Connect to it as a URL")
            case "install":
                return self.tr("Install {product}…").format(product=step.subject)
            case "set_variable" | "keep_secret":
                return self.tr("Set {name}…").format(name=step.subject)
            case "edit" if self._is_remote:
                return self.tr("Edit address…")
            case "edit":
                return self.tr("Edit command…")


class ErrorView(QFrame):
    """A banner: headline, remedy, buttons, and below them what may be long, up to a height."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        style(self, "banner", "danger")
        self._sign = QLabel()
        set_icon(theme, self._sign, "error", "danger")
        self.headline, self.remedy, self.more = _label(), _label(), _label()
        style(self.headline, "heading")
        style(self.more, "mono", "small")
        self.steps = NextStepsRow()
        self._scroll = QScrollArea()
        self._lay_out()

    @property
    def text(self) -> str:
        """All that is said, from top to bottom."""
        labels = (self.headline, self.remedy, self.more)
        return "\n".join(label.text() for label in labels if label.text())

    def show_failure(self, connection: ServerConnection | None) -> None:
        """Show why it failed or is away; nothing where there is no connection or no error."""
        if connection is None or not connection.state.error:
            self.hide()
            return
        state = connection.state
        problem = state.problem or Problem(state.error)
        line, rest = labels.split_error(spoken(problem.headline))
        is_cut = len(line) > _MAX_HEADLINE
        more = "\n".join(part for part in (line if is_cut else "", rest, problem.output) if part)
        self._show(
            f"{line[:_MAX_HEADLINE]}…" if is_cut else line,
            self._sign_in() if state.challenge is not None else spoken(problem.remedy),
            more if len(more) <= _MAX_SHOWN_LENGTH else f"{more[:_MAX_SHOWN_LENGTH]}…",
        )
        is_editable = connection.config.source == "file"
        steps = tuple(step for step in problem.steps if is_editable or step.kind in _ANYWHERE)
        self.steps.show_steps(steps, is_remote=connection.is_remote)
        self.show()

    def _sign_in(self) -> str:
        """The buttons are below; a person at a terminal is told its command."""
        return self.tr("Sign in below, or add a token to its headers.")

    def _show(self, headline: str, remedy: str, more: str) -> None:
        if (headline, remedy, more) == (
            self.headline.text(),
            self.remedy.text(),
            self.more.text(),
        ):
            return
        for label, text in ((self.headline, headline), (self.remedy, remedy), (self.more, more)):
            label.setText(text)
            label.setAccessibleName(text)
            label.setVisible(bool(text))
        self._scroll.setVisible(bool(more))
        self._scroll.verticalScrollBar().setValue(0)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room = self.width() - self._sign.sizeHint().width() - 3 * space(3)
        needed = max(self.more.heightForWidth(max(room, space(10))), space(4))
        self._scroll.setFixedHeight(min(needed, _MAX_HEIGHT))

    def _lay_out(self) -> None:
        inner = QFrame()
        style(inner)
        in_column(inner, self.more)
        scroll_inside(self._scroll, inner)
        words = InnerColumn(self.headline, self.remedy, self.steps, self._scroll, spacing=1)
        in_row(self, (self._sign, TOP), (words, 1), margins=3, spacing=3)


_ANYWHERE = ("install", "keep_secret")
"""Steps that do not change the server's entry in the file."""


def _label() -> QLabel:
    label = selectable_label("")
    label.setAlignment(Qt.AlignmentFlag.AlignTop)
    return label


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
    # With the first such error: no start needs to know all that can be pasted.
    from desktop.config.imports.pasted import entry_of_line

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
        self.setFixedWidth(max(_WIDTH, column.minimumSize().width()))

    def _line(self, theme: Theme, command: str) -> InnerRow:
        shown, copy = QLineEdit(command), QPushButton(self.tr("Copy"))
        shown.setReadOnly(True)
        shown.setCursorPosition(0)  # it begins where it is read from
        shown.setAccessibleName(command)
        style(shown, "mono")
        shown.ensurePolished()  # the font of the role counts
        shown.setMinimumWidth(shown.fontMetrics().horizontalAdvance(command) + space(6))
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
        heading, words = plain_label(title, "heading"), plain_label(self._meaning(), "muted")
        self.value, self.error = QLineEdit(), plain_label("", "danger")
        self.value.setEchoMode(QLineEdit.EchoMode.Password)
        self.value.setAccessibleName(step.subject)
        self.keep = SecretsBox(secrets)
        is_known = step.kind == "keep_secret"
        name = step.subject if is_known else f"{config.name}.{step.subject}".replace(" ", "_")
        self.keep.show_secrets([PlainSecret(f"env.{step.subject}", name, "")])
        self.keep.setEnabled(not is_known)  # else it is no choice, but says where
        self._name = name
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
            words = self.tr("“{server}” requires this secret.")
        else:
            words = self.tr("“{server}” requires this variable. Only this server receives it.")
        return words.format(server=self._config.name)
