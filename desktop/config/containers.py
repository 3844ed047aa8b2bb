"""What a server in a container may touch of this computer: what its own command says.

A container is made by a daemon, so no sandbox around the command could hold it. Judges by words.
Must not look whether a path exists.
"""

from __future__ import annotations

from pathlib import PureWindowsPath
from typing import TYPE_CHECKING, Final

from desktop.base.translatable import join_list, translatable
from desktop.config.imports.container_dangers import PROGRAMS, container_dangers
from desktop.config.models import sandbox_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.config.models import Sandbox, ServerConfig

_NETWORK: Final = ("--network", "--net")


def makes_container(command: str) -> bool:
    """Whether this program has a daemon make containers."""
    return PureWindowsPath(command).name.lower().removesuffix(".exe") in PROGRAMS


def run_options_at(command: str, args: Sequence[str]) -> int:
    """Where the options of `docker run` begin, and of its like; 0 where it runs no container."""
    if not makes_container(command):
        return 0
    starts = {("run",): 1, ("container", "run"): 2}
    return next((count for start, count in starts.items() if tuple(args[:count]) == start), 0)


def networks(args: Sequence[str]) -> list[str]:
    """The networks that the arguments name."""
    pairs = zip(args, (*args[1:], ""), strict=True)
    found = (
        following if word in _NETWORK else word.partition("=")[2]
        for word, following in pairs
        if word.partition("=")[0] in _NETWORK
    )
    return list(found)


def may_touch(config: ServerConfig, sandbox: Sandbox) -> str:
    """What a local server may touch in this sandbox, as a part of a sentence."""
    if not makes_container(config.command):
        return sandbox_words(sandbox)
    opened = [each.subject for each in container_dangers((config.command, *config.args))]
    opened += [*sandbox.read, *sandbox.write]
    if sandbox.has_network and networks(config.args) != ["none"]:
        opened.append(translatable("the network"))
    return join_list([translatable("its container"), *opened])
