"""The typed values of the configuration: one server, the settings of the app.

The docstrings under the fields are the manual. Values are as the person wrote them; `${VAR}` is
expanded at start (`desktop.config.expansion`). Must not read or write files.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self, TypeAlias

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)
from pydantic.alias_generators import to_camel

from builtin_servers.catalog import CATALOG
from desktop.config.checks import (
    check_environment,
    check_headers,
    check_name,
    check_text,
    check_url,
)
from desktop.config.wording import config_error
from desktop.translatable import translatable

Transport: TypeAlias = Literal["stdio", "http", "sse"]
Era: TypeAlias = Literal["auto", "legacy", "2026-07-28"]
Source: TypeAlias = Literal["file", "environment", "builtin"]
Name: TypeAlias = Annotated[str, AfterValidator(check_name)]
Text: TypeAlias = Annotated[str, AfterValidator(check_text)]
CallSeconds: TypeAlias = Annotated[float, Field(ge=1, le=3600, allow_inf_nan=False)]
ConnectSeconds: TypeAlias = Annotated[float, Field(ge=1, le=600, allow_inf_nan=False)]


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


class ServerConfig(_Model):
    """One MCP server: how it is started or reached, and what of it is used."""

    name: Name
    """Name shown everywhere and used in `server:tool`; at most 64 characters, no colon."""
    transport: Transport
    """`stdio` starts a program; `http` (Streamable HTTP) and `sse` reach a running server."""
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
    """Folder the program runs in; without it, the app's own."""
    url: Annotated[str, AfterValidator(check_url)] = ""
    """Address of a running server, `http://` or `https://`."""
    headers: Annotated[dict[str, str], AfterValidator(check_headers)] = Field(
        default_factory=dict, repr=False
    )
    """HTTP headers sent with every request, such as `Authorization`."""
    enabled: bool = True
    """Whether the server is started with the app and its tools are offered."""
    timeout: CallSeconds = 120.0
    """Seconds a tool call may take without a sign of progress, 1 to 3600 (not milliseconds)."""
    connect_timeout: ConnectSeconds = 30.0
    """Seconds until the server has to be ready, 1 to 600."""
    disabled_tools: tuple[Text, ...] = ()
    """Names of this server's tools that are not offered."""
    tool_rules: dict[Text, tuple[Text, ...]] = Field(default_factory=dict)
    """Rules of your own by tool (`*` for all), such as `end >= start`; else nothing is sent."""
    era: Era = "auto"
    """Protocol generation; `auto` tries the newest and remembers what answered."""
    source: Source = "file"
    """Where the server is configured; only servers of the file can be edited or removed."""

    @model_validator(mode="after")
    def _has_what_its_transport_needs(self) -> Self:
        if self.builtin and (self.transport != "stdio" or self.command):
            raise ValueError(
                translatable('"builtin" stands in place of "command" and "url": keep one')
            )
        if self.builtin and self.builtin not in CATALOG:
            raise ValueError(translatable('"builtin" is one of {names}', names=", ".join(CATALOG)))
        if self.transport == "stdio" and not self.command.strip() and not self.builtin:
            raise ValueError(translatable('"command" is missing: the program to start'))
        if self.transport != "stdio" and not self.url:
            raise ValueError(translatable('"url" is missing: the address of the server'))
        return self


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
