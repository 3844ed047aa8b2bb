"""From the JSON of a config file to `ServerConfig`s, tolerant of every dialect.

One wrong entry is an error of that server alone. Changes nothing it reads; must not touch files.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, TypeAlias, cast

from pydantic import ValidationError

from desktop.config.dialects import (
    SPELLINGS,
    find_entries,
    find_wrapper,
    infer_transport,
    spellings_in,
    transport_named,
)
from desktop.config.document import as_object, scalar_text
from desktop.config.models import AppSettings, ServerConfig, Source
from desktop.config.wording import config_error
from desktop.errors import ConfigError
from desktop.translatable import join_and, translatable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.config.document import Document, JsonObject

Servers: TypeAlias = dict[str, ServerConfig]
Problems: TypeAlias = dict[str, ConfigError]


def read_servers(
    document: Document, settings: AppSettings, source: Source = "file"
) -> tuple[Servers, Problems]:
    """All servers of a document. Raises `ConfigError` only where it is not clear what they are."""
    servers: Servers = {}
    problems: Problems = {}
    doubled = _doubled_names(document)
    for name, entry in find_entries(document.data).items():
        try:
            _refuse_doubled(name, doubled)
            servers[name] = read_server(name, entry, settings, source)
        except ConfigError as error:
            problems[name] = _of_server(name, error)
    return servers, problems


def _doubled_names(document: Document) -> dict[str, tuple[int, ...]]:
    wrapper = find_wrapper(document.data)
    above = () if wrapper is None else (wrapper,)
    return {
        str(path[-1]): lines for path, lines in document.duplicates.items() if path[:-1] == above
    }


def _refuse_doubled(name: str, doubled: Mapping[str, tuple[int, ...]]) -> None:
    if lines := doubled.get(name):
        places = join_and(str(line) for line in lines)
        raise ConfigError(
            translatable(
                "two servers have this name, at lines {places} of the file", places=places
            ),
            line=lines[-1],
            remedy=translatable("Give each server its own name, then reload."),
        )


def _of_server(name: str, error: ConfigError) -> ConfigError:
    return ConfigError(
        translatable('Server "{name}": {reason}', name=name, reason=error.args[0]),
        line=error.line,
        column=error.column,
        remedy=error.remedy,
    )


def read_server(
    name: str, entry: object, settings: AppSettings, source: Source = "file"
) -> ServerConfig:
    """One entry, whatever client wrote it; times it does not set come from `settings`."""
    if (fields := as_object(entry)) is None:
        raise ConfigError(translatable("must be an object with the keys of one server"))
    values, spelled = _known_values(fields)
    values |= {"name": name, "source": source, "enabled": _is_enabled(fields)}
    values["transport"] = _transport(fields, values.pop("transport", None))
    values.setdefault("timeout", settings.call_timeout)
    values.setdefault("connect_timeout", settings.connect_timeout)
    for key, convert in (("args", _arguments), ("env", _texts), ("headers", _texts)):
        if key in values:
            values[key] = convert(key, values[key])
    try:
        return ServerConfig.model_validate(values)
    except ValidationError as error:
        raise config_error(error, spelled) from None


def _known_values(entry: JsonObject) -> tuple[JsonObject, dict[str, str]]:
    """Values by our names, and how each was spelled; null means not set."""
    values: JsonObject = {}
    spelled: dict[str, str] = {}
    for key in SPELLINGS:
        found = [spelling for spelling in spellings_in(entry, key) if entry[spelling] is not None]
        if not found:
            continue
        if any(entry[spelling] != entry[found[0]] for spelling in found):
            both = join_and(f'"{spelling}"' for spelling in found)
            raise ConfigError(
                translatable("{both} mean the same but have different values", both=both)
            )
        values[key], spelled[key] = entry[found[0]], found[0]
    return values, spelled


def _is_enabled(entry: JsonObject) -> bool:
    for key in ("enabled", "disabled"):
        if not isinstance(entry.get(key, True), bool | None):
            raise ConfigError(translatable('"{key}" must be true or false', key=key))
    enabled, disabled = entry.get("enabled"), entry.get("disabled")
    if enabled is not None and enabled == disabled:
        raise ConfigError(translatable('"enabled" and "disabled" contradict each other'))
    return disabled is not True if enabled is None else enabled


def _transport(entry: JsonObject, spelling: object) -> str:
    if spelling is not None:
        if isinstance(spelling, str) and (named := transport_named(spelling)):
            return named
        raise ConfigError(
            translatable('"type" must be one of "stdio", "http" (also "streamable-http") or "sse"')
        )
    if inferred := infer_transport(entry):
        return inferred
    if entry.get("command"):
        raise ConfigError(
            translatable('has both "command" and "url"'),
            remedy=translatable('Say which one with "type": "stdio" or "http".'),
        )
    raise ConfigError(
        translatable('has neither "command" (a program to start) nor "url" (a running server)')
    )


def _arguments(key: str, value: object) -> list[str]:
    if isinstance(value, str):
        raise ConfigError(
            translatable('"{key}" must be a list, not one text', key=key), remedy=_split_hint(value)
        )
    if not isinstance(value, list):
        raise ConfigError(translatable('"{key}" must be a list of texts', key=key))
    items = cast("list[object]", value)
    return [_text(f"{key}[{index}]", item) for index, item in enumerate(items)]


def _split_hint(value: str) -> str:
    """Only the shape is shown: an argument can be a secret."""
    try:
        count = len(shlex.split(value))
    except ValueError:
        count = len(value.split())
    return translatable(
        'Write each argument apart, as in "args": ["-y", "package"]; this looks like {count}.',
        count=count,
    )


def _texts(key: str, value: object) -> dict[str, str]:
    if (pairs := as_object(value)) is None:
        raise ConfigError(translatable('"{key}" must be an object of names and values', key=key))
    return {name: _text(f"{key}.{name}", item) for name, item in pairs.items() if item is not None}


def _text(where: str, value: object) -> str:
    """Other clients' files have numbers and booleans where a program needs text."""
    if (text := scalar_text(value)) is None:
        raise ConfigError(
            translatable('"{where}" must be text, a number, true or false', where=where)
        )
    return text
