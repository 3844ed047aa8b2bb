"""The typed values of the configuration: one server, the settings of the app, and their checks.

The docstrings under the fields are the manual. Values are as the person wrote them; `${VAR}` is
expanded at start (`desktop.config.variables`). A message finishes the sentence that starts with the
key and never repeats a value, which may be a secret. Must not read or write files.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple, Self, TypeAlias, cast
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)
from pydantic.alias_generators import to_camel

from builtin_servers.catalog import CATALOG, is_left_out
from desktop.base.errors import ConfigError
from desktop.base.file_url import is_file_url, path_of
from desktop.base.later_patterns import compile_later
from desktop.base.loopback import is_loopback
from desktop.base.translatable import TranslatableText, join_list, join_texts, translatable
from desktop.config.limits import memory_text, read_limits, read_memory
from desktop.config.sandbox import SandboxPreset, check_network

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic_core import ErrorDetails

_KEYS = {
    "transport": "type",
    "connect_timeout": "connectTimeout",
    "call_timeout": "callTimeout",
    "disabled_tools": "disabledTools",
    "enabled_tools": "enabledTools",
    "tool_rules": "toolRules",
    "log_level": "logLevel",
    "catalogue_url": "catalogueUrl",
    "download_mirror": "downloadMirror",
    "removed_server_logs": "removedServerLogs",
    "files_set_aside": "filesSetAside",
    "crash_reports": "crashReports",
}
_TIMES = {"timeout", "connectTimeout", "callTimeout"}
_KINDS = {
    "string_type": translatable("must be text"),
    "bool_type": translatable("must be true or false"),
    "bool_parsing": translatable("must be true or false"),
    "int_type": translatable("must be a whole number"),
    "float_type": translatable("must be a number"),
    "float_parsing": translatable("must be a number"),
    "finite_number": translatable("must be a number"),
    "tuple_type": translatable("must be a list"),
    "dict_type": translatable("must be an object that maps names to values"),
    "model_type": translatable("must be an object"),
    "extra_forbidden": translatable("is not a known key"),
    "missing": translatable("is missing"),
}


def config_error(error: ValidationError, spelled: Mapping[str, str] | None = None) -> ConfigError:
    """One error for all findings; `spelled`: how the person spelled a key, by its name here."""
    findings = error.errors(include_url=False, include_input=False)
    keys = {**_KEYS, **(spelled or {})}
    return ConfigError(
        join_texts("; ", *dict.fromkeys(_sentence(finding, keys) for finding in findings)),
        remedy=_remedy(findings),
    )


def _sentence(finding: ErrorDetails, keys: Mapping[str, str]) -> str:
    where = "".join(
        f"[{part}]" if isinstance(part, int) else f".{keys.get(part, part)}"
        for part in finding["loc"]
    ).lstrip(".")
    words = _words(finding)
    return translatable('"{where}" {words}', where=where, words=words) if where else words


def _words(finding: ErrorDetails) -> str:
    kind, context = finding["type"], finding.get("ctx", {})
    if kind == "value_error":
        return str(context.get("error"))
    if kind == "literal_error":
        return translatable("must be one of {expected}", expected=context.get("expected"))
    if kind in {"greater_than_equal", "less_than_equal"}:
        if "ge" in context:
            return translatable("must be at least {limit:g}", limit=context["ge"])
        return translatable("must be at most {limit:g}", limit=context["le"])
    return _KINDS.get(kind, finding["msg"])


def _remedy(findings: list[ErrorDetails]) -> str:
    for finding in findings:
        key = str(finding["loc"][0]) if finding["loc"] else ""
        if finding["type"] == "less_than_equal" and _KEYS.get(key, key) in _TIMES:
            return translatable("Times are in seconds here; some other clients use milliseconds.")
    return ""


MAX_NAME_LENGTH = 64
_BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_HEADER_NAME = compile_later(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_SCHEME = compile_later(r"[A-Za-z][A-Za-z0-9+.-]+:/")


def check_name(name: str) -> str:
    if not name.strip():
        raise ValueError(translatable("must not be empty"))
    if len(name) > MAX_NAME_LENGTH:
        raise ValueError(
            translatable(
                "must have at most {name_limit} characters, it has {count}",
                name_limit=MAX_NAME_LENGTH,
                count=len(name),
            )
        )
    if ":" in name:
        raise ValueError(
            translatable('must not contain ":", which separates server and tool in "server:tool"')
        )
    if any(_is_invisible_control(character) for character in name):
        raise ValueError(translatable("must not contain control characters"))
    return name


def _is_invisible_control(character: str) -> bool:
    return character in _BIDI or unicodedata.category(character) in {"Cc", "Cs", "Zl", "Zp"}


def check_text(text: str) -> str:
    if "\0" in text:
        raise ValueError(translatable("must not contain a zero character"))
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(translatable("must not contain half of a surrogate pair")) from None
    return text


def check_environment(variables: dict[str, str]) -> dict[str, str]:
    for name, value in variables.items():
        if not name or "=" in name:
            raise ValueError(
                translatable("has a variable with an empty name or with = in its name")
            )
        check_text(name)
        check_text(value)
    return variables


def check_headers(headers: dict[str, str]) -> dict[str, str]:
    for name, value in headers.items():
        if not _HEADER_NAME.fullmatch(name):
            raise ValueError(
                translatable("has a header name that HTTP does not allow: {name!r}", name=name)
            )
        if any(character in value for character in "\r\n\0"):
            raise ValueError(translatable("has a line break in the value of {name}", name=name))
        check_text(value)
        if not value.isascii():
            raise ValueError(
                translatable(
                    "has a non-ASCII character in the value of {name}, which HTTP headers "
                    "cannot carry",
                    name=name,
                )
            )
    return headers


OAUTH_KEYS = (
    "clientId",
    "clientSecret",
    "clientMetadataUrl",
    "scopes",
    "issuer",
    "callbackPort",
    "callbackHost",
    "grantType",
    "privateKey",
    "algorithm",
    "assertion",
    "assertionFile",
    "idpTokenEndpoint",
    "idpClientId",
)
OAUTH_SECRETS = ("clientSecret", "privateKey", "assertion")
_GRANTS = ("authorization_code", "client_credentials", "jwt_bearer")


TLS_KEYS = ("ca", "cert", "key")


def check_tls(values: dict[str, str]) -> dict[str, str]:
    for name, value in values.items():
        if name not in TLS_KEYS:
            raise ValueError(translatable("has {name!r}, which is not a known key", name=name))
        check_text(value)
    if "key" in values and "cert" not in values:
        raise ValueError(translatable("has a key but no cert"))
    return values


def check_oauth(values: dict[str, str]) -> dict[str, str]:
    for name, value in values.items():
        if name not in OAUTH_KEYS:
            raise ValueError(translatable("has {name!r}, which is not a known key", name=name))
        check_text(value)
    if (grant := values.get("grantType", _GRANTS[0])) not in _GRANTS:
        raise ValueError(
            translatable(
                "has grantType {grant!r}; it must be one of {known}",
                grant=grant,
                known=join_list(_GRANTS),
            )
        )
    port = values.get("callbackPort", "1")
    if not (port.isdecimal() and port.isascii() and len(port) <= 5 and 0 < int(port) < 65_536):
        raise ValueError(translatable("has a callbackPort that is not a port number"))
    if values.get("callbackHost", "localhost") not in {"localhost", "127.0.0.1"}:
        raise ValueError(translatable("has a callbackHost that is not localhost or 127.0.0.1"))
    for name in ("issuer", "clientMetadataUrl", "idpTokenEndpoint"):
        if (url := values.get(name, "")) and "${" not in url:
            check_url(url)
    return values


def check_url(url: str) -> str:
    """Accept an absolute http address; one with `${...}` is checked after its expansion."""
    check_text(url)
    if not url or "${" in url:
        return url
    if any(character.isspace() or not character.isprintable() for character in url):
        raise ValueError(translatable("must not contain spaces or control characters"))
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        raise ValueError(translatable("is not a valid address: {error}", error=error)) from None
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError(translatable("must start with http:// or https:// and name a host"))
    return url


CATALOGUE_URL = "https://registry.modelcontextprotocol.io"
"""The official registry."""
CATALOGUE_KEYS = ("name", "version", "kind", "registry")


def check_origin(values: dict[str, str]) -> dict[str, str]:
    for name, value in values.items():
        if name not in CATALOGUE_KEYS:
            raise ValueError(translatable("has {name!r}, which is not a known key", name=name))
        check_text(value)
    return values


def check_safe_url(url: str) -> str:
    """Accept https, and http to this machine alone, or nothing."""
    check_url(url)
    parts = urlsplit(url)
    if url and parts.scheme != "https" and not is_loopback(parts.hostname or ""):
        raise ValueError(translatable("must start with https:// (http:// only for this computer)"))
    return url


def check_catalogue_url(url: str) -> str:
    """Accept a safe address without a user, a password or a query."""
    parts = urlsplit(check_safe_url(url or "/"))  # there is no catalogue without an address
    if "@" in parts.netloc or parts.query or parts.fragment or "${" in url:
        raise ValueError(translatable("must not contain a user name, a password or a query"))
    return url.rstrip("/")


def check_mirror(url: str) -> str:
    """Accept nothing, or what `check_catalogue_url` does."""
    return check_catalogue_url(url) if url else ""


def check_root(root: str) -> str:
    """Accept a path or a `file:` address; whether it is a folder is looked at when it starts."""
    check_text(root)
    if not root.strip():
        raise ValueError(translatable("must not be empty"))
    if is_file_url(root):
        path_of(root)
    elif _SCHEME.match(root):
        raise ValueError(translatable("must be a folder on this computer"))
    return root


Transport: TypeAlias = Literal["stdio", "http", "sse"]
Era: TypeAlias = Literal["auto", "legacy", "2026-07-28"]
Source: TypeAlias = Literal["given", "file", "environment", "builtin"]
"""`given`: by the command line, or by a program, for this run alone."""
LogLevel: TypeAlias = Literal[
    "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"
]
"""How important a log message of a server is, by RFC 5424."""
Name: TypeAlias = Annotated[str, AfterValidator(check_name)]
Text: TypeAlias = Annotated[str, AfterValidator(check_text)]
Root: TypeAlias = Annotated[str, AfterValidator(check_root)]
CallSeconds: TypeAlias = Annotated[float, Field(ge=1, le=3600, allow_inf_nan=False)]
ConnectSeconds: TypeAlias = Annotated[float, Field(ge=1, le=600, allow_inf_nan=False)]
Days: TypeAlias = Annotated[int, Field(ge=0, le=3650, strict=True)]


def not_on_windows(builtin: str) -> TranslatableText:
    """What is said of a built-in server that comes with the app on other systems alone."""
    return translatable(
        '"{name}" is built in on Linux and macOS only: on Windows, links could lead out of its '
        "folders. Use @modelcontextprotocol/server-{name} instead.",
        name=builtin,
    )


def transport_of(url: str) -> Transport:
    """What a URL means where no transport is said: its path ends in `/sse`, or it is `http`."""
    return "sse" if url.split("?")[0].rstrip("/").endswith("/sse") else "http"


def _key_in_file(name: str) -> str:
    return "type" if name == "transport" else to_camel(name)


class _Model(BaseModel):
    """What both models share: frozen, camelCase in the file, no value of a person in an error."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=_key_in_file,
        validate_by_name=True,
        validate_by_alias=True,
        hide_input_in_errors=True,
    )

    @classmethod
    def checked(cls, **values: object) -> Self:
        """Build one, or raise a `ConfigError` that names each wrong key in plain words."""
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            raise config_error(error) from None

    def changed(self, **changes: object) -> Self:
        """A checked copy with other values; raises `ConfigError`."""
        return self.checked(**{**self.model_dump(by_alias=False), **changes})


