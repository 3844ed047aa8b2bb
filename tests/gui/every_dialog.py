"""Every page, dialog and panel of the window with something in it, for tests that walk them all.

Those of a feature are in `gui/dialogs.py` of its tests.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.config.imports.clients import ClientLocations
from desktop.config.imports.plan import make_plans
from desktop.config.imports.reader import look_at
from desktop.config.models import AppSettings, ServerConfig
from desktop.config.trust import UntrustedLaunch
from desktop.features.window import rail_pages
from desktop.gui.import_export.export_dialog import ConfigExportDialog
from desktop.gui.import_export.import_dialog import ImportDialog
from desktop.gui.processes.page import EndDialog
from desktop.gui.requests.form_view import FormView
from desktop.gui.requests.panel import RequestsPanel
from desktop.gui.requests.url_view import UrlView
from desktop.gui.servers.server_dialog import RemoveDialog, ServerDialog
from desktop.gui.servers.trust_view import TrustDialog
from desktop.gui.shutdown import ClosingView
from desktop.gui.widgets.approval_panel import ApprovalPanel
from desktop.gui.widgets.question_dialog import QuestionDialog
from desktop.redaction.redactor import Redaction
from desktop.servers.requests import ElicitationRequest, PendingRequest, UrlElicitationRequest
from desktop.tools.approvals import ApprovalQuestion
from tests.gui.requests.asked import form, visit
from tests.tools.definitions import tool

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from desktop.core import Core
    from desktop.gui.requests.request_view import RequestView
    from desktop.gui.theme import Theme
    from desktop.servers.requests import Request


PAGES = [
    *("servers", "tools", "resources", "prompts", "activity", "processes", "settings"),
    *(page.id for page in rail_pages()),
]


def _approval_panel(parent: QWidget, theme: Theme, core: Core) -> ApprovalPanel:
    panel = ApprovalPanel(theme, ApprovalQuestion("1", tool("write"), {"path": "x"}))
    panel.setParent(parent)
    panel.arm()
    return panel


def _server_dialog(parent: QWidget, theme: Theme, core: Core) -> ServerDialog:
    dialog = ServerDialog(parent, theme, core.store, "mine")
    dialog.form.name.setText("another")
    dialog.open()
    dialog.reject()  # asks whether to discard that
    return dialog


def _trust_dialog(parent: QWidget, theme: Theme, core: Core) -> TrustDialog:
    untrusted = UntrustedLaunch(ServerConfig(name="mine", command="x"))
    return TrustDialog(parent, theme, [(untrusted, untrusted.differences(Redaction()))])


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

    def make(pending: PendingRequest) -> RequestView:
        asked = pending.request
        if isinstance(asked, ElicitationRequest):
            return FormView(theme, asked, lambda _: [])
        assert isinstance(asked, UrlElicitationRequest)
        return UrlView(theme, asked, lambda _: True)

    panel = RequestsPanel(theme, parent, make)
    for number in ("1", "2"):
        panel.add(PendingRequest(number, "mine", request))
    assert panel.view is not None
    panel.view.answers.arm()
    return panel


DIALOGS: dict[str, Callable[[QWidget, Theme, Core], QWidget]] = {
    "question": lambda parent, theme, core: QuestionDialog(parent, "Sure?", "All goes.", "Delete"),
    "remove server": lambda parent, theme, core: RemoveDialog(parent, "mine"),
    "trust server": _trust_dialog,
    "end process": lambda parent, theme, core: EndDialog(parent, "End it?", "It is gone."),
    "edit server": _server_dialog,
    "export": lambda parent, theme, core: ConfigExportDialog(parent, theme, core.store),
    "import": _import_dialog,
    "closing": _closing_view,
    "approval of a call": _approval_panel,
    "form of a server": lambda parent, theme, core: _panel(parent, theme, form()),
    "address of a server": lambda parent, theme, core: _panel(
        parent, theme, visit("https://a.example/", blocks_call=True)
    ),
}
FEATURES = Path(__file__).parents[1] / "features"
for _file in sorted(FEATURES.glob("*/gui/dialogs.py")):
    DIALOGS.update(import_module(f"tests.features.{_file.parts[-3]}.gui.dialogs").DIALOGS)
