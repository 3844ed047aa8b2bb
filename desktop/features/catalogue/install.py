"""Turns an entry of the catalogue and a person's answers into a server of the config, off at first.

What is run is always one of four known programs with a package by its exact name: what an entry
says beside that is shown in full before it is added, and what cannot be run is said with its
reason. Pure: must not fetch, start or write anything.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from desktop.base.errors import ConfigError
from desktop.base.later_patterns import compile_later
from desktop.base.translatable import join_list, join_texts, translatable
from desktop.config.imports.dangers import dangers_of, other_code
from desktop.config.imports.server_json import BUNDLE
from desktop.config.imports.translate import free_name, usable_name
from desktop.config.launch_details import launch_details
from desktop.config.parser import read_server
from desktop.config.plain_secrets import PlainSecret
from desktop.config.variables import secrets_in
from desktop.features.catalogue.bundle import reason_not_downloadable
from desktop.values.json_schema import list_of
from desktop.values.tool_types import EMPTY

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from desktop.config.imports.server_json import Answers, Argument, ServerInput, Way
    from desktop.config.imports.warnings import ImportWarning
    from desktop.config.launch_details import LaunchDetail
    from desktop.config.models import AppSettings, ServerConfig
    from desktop.features.catalogue.entry import CatalogueEntry
    from desktop.redaction.redactor import Redaction
    from desktop.values.tool_types import JsonObject

_PROGRAMS: Final = {
    "npm": ("npx", "bunx"),
    "pypi": ("uvx",),
    "oci": ("docker", "podman"),
    "nuget": ("dnx",),
}
_SOURCES: Final = {
    "npm": ("https://registry.npmjs.org",),
    "pypi": ("https://pypi.org",),
    "nuget": ("https://api.nuget.org", "https://api.nuget.org/v3/index.json"),
}
"""Where the programs take packages from by themselves."""
_PACKAGES: Final = {
    "npm": compile_later(r"(?:@[a-z0-9~][\w.~-]*/)?[A-Za-z0-9~_][\w.~-]*"),
    "pypi": compile_later(r"[A-Za-z0-9][\w.-]*(?:\[[\w,.-]+\])?"),
    "oci": compile_later(r"[a-z0-9][\w./:-]*(?:@sha256:[0-9a-f]{64})?"),
    "nuget": compile_later(r"[A-Za-z0-9_][\w.-]*"),
}
"""Names, and neither options nor addresses, which the programs would take as well."""
_VERSION: Final = compile_later(r"[A-Za-z0-9][\w.+!-]*")
_REMOTES: Final = ("streamable-http", "sse", "http")
_GENERIC: Final = frozenset(("mcp", "server", "mcp-server"))
_FOLDER: Final = compile_later(r"dir(?:ector(?:y|ies)|s)?$|folders?$|root", re.IGNORECASE)
_MAX_INPUTS: Final = 100


def reason_not_installable(way: Way) -> str:
    """Why this way cannot be used here; empty where it can."""
    if any("${" in text for template in way.templates for text in template.parts_given):
        return translatable("It would read variables of this computer: its entry contains ${{…}}.")
    if len(way.inputs) > _MAX_INPUTS:
        return translatable("It asks for more than {limit} values.", limit=_MAX_INPUTS)
    return _remote_reason(way) if way.is_remote else _package_reason(way)


def _remote_reason(way: Way) -> str:
    if way.kind not in _REMOTES:
        return translatable("The app cannot speak the transport “{kind}”.", kind=way.kind or "?")
    return ""


def _package_reason(way: Way) -> str:
    kind = way.kind
    if kind == BUNDLE:
        return _bundle_reason(way)
    if kind not in _PROGRAMS:
        return translatable(
            "No program here runs packages of the kind “{kind}” without installing them.",
            kind=kind or "?",
        )
    if way.transport != "stdio":
        return translatable(
            "It serves an address (“{transport}”) instead of stdio: start it yourself, then add "
            "its address.",
            transport=way.transport,
        )
    if way.hint and way.hint not in _PROGRAMS[kind]:
        return translatable("It has to be run by “{program}”.", program=way.hint)
    source = way.source.rstrip("/").removesuffix("/simple")  # some entries name the index itself
    if source and source not in _SOURCES.get(kind, (source,)):
        return translatable("Its package comes from {address}.", address=way.source)
    is_named = _PACKAGES[kind].fullmatch(way.identifier) is not None
    if not is_named or (way.version and _VERSION.fullmatch(way.version) is None):
        return translatable("Its package has no proper name: {name}", name=way.package)
    entry = way.entry({}, lambda asked: asked.key)
    words = (entry["command"], *entry["args"])
    if (place := next(other_code(words, way.package), None)) is not None:
        return translatable(
            "Its entry may run other code than its package: {option}", option=words[place]
        )
    return ""


def _bundle_reason(way: Way) -> str:
    if way.transport != "stdio":
        return translatable("Its bundle serves an address (“{kind}”).", kind=way.transport)
    if "${" in way.program:
        return translatable("Its bundle lets a variable decide which program runs.")
    return reason_not_downloadable(way)


# --- the form ---------------------------------------------------------------------------------


def input_schema(way: Way) -> JsonObject:
    """What the way asks for, as a JSON Schema: the form and the checks of a tool serve it."""
    properties = {asked.key: _property(asked) for asked in way.inputs}
    required = [asked.key for asked in way.inputs if asked.is_required and asked.default is None]
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def _property(asked: ServerInput) -> JsonObject:
    schema: dict[str, Any] = _value_schema(asked)
    if asked.is_repeated:
        schema = {"type": "array", "items": schema}
        schema |= {"minItems": 1} if asked.is_required and asked.default is None else {}
    if asked.description:
        schema["description"] = asked.description
    if asked.default and not asked.is_repeated:
        schema["default"] = _default(asked)
    return schema


def _value_schema(asked: ServerInput) -> dict[str, Any]:
    if asked.choices:
        return {"type": "string", "enum": list(dict.fromkeys(asked.choices))}
    if asked.format == "boolean":
        return {"type": "boolean"}
    schema: dict[str, Any] = {"type": "string"}
    if asked.is_secret:
        schema["format"] = "password"
    elif asked.format == "filepath":
        schema["format"] = "directory-path" if _FOLDER.search(asked.key) else "path"
    if asked.placeholder:
        schema["examples"] = [asked.placeholder]
    return schema


def _default(asked: ServerInput) -> object:
    if asked.format == "boolean" and not asked.choices:
        return asked.default == "true"
    return asked.default


def answers_from(value: JsonObject) -> dict[str, str | list[str]]:
    """The arguments that a form of `input_schema` gives, as answers."""
    return {
        key: [_answer(item) for item in list_of(given)]
        if isinstance(given, list)
        else _answer(given)
        for key, given in value.items()
    }


def _answer(given: Any) -> str:
    return ("true" if given else "false") if isinstance(given, bool) else str(given)


def form_value(way: Way, answers: Answers) -> dict[str, Any]:
    """Answers as the form shows them: the other way round."""
    shown: dict[str, Any] = {}
    for asked in way.inputs:
        if (given := answers.get(asked.key)) is None:
            continue
        if asked.is_repeated:
            shown[asked.key] = [given] if isinstance(given, str) else list(given)
        elif asked.format == "boolean" and not asked.choices:
            shown[asked.key] = given == "true"
        else:
            shown[asked.key] = given if isinstance(given, str) else "".join(given[:1])
    return shown


# --- the server -------------------------------------------------------------------------------


class Installation(Struct, frozen=True):
    """What would be written: `config`, switched off unless it is an update of one that is on.

    `secrets` have to be in the keyring first; `unanswered` are the inputs that still need a value.
    """

    entry: CatalogueEntry
    way: Way
    config: ServerConfig
    secrets: tuple[PlainSecret, ...] = ()
    unanswered: tuple[ServerInput, ...] = ()
    details: tuple[LaunchDetail, ...] = ()
    """All that would be run or reached, in full."""
    warnings: tuple[ImportWarning, ...] = ()


def suggest_name(entry: CatalogueEntry, taken: Collection[str]) -> str:
    """A free name for it here: its own, or that of its publisher where its own says nothing."""
    namespace, _, own = entry.name.partition("/")
    publisher = namespace.rpartition(".")[2]
    if own.lower() in _GENERIC:
        own = publisher or own
    return free_name(usable_name(own), taken, publisher)


def make_installation(
    entry: CatalogueEntry,
    way: Way,
    answers: Answers,
    *,
    name: str,
    registry: str,
    settings: AppSettings,
    known: Redaction,
    to_keyring: bool = True,
    taken: Collection[str] = (),
    current: ServerConfig | None = None,
    sandboxed: Callable[[ServerConfig], ServerConfig] = lambda made: made,
) -> Installation:
    """What adding it would write.

    Args:
        entry: as the registry has it.
        way: one of its ways.
        answers: to the way's inputs, by key; what has none is left out or has its default.
        name: of the server here.
        registry: its address.
        settings: give the time limits.
        known: the secrets of this machine, which are not shown.
        to_keyring: whether secret answers go to the keyring; else they stand in the config.
        taken: names in the keyring that other servers use.
        current: the server as it is, where this is an update of it; its own values stay.
        sandboxed: puts a new one into its sandbox.

    Raises:
        ConfigError: it cannot be used here, or a value cannot be used.
    """
    _require_usable(entry, way)
    _check_choices(way, answers)
    referred, secrets = _refer(way, answers, name, taken, current) if to_keyring else (answers, ())
    unanswered = tuple(
        asked
        for asked in way.inputs
        if asked.is_required and not asked.values(referred, lambda _: None)
    )
    fields = way.entry(referred, _stands_for)
    made = read_server(name, fields, settings)
    origin = {"name": entry.name, "version": entry.version, "kind": way.kind, "registry": registry}
    config = made.changed(enabled=False, catalogue=origin)
    config = sandboxed(config) if current is None else _updated(current, config)
    details = launch_details(config, known, is_own=False)
    own = {asked.variable for asked in unanswered}
    own |= {f"keyring:{secret.name}" for secret in secrets}
    own |= {f"keyring:{kept}" for kept in (secrets_in(current) if current is not None else ())}
    found = (danger for danger in dangers_of(config) if not _is_expected(danger, own))
    warnings = tuple(dict.fromkeys(found))
    return Installation(entry, way, config, tuple(secrets), unanswered, details, warnings)


def _updated(current: ServerConfig, made: ServerConfig) -> ServerConfig:
    """The server with what the new version runs; what a person chose for it stays."""
    return current.changed(
        transport=made.transport,
        command=made.command,
        args=made.args,
        env={**current.env, **made.env},
        url=made.url,
        headers={**current.headers, **made.headers},
        catalogue=made.catalogue,
    )


def _require_usable(entry: CatalogueEntry, way: Way) -> None:
    if entry.status == "deleted":
        raise ConfigError(translatable("The registry has removed this server: look at it again."))
    if reason := reason_not_installable(way):
        raise ConfigError(join_texts(" ", translatable("Cannot be added here."), reason))
    if way.is_packed:
        raise ConfigError(translatable("What it runs is known once it is downloaded."))


def _is_expected(danger: ImportWarning, own: Collection[str]) -> bool:
    """Whether it is about a value that was asked for and is this server's alone."""
    return danger.kind in {"gives", "sends"} and danger.subject in own