class Sandbox(_Model):
    """What a server may touch. In a file it is an object, or the name of a preset alone."""

    preset: SandboxPreset = "folders"
    """`off`: all that you may; `folders`: its own folders and the network; `no-network`: its own
    folders; `strict`: what it needs to run, and what is named here."""
    read: tuple[Text, ...] = ()
    """Folders and files that it may read besides."""
    write: tuple[Text, ...] = ()
    """Folders and files that it may read and write besides."""
    network: Annotated[bool | tuple[str, ...] | None, BeforeValidator(check_network)] = None
    """Whether it may use the network, where the preset says otherwise; or the hosts that it may
    reach: `api.github.com`, `*.github.com`, `db.example.com:5432` (without a port: 80 and 443)."""

    @model_validator(mode="before")
    @classmethod
    def _is_a_preset_alone(cls, value: object) -> object:
        return {"preset": value} if isinstance(value, str) else value

    @model_validator(mode="after")
    def _opens_nothing_where_it_is_off(self) -> Self:
        narrows = self.network is False or bool(self.hosts)
        if not self.is_on and (self.read or self.write or narrows):
            raise ValueError(translatable('says what may be touched and is "off": choose a preset'))
        return self

    @property
    def is_on(self) -> bool:
        return self.preset != "off"

    @property
    def has_network(self) -> bool:
        """Whether all of it is open."""
        return self.preset in ("off", "folders") if self.network is None else self.network is True

    @property
    def hosts(self) -> tuple[str, ...]:
        """The only ones that may be reached; none where all or none may be."""
        return self.network if isinstance(self.network, tuple) else ()

    @property
    def in_file(self) -> str | dict[str, object]:
        """As it is written: what differs from the preset, or its name alone."""
        said = self.model_dump(by_alias=True, exclude_defaults=True)
        said = {
            name: list(each) if isinstance(each, tuple) else each for name, each in said.items()
        }
        return self.preset if said.keys() <= {"preset"} else {"preset": self.preset, **said}


