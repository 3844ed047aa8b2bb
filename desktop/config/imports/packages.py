"""Turns descriptions of one server into entries of ours: `server.json`, install links, bundles.

`server.json` is the registry's (schema 2025-12-11, and the snake_case before it). Of install links
ours is `mcp-desktop://import?name=NAME&config=BASE64`; those of Cursor, LM Studio and VS Code are
read as well. `manifest.json` is that of an MCP bundle (MCPB, once DXT), version 0.3; its
`${__dirname}` and `${user_config.x}` are left to `translate`. A value that a person has to give
becomes a variable of the environment. Must not install, fetch or look up anything.
"""

from __future__ import annotations

import base64
import binascii
import re
import sys
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import parse_qs, unquote, urlsplit

from desktop.config.document import Document, as_object, parse, scalar_text
from desktop.config.imports.translate import variable_name
from desktop.errors import ConfigError
from desktop.translatable import translatable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.config.document import JsonObject

MAX_LINK_LENGTH = 64 * 1024
_SCHEMES = frozenset({"mcp-desktop", "cursor", "lmstudio", "vscode", "vscode-insiders"})
_REMEDY = translatable(
    "It looks like mcp-desktop://import?name=NAME&config=BASE64-OF-THE-SERVER'S-JSON."
)


def is_link(text: str) -> bool:
    """Whether `text` is an install link of a kind that is read here."""
    scheme, colon, _ = text.partition(":")
    return bool(colon) and scheme.lower() in _SCHEMES


