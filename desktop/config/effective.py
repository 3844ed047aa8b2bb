"""All that one version of the config file means, together with the environment and the built-ins.

Decides which server wins where several have one name: what this run was given, then the file, then
`MCP_SERVERS` (JSON, or the path of a file with it), then the built-in. Must not write anything or
change the environment; the file that `MCP_SERVERS` names is the only one that it reads.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

from msgspec import Struct, field

from desktop.base.atomic_file import exposure, read_file
from desktop.base.errors import ConfigError
from desktop.base.translatable import translatable
from desktop.config.document import Document, as_object, parse, parse_value
from desktop.config.editor import apply_override, read_settings
from desktop.config.gateway import GatewaySettings, read_gateway
from desktop.config.models import AppSettings, ServerConfig
from desktop.config.parser import Problems, Remarks, Servers, read_servers
from desktop.config.providers import Providers, read_providers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop.config.document import JsonObject

VARIABLE = "MCP_SERVERS"


def read_environment(
    environ: Mapping[str, str], settings: AppSettings, remarks: Remarks | None = None
) -> tuple[Servers, Problems, list[ConfigError]]:
    """Servers, problems by server, and what is wrong with the variable as a whole."""
    try:
        document = _document(environ.get(VARIABLE, "").strip())
        return *read_servers(document, settings, "environment", remarks), []
    except ConfigError as error:
        remedy = translatable(
            "Set it to the mcpServers JSON, or to the path of a file that contains it."
        )
        words = translatable("{variable}: {reason}", variable=VARIABLE, reason=error.args[0])
        return {}, {}, [ConfigError(words, remedy=error.remedy or remedy)]


def _is_json(value: str) -> bool:
    return value.startswith(("{", "[", "/*", "//")) and ("{" in value or value.startswith("["))


def servers_folder(environ: Mapping[str, str]) -> Path | None:
    """The folder of the file that the variable names; None where it names none."""
    value = environ.get(VARIABLE, "").strip()
    return Path(value).expanduser().absolute().parent if value and not _is_json(value) else None


def _document(value: str) -> Document:
    if not value:
        return Document()
    if _is_json(value):
        return _parse(value.encode(errors="surrogateescape"), "its JSON")
    path = Path(value).expanduser()
    if "\0" in value or (content := read_file(path)) is None:
        raise ConfigError(translatable("file not found: {path}", path=path))
    if (reason := exposure(path)) is not None:
        raise reason
    return _parse(content, str(path))


def _parse(content: bytes, what: str) -> Document:
    """The mcpServers JSON, or a list of servers that each say their `name`."""
    data, _ = parse_value(content, what)
    if not isinstance(data, list):
        return parse(content, what)
    servers: JsonObject = {}
    for number, item in enumerate(cast("list[object]", data), 1):
        entry = as_object(item)
        name = entry.get("name") if entry is not None else None
        if entry is None or not isinstance(name, str):
            raise ConfigError(
                translatable(
                    '{what}: entry {number} of the list must be an object with a "name"',
                    what=what,
                    number=number,
                )
            )
        if name in servers:
            raise ConfigError(
                translatable('{what}: two servers are called "{name}"', what=what, name=name)
            )
        servers[name] = {key: entry[key] for key in entry if key != "name"}
    return Document({"mcpServers": servers})


class EffectiveConfig(Struct):
    """Servers in the order they are shown, what is wrong with which, settings and providers.

    `refused` is what of `MCP_SERVERS` is not used because it is wrong; it is told in `notices` or
    `problems` as well.
    """

    servers: Servers = field(default_factory=dict[str, ServerConfig])
    problems: Problems = field(default_factory=dict[str, ConfigError])
    remarks: Remarks = field(default_factory=dict[str, tuple[str, ...]])
    notices: list[ConfigError] = field(default_factory=list[ConfigError])
    settings: AppSettings = field(default_factory=AppSettings)
    providers: Providers = field(default_factory=lambda: read_providers({})[0])
    refused: list[ConfigError] = field(default_factory=list[ConfigError])
    gateway: GatewaySettings = field(default_factory=GatewaySettings)

    def put_first(self, given: Mapping[str, ServerConfig]) -> None:
        """Add the servers of this run, in place of others of their names."""
        others = {name: each for name, each in self.servers.items() if name not in given}
        self.servers = {**given, **others}
        for name in given:
            self.problems.pop(name, None)
            self.remarks.pop(name, None)

    def usable(self, name: str) -> ServerConfig:
        """The server of this name, raising the `ConfigError` for which there is none."""
        if config := self.servers.get(name):
            return config
        if problem := self.problems.get(name):
            raise problem
        raise ConfigError(translatable('No server named "{name}"', name=name))


def build_catalog(
    document: Document, environ: Mapping[str, str], builtins: Sequence[ServerConfig]
) -> EffectiveConfig:
    """Raises `ConfigError` where the file as a whole cannot be understood."""
    settings, notices = read_settings(document.data)
    providers, wrong = read_providers(document.data)
    remarks: Remarks = {}
    servers, problems = read_servers(document, settings, remarks=remarks)
    gateway, unclear = read_gateway(document.data)
    catalog = EffectiveConfig(
        servers, problems, remarks, notices + wrong + unclear, settings, providers, gateway=gateway
    )
    add_other_servers(catalog, document.data, environ, builtins)
    return catalog


def add_other_servers(
    catalog: EffectiveConfig,
    data: JsonObject,
    environ: Mapping[str, str],
    builtins: Sequence[ServerConfig],
) -> None:
    remarks: Remarks = {}
    servers, problems, notices = read_environment(environ, catalog.settings, remarks)
    catalog.notices.extend(notices)
    catalog.refused.extend((*notices, *problems.values()))
    in_file = {*catalog.servers, *catalog.problems}
    for name in (*servers, *problems):
        if name in in_file:
            catalog.problems.setdefault(name, _shadowed(name))
    catalog.problems |= {name: problems[name] for name in problems if name not in in_file}
    catalog.remarks |= {name: remarks[name] for name in remarks if name not in in_file}
    others = [config for name, config in servers.items() if name not in in_file]
    for config in (*others, *builtins):
        if config.name not in catalog.servers and config.name not in catalog.problems:
            _add(catalog, data, config)
        elif config.source == "builtin" and not _is_that(catalog, config):
            catalog.notices.append(_hidden(config.name))


def _is_that(catalog: EffectiveConfig, config: ServerConfig) -> bool:
    """Whether the file's server is the built-in one itself, with arguments of the person."""
    own = catalog.servers.get(config.name)
    return own is not None and own.builtin == config.name


def _add(catalog: EffectiveConfig, data: JsonObject, config: ServerConfig) -> None:
    try:
        config = apply_override(data, config)
    except ConfigError as error:
        catalog.notices.append(error)
    catalog.servers[config.name] = config


def _shadowed(name: str) -> ConfigError:
    return ConfigError(
        translatable(
            'Server "{name}" is defined in the configuration file and in {variable}; '
            "the file takes precedence",
            name=name,
            variable=VARIABLE,
        ),
        remedy=translatable("Rename one of them to use both."),
    )


def _hidden(name: str) -> ConfigError:
    return ConfigError(
        translatable(
            'Your server "{name}" replaces the built-in server of the same name', name=name
        ),
        remedy=translatable("Rename yours to use both."),
    )