class SandboxProposal(NamedTuple):
    """What is offered for a server that came from elsewhere; without one, why there is none."""

    sandbox: Sandbox | None = None
    why: str = ""


def sandbox_words(sandbox: Sandbox) -> str:
    """What a server may touch, as a part of a sentence."""
    if not sandbox.is_on:
        return translatable("all that you may")
    own = {
        "folders": translatable("its own folders"),
        "no-network": translatable("its own folders"),
        "strict": translatable("what it needs to run"),
    }[sandbox.preset]
    named = [*sandbox.read, *sandbox.write]
    network = [translatable("the network")] if sandbox.has_network else []
    return join_list([own, *named, *network, *sandbox.hosts])


class Limits(_Model):
    """How much a server may use, with all that it starts; 0 is as much as you may."""

    memory: Annotated[int, BeforeValidator(read_memory)] = 0
    """Such as `512 MB` or `1 GB`."""
    processes: Annotated[int, Field(ge=0, le=100_000, strict=True)] = 0
    """Processes and their threads, of which a program in Node.js has about 11."""
    cpu: Annotated[int, Field(ge=0, le=100_000, strict=True)] = 0
    """Per cent of one processor."""

    @model_validator(mode="before")
    @classmethod
    def _is_written_in_one_line(cls, value: object) -> object:
        return read_limits(value) if isinstance(value, str) else value

    @property
    def are_set(self) -> bool:
        return bool(self.memory or self.processes or self.cpu)

    @property
    def in_file(self) -> dict[str, object]:
        """As it is written: those that are set."""
        said: dict[str, object] = self.model_dump(exclude_defaults=True)
        return said | ({"memory": memory_text(self.memory)} if self.memory else {})

    @property
    def text(self) -> str:
        """In one line, as it is typed; empty without any."""
        return ", ".join(f"{key}={value}" for key, value in self.in_file.items())

    @property
    def words(self) -> str:
        """As a part of a sentence; empty without any."""
        found: list[str] = []
        if self.memory:
            found.append(translatable("{size} of memory", size=memory_text(self.memory)))
        if self.processes:
            found.append(translatable("{count} processes and threads", count=self.processes))
        if self.cpu:
            found.append(translatable("{count} % of a processor", count=self.cpu))
        return join_list(found)


