"""Starts a server in its sandbox, or proposes one: bubblewrap holds it to its walls.

All that a server starts lives in a PID namespace. That ends with its first process, and the process
with the app's keeper. Never starts anything without the sandbox that was asked for; `seatbelt` does
the same on macOS. Source: bwrap(1), 0.8.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from desktop.base.errors import NextStep
from desktop.base.translatable import translatable
from desktop.config.containers import makes_container
from desktop.config.models import Sandbox, SandboxProposal
from desktop.features.sandbox.enclosing import enclose
from desktop.features.sandbox.walls import SYSTEM, PlaceCheck, own_folders
from desktop.processes.process import LaunchSpec
from desktop.servers.transport.launch import SandboxError
from desktop.values.tool_types import EMPTY

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from desktop.base.paths import Paths
    from desktop.config.models import ServerConfig
    from desktop.features.sandbox.walls import Walls

TRY_SECONDS: Final = 5.0
_HIDDEN: Final = (
    "/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/krb5.keytab",
    "/etc/sudoers", "/etc/machine-id", "/proc/sysrq-trigger",
)  # fmt: skip
_HIDDEN_FOLDERS: Final = (
    "/etc/ssh", "/etc/ssl/private", "/etc/sudoers.d", "/etc/wireguard",
    "/etc/NetworkManager/system-connections",
)  # fmt: skip
_EMPTY: Final = ("/tmp", "/var/tmp", "/run")  # noqa: S108 - empty ones of the server alone
_PROXIES: Final = tuple(
    f"{kind}{end}"
    for kinds, end in (
        (("http", "https", "all", "no"), "_proxy"),
        (("HTTP", "HTTPS", "ALL", "NO"), "_PROXY"),
    )
    for kind in kinds
)
"""Variables of a proxy, which the gate uses in the server's place."""


def confine(config: ServerConfig, launch: LaunchSpec, paths: Paths) -> LaunchSpec:
    """The same start inside its sandbox; unchanged where it has none, or is a container.

    Raises:
        SandboxError: there is no engine, or a folder cannot be opened.
    """
    if not config.sandbox.is_on or makes_container(config.command) or sys.platform == "darwin":
        return launch
    return enclose(config, launch, paths, partial(wrap, _engine(config.name)))


def _engine(server: str) -> str:
    """The program, which works here."""
    if not is_offered():
        raise SandboxError(
            server,
            translatable("Its config asks for a sandbox, which there is on Linux and macOS alone"),
            remedy=translatable('Set "sandbox" to "off" to start it without one.'),
            steps=(NextStep("edit"),),
        )
    program = find()
    if program is None:
        raise SandboxError(
            server,
            translatable("Its config asks for a sandbox, and bubblewrap is not installed"),
            remedy=translatable(
                "Install it (Debian and Ubuntu: apt install bubblewrap), then restart the server."
            ),
        )
    if why := why_not(program):
        raise SandboxError(
            server,
            translatable("The system does not let bubblewrap work: {why}", why=why),
            remedy=translatable(
                "On Ubuntu, allow it in AppArmor: docs/sandbox.md says how. It is not started"
                " without its sandbox."
            ),
        )
    return program


def find() -> str | None:
    """The program; None where it is not installed."""
    return shutil.which("bwrap", path=os.defpath + ":/usr/local/bin:/usr/bin:/bin")


