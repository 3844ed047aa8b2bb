"""Puts the start of a server into its sandbox, or says why there can be none.

A package that npx or uvx runs is fetched before a sandbox without network closes. Never starts
anything without the sandbox that was asked for.
"""

from __future__ import annotations

import hashlib
import shlex
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from desktop.base.errors import NextStep
from desktop.base.translatable import translatable
from desktop.features.sandbox import bubblewrap
from desktop.features.sandbox.walls import walls_of
from desktop.processes.package_runners import PACKAGE_OPTIONS, find_runner
from desktop.servers.transport.launch import SandboxError

if TYPE_CHECKING:
    from desktop.base.paths import Paths
    from desktop.config.models import ServerConfig
    from desktop.features.sandbox.walls import Walls
    from desktop.processes.process import LaunchSpec

_OFFLINE: Final = {"npm_config_offline": "true", "UV_OFFLINE": "1"}
_FETCHES: Final = {"npx": ("--package", ("-c", "true")), "uvx": ("--from", ("true",))}
"""By what people call a runner: its option for a package, and a program that does nothing."""


def confine(config: ServerConfig, launch: LaunchSpec, paths: Paths) -> LaunchSpec:
    """The same start inside its sandbox.

    Raises:
        SandboxError: there is no engine, or a folder cannot be opened.
    """
    program = _engine(config.name)
    walls = walls_of(config, launch, paths)
    try:
        bubblewrap.make_home(walls)
    except OSError as error:
        raise SandboxError(
            config.name,
            translatable(
                "Its sandbox needs the folder {folder}, which cannot be made: {why}",
                folder=str(walls.home),
                why=error.strerror or str(error),
            ),
        ) from None
    home = launch.environment.get("HOME") or str(walls.home)
    environment = bubblewrap.environment(launch.environment, config.env) | {"HOME": home}
    command = [launch.command, *launch.args]
    fetch = [] if walls.has_network else _fetching(command)
    words = bubblewrap.wrap(program, walls, home, command, _OFFLINE if fetch else {})
    if fetch:
        words = _after_fetching(program, walls, home, fetch, words)
    return replace(launch, command=words[0], args=tuple(words[1:]), environment=environment)


def _engine(server: str) -> str:
    """The program, which works here."""
    if not bubblewrap.is_offered():
        raise SandboxError(
            server,
            translatable("Its config asks for a sandbox, which there is on Linux alone"),
            remedy=translatable('Set "sandbox" to "off" to start it without one.'),
            steps=(NextStep("edit"),),
        )
    program = bubblewrap.find()
    if program is None:
        raise SandboxError(
            server,
            translatable("Its config asks for a sandbox, and bubblewrap is not installed"),
            remedy=translatable(
                "Install it (Debian and Ubuntu: apt install bubblewrap), then restart the server."
            ),
        )
    if why := bubblewrap.why_not(program):
        raise SandboxError(
            server,
            translatable("The system does not let bubblewrap work: {why}", why=why),
            remedy=translatable(
                "On Ubuntu, allow it in AppArmor: docs/sandbox.md says how. It is not started"
                " without its sandbox."
            ),
        )
    return program


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


def _after_fetching(
    program: str, walls: Walls, home: str, fetch: list[str], words: list[str]
) -> list[str]:
    """A shell that fetches once, with the network, and then becomes the server without it."""
    mark = walls.home / f".fetched-{hashlib.sha256(shlex.join(fetch).encode()).hexdigest()[:16]}"
    opened = replace(walls, has_network=True)
    fetching = shlex.join(bubblewrap.wrap(program, opened, home, fetch))
    marked = shlex.quote(str(mark))
    script = (
        f"[ -e {marked} ] || {{ echo 'Fetching the package before the sandbox closes' >&2; "
        f"{fetching} </dev/null >&2 && : > {marked} || exit; }}; exec {shlex.join(words)}"
    )
    return ["/bin/sh", "-c", script]