class ServerConfig(_Model):
    """One MCP server: how it is started or reached, and what of it is used."""

    name: Name
    """Name shown everywhere and used in `server:tool`; at most 64 characters, no colon."""
    transport: Transport = "stdio"
    """`stdio` starts a program; `http` (Streamable HTTP) and `sse` reach a running server. May be
    left out where `command`, `builtin` or `url` says it."""
    command: Text = ""
    """Program to start: a name looked up in your login shell's PATH, or a path (`~` is allowed)."""
    builtin: Text = ""
    """In place of a command: a server that comes with the app (see `mcp-desktop builtin`)."""
    args: tuple[Text, ...] = ()
    """Arguments of the program, one per entry."""
    env: Annotated[dict[str, str], AfterValidator(check_environment)] = Field(
        default_factory=dict, repr=False
    )
    """Environment variables of the program, added to yours; they win."""
    cwd: Text | None = None
    """Folder the program runs in; without it your home folder, or that of a config file that was
    named for the run."""
    roots: tuple[Root, ...] = ()
    """Folders that the server is told of when it asks; a relative one is meant from `cwd`."""
    url: Annotated[str, AfterValidator(check_url)] = ""
    """Address of a running server, `http://` or `https://`."""
    headers: Annotated[dict[str, str], AfterValidator(check_headers)] = Field(
        default_factory=dict, repr=False
    )
    """HTTP headers sent with every request, such as `Authorization`."""
    oauth: Annotated[dict[str, str], AfterValidator(check_oauth)] = Field(
        default_factory=dict, repr=False
    )
    """How to sign in, where the server does not say it itself: `clientId`, `clientSecret`,
    `clientMetadataUrl`, `scopes`, `issuer`, `callbackPort`, `callbackHost`; `grantType`
    `client_credentials`, with `privateKey` and `algorithm` in place of a secret, signs in without a
    person, and so does `jwt_bearer`, with an `assertion` or `assertionFile` of the platform, or an
    ID token there that is exchanged at `idpTokenEndpoint` (as `idpClientId`)."""
    tls: Annotated[dict[str, str], AfterValidator(check_tls)] = Field(default_factory=dict)
    """PEM files: `ca`, an authority to trust besides those of the system; `cert` and `key`, with
    which this machine proves itself to the server."""
    enabled: bool = True
    """Whether the server is started with the app and its tools are offered."""
    timeout: CallSeconds = 120.0
    """Seconds a tool call may take without a sign of progress, 1 to 3600 (not milliseconds)."""
    connect_timeout: ConnectSeconds = 30.0
    """Seconds until the server has to be ready, 1 to 600."""
    disabled_tools: tuple[Text, ...] = ()
    """Names of this server's tools that are not offered."""
    enabled_tools: tuple[Text, ...] = ()
    """Names of the only tools that are offered; without any, all are."""
    tool_rules: dict[Text, tuple[Text, ...]] = Field(default_factory=dict)
    """Rules of your own by tool (`*` for all), such as `end >= start`; else nothing is sent."""
    sandbox: Sandbox = Sandbox(preset="off")
    """What the program may touch: `off` (all that you may), `folders`, `no-network`, `strict`, or
    an object with `preset`, `read`, `write` and `network`. Linux, with bubblewrap."""
    limits: Limits = Limits()
    """How much the program may use: `memory`, `processes`, and with systemd `cpu`."""
    log_level: LogLevel | None = None
    """Log messages of the server from this level on are asked for; without it, it decides."""
    catalogue: Annotated[dict[str, str], AfterValidator(check_origin)] = Field(default_factory=dict)
    """Where it was added from: `name` and `version` in the MCP registry, the `kind` of package or
    address, and the `registry`. The app writes it, to see updates; nothing is updated by itself."""
    era: Era = "auto"
    """Protocol generation; `auto` tries the newest and remembers what answered."""
    source: Source = "file"
    """Where the server is configured; only servers of the file can be edited or removed."""

    @model_validator(mode="before")
    @classmethod
    def _says_its_transport(cls, values: object) -> object:
        """A URL alone is a running server; which kind of one, its path says."""
        if not isinstance(values, dict):
            return values
        fields = cast("dict[str, object]", values)
        if not fields.keys() & {"transport", "type"} and fields.get("url"):
            return {**fields, "transport": transport_of(str(fields["url"]))}
        return fields

    @model_validator(mode="after")
    def _has_what_its_transport_needs(self) -> Self:
        if self.builtin and (self.transport != "stdio" or self.command):
            raise ValueError(
                translatable('"builtin" replaces "command" and "url"; keep only one of them')
            )
        if is_left_out(self.builtin):
            raise ValueError(not_on_windows(self.builtin))
        if self.builtin and self.builtin not in CATALOG:
            raise ValueError(
                translatable('"builtin" must be one of {names}', names=join_list(CATALOG))
            )
        if self.transport == "stdio" and not self.command.strip() and not self.builtin:
            raise ValueError(translatable('"command" must name the program to start'))
        if self.transport != "stdio" and not self.url:
            raise ValueError(translatable('"url" must have the address of the server'))
        return self

    def sandboxed(self, sandbox: Sandbox | None) -> Self:
        """The same in this sandbox, where it is a program and there is one for it."""
        is_program = self.transport == "stdio" and not self.builtin
        return self.changed(sandbox=sandbox) if sandbox is not None and is_program else self

    @property
    def signs_in_alone(self) -> bool:
        """Whether its sign-in asks no person."""
        return self.oauth.get("grantType", _GRANTS[0]) != _GRANTS[0]

    @property
    def offers_all(self) -> bool:
        """Whether no tool is switched off, whatever the server lists."""
        return not (self.enabled_tools or self.disabled_tools)

    def offers(self, tool: str) -> bool:
        """Whether a tool of this name is switched on."""
        is_named = not self.enabled_tools or tool in self.enabled_tools
        return is_named and tool not in self.disabled_tools


