"""What can be opened of what a sandbox refused, and the server's entry with it.

A server names what it was refused, and it may lie to get it: keys and histories are never offered.
Nothing is opened here; the person is asked, and the file is written elsewhere.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from desktop.config.sandbox import check_host
from desktop.features.sandbox.walls import SYSTEM, PlaceCheck, is_within, own_folders
from desktop.processes.process import LaunchSpec
from desktop.servers.transport.launch import SandboxError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.base.paths import Paths
    from desktop.config.models import ServerConfig
    from desktop.servers.refusals import Refusal

_KEYS: Final = (
    ".aws", ".azure", ".bash_history", ".bashrc", ".docker", ".git-credentials", ".gnupg", ".kube",
    ".mozilla", ".netrc", ".npmrc", ".password-store", ".profile", ".pypirc", ".ssh",
    ".thunderbird", ".zsh_history", ".zshrc", ".config", ".local/share", ".local/state",
)  # fmt: skip
"""Below the home: keys, what a shell runs and remembers, and the folders of other programs."""


class Offer(Struct, frozen=True):
    """A refusal, and what would be opened against it: a host, a folder or a file; or nothing."""

    refusal: Refusal
    opened: str = ""


def offers(config: ServerConfig, refused: Iterable[Refusal], paths: Paths) -> list[Offer]:
    """What was refused and is there, each once with what can be opened. Looks at the disk."""
    found: dict[tuple[str, str], Offer] = {}
    for refusal in refused:
        offer = _host(refusal) if refusal.kind == "host" else _place(config, refusal, paths)
        if offer is not None:
            found.setdefault((refusal.kind, offer.opened or refusal.subject), offer)
    return list(found.values())


def _host(refusal: Refusal) -> Offer:
    try:
        return Offer(refusal, "" if refusal.why else check_host(refusal.subject))
    except ValueError:
        return Offer(refusal)


def _place(config: ServerConfig, refusal: Refusal, paths: Paths) -> Offer | None:
    """None for what is open, is not there, or is not the person's own."""
    place = Path(os.path.normpath(refusal.subject))
    real = Path(os.path.realpath(place))
    wanted = os.R_OK if refusal.kind == "read" else os.W_OK
    if is_within(real, [*map(Path, SYSTEM), *_open(config, refusal)]):
        return None
    there = real if os.path.lexists(place) else real.parent
    if there == Path(os.path.realpath(Path.home())) or not os.access(there, wanted):
        return None
    folder = there if there.is_dir() else there.parent
    choices = [each for each in (folder, there) if _can_open(config.name, each, paths)]
    return Offer(refusal, str(choices[0]) if choices else "")


def _open(config: ServerConfig, refusal: Refusal) -> list[Path]:
    launch = LaunchSpec(config.command, config.args, {}, config.cwd)
    named = [*config.sandbox.write, *(config.sandbox.read if refusal.kind == "read" else ())]
    own = [] if config.sandbox.preset == "strict" else [*own_folders(config, launch)]
    return [Path(os.path.realpath(os.path.expanduser(each))) for each in (*named, *own)]


def _can_open(server: str, place: Path, paths: Paths) -> bool:
    home = Path(os.path.realpath(Path.home()))
    shut = [home / each for each in _KEYS]
    if is_within(place, shut) or any(place in each.parents for each in shut):
        return False
    try:
        PlaceCheck(server, home, paths).own(place)
    except SandboxError:
        return False
    return True


def widened(config: ServerConfig, offer: Offer) -> ServerConfig:
    """The server with that opened, and nothing else."""
    sandbox, opened = config.sandbox, offer.opened
    match offer.refusal.kind:
        case "host":
            change = {"network": (*sandbox.hosts, opened)}
        case "read":
            change = {"read": (*sandbox.read, opened)}
        case "write":
            read = tuple(each for each in sandbox.read if each != opened)
            change = {"read": read, "write": (*sandbox.write, opened)}
    return config.changed(sandbox=sandbox.changed(**change))
