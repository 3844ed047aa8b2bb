"""The JSON documents of `catalogue`: entries of the registry, installations and updates.

They are a contract with other programs. Asks nothing of the registry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop.catalogue.install import reason_not_installable
from desktop.config.imports.warnings import finding_words

if TYPE_CHECKING:
    from desktop.catalogue.catalogue import Catalogue, Update
    from desktop.catalogue.entry import CatalogueEntry
    from desktop.catalogue.install import Installation
    from desktop.config.imports.server_json import ServerInput, Way


def entry_to_json(entry: CatalogueEntry, catalogue: Catalogue | None = None) -> dict[str, Any]:
    return {
        "name": entry.name,
        "version": entry.version,
        "title": entry.title or None,
        "description": entry.description,
        "publisher": entry.publisher,
        "status": entry.status,
        "statusMessage": entry.status_message or None,
        "published": entry.published or None,
        "repository": entry.repository or None,
        "website": entry.website or None,
        "ways": [_way_to_json(entry, way, catalogue) for way in entry.ways],
    }


def _way_to_json(entry: CatalogueEntry, way: Way, catalogue: Catalogue | None) -> dict[str, Any]:
    reason = reason_not_installable(way)
    document: dict[str, Any] = {
        "kind": way.kind,
        "installable": not reason,
        "reason": reason or None,
    }
    if catalogue is None:
        return document
    inputs = [_input_to_json(asked) for asked in way.inputs]
    plan = None if reason else plan_to_json(catalogue.plan(entry, way, {}))
    return {**document, "inputs": inputs, "uses": plan["uses"] if plan is not None else []}


def _input_to_json(asked: ServerInput) -> dict[str, Any]:
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
        "wanted": [_input_to_json(asked) for asked in update.wanted],
    }
