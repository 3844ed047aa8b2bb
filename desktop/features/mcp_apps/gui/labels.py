"""The words of an app: its state, and those of our page around it. Decides nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop.base.visible_text import mark_hidden
from desktop.features.mcp_apps.loopback import PageLabels
from desktop.gui.widgets.styled_text import StyledText

if TYPE_CHECKING:
    from desktop.features.mcp_apps.views import AppView
    from desktop.values.tool_types import ToolDefinition

_MAX_TITLE = 200


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
