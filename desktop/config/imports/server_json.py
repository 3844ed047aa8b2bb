"""Reads `server.json`, how the MCP registry describes a server: the ways to run it, their inputs.

Schema 2025-12-11, and the snake_case before it. Each package and each remote is one way; what a
person may or must fill in is a `ServerInput`. A file that is imported has a variable of the
environment in the place of each; the catalogue asks for them. Text to text: must not install, fetch
or look up anything, and judges nothing (the catalogue does).
Source: https://github.com/modelcontextprotocol/registry, docs/reference/server-json.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from msgspec import Struct, field
from msgspec.structs import replace

from desktop.base.later_patterns import compile_later
from desktop.config.document import as_object, scalar_text
from desktop.config.imports.translate import variable_name
from desktop.redaction.policy import is_secret_name
from desktop.values.tool_types import EMPTY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from desktop.config.document import JsonObject

    Missing: TypeAlias = "Callable[[ServerInput], str | None]"
    """What stands for an input that has neither an answer nor a default; None leaves it out."""

Answers: TypeAlias = "Mapping[str, str | Sequence[str]]"
"""By the key of an input; several where it may be repeated."""

_PLACE: Final = compile_later(r"\{([A-Za-z0-9_.-]{1,64})\}")
RUNNERS: Final = {"npm": "npx", "pypi": "uvx", "oci": "docker", "nuget": "dnx"}
"""The program that runs a package of a kind, where the server does not name another one."""
BUNDLE: Final = "mcpb"
"""The kind of a package that is an MCP bundle: a file to download, with a manifest in it."""
_MAX_ITEMS: Final = 100
_MAX_TEXT: Final = 1_000
_TRUE: Final = "true"


class ServerInput(Struct, frozen=True):
    """One value that a person gives; `key` is its name, unique among those of its way.

    `format` is `string`, `number`, `boolean` or `filepath`; `default` is None where there is none.
    """

    key: str
    description: str = ""
    is_required: bool = False
    is_secret: bool = False
    is_repeated: bool = False
    is_inner: bool = False
    """Whether it is a variable inside of a text that is given."""
    default: str | None = None
    placeholder: str = ""
    format: str = "string"
    choices: tuple[str, ...] = ()

    @property
    def variable(self) -> str:
        """What it is called as a variable of the environment."""
        return variable_name(self.key)

    def values(self, answers: Answers, missing: Missing) -> tuple[str, ...]:
        """The answers that are not empty, else the default, else what stands for it."""
        given = answers.get(self.key, ())
        found = tuple(text for text in ((given,) if isinstance(given, str) else given) if text)
        if found:
            return found if self.is_repeated else found[:1]
        stands = self.default if self.default is not None else missing(self)
        return () if stands is None else (stands,)


class Template(Struct, frozen=True):
    """A text with inputs in it, as `Bearer {token}`; often it is one input and nothing else."""

    parts: tuple[str | ServerInput, ...] = ()

    @property
    def inputs(self) -> tuple[ServerInput, ...]:
        return tuple(part for part in self.parts if isinstance(part, ServerInput))

    @property
    def parts_given(self) -> tuple[str, ...]:
        """What stands in it whoever uses it: its own text, and the defaults of its inputs."""
        texts = [part for part in self.parts if isinstance(part, str)]
        return (*texts, *(found.default for found in self.inputs if found.default))

    def fill(self, answers: Answers, missing: Missing) -> tuple[str, ...]:
        """The text: none where an input of it is left out, several where one is repeated."""
        texts = [""]
        for part in self.parts:
            values = (part,) if isinstance(part, str) else part.values(answers, missing)
            if not values:
                return ()
            texts = [text + value for text in texts for value in values][:_MAX_ITEMS]
        return tuple(texts)

    def read(self, text: str) -> dict[str, str] | None:
        """The answers with which `fill` gives `text`; None where none do."""
        if len(self.inputs) > 3 or len(text) > _MAX_TEXT:  # a pattern of a stranger's making
            return None
        pattern = "".join(
            re.escape(part) if isinstance(part, str) else "(.*)" for part in self.parts
        )
        if (found := re.fullmatch(pattern, text, re.DOTALL)) is None:
            return None
        pairs = zip(self.inputs, found.groups(), strict=True)
        return {asked.key: value for asked, value in pairs}


class Argument(Struct, frozen=True):
    """One argument: `name` is its option, empty where it is told by its place."""

    value: Template
    name: str = ""
    is_flag: bool = False
    """Whether the option stands alone: it is there where its value is true."""

    def words(self, answers: Answers, missing: Missing) -> Iterator[str]:
        values = self.value.fill(answers, missing)
        if self.is_flag:
            yield from (self.name for value in values[:1] if value == _TRUE)
            return
        for value in values:
            if self.name:
                yield self.name
            if value:
                yield value


class Way(Struct, frozen=True):
    """One way to use a server: a package that is run here, or an address (`url`).

    `kind` is the package's registry (`npm`, `pypi`, `oci`, ...) or the remote's transport.
    """

    kind: str
    identifier: str = ""
    version: str = ""
    hint: str = ""
    """The program that the server says it is run by, if it does."""
    source: str = ""
    """The address of the package registry, where it is named."""
    sha256: str = ""
    """Of the package's file, in lower case, where it is named."""
    program: str = ""
    """What a bundle runs: known, with its arguments and inputs, once it was opened."""
    transport: str = "stdio"
    options: tuple[Argument, ...] = ()
    """Arguments of the program that runs the package."""
    arguments: tuple[Argument, ...] = ()
    env: tuple[tuple[str, Template], ...] = ()
    headers: tuple[tuple[str, Template], ...] = ()
    url: Template = field(default_factory=Template)

    @property
    def is_remote(self) -> bool:
        return bool(self.url.parts)

    @property
    def is_packed(self) -> bool:
        """Whether it is a bundle that was not opened: what it runs and asks for is not known."""
        return self.kind == BUNDLE and not self.program

    @property
    def command(self) -> str:
        """The program that runs the package."""
        return self.program or self.hint or RUNNERS.get(self.kind, "")

    @property
    def templates(self) -> tuple[Template, ...]:
        arguments = (argument.value for argument in (*self.options, *self.arguments))
        named = (template for _, template in (*self.env, *self.headers))
        return (self.url, *named, *arguments)

    @property
    def inputs(self) -> tuple[ServerInput, ...]:
        """What may be filled in: that of the address and the environment first."""
        asked = (each for template in self.templates for each in template.inputs)
        return tuple(dict.fromkeys(asked))  # a bundle may use one of them twice

    def entry(self, answers: Answers, missing: Missing) -> JsonObject:
        """The server's entry as our file has it."""
        if self.is_remote:
            headers = self._named(self.headers, answers, missing)
            url = "".join(self.url.fill(answers, missing))
            return {"type": self.kind, "url": url, "headers": headers}
        env = self._named(self.env, answers, missing)
        options = _words(self.options, answers, missing)
        after = _words(self.arguments, answers, missing)
        return {"command": self.command, "args": [*self._run(options, env), *after], "env": env}

    def _named(
        self, pairs: Sequence[tuple[str, Template]], answers: Answers, missing: Missing
    ) -> JsonObject:
        filled = {name: template.fill(answers, missing) for name, template in pairs}
        return {name: texts[0] for name, texts in filled.items() if texts}

    def _run(self, options: list[str], env: JsonObject) -> list[str]:
        """The arguments of the runner, up to the package; `options` belong before that."""
        if self.kind == "npm":
            yes = [] if {"-y", "--yes"} & set(options) else ["-y"]
            return [*options, *yes, self.package]
        if self.kind == "oci":
            passed = [part for key in env for part in ("-e", key)]
            # Options such as `--mount` are docker run's: docker itself does not know them.
            run = [] if "run" in options else ["run", "-i", "--rm"]
            return [*run, *options, *passed, self.package]
        if self.kind == BUNDLE:
            return []  # its program is a file of its own, or named beside all its arguments
        return [*options, self.package]

    @property
    def package(self) -> str:
        """The package with its version, as its runner takes it."""
        if not self.version:
            return self.identifier
        if self.kind == "oci":
            has_tag = ":" in self.identifier.rpartition("/")[2]
            return self.identifier if has_tag else f"{self.identifier}:{self.version}"
        return f"{self.identifier}@{self.version}"


