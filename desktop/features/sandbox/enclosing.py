"""What a start inside walls needs, whatever holds it there: a home, variables, packages.

A package that npx or uvx runs is fetched before a sandbox without network closes. Must not know an
engine, nor start anything.
"""

from __future__ import annotations

import hashlib
import shlex
from typing import TYPE_CHECKING, Final, Protocol

from msgspec.structs import replace

from desktop.base.later_patterns import compile_later
from desktop.base.paths import program_command
from desktop.base.translatable import translatable
from desktop.features.sandbox.walls import Walls, walls_of
from desktop.processes.package_runners import PACKAGE_OPTIONS, find_runner
from desktop.servers.transport.launch import SandboxError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from desktop.base.paths import Paths
    from desktop.config.models import ServerConfig
    from desktop.processes.process import LaunchSpec

_CONNECTIONS: Final = (
    "DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS", "DISPLAY", "GPG_AGENT_INFO",
    "SSH_AGENT_PID", "SSH_AUTH_SOCK", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR",
    "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "TMPDIR", "TMP", "TEMP",
)  # fmt: skip
"""Variables that lead to the person's desktop, keys and folders, none of which is there."""
_LOADING: Final = compile_later(
    r"LD_|GLIBC_|GCONV_|MALLOC_|BASH|PYTHON|LOCPATH|NLSPATH|SHELLOPTS|PS4|ENV\Z|IFS\Z|PERL"
)
"""Variables of the loader, the C library, shells and Python that name code or files."""
_PLAIN: Final = compile_later(r"[A-Za-z_][A-Za-z0-9_.-]*")
"""A shell's function, which is code, has another name."""
_OFFLINE: Final = {"npm_config_offline": "true", "UV_OFFLINE": "1"}
_OF_FETCHING: Final = compile_later(r"(?i)proxy|index|registry|mirror|npm_config|\Auv_")
"""Names of variables that a download needs."""
_KEY_FILES: Final = ("/.npmrc", "/.netrc", "/uv.toml", "/pip.conf")
_FETCHES: Final = {"npx": ("--package", ("-c", "true")), "uvx": ("--from", ("true",))}
"""By what people call a runner: its option for a package, and a program that does nothing."""


class Wrap(Protocol):
    """Makes the command line of what runs inside; see `wrap`."""

    def __call__(
        self,
        walls: Walls,
        home: str,
        command: Sequence[str],
        variables: Mapping[str, str] = ...,
        without: Iterable[str] = ...,
    ) -> list[str]: ...


def enclose(config: ServerConfig, launch: LaunchSpec, paths: Paths, wrapped: Wrap) -> LaunchSpec:
    """The same start inside its walls, by an engine that works here. Raises as `confine`."""
    walls = walls_of(config, launch, paths)
    command = [launch.command, *launch.args]
    fetch = [] if walls.has_network else _fetching(command)
    if fetch:
        walls = replace(walls, home=_home_of(fetch, walls.home))
    _make_home(config.name, walls.home)
    home = launch.environment.get("HOME") or str(walls.home)
    environment = _environment(launch.environment, config.env) | {"HOME": home}
    inside = {name: value for name, value in environment.items() if _acts_outside(name)}
    for name in inside:
        del environment[name]
    variables = inside | (_OFFLINE if fetch else {})
    words = _behind_gate(wrapped(walls, home, command, variables), walls)
    if fetch:
        bare = walls_of(_bare(config), replace(launch, args=()), paths)
        secret = [name for name in config.env if not _OF_FETCHING.search(name)]
        opened = replace(bare, home=walls.home)
        fetching = wrapped(opened, home, fetch, without=secret)
        words = _after_fetching(walls.home, fetching, words)
    return replace(launch, command=words[0], args=tuple(words[1:]), environment=environment)


def _behind_gate(words: list[str], walls: Walls) -> list[str]:
    """The same behind the gate, where it may reach some hosts alone."""
    return [*program_command("gate"), *walls.hosts, "--", *words] if walls.hosts else words


def _fetching(command: list[str]) -> list[str]:
    """What fetches the package that a command runs, and runs none of it; empty where it is none."""
    found = find_runner(command)
    if found is None or not found.package or found.runner not in _FETCHES:
        return []
    option, nothing = _FETCHES[found.runner]
    at = next((n for n, word in enumerate(command) if word.endswith(found.package)), 0)
    is_named = command[at].startswith("-") or command[at - 1] in PACKAGE_OPTIONS
    start = command[: at + 1] if is_named else [*command[:at], option, command[at]]
    return [*start, *nothing]


def _bare(config: ServerConfig) -> ServerConfig:
    """What fetches has the network, and may run the package's scripts: it gets nothing to take.

    But a person's file with the key of a registry, where they named that for the server.
    """
    keys = tuple(each for each in config.sandbox.read if each.endswith(_KEY_FILES))
    sandbox = {"preset": "strict", "network": True, "read": keys}
    return config.changed(sandbox=sandbox, env={}, roots=(), cwd=None)


def _home_of(fetch: list[str], home: Path) -> Path:
    """A home of its own for what is fetched: no server has written into it before.

    Else one could leave there what it read, and a program that the next fetch would run.
    """
    return home.with_name(f"home-{hashlib.sha256(shlex.join(fetch).encode()).hexdigest()[:16]}")


def _after_fetching(home: Path, fetching: list[str], words: list[str]) -> list[str]:
    """A shell that fetches once, with the network, and then becomes the server without it."""
    command = shlex.join(fetching)
    mark = home.with_name(f"{home.name}.fetched")  # where the server cannot take it away
    marked = shlex.quote(str(mark))
    script = (
        f"[ -e {marked} ] || {{ echo 'Fetching the package before the sandbox closes' >&2; "
        f"{command} </dev/null >&2 && : > {marked} || exit; }}; exec {shlex.join(words)}"
    )
    return ["/bin/sh", "-c", script]


def _environment(given: Mapping[str, str], chosen: Mapping[str, str]) -> dict[str, str]:
    """The variables of a server without those that lead outside, unless its config has them."""
    return {
        name: value for name, value in given.items() if name not in _CONNECTIONS or name in chosen
    }


def _acts_outside(name: str) -> bool:
    """Whether a variable could have bubblewrap, the gate or a shell run code: all are outside.

    The server gets it from bubblewrap's arguments.
    """
    return _LOADING.match(name) is not None or _PLAIN.fullmatch(name) is None


def _make_home(server: str, home: Path) -> None:
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise SandboxError(
            server,
            translatable(
                "Its sandbox needs the folder {folder}, which cannot be made: {why}",
                folder=str(home),
                why=error.strerror or str(error),
            ),
        ) from None
