"""Parses the JSON of a config file to `ServerConfig`s, in the spelling of any known client.

A wrong entry is an error of that server alone. Must not change what it reads, or touch files.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, TypeAlias, cast

from pydantic import ValidationError

from desktop.base.errors import ConfigError
from desktop.base.translatable import join_and, translatable
from desktop.config.document import as_object, scalar_text
from desktop.config.models import (
    OAUTH_KEYS,
    AppSettings,
    ServerConfig,
    Source,
    config_error,
)
from desktop.config.spellings import (
    SPELLINGS,
    foreign_in,
    in_our_variables,
    in_our_words,
    infer_transport,
    looks_like_server,
    to_fill_in,
    transport_named,
    unknown_key_words,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from desktop.config.document import Document, JsonObject

APP_KEY = "mcpDesktop"
WRAPPERS = ("mcpServers", "mcp_servers", "servers")
NOT_SERVERS = frozenset({*WRAPPERS, APP_KEY, "$schema", "inputs"})


def find_wrapper(data: JsonObject) -> str | None:
    """The key that holds the servers; None where the file is a bare map of them or has none."""
    found = [key for key in WRAPPERS if key in data]
    if len(found) > 1:
        both = join_and(f'"{key}"' for key in found)
        raise ConfigError(
            translatable("The file has both {both}; keep the servers in one of them", both=both),
            remedy=translatable("Move all servers under one of them."),
        )
    return found[0] if found else None


def is_bare_map(data: JsonObject) -> bool:
    """Whether the top level itself holds servers: one looks like it, or all are objects."""
    rest = [value for key, value in data.items() if key not in NOT_SERVERS]
    return any(looks_like_server(value) for value in rest) or (
        bool(rest) and all(isinstance(value, dict) for value in rest)
    )


def find_entries(data: JsonObject) -> JsonObject:
    """The servers as written, by name; the very object inside `data`, except for a bare map."""
    wrapper = find_wrapper(data)
    if wrapper is None:
        return _bare_entries(data) if is_bare_map(data) else {}
    if data[wrapper] is None:
        return {}
    if not isinstance(data[wrapper], dict):
        raise ConfigError(
            translatable(
                '"{wrapper}" must be an object with one key per server name', wrapper=wrapper
            )
        )
    return data[wrapper]


def _bare_entries(data: JsonObject) -> JsonObject:
    return {
        key: value
        for key, value in data.items()
        if key not in NOT_SERVERS and isinstance(value, dict)
    }


Servers: TypeAlias = dict[str, ServerConfig]
Problems: TypeAlias = dict[str, ConfigError]
Remarks: TypeAlias = dict[str, tuple[str, ...]]
"""By server, what of its entry is not used, or not yet what it should be."""


def read_servers(
    document: Document,
    settings: AppSettings,
    source: Source = "file",
    remarks: Remarks | None = None,
) -> tuple[Servers, Problems]:
    """All servers of a document; what is odd about which is put into `remarks`.

    Raises:
        ConfigError: it is not clear what the servers are.
    """
    servers: Servers = {}
    problems: Problems = {}
    doubled = _doubled_names(document)
    for name, entry in find_entries(document.data).items():
        try:
            _refuse_doubled(name, doubled)
            servers[name] = read_server(name, entry, settings, source)
            if remarks is not None and (found := remarks_on(entry)):
                remarks[name] = found
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
            translatable("two servers have this name (lines {places})", places=places),
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
    if (written := as_object(entry)) is None:
        raise ConfigError(translatable("must be an object that describes one server"))
    words = in_our_words(written)
    spelled, fields = words.spelled, words.fields
    values = {key: fields[names[0]] for key, names in SPELLINGS.items() if names[0] in fields}
    values |= {"name": name, "source": source, "enabled": _is_enabled(fields)}
    values["transport"] = _transport(fields, values.pop("transport", None))
    values.setdefault("timeout", settings.call_timeout)
    values.setdefault("connect_timeout", settings.connect_timeout)
    for key, convert in (
        ("args", _arguments),
        ("env", _texts),
        ("headers", _texts),
        ("oauth", _oauth),
        ("tls", _texts),
        ("catalogue", _texts),
    ):
        if key in values:
            values[key] = convert(key, values[key])
    for key in ("command", "cwd", "url"):
        if isinstance(text := values.get(key), str):
            values[key] = in_our_variables(text, is_url=key == "url")
    if isinstance(roots := values.get("roots"), list):
        values["roots"] = [_root(item) for item in cast("list[object]", roots)]
    try:
        return ServerConfig.model_validate(values)
    except ValidationError as error:
        raise config_error(error, spelled) from None


_MAX_REMARKS = 20


def unknown_keys(entry: object) -> tuple[str, ...]:
    """What is said of the keys of an entry that nobody knows."""
    words = in_our_words(written) if (written := as_object(entry)) is not None else None
    unknown = words.unknown if words is not None else ()
    return tuple(map(unknown_key_words, list(unknown)[:_MAX_REMARKS]))


def remarks_on(entry: object) -> tuple[str, ...]:
    """What is said of an entry that can be used: keys that nobody knows, and placeholders."""
    if (written := as_object(entry)) is None:
        return ()
    words = in_our_words(written)
    found = [unknown_key_words(key) for key in words.unknown]
    if words.env_file:
        found.append(translatable('"envFile" is not read: put its variables into "env"'))
    for place, text in _texts_in(words.fields):
        found += [
            translatable(
                '"{place}" has {text}, which only another app or a shell fills in',
                place=place,
                text=foreign,
            )
            for foreign in foreign_in(text)
        ]
        found += [
            translatable(
                '"{place}" still has {text}: put your own value there', place=place, text=blank[0]
            )
            for blank in to_fill_in(text)
        ]
    return tuple(dict.fromkeys(found))[:_MAX_REMARKS]


def _texts_in(fields: JsonObject) -> Iterator[tuple[str, str]]:
    for key in ("command", "args", "env", "cwd", "url", "headers", "oauth"):
        value: object = fields.get(key)
        parts: list[tuple[str, object]] = [(key, value)]
        parts += [(f"{key}.{name}", one) for name, one in (as_object(value) or {}).items()]
        if isinstance(value, list):
            items = cast("list[object]", value)
            parts += [(f"{key}[{n}]", one) for n, one in enumerate(items)]
        for place, text in parts:
            if isinstance(text, str):
                yield place, text


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
            remedy=translatable('Set "type" to "stdio" or "http" to choose.'),
        )
    raise ConfigError(
        translatable('needs "command" (a program to start) or "url" (a running server)')
    )


def _arguments(key: str, value: object) -> list[str]:
    if isinstance(value, str):
        raise ConfigError(
            translatable('"{key}" must be a list, not a string', key=key), remedy=_split_hint(value)
        )
    if not isinstance(value, list):
        raise ConfigError(translatable('"{key}" must be a list of strings', key=key))
    items = cast("list[object]", value)
    return [in_our_variables(_text(f"{key}[{index}]", item)) for index, item in enumerate(items)]


def _root(item: object) -> object:
    """A root as the Inspector writes it, `{"uri": ..., "name": ...}`, is its address."""
    return item if (fields := as_object(item)) is None else fields.get("uri", item)


def _split_hint(value: str) -> str:
    """Only the shape is shown: an argument can be a secret."""
    try:
        count = len(shlex.split(value))
    except ValueError:
        count = len(value.split())
    return translatable(
        'Write each argument separately, for example "args": ["-y", "package"]; '
        "this looks like {count}.",
        count=count,
    )


def _texts(key: str, value: object) -> dict[str, str]:
    if (pairs := as_object(value)) is None:
        raise ConfigError(
            translatable('"{key}" must be an object that maps names to values', key=key)
        )
    return {
        name: in_our_variables(_text(f"{key}.{name}", item))
        for name, item in pairs.items()
        if item is not None
    }


_OAUTH_SPELLINGS: dict[str, tuple[str, ...]] = {
    **{key: (key,) for key in OAUTH_KEYS},
    "clientId": ("clientId", "client_id"),
    "clientSecret": ("clientSecret", "client_secret"),
    "scopes": ("scopes", "scope"),
    "issuer": ("issuer", "authServerIssuer"),
}


def _oauth(key: str, value: object) -> dict[str, str]:
    """What we know of it, as other clients write it, too: their other keys are theirs alone."""
    if (fields := as_object(value)) is None:
        raise ConfigError(
            translatable('"{key}" must be an object that maps names to values', key=key)
        )
    found: dict[str, str] = {}
    for name, spellings in _OAUTH_SPELLINGS.items():
        spelled = next((each for each in spellings if fields.get(each) is not None), None)
        if spelled is None:
            continue
        item = fields[spelled]
        if name == "scopes" and isinstance(item, list):
            item = " ".join(_text(f"{key}.{name}", each) for each in cast("list[object]", item))
        found[name] = in_our_variables(_text(f"{key}.{name}", item))
    return found


def _text(where: str, value: object) -> str:
    """Other clients' files have numbers and booleans where a program needs text."""
    if (text := scalar_text(value)) is None:
        raise ConfigError(
            translatable('"{where}" must be a string, a number, true or false', where=where)
        )
    return text
