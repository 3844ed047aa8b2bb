"""How the clients of the field write the entry of a server, and what it is in our words.

The one reader of an entry's keys, wherever it stands: in our file, in `MCP_SERVERS`, pasted, or in
the file of another client. Renames, blocks, units of time and placeholders are read here; what is
wrong with a value is the parser's to say. Must not touch files.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final, cast

from msgspec import Struct, field

from desktop.base.did_you_mean import nearest_names
from desktop.base.errors import ConfigError
from desktop.base.later_patterns import compile_later
from desktop.base.translatable import join_and, translatable
from desktop.config.document import as_object
from desktop.config.models import transport_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from desktop.config.document import JsonObject
    from desktop.config.models import Transport

SPELLINGS: Final[dict[str, tuple[str, ...]]] = {
    "transport": ("type", "transport", "transportType", "transport_type"),
    "command": ("command", "cmd"),
    "builtin": ("builtin",),
    "args": ("args", "arguments"),
    "env": ("env", "envs", "environment", "envVars"),
    "cwd": ("cwd", "working_directory", "workingDirectory", "workdir", "workingDir"),
    "roots": ("roots",),
    "url": ("url", "serverUrl", "baseUrl", "uri", "httpUrl", "server_url", "base_url", "endpoint"),
    "headers": ("headers", "http_headers", "httpHeaders"),
    "oauth": ("oauth",),
    "tls": ("tls",),
    "timeout": (
        *("timeout", "tool_timeout_sec", "requestTimeout", "timeoutMs", "timeout_ms"),
        *("tool_timeout_ms", "request_timeout", "toolTimeoutMs"),
    ),
    "connect_timeout": (
        *("connectTimeout", "connect_timeout", "startup_timeout_sec", "startup_timeout_ms"),
        *("connectionTimeout", "initTimeout", "startup_timeout", "startupTimeoutMs"),
    ),
    "disabled_tools": ("disabledTools", "disabled_tools", "excludeTools", "exclude_tools"),
    "enabled_tools": (
        *("enabledTools", "enabled_tools", "includeTools", "include_tools"),
        "available_tools",
    ),
    "tool_rules": ("toolRules", "tool_rules"),
    "sandbox": ("sandbox",),
    "limits": ("limits",),
    "log_level": ("logLevel", "log_level"),
    "catalogue": ("catalogue",),
    "era": ("era", "protocolEra"),
}
"""Our name of a key to its spellings in files, ours first. On and off are apart: see below."""
ON: Final = ("enabled", "isActive", "is_active", "isEnabled", "active")
OFF: Final = ("disabled", "isDisabled")
_IN_MILLISECONDS: Final = frozenset(
    {
        *("connectionTimeout", "requestTimeout", "initTimeout", "startup_timeout_ms"),
        *("timeoutMs", "timeout_ms", "tool_timeout_ms", "toolTimeoutMs", "startupTimeoutMs"),
    }
)
_TRANSPORTS: Final[dict[str, Transport]] = {
    "stdio": "stdio",
    "local": "stdio",
    "http": "http",
    "https": "http",
    "streamable": "http",
    "streamablehttp": "http",
    "httpstream": "http",
    "httpstreaming": "http",
    "sse": "sse",
}
_SAYS_NOTHING: Final = frozenset(("remote", "custom", "url", "mcp", ""))
"""Types that leave it to the command or the address."""
_BUILT_IN: Final = frozenset({"builtin", "platform", "frontend", "inline_python", "extension"})
_OF_NO_CONSEQUENCE: Final = frozenset(
    {
        *("description", "name", "display_name", "displayName", "title", "id", "version", "label"),
        *("bundled", "source", "gallery", "$schema", "icon", "iconPath", "metadata", "comment"),
        *("tags", "provider", "providerUrl", "logoUrl", "homepage", "repository", "author"),
        *("key", "installSource", "reference"),
    }
)
_TOKENS: Final = ("bearer_token_env_var", "bearerTokenEnvVar")
_REGISTRY: Final = "registryUrl"
_KEYS_OF_VALUES: Final = ("env_keys", "env_vars", *_TOKENS, "env_http_headers", _REGISTRY)
_OURS: Final = (*(name for names in SPELLINGS.values() for name in names), *ON, *OFF)
_KNOWN: Final = _OF_NO_CONSEQUENCE.union(_OURS, _KEYS_OF_VALUES, ("envFile",))


def transport_named(spelling: str) -> Transport | None:
    """What a spelling such as "streamable-http" or "streamableHttp" means."""
    return _TRANSPORTS.get(re.sub("[-_ ]", "", spelling.lower()))


def spellings_in(entry: Mapping[str, object], key: str) -> list[str]:
    return [spelling for spelling in SPELLINGS[key] if spelling in entry]


def infer_transport(entry: Mapping[str, object]) -> Transport | None:
    """What an entry without a type means, or None where it could mean both or nothing."""
    url = next((str(entry[key]) for key in SPELLINGS["url"] if entry.get(key)), "")
    starts = (*SPELLINGS["command"], *SPELLINGS["builtin"])
    if bool(url) == any(entry.get(key) for key in starts):
        return None
    if not url:
        return "stdio"
    return "http" if entry.get("httpUrl") else transport_of(url)


def looks_like_server(value: object) -> bool:
    """Whether this is an entry by its shape: it has a command, an address, or a block with one."""
    if (entry := as_object(value)) is None:
        return False
    if any(as_object(entry.get(key)) is not None for key in _BLOCKS):
        return any(looks_like_server(entry.get(key)) for key in _BLOCKS) or _starts(entry)
    return _starts(entry)


def _starts(entry: JsonObject) -> bool:
    if any(isinstance(entry.get(key), str) and entry[key] for key in SPELLINGS["url"]):
        return True
    command: object = next((entry[key] for key in SPELLINGS["command"] if entry.get(key)), None)
    return isinstance(command, str | list) or "path" in (as_object(command) or {})


class OurWords(Struct):
    """An entry with our keys, as they are called in our file."""

    fields: JsonObject = field(default_factory=dict[str, Any])
    spelled: dict[str, str] = field(default_factory=dict[str, str])
    """How a key was written, by our name of it in Python."""
    unknown: tuple[str, ...] = ()
    """The keys that nobody knows, and that are not for people alone."""
    env_file: str = ""


def in_our_words(
    written: JsonObject,
    *,
    is_foreign: bool = False,
    in_milliseconds: bool = False,
    url_is_sse: bool = False,
) -> OurWords:
    """An entry of any client, in our words.

    Args:
        written: the entry.
        is_foreign: it is from another client's file: of two keys for the same thing the first is
            taken, and the unit of a time is guessed where its key does not say it.
        in_milliseconds: the times of that client are.
        url_is_sse: an address without a type means SSE to it.

    Raises:
        ConfigError: two keys for the same thing differ, or another host cannot start it.
    """
    entry = _flat(written)
    words = OurWords()
    for key, names in SPELLINGS.items():
        found = [name for name in names if entry.get(name) is not None]
        if key == "oauth":
            found = [name for name in found if not isinstance(entry[name], bool)]
        if not found:
            continue
        values = [_seconds(name, entry[name], is_foreign, in_milliseconds) for name in found]
        if not is_foreign and any(value != values[0] for value in values):
            both = join_and(f'"{name}"' for name in found)
            raise ConfigError(
                translatable("{both} mean the same but have different values", both=both)
            )
        words.spelled[key] = found[0]
        words.fields[names[0]] = values[0]
    _set_switch(entry, words)
    _set_type(entry, words, url_is_sse=url_is_sse)
    _ask_for_keys(entry, words.fields)
    if isinstance(file := entry.get("envFile"), str):
        words.env_file = file
    words.unknown = tuple(key for key in entry if not _is_known(key))
    return words


def _is_known(key: str) -> bool:
    return key in _KNOWN or key.startswith(("_", "$", "//", "#", "x-"))


def unknown_key_words(key: str) -> str:
    """What is said of a key that nobody knows."""
    if near := next(iter(nearest_names(key, _OURS, 1)), ""):
        return translatable(
            '"{key}" is not a known key and is not used; did you mean "{near}"?', key=key, near=near
        )
    return translatable('"{key}" is not a known key and is not used', key=key)


_BLOCKS: Final = ("transport", "connection", "config", "server", "stdio", "http", "sse")
_REQUESTS: Final = ("requestOptions", "requestInit")


def needs_flattening(entry: JsonObject) -> bool:
    """Whether a key of it holds what are keys of their own in our file."""
    return _flat(entry) != entry or any(key in entry for key in _KEYS_OF_VALUES)


def _flat(written: JsonObject) -> JsonObject:
    """An entry without its blocks: `transport: {type, command}`, `command: [..]` or `{path, args}`.

    Also the headers of `requestOptions`, and a command without blanks around it.
    """
    entry = dict(written)
    for key in _BLOCKS:
        if (block := as_object(entry.get(key))) is not None and _is_block(key, block):
            del entry[key]
            if key in _TRANSPORTS:
                block = {"type": key, **block}
            entry = {**block, **entry}
    for key in _REQUESTS:
        request = as_object(entry.get(key)) or {}
        headers = as_object(request.get("headers"))
        if headers is not None and "headers" not in entry:
            del entry[key]
            rest = {name: value for name, value in request.items() if name != "headers"}
            entry |= {"headers": headers} | ({key: rest} if rest else {})
    name = next((each for each in SPELLINGS["command"] if each in entry), "command")
    command: object = entry.get(name)
    if (parts := as_object(command)) is not None:
        entry[name] = parts.get("path", parts.get("command", ""))
        entry |= {key: parts[key] for key in ("args", "env") if parts.get(key) is not None}
    elif isinstance(command, list) and command:
        first, *others = cast("list[object]", command)
        more: object = entry.get("args")
        entry[name] = first
        entry["args"] = [*others, *(cast("list[object]", more) if isinstance(more, list) else [])]
    if isinstance(entry.get(name), str):
        entry[name] = entry[name].strip()
    return entry


def _is_block(key: str, block: JsonObject) -> bool:
    return _starts(block) or (key == "transport" and "type" in block)


def _set_switch(entry: JsonObject, words: OurWords) -> None:
    for names in (ON, OFF):
        if (found := next((name for name in names if name in entry), None)) is not None:
            words.fields[names[0]] = entry[found]


def _set_type(entry: JsonObject, words: OurWords, *, url_is_sse: bool) -> None:
    written: object = words.fields.get("type")
    if isinstance(written, str) and written in _BUILT_IN:
        raise ConfigError(
            translatable(
                'It is part of the other app ("type": "{written}") and cannot run outside it',
                written=written,
            )
        )
    if isinstance(written, str) and written.lower() in _SAYS_NOTHING:
        words.fields.pop("type")
    elif written == "local":
        words.fields["type"] = "stdio"
    if "type" in words.fields or words.fields.get("command"):
        return
    if entry.get("httpUrl"):
        words.fields["type"] = "http"
    elif url_is_sse and "url" in entry:
        words.fields["type"] = "sse"


MAX_TIMEOUT: Final = 3600
_MAX_CONNECT_TIMEOUT: Final = 600


_TIMED: Final = compile_later(r"\s*([0-9]{1,9}(?:\.[0-9]{1,3})?)\s*(ms|s|m)\s*")
_UNITS: Final = {"ms": 1, "s": 1_000, "m": 60_000}


def _seconds(key: str, value: object, is_foreign: bool, in_milliseconds: bool) -> object:
    """The value of a key; of a time limit, in seconds, as the key itself says its unit.

    Of another client's file it is brought within our limits, and zero, which means none to some,
    is no value.
    """
    most = MAX_TIMEOUT if key in SPELLINGS["timeout"] else _MAX_CONNECT_TIMEOUT
    if key not in SPELLINGS["timeout"] and key not in SPELLINGS["connect_timeout"]:
        return value
    if is_foreign and isinstance(value, str) and (timed := _TIMED.fullmatch(value)):
        value, in_milliseconds = float(timed[1]) * _UNITS[timed[2]], True
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return value
    is_ms = key in _IN_MILLISECONDS
    if not is_foreign:
        return float(value) / 1000 if is_ms else value
    is_seconds = key.endswith("_sec")
    is_ms = is_ms or (not is_seconds and (in_milliseconds or value > MAX_TIMEOUT))
    bounded = float(min(value, most * 1000))  # no float holds what JSON may write
    return min(max(1.0, bounded / 1000 if is_ms else bounded), float(most))


def _ask_for_keys(entry: JsonObject, fields: JsonObject) -> None:
    """Names of variables whose values the other client keeps elsewhere (goose, Codex)."""
    names: list[object] = []
    for key in ("env_keys", "env_vars"):
        if isinstance(found := entry.get(key), list):
            names += cast("list[object]", found)
    env = as_object(fields.get("env")) or {}
    asked = {name: f"${{{name}}}" for name in names if isinstance(name, str) and name not in env}
    if asked:
        fields["env"] = {**env, **asked}
    token = next((entry[key] for key in _TOKENS if isinstance(entry.get(key), str)), None)
    if token is not None:
        headers = as_object(fields.get("headers")) or {}
        fields["headers"] = {"Authorization": f"Bearer ${{{token}}}", **headers}
    _use_registry(entry.get(_REGISTRY), fields)
    if (named := as_object(entry.get("env_http_headers"))) is not None:
        headers = {name: f"${{{value}}}" for name, value in named.items() if isinstance(value, str)}
        fields["headers"] = {**headers, **(as_object(fields.get("headers")) or {})}


_MIRRORS: Final = {
    **dict.fromkeys(("npx", "npm", "pnpm", "pnpx", "bunx", "bun"), "NPM_CONFIG_REGISTRY"),
    **dict.fromkeys(("uvx", "uv"), "UV_DEFAULT_INDEX"),
    **dict.fromkeys(("pip", "pipx"), "PIP_INDEX_URL"),
}


def mirror_variable(command: str) -> str:
    """The variable by which a runner of packages is told of a mirror; empty where it is none."""
    program = re.split(r"[/\\]", command)[-1].lower()
    return _MIRRORS.get(program.removesuffix(".exe").removesuffix(".cmd"), "")


def _use_registry(mirror: object, fields: JsonObject) -> None:
    """Cherry Studio names the mirror of npm or PyPI beside the command."""
    variable = mirror_variable(str(fields.get("command") or ""))
    if isinstance(mirror, str) and mirror and variable:
        fields["env"] = {variable: mirror, **(as_object(fields.get("env")) or {})}


# --- placeholders -----------------------------------------------------------------------------

_NAME = "[A-Za-z_][A-Za-z0-9_]{0,100}"
_OTHER_WAYS: Final = compile_later(
    rf"(?<!\$)\{{env:({_NAME})\}}|(?<!\$)\{{\{{\s*(?:env\.)?({_NAME})\s*\}}\}}"
    r"|%([A-Za-z_][A-Za-z0-9_]{2,100})%"
)
_WHOLE: Final = compile_later(r"((?:[A-Za-z]+ )?)\$([A-Z_][A-Z0-9_]{1,100})")
_FOREIGN: Final = compile_later(r"\$\([^)]{0,80}\)?|`[^`]{1,80}`|\{file:[^}]{0,80}\}")
_TO_FILL_IN: Final = compile_later(
    r"(?P<path>(?<![\w/.])(?:/|[A-Za-z]:\\)(?:"
    r"(?i:(?:absolute[/\\]|full[/\\]|your[/\\])?path[/\\]to|(?:absolute|your)[/\\]path)"
    r"|(?i:users|home)[/\\](?i:user[-_]?name|your[-_]?(?:user[-_]?)?name|you|<[^>/\\]{1,40}>))"
    r"(?:[/\\][^\s,;:]*|(?![\w-])))"
    r"|<[A-Za-z][A-Za-z0-9 _.-]{1,60}>"
    r"|\b(?i:(?:your|my)[-_][a-z0-9]+(?:[-_][a-z0-9]+)*|(?:insert|replace|enter)[-_][a-z0-9_-]{2,60})"
    r"|(?<![\w-])(?:[\w-]{0,20}[-_])?[xX]{3,60}(?![\w-])"
)


def in_our_variables(text: str, *, is_url: bool = False) -> str:
    """`{env:X}`, `{{X}}`, `%X%` and a value that is `$X`, as other clients mean them: `${X}`."""
    if (whole := _WHOLE.fullmatch(text)) is not None:
        return f"{whole[1]}${{{whole[2]}}}"

    def ours(found: re.Match[str]) -> str:
        name = found[1] or found[2] or found[3]
        return found[0] if is_url and found[3] else f"${{{name}}}"

    return _OTHER_WAYS.sub(ours, text)


def foreign_in(text: str) -> list[str]:
    """What only another client, or a shell, would replace."""
    return _FOREIGN.findall(text)


def to_fill_in(text: str) -> Iterator[re.Match[str]]:
    """Where a README says what is to be put: `<YOUR_KEY>`, `your-api-key`, `/path/to/file`.

    A place for a path is the group `path`.
    """
    yield from _TO_FILL_IN.finditer(text[:4096])
