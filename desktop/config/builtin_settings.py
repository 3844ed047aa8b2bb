"""What a person sets for a built-in server: its folders or file, whether it writes, its hosts.

Read from the server's arguments and written back to them, so that the config file, the Servers
page, a chat and the terminal all mean the same. Arguments that are not understood stay as they are.
Checks nothing: the server itself reports what is wrong with a path.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.config.models import ServerConfig

PlaceKind: TypeAlias = Literal["folders", "folder", "database", "file"]
"""Several folders, one, a database that is there already, a file that may be new."""
_READ_ONLY, _WRITE, _PRIVATE, _HOSTS = "--read-only", "--write", "--allow-private", "--allow-host"


class _Spec(NamedTuple):
    kind: PlaceKind | None
    option: str = ""
    """The option that the place follows; without one it stands alone."""
    is_needed: bool = False
    values: tuple[str, ...] = ()
    """Other options with a value."""


_SPECS = {
    "filesystem": _Spec("folders", is_needed=True),
    "sqlite": _Spec("database", is_needed=True),
    "memory": _Spec("file", "--file"),
    "shell": _Spec("folder", "--cwd", values=("--limit",)),
    "fetch": _Spec(None, values=("--user-agent", "--proxy-url")),
}


class BuiltinSettings(Struct, frozen=True):
    """The settings of the built-in server `name`.

    `others` are arguments that have no setting. Without `hosts`, all public ones may be fetched.
    """

    name: str
    places: tuple[str, ...] = ()
    writes: bool = False
    hosts: tuple[str, ...] = ()
    reaches_private: bool = False
    others: tuple[str, ...] = ()

    @classmethod
    def read(cls, name: str, arguments: Sequence[str]) -> BuiltinSettings:
        spec = _SPECS.get(name)
        if spec is None:
            return cls(name, others=tuple(arguments))
        options, places, others = _split(spec, arguments)
        return cls(
            name,
            tuple(places),
            _READ_ONLY not in options if name == "filesystem" else _WRITE in options,
            tuple(host.strip() for host in options.get(_HOSTS, "").split(",") if host.strip()),
            _PRIVATE in options,
            tuple(others),
        )

    @property
    def arguments(self) -> tuple[str, ...]:
        """What the server is started with."""
        spec = _SPECS.get(self.name)
        if spec is None:
            return self.others
        made = [*self.others]
        if self.name == "filesystem":
            made += [] if self.writes else [_READ_ONLY]
        elif self.name == "sqlite":
            made += [_WRITE] if self.writes else []
        elif self.name == "fetch":
            made += [f"{_HOSTS}={','.join(self.hosts)}"] if self.hosts else []
            made += [_PRIVATE] if self.reaches_private else []
        if spec.option:
            made += [f"{spec.option}={place}" for place in self.places[:1]]
        elif any(place.startswith("-") for place in self.places):
            made += ["--", *self.places]
        else:
            made += self.places
        return tuple(made)

    @property
    def lacks_place(self) -> bool:
        """Whether nothing of it can be used, as it was given no folder or file."""
        spec = _SPECS.get(self.name)
        return spec is not None and spec.is_needed and not self.places


def place_kind(name: str) -> PlaceKind | None:
    """What a person chooses for the built-in server `name`; None where there is nothing."""
    return _SPECS[name].kind if name in _SPECS else None


def has_settings(config: ServerConfig) -> bool:
    """Whether it is a built-in server with something to be set."""
    return config.builtin in _SPECS and config.source != "environment"


def lacks_place(config: ServerConfig) -> bool:
    """Whether it is a built-in server that can use nothing yet: no folder, no file, no root."""
    if not config.builtin or config.roots:
        return False
    return BuiltinSettings.read(config.builtin, config.args).lacks_place


def _split(spec: _Spec, arguments: Sequence[str]) -> tuple[dict[str, str], list[str], list[str]]:
    """Options that are settings with their values, places, and all the rest."""
    options: dict[str, str] = {}
    places: list[str] = []
    others: list[str] = []
    waiting = list(arguments)
    while waiting:
        word = waiting.pop(0)
        name, equals, value = word.partition("=")
        if word == "--" and not spec.option:
            places += waiting
            break
        if name in (spec.option, _HOSTS) and name and (equals or waiting):
            value = value if equals else waiting.pop(0)
            places += [value] if name == spec.option else []
            options[name] = value
        elif word in (_READ_ONLY, _WRITE, _PRIVATE):
            options[word] = ""
        elif name in spec.values and not equals and waiting:
            others += [word, waiting.pop(0)]
        elif word.startswith("-") or spec.kind is None or spec.option:
            others.append(word)
        else:
            places.append(word)
    return options, places, others
