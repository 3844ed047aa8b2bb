"""The dialogs about other apps with something in them, for the tests that walk every dialog."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.config.imports.clients import APPS, ClientLocations
from desktop.features.gateway.entries.client_files import ClientFiles
from desktop.features.gateway.entries.forms import GatewayCommand
from desktop.features.gateway.gui.call_questions import CallQuestion
from desktop.features.gateway.gui.clients_section import AccessChoice, ChangeDialog
from desktop.tools.approvals import ApprovalQuestion
from tests.tools.definitions import tool

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from desktop.core import Core
    from desktop.gui.theme import Theme


def _connect_dialog(parent: QWidget, theme: Theme, core: Core) -> ChangeDialog:
    home = core.paths.data / "home"
    files = ClientFiles(ClientLocations(home, {}, "linux"), GatewayCommand(("/opt/app",)))
    app = APPS[2]
    choice = AccessChoice(lambda: "t" * 40)
    dialog = ChangeDialog(
        parent, theme, "Connect Cursor", "mcp.json", lambda _: files.connect(app), choice
    )
    dialog.act.setEnabled(True)  # as when the change is shown
    return dialog


def _call_question(parent: QWidget, theme: Theme, core: Core) -> CallQuestion:
    question = ApprovalQuestion("1", tool("write"), {"path": "x"})
    dialog = CallQuestion(parent, theme, "cursor", question)
    dialog.panel.arm()
    return dialog


DIALOGS = {"connect an app": _connect_dialog, "call of an app": _call_question}