def _stands_for(asked: ServerInput) -> str | None:
    """What is still to be answered is seen in the command as a variable; the rest is left out."""
    return f"${{{asked.variable}}}" if asked.is_required else None


def _check_choices(way: Way, answers: Answers) -> None:
    inputs = {asked.key: asked for asked in way.inputs}
    for key, given in answers.items():
        if (asked := inputs.get(key)) is None:
            raise ConfigError(
                translatable("It does not ask for “{name}”.", name=key),
                remedy=translatable("It asks for: {names}", names=join_list(inputs) or "-"),
            )
        texts = (given,) if isinstance(given, str) else given
        if asked.choices and any(text not in asked.choices for text in texts if text):
            raise ConfigError(
                translatable(
                    "“{name}” must be one of {choices}", name=key, choices=join_list(asked.choices)
                )
            )


def _refer(
    way: Way,
    answers: Answers,
    name: str,
    taken: Collection[str],
    current: ServerConfig | None,
) -> tuple[Answers, list[PlainSecret]]:
    """The answers with references in the place of secrets, and what is put into the keyring."""
    own = set(secrets_in(current)) if current is not None else set[str]()
    referred: dict[str, str | Sequence[str]] = dict(answers)
    found: list[PlainSecret] = []
    for asked in way.inputs:
        given = answers.get(asked.key)
        value = given if isinstance(given, str) else "".join((given or ())[:1])
        if not asked.is_secret or not value or "${" in value:
            continue
        kept = _keyring_name(name, asked.variable, set(taken) - own)
        found.append(PlainSecret(asked.key, kept, value))
        referred[asked.key] = f"${{keyring:{kept}}}"
    return referred, found


