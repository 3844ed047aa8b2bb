"""Writes our servers as other clients do, without their secrets unless those are asked for.

A secret becomes a variable that whoever imports the file has to set. Configs in, the JSON of a file
out; must not write files.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from desktop.config.imports.translate import variable_name
from desktop.config.imports.warnings import findings_of
from desktop.paths import APP
from desktop.redaction.policy import is_secret_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.config.document import JsonObject
    from desktop.config.models import ServerConfig

Format: TypeAlias = Literal["mcpServers", "vscode", "windsurf", "gemini"]
FORMATS: tuple[Format, ...] = ("mcpServers", "vscode", "windsurf", "gemini")
_OPTION = re.compile(r"^(?P<name>--?[\w-]+=|[\w.-]+=)(?P<value>.+)$", re.DOTALL)
_QUERY = re.compile(r"(?P<name>[\w.-]+)=(?P<value>[^&#]*)")
_USER_INFO = re.compile(r"(?<=://)[^/@\s]+(?=@)")
_REFERENCE = re.compile(r"\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)\}")


@dataclass(frozen=True, slots=True)
class MaskedValue:
    """A secret that was left out: of which server, where, and the variable in its place."""

    server: str
    place: str
    variable: str


@dataclass(slots=True)
class Export:
    """The file's data, and what is not in it."""

    data: JsonObject = field(default_factory=dict[str, Any])
    replaced: list[MaskedValue] = field(default_factory=list[MaskedValue])


def export_servers(
    configs: Iterable[ServerConfig], form: Format = "mcpServers", *, with_secrets: bool = False
) -> Export:
    """All of `configs` as a file of that format has them."""
    export = Export()
    entries: JsonObject = {}
    for config in configs:
        shared = config if with_secrets else _without_secrets(config, export.replaced)
        entries[config.name] = _entry(shared, form)
    if form != "vscode":
        export.data = {"mcpServers": entries}
        return export
    asked = dict.fromkeys(masked.variable for masked in export.replaced)
    export.data = {"servers": _with_inputs(entries, asked)}
    if asked:
        export.data = {"inputs": [_input(name) for name in asked], **export.data}
    return export


def _entry(config: ServerConfig, form: Format) -> JsonObject:
    entry: JsonObject = {}
    if config.transport == "stdio":
        entry["command"] = APP if config.builtin else config.command
        entry["args"] = [*(["builtin", config.builtin] if config.builtin else ()), *config.args]
        if config.env:
            entry["env"] = dict(config.env)
        if config.cwd:
            entry["cwd"] = config.cwd
    else:
        entry[_url_key(config, form)] = config.url
        if config.headers:
            entry["headers"] = dict(config.headers)
    if form in {"mcpServers", "vscode"} and (config.transport != "stdio" or form == "vscode"):
        entry = {"type": config.transport, **entry}
    if form in {"mcpServers", "windsurf"} and not config.enabled:
        entry["disabled"] = True
    return entry


def _url_key(config: ServerConfig, form: Format) -> str:
    if form == "windsurf":
        return "serverUrl"
    return "httpUrl" if form == "gemini" and config.transport == "http" else "url"


def _without_secrets(config: ServerConfig, replaced: list[MaskedValue]) -> ServerConfig:
    """Every place where a secret was found holds a variable; one name, one value."""
    places = {warning.place for warning in findings_of(config, {}) if warning.kind == "secret"}

    def put(place: str, value: str, name: str) -> str:
        if place not in places:
            return value
        own = name if place.startswith("env.") else f"{config.name}_{name}"
        variable = variable_name(own)
        replaced.append(MaskedValue(config.name, place, variable))
        return _in_place(place, value, f"${{{variable}}}")

    return config.changed(
        args=tuple(
            put(f"args[{n}]", argument, _argument_name(config.args, n))
            for n, argument in enumerate(config.args)
        ),
        env={name: put(f"env.{name}", value, name) for name, value in config.env.items()},
        url=put("url", config.url, "secret"),
        headers={n: put(f"headers.{n}", value, n) for n, value in config.headers.items()},
    )


def _in_place(place: str, value: str, variable: str) -> str:
    """The value with its secret part replaced: the scheme of a header, the name of a query stay."""
    if place == "url":
        covered = _USER_INFO.sub(variable, value)
        return _QUERY.sub(
            lambda match: (
                f"{match['name']}={variable}" if is_secret_name(match["name"]) else match[0]
            ),
            covered,
        )
    if place.startswith("headers."):
        scheme, space, _ = value.partition(" ")
        return f"{scheme} {variable}" if space else variable
    if place.startswith("args") and (option := _OPTION.match(value)) is not None:
        return f"{option['name']}{variable}"
    return variable


def _argument_name(args: tuple[str, ...], index: int) -> str:
    """What an argument is called: by itself, or by the option before it."""
    name, assigned, _ = args[index].partition("=")
    if assigned:
        return name
    before = args[index - 1] if index else ""
    return before if before.startswith("-") else "secret"


def _with_inputs(entries: JsonObject, asked: Iterable[str]) -> JsonObject:
    """VS Code asks for what is missing, and keeps it; other variables it calls `${env:X}`."""
    names = set(asked)

    def refer(found: re.Match[str]) -> str:
        kind = "input" if found[1] in names else "env"
        return f"${{{kind}:{found[1]}}}"

    def write(value: Any) -> Any:
        if isinstance(value, str):
            return _REFERENCE.sub(refer, value)
        if isinstance(value, list):
            return [write(item) for item in value]  # pyright: ignore[reportUnknownVariableType] # JSON
        if isinstance(value, dict):
            return {key: write(member) for key, member in value.items()}  # pyright: ignore[reportUnknownVariableType] # JSON
        return value

    return write(entries)


def _input(name: str) -> JsonObject:
    return {"type": "promptString", "id": name, "description": name, "password": True}
