"""Labels of an import: states of servers, sources and warnings. Pure; must not know widgets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop.base.visible_text import escape_hidden
from desktop.gui.translations import counted
from desktop.gui.widgets.styled_text import StyledText

if TYPE_CHECKING:
    from desktop.config.imports.plan import ImportPlan, PlannedServer
    from desktop.config.imports.reader import DetectedClient
    from desktop.config.imports.warnings import ImportWarning

translate = QCoreApplication.translate


def state_label(server: PlannedServer) -> StyledText:
    """What would become of a server."""
    match server.status:
        case "new" if server.target != server.name:
            text = translate("ImportWords", "New, as “{name}”").format(name=server.target)
            return StyledText(text, "success")
        case "new":
            return StyledText(translate("ImportWords", "New"), "success")
        case "same" if server.ours != server.name:
            text = translate("ImportWords", "Already added as “{name}”").format(name=server.ours)
            return StyledText(text, "muted")
        case "same":
            return StyledText(translate("ImportWords", "Already added"), "muted")
        case "different":
            text = translate("ImportWords", "Differs, added as “{name}”")
            return StyledText(text.format(name=server.target), "warning")
        case _:
            return StyledText(translate("ImportWords", "Cannot be used"), "danger")


def noted_state_label(server: PlannedServer) -> StyledText:
    """The same, with the number of things to look at first; never green where it may do harm."""
    shown = state_label(server)
    count = sum(finding.is_warning for finding in server.findings)
    if not count or not server.can_be_imported:
        return shown
    single = translate("ImportWords", "1 warning")
    warnings = counted(count, single, translate("ImportWords", "{count} warnings"))
    is_danger = any(finding.is_danger for finding in server.findings)
    return StyledText(f"{shown.text}  ·  {warnings}", "warning" if is_danger else shown.tone)


def source_label(found: DetectedClient, plan: ImportPlan | None) -> str:
    """How many servers a source has, and how many are new."""
    if plan is None:
        return translate("ImportWords", "Cannot be read")
    new = sum(server.status == "new" for server in plan.servers)
    servers = server_count_label(found.count)
    if not new:
        return translate("ImportWords", "{servers}, none new").format(servers=servers)
    return translate("ImportWords", "{servers}, {new} new").format(servers=servers, new=new)


def server_count_label(count: int) -> str:
    one, many = translate("ImportWords", "1 server"), translate("ImportWords", "{count} servers")
    return counted(count, one, many)


def warning_label(finding: ImportWarning) -> str:
    """One sentence with what to do."""
    template = (
        _danger_template(finding)
        if finding.is_danger or finding.kind == "host"
        else _warning_template(finding)
    )
    return template.format(
        place=escape_hidden(finding.place),
        subject=escape_hidden(finding.subject),
        detail=escape_hidden(finding.detail),
    )


def _danger_template(finding: ImportWarning) -> str:
    match finding.kind:
        case "stranger":
            return translate(
                "ImportWords",
                "Someone else wrote this. Read the whole command, every variable and every "
                "address above before you import it.",
            )
        case "shell":
            return translate(
                "ImportWords",
                "{place} runs {subject} with inline code: read all of it.",
            )
        case "download":
            return translate("ImportWords", "{place} may run what it downloads: {subject}")
        case "code":
            return translate(
                "ImportWords",
                "{place}: {subject} controls which code is loaded or which program is found.",
            )
        case "packages":
            return translate("ImportWords", "{place}: {subject} controls where packages come from.")
        case "network":
            return translate(
                "ImportWords",
                "{place}: {subject} controls where connections go or which are trusted.",
            )
        case "gives":
            return translate(
                "ImportWords", "{place} passes your variable {subject} to this program."
            )
        case "container_open" | "container_host" | "container_files" | "container_rights":
            return _container_template(finding)
        case _:
            return _address_template(finding)


def _container_template(finding: ImportWarning) -> str:
    match finding.kind:
        case "container_open":
            return translate(
                "ImportWords",
                "{place}: {subject} lets the container take over this computer. Nothing keeps it "
                "apart any more.",
            )
        case "container_host":
            return translate(
                "ImportWords",
                "{place}: {subject} lets the container share the network or processes of this "
                "computer, and reach what only this computer can reach.",
            )
        case "container_files":
            return translate(
                "ImportWords", "{place}: {subject} gives the container files of this computer."
            )
        case _:
            return translate(
                "ImportWords",
                "{place}: {subject} gives the container permissions or devices that containers do "
                "not have by themselves.",
            )


def _address_template(finding: ImportWarning) -> str:
    match finding.kind:
        case "sends":
            return translate("ImportWords", "{place} sends your variable {subject} to {detail}.")
        case "file":
            return translate("ImportWords", "{place} sends your file {subject} to {detail}.")
        case "other_code":
            return translate(
                "ImportWords", "{place}: {subject} may run other code than the package named here."
            )
        case "conversations":
            return translate(
                "ImportWords",
                "{subject} is sent your conversations, and the key that you keep for it.",
            )
        case "lookalike":
            return translate(
                "ImportWords",
                "{place} imitates another address: it leads to {subject} ({detail}).",
            )
        case "number":
            return translate(
                "ImportWords",
                "{place}: {subject} is not a registered domain, so its owner is unknown.",
            )
        case "plaintext":
            return translate(
                "ImportWords",
                "{place} is not encrypted: anyone between you and {subject} can read and "
                "change it.",
            )
        case _:
            return translate("ImportWords", "{place}: {subject} belongs to {detail}.")


def _warning_template(finding: ImportWarning) -> str:
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
                "{place}: the other app asked for “{detail}”. Fill it in below, or set the "
                "variable {subject}.",
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
            return translate("ImportWords", "Not imported: {subject}")
