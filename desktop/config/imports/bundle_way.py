"""Reads the manifest of an MCP bundle as a way to use a server: what it runs, and its inputs.

The folder and the folders of the person that a manifest may name (`${__dirname}`, `${HOME}`, ...)
stand in it as they are here; `${user_config.KEY}` becomes an input. An import of a file has
variables in the place of inputs (`translate`); the catalogue asks for them. Text to text: must not
unpack, start or look up anything. Source: MCPB specification 0.3, MANIFEST.md.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from desktop.base.errors import ConfigError
from desktop.base.later_patterns import compile_later
from desktop.base.translatable import join_list, translatable
from desktop.config.document import as_object, scalar_text
from desktop.config.imports import packages
from desktop.config.imports.server_json import Argument, ServerInput, Template
from desktop.redaction.policy import is_secret_name
from desktop.values.json_schema import list_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from desktop.config.document import JsonObject
    from desktop.config.imports.server_json import Way

_KNOWN: Final = compile_later(r"\$\{(__dirname|HOME|DESKTOP|DOCUMENTS|DOWNLOADS|pathSeparator|/)\}")
_ASKED: Final = compile_later(r"\$\{user_config\.([^}]{1,100})\}")
_FORMATS: Final = {"directory": "filepath", "file": "filepath", "boolean": "boolean"}
_PLATFORMS: Final = {"darwin": "darwin", "win32": "win32"}
_MAX_ITEMS: Final = 100
_MAX_TEXT: Final = 1_000


def open_way(
    way: Way, manifest: JsonObject, folder: Path, home: Path, platform: str = sys.platform
) -> Way:
    """A copy of a way that is a bundle, with what its manifest says.

    Args:
        way: as the registry has it; variables of the environment that it names and the manifest
            does not are kept.
        manifest: of the bundle.
        folder: where the bundle is or will be unpacked.
        home: of the person.
        platform: as `sys.platform`.

    Raises:
        ConfigError: it is no manifest, names no program, or is made for another system.
    """
    _require_platform(manifest, platform)
    _, entry = packages.entry(manifest, platform)
    reading = _Reading(packages.inputs(manifest), folder, home)
    command = scalar_text(entry.get("command"))
    if not packages.is_manifest(manifest) or not command:
        raise ConfigError(translatable("The manifest of the bundle names no program to run."))
    env = {
        name: reading.template(text)
        for name, value in list((as_object(entry.get("env")) or {}).items())[:_MAX_ITEMS]
        if (text := scalar_text(value)) is not None
    }
    words = [scalar_text(word) for word in list_of(entry.get("args"))[:_MAX_ITEMS]]
    others = tuple(pair for pair in way.env if pair[0] not in env)
    return replace(
        way,
        program=reading.known(command),
        options=(),
        arguments=tuple(_arguments(reading.template(word) for word in words if word)),
        env=(*env.items(), *others),
    )


def _arguments(templates: Iterable[Template]) -> Iterator[Argument]:
    """An option goes with the value behind it, where that may be left out."""
    option: Template | None = None
    for template in templates:
        is_optional = any(not asked.is_required for asked in template.inputs)
        if option is not None and is_optional:
            yield Argument(template, "".join(option.parts_given))
            option = None
            continue
        if option is not None:
            yield Argument(option)
        text = "" if template.inputs else "".join(template.parts_given)
        option = template if text.startswith("-") and "=" not in text else None
        if option is None:
            yield Argument(template)
    if option is not None:
        yield Argument(option)


def _require_platform(manifest: JsonObject, platform: str) -> None:
    compatible = as_object(manifest.get("compatibility")) or {}
    named = [name for name in list_of(compatible.get("platforms")) if isinstance(name, str)]
    here = _PLATFORMS.get(platform, "linux")
    if named and here not in named:
        raise ConfigError(
            translatable(
                "The bundle is made for {platforms}, and this is {here}.",
                platforms=join_list(name[:20] for name in named[:5]),
                here=here,
            )
        )


class _Reading:
    """Texts of one manifest, which refer to its `user_config`."""

    def __init__(self, asked: JsonObject, folder: Path, home: Path) -> None:
        self._asked = asked
        self._values = {
            "__dirname": str(folder),
            "HOME": str(home),
            **{name.upper(): str(home / name) for name in ("Desktop", "Documents", "Downloads")},
            "pathSeparator": os.sep,
            "/": os.sep,
        }

    def known(self, text: str) -> str:
        return _KNOWN.sub(lambda found: self._values[found[1]], text)

    def template(self, text: str) -> Template:
        """A text with an input in the place of each `${user_config.KEY}`."""
        parts: list[str | ServerInput] = []
        end = 0
        for found in _ASKED.finditer(text):
            parts += [self.known(text[end : found.start()]), self._input(found[1])]
            end = found.end()
        rest = self.known(text[end:])
        return Template(tuple(part for part in (*parts, rest) if part != "") or ("",))

    def _input(self, name: str) -> ServerInput:
        spec = as_object(self._asked.get(name)) or {}
        kind = scalar_text(spec.get("type")) or "string"
        words = [scalar_text(spec.get(key)) or "" for key in ("title", "description")]
        is_flag = kind == "boolean"
        is_secret = spec.get("sensitive") is True or (is_secret_name(name) and not is_flag)
        return ServerInput(
            key=name,
            description=": ".join(filter(None, words))[:_MAX_TEXT],
            # One without an answer would leave half an argument.
            is_required=spec.get("required") is True or not spec,
            is_secret=is_secret,
            is_repeated=spec.get("multiple") is True and not is_secret,
            default=None if is_secret else self._default(spec),
            format=_FORMATS.get(kind, "string"),
        )

    def _default(self, spec: JsonObject) -> str | None:
        """The first one where there are several."""
        default: object = spec.get("default")
        first = next(iter(list_of(default)), None) if isinstance(default, list) else default
        if isinstance(first, bool):
            return "true" if first else "false"
        return self.known(scalar_text(first) or "")[:_MAX_TEXT] or None
