"""Translates one entry of another client into the words of our own file.

Names a server that has none, or one that cannot be used here. Resolves what clients fill in at a
start: `${userHome}` and its like become what they mean, and `${input:x}` or `${user_config.x}`,
which another client asks a person for, become the environment variable `${X}`; the rest is left for
`warnings` to report. Must not touch the disk. What is wrong with a value is the parser's to say.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any, cast

from desktop.base.errors import ConfigError
from desktop.base.translatable import translatable
from desktop.config.document import as_object, scalar_text
from desktop.config.imports.inputs import ImportInput
from desktop.config.imports.warnings import ImportWarning
from desktop.config.models import MAX_NAME_LENGTH, check_name
from desktop.config.parser import SPELLINGS
from desktop.values.json_schema import list_of

if TYPE_CHECKING:
    from collections.abc import Container
    from pathlib import Path

    from desktop.config.document import JsonObject
    from desktop.config.imports.clients import App

_NOISE = re.compile(r"^(mcp[-_]server[-_]|server[-_]|mcp[-_])|([-_]mcp([-_]server)?|[-_]server)$")
_SUFFIX = re.compile(r"\.(py|js|ts|exe)$")


def suggest_name(entry: JsonObject) -> str:
    """A name from the package or the address, for a server that came without one."""
    written = entry.get("args")
    args = cast("list[object]", written) if isinstance(written, list) else []
    words = [str(arg) for arg in args]
    named = next((word for word in words if not word.startswith("-")), "")
    source = named or str(entry.get("command") or entry.get("url") or "")
    if "://" in source:
        source = source.split("://", 1)[1].split("/")[0].split(":")[0]
    last = re.split(r"[/\\]", source)[-1].split("@")[0].split("=")[0]
    return _NOISE.sub("", _SUFFIX.sub("", last)).strip(".:") or "server"


def usable_name(name: str) -> str:
    """`name` where it can be used, else the nearest that can."""
    try:
        return check_name(name)
    except ValueError:
        pass
    kept = "".join(
        letter if letter.isprintable() and letter != ":" else "-" for letter in name[:200]
    )
    trimmed = re.sub(r"-{2,}", "-", kept)[:MAX_NAME_LENGTH].strip(" -")
    try:
        return check_name(trimmed)
    except ValueError:
        return "server"


def free_name(name: str, taken: Container[str], origin: str = "") -> str:
    """`name`, or where it is taken `name-origin`, `name-2` ..., within the limit."""
    if name not in taken:
        return name
    tails = [f"-{origin}"] if origin else []
    number = 1
    while True:
        for tail in tails:
            found = f"{name[: MAX_NAME_LENGTH - len(tail)]}{tail}"
            if found not in taken:
                return found
        number += 1
        tails = [f"-{origin}-{number}" if origin else f"-{number}"]


_ASKED = re.compile(r"\$\{(?:input:|user_config\.)([^}]{1,100})\}")
_KNOWN_VARIABLES = re.compile(
    r"\$\{(userHome|workspaceFolder|workspaceFolderBasename|pathSeparator|/|__dirname)\}"
)
_BARE = re.compile(r"(?<![$\w])\$([A-Za-z_][A-Za-z0-9_]{0,100})")
_VALUES = ("command", "args", "env", "cwd", "url", "headers", "oauth", "envFile")
_MAX_CHOICES = 100
_PROJECT_FOLDERS = frozenset({".vscode", ".cursor", ".roo", ".gemini", ".zed"})


@dataclass(slots=True)
class Variables:
    """What the file at `file` means by its variables; remembers what a person has to be told."""

    file: Path | None
    home: Path
    inputs: JsonObject = field(default_factory=dict[str, Any])
    """What is asked for, by id: objects with `description`/`title`, `default`."""
    app: App | None = None
    findings: list[ImportWarning] = field(default_factory=list[ImportWarning])
    asked: list[ImportInput] = field(default_factory=list["ImportInput"])
    """The questions that the entry refers to, each once."""

    def fill(self, entry: JsonObject) -> JsonObject:
        """A copy of `entry` with the variables of the other client replaced.

        A relative `cwd` is made absolute: it is meant from the project, or from where the file is.
        """
        filled = {
            key: self._value(key, value) if key in _VALUES else value
            for key, value in entry.items()
        }
        cwd: object = filled.get("cwd")
        base = self._project or (self.file.parent if self.file is not None else None)
        if isinstance(cwd, str) and cwd.startswith(".") and base is not None:
            filled["cwd"] = os.path.normpath(base / cwd)
        return filled

    def _value(self, place: str, value: object) -> object:
        if isinstance(value, str):
            return self._text(place, value)
        if isinstance(value, list):
            items = enumerate(cast("list[object]", value))
            parts = [self._parts(f"{place}[{index}]", item) for index, item in items]
            return [item for part in parts for item in part]
        if (texts := as_object(value)) is not None:
            return {
                name: self._text(f"{place}.{name}", text) if isinstance(text, str) else text
                for name, text in texts.items()
            }
        return value

    def _parts(self, place: str, item: object) -> list[object]:
        """An argument; one that stands for a list of folders becomes that many."""
        if not isinstance(item, str):
            return [item]
        if (whole := _ASKED.fullmatch(item)) is not None:
            default: object = (as_object(self.inputs.get(whole[1])) or {}).get("default")
            if isinstance(default, list):
                items = cast("list[object]", default)
                return [
                    self._text(place, item) if isinstance(item, str) else item for item in items
                ]
        return [self._text(place, item)]

    def _text(self, place: str, text: str) -> str:
        if self.app is not None and self.app.bare_variables:
            text = _BARE.sub(r"${\1}", text)
        known = _KNOWN_VARIABLES.sub(self._known, text)
        return _ASKED.sub(lambda found: self._ask(place, found[1]), known)

    def _known(self, found: re.Match[str]) -> str:
        project = self._project
        values = {
            "userHome": str(self.home),
            "pathSeparator": os.sep,
            "/": os.sep,
            "workspaceFolder": str(project) if project is not None else None,
            "workspaceFolderBasename": project.name if project is not None else None,
            "__dirname": str(self.file.parent) if self.file is not None else None,
        }
        return values[found[1]] or found[0]

    @property
    def _project(self) -> Path | None:
        """The folder whose settings folder the file is in."""
        if self.file is None or self.file.parent.name not in _PROJECT_FOLDERS:
            return None
        project = self.file.parent.parent
        return project if project != self.home else None

    def _ask(self, place: str, name: str) -> str:
        asked = as_object(self.inputs.get(name)) or {}
        default = scalar_text(asked.get("default"))
        is_secret = asked.get("password") is True or asked.get("sensitive") is True
        variable = variable_name(name)
        words = asked.get("description") or asked.get("title") or name
        has_default = default and not is_secret and not set(default) & set("${}")
        reference = f"${{{variable}:-{default}}}" if has_default else f"${{{variable}}}"
        choices = tuple(map(str, list_of(asked.get("options"))))[:_MAX_CHOICES]
        question = ImportInput(
            name,
            reference,
            variable,
            str(words)[:200],
            is_secret,
            str(default) if has_default else "",
            choices,
        )
        if question not in self.asked:
            self.asked.append(question)
        if has_default:
            return reference
        self.findings.append(ImportWarning("input", place, variable, str(words)[:200]))
        return reference


def variable_name(text: str) -> str:
    """`text` as environment variables are called: `api-key` is `API_KEY`."""
    name = re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_").upper()[:64] or "VALUE"
    return f"_{name}" if name[0].isdigit() else name


_RENAMED = {
    "cmd": "command",
    "envs": "env",
    "environment": "env",
    "uri": "url",
    "httpUrl": "url",
    "excludeTools": "disabledTools",
    "disabled_tools": "disabledTools",
    "includeTools": "enabledTools",
    "enabled_tools": "enabledTools",
    "available_tools": "enabledTools",
    "startup_timeout_sec": "connectTimeout",
    "startup_timeout_ms": "connectTimeout",
    "tool_timeout_sec": "timeout",
    "connectionTimeout": "connectTimeout",
    "initTimeout": "connectTimeout",
    "requestTimeout": "timeout",
    "working_directory": "cwd",
    "http_headers": "headers",
}
_TYPES = {"local": "stdio", "remote": None, "custom": None}
_BUILT_IN = frozenset({"builtin", "platform", "frontend", "inline_python", "extension"})
_ALWAYS_MS = frozenset({"connectionTimeout", "requestTimeout", "initTimeout", "startup_timeout_ms"})
_OF_NO_CONSEQUENCE = frozenset(
    {
        *("enabled", "disabled", "description", "name", "display_name", "title", "id", "version"),
        *("bundled", "source", "gallery", "$schema", "icon", "iconPath", "metadata"),
    }
)
# No file that came from elsewhere says which folders a server is told of: the person does.
_KNOWN = frozenset(spelling for spellings in SPELLINGS.values() for spelling in spellings) - {
    "roots"
}
_MAX_TIMEOUT = 3600
_MAX_CONNECT_TIMEOUT = 600


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
                'It is part of the other app ("type": "{written}") and cannot run outside it',
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
    for key, most in (("timeout", _MAX_TIMEOUT), ("connectTimeout", _MAX_CONNECT_TIMEOUT)):
        value: object = fields.get(key)
        if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
            continue
        is_ms = in_milliseconds or value > _MAX_TIMEOUT or any(key in entry for key in _ALWAYS_MS)
        bounded = float(min(value, most * 1000))  # no float holds what JSON may write
        fields[key] = min(max(1.0, bounded / 1000 if is_ms else bounded), float(most))


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
    if (named := as_object(fields.pop("env_http_headers", None))) is not None:
        headers = {name: f"${{{value}}}" for name, value in named.items() if isinstance(value, str)}
        fields["headers"] = {**headers, **(as_object(fields.get("headers")) or {})}
