"""All that one version of the config file means, together with the environment and the built-ins.

The one place that knows who wins where two servers have one name: the file, then the environment,
then the built-in. Must not touch files (but for the one `MCP_SERVERS` may name).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from desktop.config.app_keys import apply_override, read_settings
from desktop.config.environment_servers import VARIABLE, read_environment
from desktop.config.models import AppSettings, ServerConfig
from desktop.config.providers import Providers, read_providers
from desktop.config.reading import Problems, Servers, read_servers
from desktop.errors import ConfigError
from desktop.translatable import translatable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop.config.document import Document, JsonObject


@dataclass(slots=True)
class EffectiveConfig:
    """Servers in the order they are shown, what is wrong with which, settings and providers."""

    servers: Servers = field(default_factory=dict[str, ServerConfig])
    problems: Problems = field(default_factory=dict[str, ConfigError])
    notices: list[ConfigError] = field(default_factory=list[ConfigError])
    settings: AppSettings = field(default_factory=AppSettings)
    providers: Providers = field(default_factory=lambda: read_providers({})[0])


def build_catalog(
    document: Document, environ: Mapping[str, str], builtins: Sequence[ServerConfig]
) -> EffectiveConfig:
    """Raises `ConfigError` where the file as a whole cannot be understood."""
    settings, notices = read_settings(document.data)
    providers, wrong = read_providers(document.data)
    servers, problems = read_servers(document, settings)
    catalog = EffectiveConfig(servers, problems, notices + wrong, settings, providers)
    add_other_servers(catalog, document.data, environ, builtins)
    return catalog


def add_other_servers(
    catalog: EffectiveConfig,
    data: JsonObject,
    environ: Mapping[str, str],
    builtins: Sequence[ServerConfig],
) -> None:
    servers, problems, notices = read_environment(environ, catalog.settings)
    catalog.notices.extend(notices)
    in_file = {*catalog.servers, *catalog.problems}
    for name in (*servers, *problems):
        if name in in_file:
            catalog.problems.setdefault(name, _shadowed(name))
    catalog.problems |= {name: problems[name] for name in problems if name not in in_file}
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
            'Server "{name}" is in the config file and in {variable}: the file\'s is used',
            name=name,
            variable=VARIABLE,
        ),
        remedy=translatable("Rename one of them to use both."),
    )


def _hidden(name: str) -> ConfigError:
    return ConfigError(
        translatable(
            'Your server "{name}" is used instead of the built-in one of that name', name=name
        ),
        remedy=translatable("Rename yours to use both."),
    )