class KeepDays(_Model):
    """For how many days each kind of file in the data folder is kept; 0 is for ever.

    Age counts from the last change of a file. The storage of the app removes what is older.
    """

    removed_server_logs: Days = 30
    """Logs of servers that are not configured any more."""
    files_set_aside: Days = 90
    """Originals of files that were damaged or of another version, and were put aside."""
    crash_reports: Days = 0
    """Reports of failed runs."""
    recordings: Days = 0
    """Recordings and traces that were written into the data folder."""
    chats: Days = 0
    """Stored conversations, with their large results."""


class HistorySettings(_Model):
    """How many calls are kept with their results; the oldest go first."""

    calls: Annotated[int, Field(ge=100, le=1_000_000, strict=True)] = 10_000
    """Calls at most."""
    megabytes: Annotated[int, Field(ge=10, le=20_000, strict=True)] = 200
    """Megabytes of all calls with their results, at most."""
    days: Days = 0
    """Days that a call is kept; 0 is for as long as there is room."""


MOST_CALLS = HistorySettings(calls=1_000_000, megabytes=20_000)
"""In place of limits that cannot be read: nothing goes because of a guess."""
KEPT_FOR_EVER = KeepDays(removed_server_logs=0, files_set_aside=0)
"""Nothing is removed for its age."""


