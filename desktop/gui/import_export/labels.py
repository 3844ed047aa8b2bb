"""Labels of an import: states of servers, sources and warnings. Pure; must not know widgets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop.gui.translations import counted
from desktop.gui.widgets.styled_text import StyledText

if TYPE_CHECKING:
    from desktop.config.imports.plan import ImportPlan, PlannedServer
    from desktop.config.imports.reader import DetectedClient
    from desktop.config.imports.warnings import ImportWarning

translate = QCoreApplication.translate


def state_words(one: PlannedServer) -> StyledText:
    """What would become of a server."""
    match one.status:
        case "new" if one.target != one.name:
            text = translate("ImportWords", "New, as “{name}”").format(name=one.target)
            return StyledText(text, "success")
        case "new":
            return StyledText(translate("ImportWords", "New"), "success")
        case "same" if one.ours != one.name:
            text = translate("ImportWords", "There already, as “{name}”").format(name=one.ours)
            return StyledText(text, "muted")
        case "same":
            return StyledText(translate("ImportWords", "There already"), "muted")
        case "different":
            text = translate("ImportWords", "Differs, added as “{name}”")
            return StyledText(text.format(name=one.target), "warning")
        case _:
            return StyledText(translate("ImportWords", "Cannot be used"), "danger")


def noted_state_words(one: PlannedServer) -> StyledText:
    """The same, with the number of things to look at first."""
    shown = state_words(one)
    count = sum(finding.is_warning for finding in one.findings)
    if not count or not one.can_be_imported:
        return shown
    single = translate("ImportWords", "1 warning")
    warnings = counted(count, single, translate("ImportWords", "{count} warnings"))
    return StyledText(f"{shown.text}  ·  {warnings}", shown.tone)


def source_words(found: DetectedClient, plan: ImportPlan | None) -> str:
    """What a source has, beneath its name."""
    if plan is None:
        return translate("ImportWords", "Cannot be read")
    new = sum(server.status == "new" for server in plan.servers)
    servers = count_words(found.count)
    if not new:
        return translate("ImportWords", "{servers}, none new").format(servers=servers)
    return translate("ImportWords", "{servers}, {new} new").format(servers=servers, new=new)


def count_words(count: int) -> str:
    one, many = translate("ImportWords", "1 server"), translate("ImportWords", "{count} servers")
    return counted(count, one, many)


def finding_words(finding: ImportWarning) -> str:
    """One sentence with what to do."""
    return _template(finding).format(
        place=finding.place, subject=finding.subject, detail=finding.detail
    )


def _template(finding: ImportWarning) -> str:
    match finding.kind:
        case "secret":
            return translate(
                "ImportWords",
                "{place} looks like a secret in plain text and is copied as it is. Safer: write "
                "${{VAR}} there and set VAR in your environment.",
            )
        case "unset":
            return translate("ImportWords", "{place} needs the variable {subject}: it is not set.")
        case "input":
            return translate(
                "ImportWords",
                "{place}: the other app asked for “{detail}”. Set the variable {subject} instead.",
            )
        case "missing":
            return translate("ImportWords", "{place}: there is no {subject} on this computer.")
        case "env_file":
            return translate(
                "ImportWords",
                "Variables from {subject} are not read. Put them into the server's environment.",
            )
        case "foreign":
            return translate(
                "ImportWords",
                "{place} has {subject}, which only the other app understands. Edit it afterwards.",
            )
        case _:
            return translate("ImportWords", "Not taken over: {subject}")
