"""Holds a server that comes as an image: by options of `docker run`, and of its like.

A daemon makes the container, so that bubblewrap or a cgroup around the command would hold nothing.
What its own command opens stays open, unless that is the whole computer. Must start nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from desktop.base.errors import NextStep
from desktop.base.translatable import join_list, translatable
from desktop.config.containers import makes_container, networks, run_options_at
from desktop.config.imports.container_dangers import container_dangers
from desktop.features.sandbox.walls import PlaceCheck
from desktop.servers.transport.launch import SandboxError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.base.paths import Paths
    from desktop.config.models import Limits, ServerConfig
    from desktop.processes.process import LaunchSpec


def confine(config: ServerConfig, launch: LaunchSpec, paths: Paths) -> LaunchSpec:
    """The same start with the options of its sandbox and its limits; unchanged for other programs.

    Raises:
        SandboxError: they cannot be held, or its command opens what its sandbox shuts.
    """
    if not makes_container(config.command):
        return launch
    at = run_options_at(config.command, launch.args)
    if not at:
        raise _refusal(
            config,
            translatable(
                "Only a container that its command runs can have a sandbox or limits (docker run …)"
            ),
        )
    options = (*_walls(config, launch, paths), *_limits(config.limits))
    return replace(launch, args=(*launch.args[:at], *options, *launch.args[at:]))


def _walls(config: ServerConfig, launch: LaunchSpec, paths: Paths) -> Iterator[str]:
    sandbox = config.sandbox
    if not sandbox.is_on:
        return
    _check_command(config, launch)
    yield "--security-opt=no-new-privileges"
    if not sandbox.has_network:
        yield "--network=none"
    if sandbox.preset == "strict":
        yield from ("--read-only", "--tmpfs=/tmp", "--cap-drop=ALL")
    judge = PlaceCheck(config.name, Path.home(), paths)
    for text in sandbox.read:
        yield f"--mount={_mount(judge.named(text))},readonly"
    for text in sandbox.write:
        yield f"--mount={_mount(judge.named(text))}"


def _check_command(config: ServerConfig, launch: LaunchSpec) -> None:
    """Refuse what its own options open against its sandbox."""
    sandbox, named = config.sandbox, networks(launch.args)
    if sandbox.hosts:
        raise _refusal(
            config, translatable("A container can have a network or none, and no list of hosts")
        )
    opened = [
        each.subject
        for each in container_dangers((config.command, *launch.args))
        if each.kind != "container_files" or sandbox.preset == "strict"
    ]
    if not sandbox.has_network:
        opened += [f"--network {name}" for name in named if name != "none"]
    if opened:
        raise _refusal(
            config,
            translatable(
                "Its command opens to its container what its sandbox shuts: {options}",
                options=join_list(list(dict.fromkeys(opened))),
            ),
        )


def _limits(limits: Limits) -> Iterator[str]:
    if limits.memory:
        yield from (f"--memory={limits.memory}b", f"--memory-swap={limits.memory}b")
    if limits.processes:
        yield f"--pids-limit={limits.processes}"
    if limits.cpu:
        yield f"--cpus={limits.cpu / 100:g}"


def _mount(place: Path) -> str:
    """A field of the comma-separated line that `--mount` takes."""
    quoted = str(place).replace('"', '""')
    return f'type=bind,"source={quoted}","target={quoted}"'


def _refusal(config: ServerConfig, why: str) -> SandboxError:
    return SandboxError(
        config.name,
        why,
        remedy=translatable("Change its arguments, or its sandbox and limits."),
        steps=(NextStep("edit"),),
    )
