"""Holds a server to its limits of memory, processes and CPU, by what the system has for that.

Cgroups, made by the person's systemd, count all that a server starts. Without them Linux bounds the
memory of each process alone, and the app counts the rest (`tree_limits`); the CPU cannot be held
then, and a server that asks for that is not started. Must not run the server.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from desktop.base.errors import NextStep
from desktop.base.translatable import translatable
from desktop.config.containers import makes_container
from desktop.processes.process import TreeLimits
from desktop.servers.transport.launch import SandboxError

if TYPE_CHECKING:
    from desktop.base.paths import Paths
    from desktop.config.models import Limits, ServerConfig
    from desktop.processes.process import LaunchSpec

TRY_SECONDS: Final = 20.0
_WAY: Final = ("XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS")
"""Variables by which systemd is reached, which a server in a sandbox does not get."""
_SCOPE: Final = ("--user", "--scope", "--quiet", "--collect")
_AS_WRITTEN: Final = "--expand-environment=no"
"""Known from systemd 254 on; before that, nothing is replaced in a command."""
_CONTROLLERS: Final = 'cat "/sys/fs/cgroup$(sed -n s/^0:://p /proc/self/cgroup)/cgroup.controllers"'


def confine(config: ServerConfig, launch: LaunchSpec, paths: Paths) -> LaunchSpec:
    """The same start within its limits; unchanged where it has none, or is a container.

    Args:
        config: with its variables replaced.
        launch: what would be started without them, in its sandbox if it has one.
        paths: of this app, which are of no consequence.

    Raises:
        SandboxError: they cannot be held here.
    """
    limits = config.limits
    if not limits.are_set or makes_container(config.command):
        return launch
    program = find()
    options = scope_options(program) if program is not None else None
    if program is not None and options is not None:
        return _in_scope(program, options, limits, launch)
    if limits.cpu:
        raise SandboxError(
            config.name,
            translatable(
                "Its config limits its CPU, which only systemd can do, and that is not running for "
                "you here"
            ),
            remedy=translatable('Take "cpu" out of its "limits".'),
            steps=(NextStep("edit"),),
        )
    counted = replace(launch, limits=TreeLimits(limits.memory, limits.processes))
    return _each_bounded(counted, limits.memory) if limits.memory else counted


def find() -> str | None:
    """The program that starts something in a cgroup of its own; None where there is none."""
    return shutil.which("systemd-run", path=os.defpath) if sys.platform == "linux" else None


@lru_cache(maxsize=8)
def scope_options(program: str) -> tuple[str, ...] | None:
    """The options with which it works; None where systemd does not hold all three limits here."""
    for options in ((*_SCOPE, _AS_WRITTEN), _SCOPE):
        trial = [program, *options, *_properties(10**9, 100, 100), "--", "/bin/sh", "-c"]
        try:
            done = subprocess.run(  # noqa: S603 - our own words
                [*trial, _CONTROLLERS],
                capture_output=True,
                text=True,
                errors="replace",
                timeout=TRY_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        if {"memory", "pids", "cpu"} <= set(done.stdout.split()):
            return options
    return None


def _properties(memory: int, processes: int, cpu: int) -> list[str]:
    """A cgroup has its limit of memory with none beside it in the swap."""
    found = [f"MemoryMax={memory}", "MemorySwapMax=0"] if memory else []
    found += [f"TasksMax={processes}"] if processes else []
    found += [f"CPUQuota={cpu}%"] if cpu else []
    return [f"--property={each}" for each in found]


def _in_scope(
    program: str, options: tuple[str, ...], limits: Limits, launch: LaunchSpec
) -> LaunchSpec:
    """Systemd's program puts itself into a scope and becomes the server: no process is added."""
    properties = _properties(limits.memory, limits.processes, limits.cpu)
    hidden = [name for name in _WAY if name in os.environ and name not in launch.environment]
    way = [f"{name}={os.environ[name]}" for name in hidden]
    without = [word for name in hidden for word in ("-u", name)]
    words = [program, *options, *properties, "--", launch.command, *launch.args]
    if hidden:
        words[-1 - len(launch.args) : -1 - len(launch.args)] = ["/usr/bin/env", *without]
        words = ["/usr/bin/env", *way, *words]
    return replace(launch, command=words[0], args=tuple(words[1:]))


def _each_bounded(launch: LaunchSpec, memory: int) -> LaunchSpec:
    """A shell that takes a limit for the data of each process, and becomes the server."""
    if sys.platform != "linux":  # others know no such limit that holds
        return launch
    option, script, *rest = launch.args if launch.command == "/bin/sh" else ("", "")
    if option != "-c":
        script, rest = f"exec {shlex.join((launch.command, *launch.args))}", []
    bounded = f"ulimit -d {memory // 1024} || exit; {script}"
    return replace(launch, command="/bin/sh", args=("-c", bounded, *rest))
