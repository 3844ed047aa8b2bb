"""One entry of another client in the words of our own file.

Knows keys and units, no files. What is wrong with a value is left to `desktop.config.reading`.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, cast

from desktop.config.dialects import SPELLINGS
from desktop.config.document import as_object
from desktop.config.imports.findings import ImportWarning
from desktop.errors import ConfigError
from desktop.translatable import translatable

if TYPE_CHECKING:
    from desktop.config.document import JsonObject
    from desktop.config.imports.apps import App

_RENAMED = {
    "cmd": "command",
    "envs": "env",
    "environment": "env",
    "uri": "url",
    "httpUrl": "url",
    "excludeTools": "disabledTools",
    "disabled_tools": "disabledTools",
    "startup_timeout_sec": "connectTimeout",
    "tool_timeout_sec": "timeout",
    "connectionTimeout": "connectTimeout",
    "initTimeout": "connectTimeout",
    "requestTimeout": "timeout",
    "working_directory": "cwd",
    "http_headers": "headers",
}
_TYPES = {"local": "stdio", "remote": None, "custom": None}
_BUILT_IN = frozenset({"builtin", "platform", "frontend", "inline_python"})
_ALWAYS_MS = frozenset({"connectionTimeout", "requestTimeout", "initTimeout"})
_OF_NO_CONSEQUENCE = frozenset(
    {
        *("enabled", "disabled", "description", "name", "display_name", "title", "id", "version"),
        *("bundled", "source", "gallery", "$schema", "icon", "iconPath", "metadata"),
    }
)
_KNOWN = frozenset(spelling for spellings in SPELLINGS.values() for spelling in spellings)
_LONGEST = 3600
_LONGEST_START = 600


def to_ours(entry: JsonObject, app: App | None) -> tuple[JsonObject, list[ImportWarning]]:
    """The entry with our keys, and what of it is told or left out.

    Raises:
        ConfigError: there is nothing in it that another host could start or reach.
    """
    fields = _renamed(entry)
    _take_apart(fields)
    _set_type(fields, entry, app)
    _set_times(fields, entry, app)
    _ask_for_keys(fields)
    findings: list[ImportWarning] = []
    if isinstance(file := fields.pop("envFile", None), str) and file:
        findings.append(ImportWarning("env_file", "envFile", file))
    left = [key for key in fields if key not in _KNOWN and key not in _OF_NO_CONSEQUENCE]
    if left:
        findings.append(ImportWarning("left_out", "", ", ".join(sorted(left)[:20])[:300]))
    kept = {key: value for key, value in fields.items() if key in _KNOWN}
    return kept | _switch(entry), findings


def _renamed(entry: JsonObject) -> JsonObject:
    fields: JsonObject = {}
    for key, value in entry.items():
        ours = _RENAMED.get(key, key)
        if ours == key or ours not in entry:
            fields[ours] = value
    return fields


def _switch(entry: JsonObject) -> JsonObject:
    return {key: entry[key] for key in ("enabled", "disabled") if key in entry}


def _take_apart(fields: JsonObject) -> None:
    """A command with its arguments in one list (OpenCode) or one object (older Zed)."""
    command: object = fields.get("command")
    if (parts := as_object(command)) is not None:
        fields["command"] = parts.get("path", "")
        fields |= {key: parts[key] for key in ("args", "env") if parts.get(key) is not None}
    elif isinstance(command, list) and command:
        first, *others = cast("list[object]", command)
        more: object = fields.get("args")
        fields["command"] = first
        fields["args"] = [*others, *(cast("list[object]", more) if isinstance(more, list) else [])]


def _set_type(fields: JsonObject, entry: JsonObject, app: App | None) -> None:
    written: object = fields.get("type")
    if isinstance(written, str) and written in _BUILT_IN:
        raise ConfigError(
            translatable(
                'It is part of the other app ("type": "{written}") and cannot run outside',
                written=written,
            )
        )
    if isinstance(written, str) and written in _TYPES:
        fields.pop("type")
        if _TYPES[written] is not None:
            fields["type"] = _TYPES[written]
    if "type" in fields or fields.get("command"):
        return
    if "httpUrl" in entry:
        fields["type"] = "http"
    elif app is not None and app.url_is_sse and "url" in entry:
        fields["type"] = "sse"


def _set_times(fields: JsonObject, entry: JsonObject, app: App | None) -> None:
    """Seconds within our limits; a number too large to be seconds is in milliseconds."""
    in_milliseconds = app is not None and app.in_milliseconds
    for key, most in (("timeout", _LONGEST), ("connectTimeout", _LONGEST_START)):
        value: object = fields.get(key)
        if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
            continue
        is_ms = in_milliseconds or value > _LONGEST or any(one in entry for one in _ALWAYS_MS)
        seconds = float(value) / 1000 if is_ms else float(value)
        fields[key] = min(max(seconds, 1.0), float(most))


def _ask_for_keys(fields: JsonObject) -> None:
    """Names of variables whose values the other client keeps elsewhere (goose, Codex)."""
    names: list[object] = []
    for key in ("env_keys", "env_vars"):
        if isinstance(found := fields.pop(key, None), list):
            names += cast("list[object]", found)
    env = as_object(fields.get("env")) or {}
    asked = {name: f"${{{name}}}" for name in names if isinstance(name, str) and name not in env}
    if asked:
        fields["env"] = {**env, **asked}
    if isinstance(token := fields.pop("bearer_token_env_var", None), str):
        headers = as_object(fields.get("headers")) or {}
        fields["headers"] = {"Authorization": f"Bearer ${{{token}}}", **headers}
