"""Steps from older versions of our own keys to the present one: one function a version.

Works on parsed data alone. A file of a newer version than ours is read as well as it can be and
never written.
"""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, TypeAlias

from desktop.config.app_keys import app_section
from desktop.config.dialects import APP_KEY
from desktop.errors import ConfigError
from desktop.translatable import translatable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from desktop.config.document import JsonObject

SCHEMA_VERSION = 1
Step: TypeAlias = "Callable[[JsonObject], JsonObject]"
STEPS: Mapping[int, Step] = {}
"""By the version a step starts from; version 1 is the first, so there is none yet."""


def find_version(data: JsonObject) -> int:
    """The version a file says it has; a file without one, as of another client, is present."""
    version: object = app_section(data).get("schemaVersion", SCHEMA_VERSION)
    if not isinstance(version, int) or isinstance(version, bool) or version < 0:
        raise ConfigError(
            translatable('"{app_key}.schemaVersion" must be a whole number', app_key=APP_KEY)
        )
    return version


def migrate(
    data: JsonObject, steps: Mapping[int, Step] = STEPS, target: int = SCHEMA_VERSION
) -> JsonObject:
    """A copy of `data` in the present version; data of a newer one is returned as it is."""
    result = deepcopy(data)
    for version in range(find_version(data), target):
        if version not in steps:
            raise ConfigError(
                translatable(
                    "The file has schema version {version}, which this version cannot read",
                    version=version,
                ),
                remedy=translatable(
                    'Set "{app_key}.schemaVersion" to {target} and check the settings.',
                    app_key=APP_KEY,
                    target=target,
                ),
            )
        result = steps[version](result)
        result.setdefault(APP_KEY, {})["schemaVersion"] = version + 1
    return result


def refuse_newer(data: JsonObject) -> None:
    """Raise `ConfigError` for a file that a newer version of the app has written."""
    if (version := find_version(data)) > SCHEMA_VERSION:
        raise ConfigError(
            translatable(
                "The file was written by a newer version of the app (schema {version}, "
                "this one knows {schema_version}); it is read, but not written",
                version=version,
                schema_version=SCHEMA_VERSION,
            ),
            remedy=translatable("Update the app, or use another file with --config."),
        )