def _keyring_name(server: str, variable: str, taken: Collection[str]) -> str:
    plain = re.sub(r"[^A-Za-z0-9_.-]+", "_", server)
    base = f"{plain if re.match(r'[A-Za-z_]', plain) else f'_{plain}'}.{variable}"[:190]
    name, number = base, 1
    while name in taken:
        number += 1
        name = f"{base}{number}"
    return name


# --- what was answered before -----------------------------------------------------------------


def recover_answers(way: Way, config: ServerConfig) -> dict[str, str | list[str]]:
    """The answers that a server here was made with, as far as it still has them."""
    found: dict[str, str | list[str]] = {}
    for pairs, values in ((way.env, config.env), (way.headers, config.headers)):
        for name, template in pairs:
            if name in values:
                found |= template.read(values[name]) or {}
    if way.is_remote:
        return {**found, **(way.url.read(config.url) or {})}
    if way.kind == BUNDLE:
        return {**found, **_recover(way.arguments, list(config.args))}
    at = _place_of(way, config.args)
    if at is not None:
        found |= _recover_named(way.options, config.args[:at])
        found |= _recover(way.arguments, list(config.args[at + 1 :]))
    return found


def _place_of(way: Way, words: Sequence[str]) -> int | None:
    """Where the package stands among the arguments, in whatever version."""
    base = re.sub(r"(?<=.)[@:][^/@:]*$", "", way.identifier)
    return next(
        (
            at
            for at, word in enumerate(words)
            if word == base or re.match(re.escape(base) + r"(?:==|[@:])", word)
        ),
        None,
    )


