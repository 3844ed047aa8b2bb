"""Holds a server to its walls on macOS: a profile for `sandbox-exec`, which the kernel enforces.

What no line allows is refused, so a profile that forgets something stops a server and opens
nothing. It was never run on a Mac by us (docs/sandbox.md). A list of hosts cannot be held there.
Must start nothing. Source: sandbox-exec(1); the language has no specification, its words are those
of the profiles that macOS ships in /System/Library/Sandbox.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from desktop.base.errors import NextStep
from desktop.base.translatable import translatable
from desktop.config.containers import makes_container
from desktop.features.sandbox.enclosing import enclose
from desktop.features.sandbox.walls import SYSTEM, is_within, walls_of
from desktop.servers.transport.launch import SandboxError
from desktop.values.tool_types import EMPTY

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from desktop.base.paths import Paths
    from desktop.config.models import ServerConfig
    from desktop.features.sandbox.walls import Walls
    from desktop.processes.process import LaunchSpec

PROGRAM: Final = "/usr/bin/sandbox-exec"
_SYSTEM: Final = (
    "/System", "/usr", "/bin", "/sbin", "/opt", "/nix", "/Library/Apple", "/Library/Developer",
    "/Library/Frameworks", "/Library/Java", "/private/etc", "/private/var/db/dyld",
    "/private/var/db/timezone", "/private/var/select",
)  # fmt: skip
"""What each server may read."""
_HIDDEN: Final = (
    "/private/etc/master.passwd", "/private/etc/krb5.keytab", "/private/etc/ssh",
    "/private/etc/sudoers", "/private/etc/sudoers.d",
)  # fmt: skip
_LINKS: Final = ("/", "/etc", "/tmp", "/var", "/dev")  # noqa: S108 - read as links alone
_DEVICES: Final = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/dev/fd")
_SERVICES: Final = (
    "com.apple.bsd.dirhelper", "com.apple.logd", "com.apple.system.logger",
    "com.apple.system.notification_center", "com.apple.system.opendirectoryd.libinfo",
)  # fmt: skip
"""What the C library asks. None of them starts a program outside, as launchd's own would."""
_OF_NETWORK: Final = (
    "com.apple.SystemConfiguration.DNSConfiguration", "com.apple.SystemConfiguration.configd",
    "com.apple.trustd.agent",
)  # fmt: skip
_NAMES: Final = "/private/var/run/mDNSResponder"
"""The socket where names are resolved."""


def confine(config: ServerConfig, launch: LaunchSpec, paths: Paths) -> LaunchSpec:
    """The same start inside its sandbox; unchanged where it has none, or on another system.

    Raises:
        SandboxError: a folder cannot be opened, or it names hosts.
    """
    if sys.platform != "darwin" or not config.sandbox.is_on or makes_container(config.command):
        return launch
    if config.sandbox.hosts:
        raise SandboxError(
            config.name,
            translatable("On macOS a sandbox has a network or none, and no list of hosts"),
            remedy=translatable("Change its sandbox."),
            steps=(NextStep("edit"),),
        )
    walls = walls_of(config, launch, paths)
    is_seen = is_within(walls.cwd, [*walls.read, *walls.write, *map(Path, SYSTEM)])
    return replace(enclose(config, launch, paths, wrap), cwd=str(walls.cwd) if is_seen else "/")


def wrap(
    walls: Walls,
    home: str,
    command: Sequence[str],
    variables: Mapping[str, str] = EMPTY,
    without: Iterable[str] = (),
) -> list[str]:
    """The whole command line; the server's own home is that of `walls`.

    Args:
        walls: what is open.
        home: of the person; nothing can stand in its place here.
        command: what runs inside, a full path first.
        variables: are set inside.
        without: names of variables that are not there inside.
    """
    unset = [word for name in without for word in ("-u", name)]
    own = {"HOME": str(walls.home), "TMPDIR": str(walls.home)}
    pairs = [f"{name}={value}" for name, value in {**own, **variables}.items()]
    return [PROGRAM, "-p", profile(walls), "/usr/bin/env", *unset, *pairs, *command]


def profile(walls: Walls) -> str:
    """The text of the profile. Of the lines that fit, the last one counts."""
    return "\n".join(_lines(walls))


def _lines(walls: Walls) -> Iterator[str]:
    yield from ("(version 1)", "(deny default)")
    yield from ("(allow process-exec)", "(allow process-fork)", "(allow sysctl-read)")
    yield "(allow process-info* (target same-sandbox))"
    yield "(allow signal (target same-sandbox))"
    yield "(allow ipc-posix-sem)"
    services = (*_SERVICES, *(_OF_NETWORK if walls.has_network else ()))
    yield _rule("mach-lookup", "global-name", services)
    opened = [*walls.read, *walls.write, walls.home]
    yield _rule("file-read-metadata", "literal", [*_above(opened), *map(str, _linked(walls))])
    yield _rule("file-read*", "literal", [*_LINKS, *_DEVICES[:-1]])
    yield _rule("file-read*", "subpath", [*_SYSTEM, _DEVICES[-1]])
    yield _rule("file-read* file-write*", "subpath", _HIDDEN, verb="deny")
    yield _rule("file-write-data", "literal", _DEVICES[:2])
    yield _rule("file-read*", "subpath", map(str, opened))
    yield _rule("file-write*", "subpath", map(str, [*walls.write, walls.home]))
    if walls.has_network:
        # Not all of it: a socket of the file system leads to Docker, to keys, to other apps.
        yield "(allow system-socket)"
        yield '(allow network-outbound (remote ip "*:*"))'
        yield '(allow network-bind network-inbound (local ip "*:*"))'
        yield _rule("network-outbound", "literal", [_NAMES])


def _rule(operations: str, by: str, names: Iterable[str], *, verb: str = "allow") -> str:
    """A line; empty where it would name nothing, which would mean everything."""
    filters = " ".join(f"({by} {_quoted(name)})" for name in names)
    return f"({verb} {operations} {filters})" if filters else ""


def _quoted(text: str) -> str:
    """A string of the language, where a backslash escapes as in Scheme."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _above(places: Iterable[Path]) -> list[str]:
    """The folders above them: to walk there, a program has to see that they exist."""
    return sorted({str(above) for place in places for above in place.parents})


def _linked(walls: Walls) -> Iterator[Path]:
    """Other ways to what is open, with the folders above them."""
    for _, place in walls.links:
        yield from (place, *place.parents)