def read_link(text: str) -> Document:
    """The servers of a link, as a file would have them.

    Raises:
        ConfigError: it is too long, of another kind, or what it holds is no JSON object.
    """
    if len(text) > MAX_LINK_LENGTH:
        raise ConfigError(
            translatable("The link is longer than {limit} kB", limit=MAX_LINK_LENGTH // 1024)
        )
    if not is_link(text):
        raise ConfigError(translatable("Not an install link"), remedy=_REMEDY)
    try:
        parts = urlsplit(text)
        if parts.scheme.startswith("vscode"):
            return _document(unquote(parts.query).encode(errors="replace"), "")
        query = parse_qs(parts.query.replace("+", "%2B"), max_num_fields=20)
    except ValueError:  # half an IPv6 address, or more fields than any link has
        raise ConfigError(translatable("Not an install link"), remedy=_REMEDY) from None
    config = query.get("config") or [""]
    if not config[0]:
        raise ConfigError(translatable("The link contains no config"), remedy=_REMEDY)
    return _document(_decoded(config[0]), (query.get("name") or [""])[0])


def _decoded(text: str) -> bytes:
    """Base64, of either alphabet, with or without its padding."""
    plain = text.strip().replace("-", "+").replace("_", "/").rstrip("=")
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except (binascii.Error, ValueError):
        raise ConfigError(
            translatable("The config in the link is not valid base64"), remedy=_REMEDY
        ) from None


def _document(content: bytes, name: str) -> Document:
    try:
        data = parse(content, translatable("The link")).data
    except ConfigError as error:
        raise ConfigError(str(error.args[0]), line=error.line, column=error.column) from None
    return Document(_named(data, name))


def _named(data: JsonObject, name: str) -> JsonObject:
    """One server under its name; several, as a file has them, stay as they are."""
    is_server = isinstance(data.get("command"), str) or isinstance(data.get("url"), str)
    name = name or str(data.get("name") or "")
    if not name or not (is_server or as_object(data.get("command")) is not None):
        return data
    return {"mcpServers": {name: data}}


_PLATFORMS = {"darwin": "darwin", "win32": "win32"}


def is_manifest(data: JsonObject) -> bool:
    has_version = "manifest_version" in data or "dxt_version" in data
    return has_version and as_object(data.get("server")) is not None


def entry(data: JsonObject, platform: str = sys.platform) -> tuple[str, JsonObject]:
    """Name and entry of the server; a `uv` server may leave the command to the host."""
    server = as_object(data.get("server")) or {}
    config = dict(as_object(server.get("mcp_config")) or {})
    overrides = as_object(config.pop("platform_overrides", None)) or {}
    config |= as_object(overrides.get(_PLATFORMS.get(platform, "linux"))) or {}
    if "command" not in config and server.get("type") == "uv":
        script = f"${{__dirname}}/{server.get('entry_point', '')}"
        config |= {"command": "uv", "args": ["run", "--directory", "${__dirname}", script]}
    return str(data.get("name") or "server"), config


def inputs(data: JsonObject) -> JsonObject:
    """What the host would ask for, by key."""
    return as_object(data.get("user_config")) or {}


_PLACE = re.compile(r"\{([A-Za-z0-9_.-]{1,64})\}")
_RUNNERS = {"npm": "npx", "pypi": "uvx", "oci": "docker", "nuget": "dnx"}


def is_server_json(data: JsonObject) -> bool:
    has_ways = any(isinstance(data.get(key), list) for key in ("packages", "remotes"))
    return has_ways and isinstance(data.get("name"), str)


def entries(data: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    """Each package and each remote; where there are several, its kind is part of the name."""
    ways = [(_kind(object_), _package(object_)) for object_ in _objects(data.get("packages"))]
    ways += [
        (_first(remote, "type", "transport_type"), _remote(remote)) for remote in _remotes(data)
    ]
    name = str(data["name"]).rpartition("/")[2]
    for kind, entry in ways:
        yield (name if len(ways) == 1 else f"{name}-{kind or 'other'}"), entry


def _remotes(data: JsonObject) -> list[JsonObject]:
    return _objects(data.get("remotes"))


def _remote(remote: JsonObject) -> JsonObject:
    headers = {
        str(object_.get("name")): _value(object_) for object_ in _objects(remote.get("headers"))
    }
    given = as_object(remote.get("variables")) or {}
    return {
        "type": _first(remote, "type", "transport_type"),
        "url": _filled(str(remote.get("url", "")), given),
        "headers": {name: value for name, value in headers.items() if value is not None},
    }


def _package(package: JsonObject) -> JsonObject:
    kind = _kind(package)
    runner = str(_first(package, "runtimeHint", "runtime_hint") or _RUNNERS.get(kind, ""))
    env = {
        str(object_.get("name")): value
        for object_ in _objects(_either(package, "environmentVariables", "environment_variables"))
        if (value := _value(object_)) is not None
    }
    options = _arguments(_either(package, "runtimeArguments", "runtime_arguments"))
    after = _arguments(_either(package, "packageArguments", "package_arguments"))
    return {"command": runner, "args": [*_run(kind, package, options, env), *after], "env": env}


def _run(kind: str, package: JsonObject, options: list[str], env: JsonObject) -> list[str]:
    """The arguments of the runner, up to the package; `options` belong before that."""
    name, version = str(package.get("identifier") or package.get("name")), package.get("version")
    if kind == "npm":
        return [*options, *([] if {"-y", "--yes"} & set(options) else ["-y"]), _at(name, version)]
    if kind == "oci":
        passed = [part for key in env for part in ("-e", key)]
        image = name if not version or ":" in name.rpartition("/")[2] else f"{name}:{version}"
        # Options such as `--mount` are docker run's: docker itself does not know them.
        run = [] if "run" in options else ["run", "-i", "--rm"]
        return [*run, *options, *passed, image]
    return [*options, _at(name, version)]


def _at(name: str, version: object) -> str:
    return f"{name}@{version}" if isinstance(version, str) and version else name


def _arguments(written: object) -> list[str]:
    made: list[str] = []
    for object_ in _objects(written):
        value = _value(object_)
        if value is None:
            continue
        if object_.get("type") == "named" and object_.get("name"):
            made.append(str(object_["name"]))
        if value:
            made.append(value)
    return made


def _value(spec: JsonObject) -> str | None:
    """What is given, or its default; of what is required, a variable; None: it can be left out."""
    given = spec.get("value")
    if isinstance(given, str):
        return _filled(given, as_object(spec.get("variables")) or {})
    if (default := scalar_text(spec.get("default"))) is not None:
        return default
    if spec.get("type") == "named" and not spec.get("valueHint") and not spec.get("isRequired"):
        return "" if "value" not in spec else None
    is_required = bool(_either(spec, "isRequired", "is_required"))
    name = _first(spec, "valueHint", "value_hint", "name")
    return f"${{{variable_name(str(name))}}}" if is_required else None


def _filled(text: str, given: JsonObject) -> str:
    def fill(found: re.Match[str]) -> str:
        if (spec := as_object(given.get(found[1]))) is None:
            return found[0]
        value = scalar_text(spec.get("value", spec.get("default")))
        return value if value is not None else f"${{{variable_name(found[1])}}}"

    return _PLACE.sub(fill, text)


def _kind(package: JsonObject) -> str:
    return str(_first(package, "registryType", "registry_type", "registry_name") or "")


def _either(spec: JsonObject, *keys: str) -> object:
    return next((spec[key] for key in keys if key in spec), None)


def _first(spec: JsonObject, *keys: str) -> Any:
    return next((spec[key] for key in keys if spec.get(key)), None)


def _objects(value: object) -> list[JsonObject]:
    items = cast("list[object]", value)[:100] if isinstance(value, list) else []
    return [found for item in items if (found := as_object(item)) is not None]