def _words(arguments: Sequence[Argument], answers: Answers, missing: Missing) -> list[str]:
    return [word for argument in arguments for word in argument.words(answers, missing)]


# --- reading ----------------------------------------------------------------------------------


def is_server_json(data: JsonObject) -> bool:
    has_ways = any(isinstance(data.get(key), list) for key in ("packages", "remotes"))
    return has_ways and isinstance(data.get("name"), str)


def entries(data: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    """Each package and each remote; where there are several, its kind is part of the name."""
    ways = read_ways(data)
    name = str(data["name"]).rpartition("/")[2]
    for way in ways:
        entry = way.entry(EMPTY, _variable)
        yield (name if len(ways) == 1 else f"{name}-{way.kind or 'other'}"), entry


def _variable(asked: ServerInput) -> str | None:
    """What has to be given, and what stands inside of a text, is a variable of the environment."""
    return f"${{{asked.variable}}}" if asked.is_required or asked.is_inner else None


def read_ways(data: JsonObject) -> tuple[Way, ...]:
    """The packages, then the remotes; what has a wrong shape is left out."""
    packages = [_package(found) for found in _objects(data.get("packages"))]
    remotes = [_remote(found) for found in _objects(data.get("remotes"))]
    return tuple(map(_with_unique_keys, (*packages, *remotes)))


def _package(package: JsonObject) -> Way:
    transport = as_object(package.get("transport")) or {}
    return Way(
        kind=_text(package, "registryType", "registry_type", "registry_name"),
        identifier=_text(package, "identifier", "name"),
        version=_text(package, "version"),
        hint=_text(package, "runtimeHint", "runtime_hint"),
        source=_text(package, "registryBaseUrl", "registry_base_url"),
        sha256=_text(package, "fileSha256", "file_sha256").lower(),
        transport=_text(transport, "type") or "stdio",
        options=_arguments(_either(package, "runtimeArguments", "runtime_arguments")),
        arguments=_arguments(_either(package, "packageArguments", "package_arguments")),
        env=_named(_either(package, "environmentVariables", "environment_variables")),
    )


def _remote(remote: JsonObject) -> Way:
    given = as_object(remote.get("variables")) or {}
    url = _text(remote, "url")
    return Way(
        kind=_text(remote, "type", "transport_type"),
        transport=_text(remote, "type", "transport_type"),
        headers=_named(remote.get("headers")),
        url=_filled(url, given, is_required=True) if url else Template(("",)),
    )


def _named(written: object) -> tuple[tuple[str, Template], ...]:
    found = ((_text(spec, "name"), spec) for spec in _objects(written))
    return tuple((name, _template(spec, name)) for name, spec in found if name)


def _arguments(written: object) -> tuple[Argument, ...]:
    return tuple(map(_argument, _objects(written)))


def _argument(spec: JsonObject) -> Argument:
    if spec.get("type") != "named" or not (name := _text(spec, "name")):
        return Argument(_template(spec, _text(spec, "valueHint", "value_hint", "name") or "value"))
    if not _asks(spec):
        return Argument(Template((_TRUE,)), name, is_flag=True)
    value = _template(spec, _text(spec, "valueHint", "value_hint") or name.lstrip("-") or name)
    is_flag = "value" not in spec and spec.get("format") == "boolean"
    return Argument(value, name, is_flag)


_ASKING: Final = (
    *("value", "valueHint", "value_hint", "default", "isRequired", "is_required", "choices"),
    *("format", "isSecret", "is_secret", "placeholder", "description"),
)


def _asks(spec: JsonObject) -> bool:
    """Whether a named argument takes a value at all: a bare `--quiet` says nothing of one."""
    return any(spec.get(key) for key in _ASKING)


def _template(spec: JsonObject, name: str) -> Template:
    given = spec.get("value")
    if isinstance(given, str):
        is_required = _flag(spec, "isRequired", "is_required")
        return _filled(given, as_object(spec.get("variables")) or {}, is_required=is_required)
    return Template((_input(name, spec),))


def _filled(text: str, variables: JsonObject, *, is_required: bool) -> Template:
    """A given text; what stands in braces and is no variable stays as it is."""
    parts: list[str | ServerInput] = []
    end = 0
    for found in _PLACE.finditer(text):
        if (spec := as_object(variables.get(found[1]))) is None:
            continue
        asked = replace(_input(found[1], spec), is_inner=True, is_repeated=False)
        fixed = scalar_text(spec.get("value"))
        part = (
            fixed
            if fixed is not None
            else replace(asked, is_required=asked.is_required or is_required)
        )
        parts += [text[end : found.start()], part]
        end = found.end()
    rest = text[end:]
    kept = [part for part in (*parts, rest) if part != ""]
    return Template(tuple(kept[:_MAX_ITEMS]) or ("",))


def _input(name: str, spec: JsonObject) -> ServerInput:
    choices = tuple(
        text for item in _list(spec.get("choices")) if (text := scalar_text(item)) is not None
    )
    is_secret = _flag(spec, "isSecret", "is_secret")
    default = scalar_text(spec.get("default"))
    return ServerInput(
        key=name[:100],
        description=_text(spec, "description", "title"),
        is_required=_flag(spec, "isRequired", "is_required"),
        is_secret=is_secret or (is_secret_name(name) and spec.get("format") != "boolean"),
        is_repeated=_flag(spec, "isRepeated", "is_repeated"),
        default=default[:_MAX_TEXT] if default else None,
        placeholder=_text(spec, "placeholder"),
        format=_text(spec, "format") or "string",
        choices=choices,
    )


def _with_unique_keys(way: Way) -> Way:
    """A copy in which no two inputs have one key: the second `port` is `port-2`."""
    taken: dict[str, int] = {}

    def rename(template: Template) -> Template:
        return Template(tuple(map(own, template.parts)))

    def own(part: str | ServerInput) -> str | ServerInput:
        if isinstance(part, str):
            return part
        number = taken[part.key] = taken.get(part.key, 0) + 1
        return part if number == 1 else replace(part, key=f"{part.key}-{number}")

    return replace(
        way,
        url=rename(way.url),
        env=tuple((name, rename(template)) for name, template in way.env),
        headers=tuple((name, rename(template)) for name, template in way.headers),
        options=tuple(replace(each, value=rename(each.value)) for each in way.options),
        arguments=tuple(replace(each, value=rename(each.value)) for each in way.arguments),
    )


def _text(spec: JsonObject, *keys: str) -> str:
    """The first of `keys` that is there; a text of sane length."""
    found = next((spec[key] for key in keys if spec.get(key)), "")
    return (scalar_text(found) or "")[:_MAX_TEXT]


def _flag(spec: JsonObject, *keys: str) -> bool:
    return any(spec.get(key) is True for key in keys)


def _either(spec: JsonObject, *keys: str) -> object:
    return next((spec[key] for key in keys if key in spec), None)


def _list(value: object) -> list[Any]:
    return cast("list[Any]", value)[:_MAX_ITEMS] if isinstance(value, list) else []


def _objects(value: object) -> list[JsonObject]:
    return [found for item in _list(value) if (found := as_object(item)) is not None]
