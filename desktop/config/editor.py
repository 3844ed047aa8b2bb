"""Changes to the JSON of a config file, each as small as the person's change was.

Unknown keys, the order of keys, other clients' spellings and unchanged values stay as they are. Our
own keys are under `"mcpDesktop"`: schema version, settings, and overrides, which remember what a
person switched or set of servers that are not in the file. Older versions of them are migrated, one
function a version; a file of a newer version is read as far as possible and never written.
Changes the data it is given (a copy, see `store`); must not touch files.
"""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from msgspec import Struct
from pydantic import BaseModel

from desktop.base.errors import ConfigError
from desktop.base.translatable import translatable
from desktop.config.document import as_object, scalar_text
from desktop.config.models import WIDEST, AppSettings, Limits, Sandbox, ServerConfig
from desktop.config.parser import (
    APP_KEY,
    NOT_SERVERS,
    find_entries,
    find_wrapper,
    is_bare_map,
)
from desktop.config.spellings import (
    OFF,
    ON,
    SPELLINGS,
    in_our_words,
    infer_transport,
    needs_flattening,
    spellings_in,
    transport_named,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

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
    """The settings; each wrong one keeps its default and is told of. Unknown ones are let be.

    What is kept is never guessed: in place of a wrong limit there is the widest.
    """
    try:
        written = app_object(data, "settings")
    except ConfigError as error:
        return AppSettings().changed(**WIDEST), [error]
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
            if name in WIDEST:
                good[key], wrong = _read_group(key, written[key], WIDEST[name], error)
                notices += map(_setting_error, wrong)
            else:
                notices.append(_setting_error(error))
    return AppSettings.checked(**good), notices


def _read_group(
    key: str, written: object, widest: BaseModel, error: ConfigError
) -> tuple[BaseModel, list[ConfigError]]:
    """What of a group can be read, and what is wrong with the rest or with keys that are none."""
    if (values := as_object(written)) is None:
        return widest, [error]
    wrong = {name: _checked_alone(key, {name: value}) for name, value in values.items()}
    fallback = widest.model_dump(by_alias=True)
    read = {
        name: fallback[name] if wrong[name] else values[name] for name in values if name in fallback
    }
    group = AppSettings.checked(**{key: read})
    return getattr(group, key), [each for each in wrong.values() if each is not None]


def _checked_alone(key: str, value: object) -> ConfigError | None:
    try:
        AppSettings.checked(**{key: value})
    except ConfigError as error:
        return error
    return None


def _setting_error(error: ConfigError) -> ConfigError:
    return ConfigError(translatable("Setting {reason}", reason=error.args[0]), remedy=error.remedy)


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
    known = {
        "enabled": "enabled",
        **({"args": "args"} if config.builtin else {}),
        "disabledTools": "disabled_tools",
        "enabledTools": "enabled_tools",
    }
    return config.changed(**{known[key]: values[key] for key in values if key in known})


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
                    "This version of the app cannot read files with schema version {version}",
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
                "The file was written by a newer version of the app (schema {version}; "
                "this one supports {schema_version}) and is opened read-only",
                version=version,
                schema_version=SCHEMA_VERSION,
            ),
            remedy=translatable("Update the app, or choose another file with --config."),
        )


_EMPTY = ServerConfig(name="-", transport="stdio", command="-")


def stamp_version(data: JsonObject) -> None:
    """Say which version of our keys the file has from now on."""
    section = app_section(data)
    if "schemaVersion" in section:
        section["schemaVersion"] = SCHEMA_VERSION
    else:
        data[APP_KEY] = {"schemaVersion": SCHEMA_VERSION, **section}


def put_server(
    data: JsonObject, name: str, old: ServerConfig | None, new: ServerConfig, settings: AppSettings
) -> None:
    """Write `new` over the entry `name`, if there is one; without an `old`, all of its values."""
    table = _table(data, new.name)
    if name != new.name:
        _rename(table, name, new.name)
    if (entry := as_object(table.get(new.name))) is None:
        entry = table[new.name] = {}
    is_new = not entry
    if needs_flattening(entry):  # there is no one place for what is changed
        words = in_our_words(entry)
        unknown = {key: entry[key] for key in words.unknown if key in entry}
        entry.clear()
        entry.update(words.fields | unknown)
    for field in SPELLINGS:
        if field != "transport":
            _put_field(entry, field, old, new, settings)
    _put_transport(entry, new, is_new)
    if old is None or old.enabled != new.enabled:
        put_enabled(entry, new.enabled)


def _table(data: JsonObject, name: str) -> JsonObject:
    """The object in `data` that holds the servers, made where there is none."""
    if (wrapper := find_wrapper(data)) is None and is_bare_map(data):
        if name in NOT_SERVERS:
            raise ConfigError(
                translatable('A server in this file cannot be named "{name}"', name=name)
            )
        return data
    find_entries(data)  # refuses what is no object
    wrapper = wrapper or "mcpServers"
    if data.get(wrapper) is None:
        data[wrapper] = {}
    return data[wrapper]


