"""Our own keys in the file, under `"mcpDesktop"`: schema version, settings, overrides.

Overrides remember what a person switched on servers that are not in the file. Reads only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.config.dialects import APP_KEY
from desktop.config.document import as_object
from desktop.config.models import AppSettings, ServerConfig
from desktop.errors import ConfigError
from desktop.translatable import translatable

if TYPE_CHECKING:
    from desktop.config.document import JsonObject


def app_section(data: JsonObject) -> JsonObject:
    """Our own keys; empty where there are none. Raises `ConfigError` where they are no object."""
    section: object = data.get(APP_KEY, {})
    if (found := as_object(section)) is None:
        raise ConfigError(translatable('"{app_key}" must be an object', app_key=APP_KEY))
    return found


def app_object(data: JsonObject, key: str) -> JsonObject:
    """The object under `key` of our own keys, as `app_section`."""
    value: object = app_section(data).get(key, {})
    if (found := as_object(value)) is None:
        raise ConfigError(
            translatable('"{app_key}.{key}" must be an object', app_key=APP_KEY, key=key)
        )
    return found


def read_settings(data: JsonObject) -> tuple[AppSettings, list[ConfigError]]:
    """The settings; each wrong one keeps its default and is told of. Unknown ones are let be."""
    try:
        written = app_object(data, "settings")
    except ConfigError as error:
        return AppSettings(), [error]
    good: JsonObject = {}
    notices: list[ConfigError] = []
    for name, field in AppSettings.model_fields.items():
        key = field.alias or name
        if key not in written:
            continue
        try:
            AppSettings.checked(**{key: written[key]})
            good[key] = written[key]
        except ConfigError as error:
            notices.append(
                ConfigError(
                    translatable("Setting {reason}", reason=error.args[0]), remedy=error.remedy
                )
            )
    return AppSettings.checked(**good), notices


def apply_override(data: JsonObject, config: ServerConfig) -> ServerConfig:
    """The server as the person switched it; raises `ConfigError` where that cannot be read."""
    override: object = app_object(data, "overrides").get(config.name)
    if override is None:
        return config
    if (values := as_object(override)) is None:
        raise ConfigError(
            translatable(
                '"{app_key}.overrides.{name}" must be an object', app_key=APP_KEY, name=config.name
            )
        )
    known = {"enabled": "enabled", "disabledTools": "disabled_tools"}
    return config.changed(**{known[key]: values[key] for key in values if key in known})
