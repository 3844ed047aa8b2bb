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
_RUN: Final = (("run",), ("container", "run"))
_COMMANDS: Final = frozenset(("run", "container", "compose"))


def makes_container(command: str) -> bool:
    """Whether this program has a daemon make containers."""
    return PureWindowsPath(command).name.lower().removesuffix(".exe") in PROGRAMS


def run_options_at(command: str, args: Sequence[str]) -> int:
    """Where the options of `docker run` begin, and of its like; 0 where it runs no container."""
    if not makes_container(command):
        return 0
    at = own_options_end(args)
    return next((at + len(way) for way in _RUN if tuple(args[at : at + len(way)]) == way), 0)


def label_at(command: str, args: Sequence[str]) -> int:
    """Where a label of the container may stand, also of `docker compose run`; 0 where none may."""
    if (at := run_options_at(command, args)) or not makes_container(command):
        return at
    at = own_options_end(args)
    if "compose" not in args[at : at + 1]:
        return 0
    at += 1 + own_options_end(args[at + 1 :])
    return at + 1 if "run" in args[at : at + 1] else 0


def own_options_end(args: Sequence[str]) -> int:
    """How many words are options, and their values, of the program itself: `--context work`."""
    at = 0
    while at < len(args) and args[at].startswith("-"):
        has_value = "=" not in args[at] and at + 1 < len(args) and args[at + 1] not in _COMMANDS
        at += 2 if has_value and not args[at + 1].startswith("-") else 1
    return at


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