def _rename(table: JsonObject, old: str, new: str) -> None:
    entries = [(new if name == old else name, entry) for name, entry in table.items()]
    table.clear()
    table.update(entries)


def _put_field(
    entry: JsonObject,
    field: str,
    old: ServerConfig | None,
    new: ServerConfig,
    settings: AppSettings,
) -> None:
    value = getattr(new, field)
    if old is not None and getattr(old, field) == value:
        return
    present = spellings_in(entry, field)
    if value == _default(field, settings):
        for key in present:
            del entry[key]
        return
    if field in {"timeout", "connect_timeout"}:  # other spellings may have other units
        for key in present:
            del entry[key]
        present = []
    for key in present or SPELLINGS[field][:1]:
        entry[key] = _json(value, entry.get(key))


def _default(field: str, settings: AppSettings) -> object:
    if field == "timeout":
        return settings.call_timeout
    if field == "connect_timeout":
        return settings.connect_timeout
    return "" if field == "command" else getattr(_EMPTY, field)


def _json(value: object, written: object) -> Any:
    """`value` for the file; of an object, what did not change keeps the way it was written."""
    if isinstance(value, tuple):
        return list(cast("tuple[str, ...]", value))
    if isinstance(value, Sandbox | Limits):
        return value.in_file
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if (texts := as_object(value)) is None:
        return value
    before = as_object(written) or {}
    kept = {key: before[key] for key in before if key in texts or before[key] is None}
    return {**kept, **{key: _scalar(text, before.get(key)) for key, text in texts.items()}}


def _scalar(text: str, written: object) -> object:
    return written if scalar_text(written) == text else text


def _put_transport(entry: JsonObject, new: ServerConfig, is_new: bool) -> None:
    """Name the transport where the entry says another one, or nothing, or for a new http server."""
    present = spellings_in(entry, "transport")
    if present and all(transport_named(str(entry[key])) == new.transport for key in present):
        return
    says_it = infer_transport(entry) == new.transport
    if not present and says_it and (new.transport == "stdio" or not is_new):
        return
    for key in present or ["type"]:
        entry[key] = new.transport


class RemovedEntry(Struct, frozen=True):
    """An entry as it stood in the file, and the names that stood behind it."""

    name: str
    entry: object
    behind: tuple[str, ...]


def drop_server(data: JsonObject, name: str) -> RemovedEntry:
    """Take an entry out, in a way that it can be put back."""
    table = _table(data, "")
    names = list(table)
    return RemovedEntry(name, table.pop(name), tuple(names[names.index(name) + 1 :]))


def put_back(data: JsonObject, removed: RemovedEntry) -> None:
    """Put an entry where it stood: in front of the first of those behind it that is still there."""
    table = _table(data, removed.name)
    entries = dict(table)
    after = next((name for name in removed.behind if name in entries), None)
    table.clear()
    for name, entry in entries.items():
        if name == after:
            table[removed.name] = deepcopy(removed.entry)
        table[name] = entry
    if after is None:
        table[removed.name] = deepcopy(removed.entry)


def put_enabled(entry: JsonObject, enabled: bool) -> None:
    """Switch in the words the entry already has; `enabled` where it has none."""
    on, off = ([key for key in keys if key in entry] for keys in (ON, OFF))
    for key in off:
        entry[key] = not enabled
    for key in on or ([] if off or enabled else ["enabled"]):
        entry[key] = enabled


def put_tool_names(entry: JsonObject, field: str, tools: Iterable[str]) -> None:
    """Write `disabled_tools` or `enabled_tools`; without names the key goes."""
    names = list(tools)
    present = spellings_in(entry, field)
    for key in present or SPELLINGS[field][:1]:
        if names:
            entry[key] = names
        else:
            entry.pop(key, None)


def put_override(data: JsonObject, name: str, key: str, value: object) -> None:
    """Remember a switch or setting of a server that is not in the file."""
    overrides = app_object(data, "overrides")
    override = as_object(overrides.get(name)) or {}
    override[key] = value
    overrides[name] = override
    data.setdefault(APP_KEY, {})["overrides"] = overrides


def put_settings(data: JsonObject, names: Iterable[str], new: AppSettings) -> None:
    """Write the settings called `names`; one set back to its default leaves the file."""
    written = app_object(data, "settings")
    for name in names:
        field = AppSettings.model_fields[name]
        value, key = getattr(new, name), field.alias or name
        if isinstance(value, BaseModel):
            value = _group(value, as_object(written.get(key)) or {})
            is_default = not value
        else:
            is_default = value == field.default
        if is_default:
            written.pop(key, None)
        else:
            written[key] = _json(value, None)
    data.setdefault(APP_KEY, {})["settings"] = written


def _group(value: BaseModel, before: JsonObject) -> JsonObject:
    """Settings that are written as one object; what is not known of it stays."""
    known = {field.alias or name for name, field in type(value).model_fields.items()}
    kept = {key: before[key] for key in before if key not in known}
    return {**kept, **value.model_dump(by_alias=True, exclude_defaults=True)}
