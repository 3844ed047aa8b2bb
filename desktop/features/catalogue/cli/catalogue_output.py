"""What `catalogue` writes: entries, inputs, plans and updates, as words and as JSON.

Pure: must not ask a registry. Names and texts from there are a stranger's.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from desktop.base.visible_text import escape_hidden
from desktop.cli.output import plain
from desktop.config.imports.bundles import MAX_BUNDLE_BYTES
from desktop.config.imports.server_json import BUNDLE
from desktop.config.imports.warnings import finding_words
from desktop.features.catalogue.bundle import host_of_bundle
from desktop.features.catalogue.install import reason_not_installable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.config.imports.server_json import ServerInput, Way
    from desktop.features.catalogue.catalogue import Catalogue, Update
    from desktop.features.catalogue.entry import CatalogueEntry
    from desktop.features.catalogue.install import Installation


def cell(text: str) -> str:
    return plain(escape_hidden(text)).replace("\n", " ")


def kinds(entry: CatalogueEntry) -> str:
    return cell(", ".join(dict.fromkeys(way.kind or "?" for way in entry.ways)))


def input_words(asked: ServerInput) -> str:
    """`KEY (secret, required): description`, as a person is asked for it."""
    notes = ["secret"] if asked.is_secret else []
    notes += ["required"] if asked.is_required and asked.default is None else []
    notes += [f"several, divided by {os.pathsep}"] if asked.is_repeated else []
    notes += [f"one of {', '.join(asked.choices)}"] if asked.choices else []
    notes += [f"else {asked.default}"] if asked.default is not None else []
    notes += [f"such as {asked.placeholder}"] if asked.placeholder else []
    about = f" ({'; '.join(notes)})" if notes else ""
    return escape_hidden(
        f"{asked.key}{about}" + (f": {asked.description}" if asked.description else "")
    )


def entry_to_json(entry: CatalogueEntry, catalogue: Catalogue | None = None) -> dict[str, Any]:
    return {
        "name": entry.name,
        "version": entry.version,
        "title": entry.title or None,
        "description": entry.description,
        "publisher": entry.publisher,
        "status": entry.status,
        "statusMessage": entry.status_message or None,
        "statusChanged": entry.status_changed or None,
        "published": entry.published or None,
        "repository": entry.repository or None,
        "website": entry.website or None,
        "ways": [way_to_json(entry, way, catalogue) for way in entry.ways],
    }


def way_to_json(entry: CatalogueEntry, way: Way, catalogue: Catalogue | None) -> dict[str, Any]:
    reason = reason_not_installable(way)
    document: dict[str, Any] = {
        "kind": way.kind,
        "installable": not reason,
        "reason": reason or None,
    }
    if way.kind == BUNDLE:
        document["download"] = download_to_json(way)
    if catalogue is None:
        return document
    inputs = [input_to_json(asked) for asked in way.inputs]
    is_unknown = bool(reason) or way.is_packed or entry.status == "deleted"
    plan = None if is_unknown else plan_to_json(catalogue.plan(entry, way, {}))
    return {**document, "inputs": inputs, "uses": plan["uses"] if plan is not None else []}


def input_to_json(asked: ServerInput) -> dict[str, Any]:
    return {
        "key": asked.key,
        "description": asked.description,
        "required": asked.is_required,
        "secret": asked.is_secret,
        "repeated": asked.is_repeated,
        "default": asked.default,
        "choices": list(asked.choices),
        "format": asked.format,
    }


def plan_to_json(plan: Installation) -> dict[str, Any]:
    return {
        "name": plan.config.name,
        "entry": plan.entry.name,
        "version": plan.entry.version,
        "kind": plan.way.kind,
        "enabled": plan.config.enabled,
        "uses": [{"place": detail.place, "value": detail.value} for detail in plan.details],
        "warnings": [finding_words(warning) for warning in plan.warnings],
        "secrets": [secret.name for secret in plan.secrets],
    }


def update_to_json(update: Update) -> dict[str, Any]:
    return {
        "server": update.server,
        "installed": update.installed,
        "version": update.version or None,
        "offered": update.is_offered,
        "problem": update.problem or None,
        "differences": [
            {"place": change.place, "ours": change.ours, "theirs": change.theirs}
            for change in update.differences
        ],
        "wanted": [input_to_json(asked) for asked in update.wanted],
    }


def download_to_json(way: Way) -> dict[str, Any]:
    return {"address": way.identifier, "host": host_of_bundle(way), "sha256": way.sha256 or None}


def download_lines(way: Way) -> Iterator[str]:
    """What a download asks and is held to; no registry knows the size."""
    yield f"address: {plain(escape_hidden(way.identifier))}"
    yield f"host: {plain(escape_hidden(host_of_bundle(way)))}"
    yield f"size: known when it begins, at most {MAX_BUNDLE_BYTES // 1024 // 1024} MB"
    yield f"SHA-256: {plain(way.sha256)}"


def size_words(done: int, total: int) -> str:
    """`1.2 of 3.4 MB`."""
    so_far = f"{done / 1_000_000:.1f}"
    return f"{so_far} of {total / 1_000_000:.1f} MB" if total else f"{so_far} MB"
