"""Writes our servers as other clients do, without their secrets unless those are asked for.

A secret becomes a variable that whoever imports the file has to set. Configs in, the JSON of a file
out; must not write files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from msgspec import Struct, field

from desktop.base.later_patterns import compile_later
from desktop.base.paths import APP
from desktop.config.imports.translate import variable_name
from desktop.config.plain_secrets import replace_secrets

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable

    from desktop.config.document import JsonObject
    from desktop.config.models import ServerConfig

Format: TypeAlias = Literal["mcpServers", "vscode", "windsurf", "gemini"]
FORMATS: tuple[Format, ...] = ("mcpServers", "vscode", "windsurf", "gemini")
_KEPT = compile_later(r"\$\{keyring:([A-Za-z_][A-Za-z0-9_.-]*)\}")
_REFERENCE = compile_later(r"\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)\}")


class MaskedValue(Struct, frozen=True):
    """A secret that was left out: of which server, where, and the variable in its place."""

    server: str
    place: str
    variable: str


class Export(Struct):
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
        if config.oauth:
            entry["oauth"] = dict(config.oauth)
        if config.tls:
            entry["tls"] = dict(config.tls)
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

    def refer(place: str, name: str, _: str) -> str:
        variable = variable_name(name if place.startswith("env.") else f"{config.name}_{name}")
        if (masked := MaskedValue(config.name, place, variable)) not in replaced:
            replaced.append(masked)
        return f"${{{variable}}}"

    return _without_keyring(replace_secrets(config, refer), replaced)


def _without_keyring(config: ServerConfig, replaced: list[MaskedValue]) -> ServerConfig:
    """No other client knows the keyring of this one."""

    def put(place: str, text: str) -> str:
        def refer(found: re.Match[str]) -> str:
            variable = variable_name(found[1])
            replaced.append(MaskedValue(config.name, place, variable))
            return f"${{{variable}}}"

        return _KEPT.sub(refer, text)

    return config.changed(
        args=tuple(put(f"args[{n}]", argument) for n, argument in enumerate(config.args)),
        env={name: put(f"env.{name}", value) for name, value in config.env.items()},
        url=put("url", config.url),
        headers={name: put(f"headers.{name}", value) for name, value in config.headers.items()},
    )


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