def _recover_named(arguments: Sequence[Argument], words: Sequence[str]) -> Mapping[str, Any]:
    found: dict[str, Any] = {}
    for argument in arguments:
        for flag, value in pairwise(words):
            if argument.name and flag == argument.name and not argument.is_flag:
                _add(found, argument, argument.value.read(value))
    return found


def _recover(arguments: Sequence[Argument], words: list[str]) -> Mapping[str, Any]:
    """Left to right, without trying again: what a person changed by hand is not recovered."""
    found: dict[str, Any] = {}
    for index, argument in enumerate(arguments):
        if _is_left_out(argument, arguments[index + 1 :], words):
            continue
        if argument.is_flag:
            if words[:1] == [argument.name]:
                words.pop(0)
                found |= {asked.key: "true" for asked in argument.value.inputs}
        elif argument.name:
            while len(words) > 1 and words[0] == argument.name:
                if not _add(found, argument, argument.value.read(words[1])):
                    return found
                del words[:2]
        else:
            behind = sum(not after.name for after in arguments[index + 1 :])
            is_repeated = any(asked.is_repeated for asked in argument.value.inputs)
            count = max(1, len(words) - behind) if is_repeated else 1
            for word in words[:count]:
                if not _add(found, argument, argument.value.read(word)):
                    return found
            del words[:count]
    return found


def _is_left_out(argument: Argument, following: Sequence[Argument], words: Sequence[str]) -> bool:
    """Whether one that stands alone was not given, as what comes after it is there already."""
    if argument.name or not argument.value.inputs:
        return False
    after = next((each.value for each in following if not each.name), None)
    return after is not None and not after.inputs and words[:1] == ["".join(after.parts_given)]


def _add(found: dict[str, Any], argument: Argument, answers: Mapping[str, str] | None) -> bool:
    """Take these in; False where the word is not that of the argument."""
    for asked in argument.value.inputs:
        if asked.key not in (answers or EMPTY):
            continue
        text = (answers or EMPTY)[asked.key]
        if asked.is_repeated:
            found.setdefault(asked.key, []).append(text)
        else:
            found[asked.key] = text
    return answers is not None