@lru_cache(maxsize=8)
def why_not(program: str) -> str:
    """What the system says when it forbids the program to work; empty where it works."""
    test = [program, "--unshare-pid", "--unshare-net", "--ro-bind", "/", "/", "--", "/bin/true"]
    try:
        done = subprocess.run(  # noqa: S603 - our own words
            test, capture_output=True, text=True, errors="replace", timeout=TRY_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    said = done.stderr.strip().splitlines()
    return "" if done.returncode == 0 else (said[-1] if said else f"exit code {done.returncode}")


def wrap(
    program: str,
    walls: Walls,
    home: str,
    command: Sequence[str],
    variables: Mapping[str, str] = EMPTY,
    without: Iterable[str] = (),
) -> list[str]:
    """The whole command line.

    Args:
        program: of bubblewrap.
        walls: what is open.
        home: the path of the person's home folder, where the server's own is seen.
        command: what runs inside, a full path first.
        variables: are set inside.
        without: names of variables that are not there inside.
    """
    words = [program, *_machine(has_network=walls.has_network)]
    if walls.hosts:
        words += _names_from_the_gate()
        without = [*without, *_PROXIES]
    words += ["--bind", str(walls.home), home]
    for real, place in walls.links:
        words += ["--dir", str(place.parent), "--symlink", str(real), str(place)]
    for place in walls.read:
        words += ["--ro-bind", str(place), str(place)]
    for place in walls.write:
        words += ["--bind", str(place), str(place)]
    for name, value in variables.items():
        words += ["--setenv", name, value]
    for name in without:
        words += ["--unsetenv", name]
    return [*words, "--chdir", str(walls.cwd), "--", *command]


def _machine(*, has_network: bool) -> list[str]:
    """The namespaces, and the system as each server sees it."""
    words = ["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    words += ["--die-with-parent", "--cap-drop", "ALL"]
    words += [] if has_network else ["--unshare-net"]
    for folder in SYSTEM:
        words += _system(folder)
    words += ["--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys", "--dev", "/dev"]
    for folder in _EMPTY:
        words += ["--tmpfs", folder]
    for file in _HIDDEN:
        words += ["--ro-bind", "/dev/null", file] if os.path.exists(file) else []
    for folder in _HIDDEN_FOLDERS:
        words += ["--tmpfs", folder] if os.path.isdir(folder) else []
    if has_network and os.path.islink("/etc/resolv.conf"):
        real = os.path.realpath("/etc/resolv.conf")
        words += ["--ro-bind-try", real, real]
    return words


def _names_from_the_gate() -> list[str]:
    """An empty list of resolvers: programs ask the loopback then, where the gate answers."""
    real = os.path.realpath("/etc/resolv.conf")
    return ["--ro-bind", "/dev/null", real] if os.path.lexists("/etc/resolv.conf") else []


def _system(folder: str) -> list[str]:
    if os.path.islink(folder):
        return ["--symlink", os.readlink(folder), folder]
    return ["--ro-bind", folder, folder] if os.path.isdir(folder) else []


def is_offered() -> bool:
    """Whether there can be this engine on this system."""
    return sys.platform == "linux"


# --- for servers from elsewhere --------------------------------------------------------------


def propose(config: ServerConfig, paths: Paths) -> SandboxProposal:
    """What is proposed for a server that was not written here, or why nothing is.

    A server at a URL, and one of the app, has nothing to be asked about.
    """
    if config.transport != "stdio" or config.builtin:
        return SandboxProposal()
    why = _why_no_sandbox(config, paths)
    return SandboxProposal(None if why else Sandbox(preset="folders"), why)


def _why_no_sandbox(config: ServerConfig, paths: Paths) -> str:
    if not is_offered():
        return translatable("A sandbox is proposed on Linux alone.")
    program = find()
    if program is None:
        return translatable("There is no sandbox here: bubblewrap is not installed.")
    if said := why_not(program):
        return translatable("The system does not let bubblewrap work: {why}", why=said)
    if makes_container(config.command):
        return translatable("A server in a container has walls of its own.")
    judge = PlaceCheck(config.name, Path.home(), paths)
    launch = LaunchSpec(os.path.basename(config.command), config.args, {}, config.cwd)
    for folder in own_folders(config, launch):
        try:
            judge.own(folder)
        except SandboxError:
            return translatable("It asks for {folder}, which no sandbox opens.", folder=str(folder))
    return ""