class AppSettings(_Model):
    """What a person can set for the whole app."""

    language: Literal["system", "en", "zh_CN"] = "system"
    """Language of the window; `system` follows the desktop."""
    theme: Literal["system", "light", "dark"] = "system"
    """Light or dark colours; `system` follows the desktop."""
    call_timeout: CallSeconds = 120.0
    """Seconds a tool call may take, for servers that do not set their own `timeout`."""
    connect_timeout: ConnectSeconds = 30.0
    """Seconds until a server has to be ready, for servers without their own `connectTimeout`."""
    chat_turns: Annotated[int, Field(ge=1, le=1_000, strict=True)] = 25
    """Requests to a model for one question, with the calls between them."""
    chat_seconds: Annotated[float, Field(ge=10, le=86_400)] = 1_800.0
    """Seconds for one question, without the time that you take to approve calls."""
    notify: bool = True
    """A desktop notification when a call waits for approval and the window is not in front."""
    catalogue_url: Annotated[str, AfterValidator(check_catalogue_url)] = CATALOGUE_URL
    """Address of the MCP registry that the catalogue searches, `https://` (`http://` only for this
    computer); asked when you search it, never by itself."""
    download_mirror: Annotated[str, AfterValidator(check_mirror)] = ""
    """Address that stands before that of a bundle's file when it is downloaded, for networks that
    do not reach its host; the hash of the entry decides all the same. Empty: none."""
    keep: KeepDays = KeepDays()
    """For how many days files of the data folder are kept, by kind."""
    history: HistorySettings = HistorySettings()
    """How many calls are kept."""


WIDEST: Mapping[str, _Model] = {"keep": KEPT_FOR_EVER, "history": MOST_CALLS}
"""What counts for settings that are written as one object, where it cannot be read."""
