"""Labels of the catalogue: what kind of package or address a server is, and who published it.

Pure; must not know widgets. Names from the registry are a stranger's text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop.base.visible_text import mark_hidden, mark_hidden_text
from desktop.config.imports.bundles import MAX_BUNDLE_BYTES
from desktop.config.imports.server_json import BUNDLE
from desktop.features.catalogue.bundle import file_name, host_of_bundle
from desktop.gui.translations import listed

if TYPE_CHECKING:
    from desktop.config.imports.server_json import Way
    from desktop.features.catalogue.catalogue import Update
    from desktop.features.catalogue.entry import CatalogueEntry

translate = QCoreApplication.translate
_SHORT = {
    "npm": "npm",
    "pypi": "PyPI",
    "oci": "Docker",
    "nuget": "NuGet",
    "mcpb": "MCPB",
    "cargo": "Cargo",
    "go": "Go",
}


def kinds_label(entry: CatalogueEntry) -> str:
    """What it is in two or three words: `npm, remote`."""
    words = dict.fromkeys(_short(way) for way in entry.ways)
    return listed(list(words)[:3])


def _short(way: Way) -> str:
    if way.is_remote:
        return translate("CatalogueWords", "remote")
    return _SHORT.get(way.kind) or mark_hidden(way.kind[:12]) or "?"


def way_label(way: Way) -> str:
    """One way to use a server, to be chosen among others."""
    if way.is_remote:
        return translate("CatalogueWords", "At an address ({kind})").format(
            kind=mark_hidden(way.kind[:30])
        )
    package = file_name(way) if way.kind == BUNDLE else way.package
    return translate("CatalogueWords", "On this computer, from {registry}: {package}").format(
        registry=_short(way), package=mark_hidden(package[:80])
    )


def download_label(way: Way) -> str:
    """From where a bundle would come, and what it is held to; no registry knows its size."""
    lines = (
        translate("CatalogueWords", "address: {address}").format(
            address=mark_hidden(way.identifier)
        ),
        translate("CatalogueWords", "host: {host}").format(host=mark_hidden(host_of_bundle(way))),
        translate("CatalogueWords", "size: known when it begins, at most {limit} MB").format(
            limit=MAX_BUNDLE_BYTES // 1024 // 1024
        ),
        f"SHA-256: {way.sha256}",
    )
    return "\n".join(lines)


def progress_label(done: int, total: int) -> str:
    """How far a download is."""
    so_far, whole = f"{done / 1_000_000:.1f}", f"{total / 1_000_000:.1f}"
    if not total:
        return translate("CatalogueWords", "{done} MB").format(done=so_far)
    return translate("CatalogueWords", "{done} of {total} MB").format(done=so_far, total=whole)


def origin_label(entry: CatalogueEntry) -> str:
    """Who published what, when."""
    words = translate("CatalogueWords", "Published by {publisher}, version {version}").format(
        publisher=mark_hidden(entry.publisher), version=mark_hidden(entry.version)
    )
    return f"{words} · {mark_hidden(entry.published)}" if entry.published else words


def status_label(entry: CatalogueEntry) -> str:
    """What its publisher or the registry says of it by now; empty where it is as it was."""
    if entry.status == "active":
        return ""
    words = (
        translate("CatalogueWords", "The registry has removed it.")
        if entry.status == "deleted"
        else translate("CatalogueWords", "Its publisher no longer maintains it.")
    )
    words = f"{words} ({mark_hidden(entry.status_changed)})" if entry.status_changed else words
    return f"{words}\n{mark_hidden_text(entry.status_message)}".strip()


def update_label(update: Update) -> str:
    """What changes for a server that is here."""
    if update.problem:
        return translate("CatalogueWords", "“{server}” ({version}):").format(
            server=mark_hidden(update.server), version=mark_hidden(update.installed)
        )
    return translate("CatalogueWords", "“{server}” is at {before}; {after} is available.").format(
        server=mark_hidden(update.server),
        before=mark_hidden(update.installed or "?"),
        after=mark_hidden(update.version),
    )


def face_key(entry: CatalogueEntry) -> str:
    """What its face is known by: no server here has that name, so it lends none its icon."""
    return f"{entry.label} {entry.name}"
