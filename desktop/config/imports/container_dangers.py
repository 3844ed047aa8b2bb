"""Which options of a container's start widen what it may do on this computer.

A container is kept apart from the computer; some options of `docker run` and its like take that
away. Judges by words: one behind the image is an option of the program inside, and told all the
same. Must not look whether a path exists.
"""

from __future__ import annotations

import re
from pathlib import PureWindowsPath
from typing import TYPE_CHECKING, Final

from desktop.base.later_patterns import compile_later
from desktop.config.imports.warnings import ImportWarning

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop.config.imports.warnings import Kind

PROGRAMS: Final = frozenset(("docker", "podman", "nerdctl", "finch"))
_MOUNTS: Final = compile_later(r"-[itdPq]*v(?P<inline>.*)|--volume(?:=(?P<value>.*))?", re.DOTALL)
_VALUED: Final = compile_later(r"(?P<name>--[a-z-]+)(?:=(?P<value>.*))?", re.DOTALL)
_HOST: Final = frozenset(
    ("--network", "--net", "--pid", "--ipc", "--uts", "--userns", "--cgroupns", "--cgroup-ns")
)
_RIGHTS: Final = frozenset(
    (
        *("--cap-add", "--device", "--device-cgroup-rule", "--security-opt", "--volumes-from"),
        *("--group-add", "--cgroup-parent", "--runtime"),
    )
)
_HARMLESS: Final = frozenset(("no-new-privileges", "no-new-privileges:true"))
_ALL_RIGHTS: Final = compile_later(
    r"(?:CAP_)?(?:ALL|SYS_ADMIN|SYS_MODULE|SYS_PTRACE|SYS_RAWIO|DAC_READ_SEARCH)", re.IGNORECASE
)
_SOCKET: Final = compile_later(r"(?:docker|podman|containerd|crio|buildkitd)\.sock\b|docker_engine")
_SYSTEM: Final = compile_later(
    r"/+|/(?:etc|root|home|boot|dev|proc|sys|usr|bin|sbin|lib|lib64|var|run|opt|Users|System"
    r"|private|Library)(?:/(?:run|lib|etc|docker|containerd))?/*"
    r"|[A-Za-z]:[\\/]*(?:Users|Windows)?[\\/]*|~/*|\$\{?(?:HOME|USERPROFILE)(?::-[^}]*)?\}?/*"
)
"""A whole disk, a folder of the system, or all that belongs to a person."""
_PATH: Final = compile_later(r"[/~.$\\]|[A-Za-z]:[\\/]")


def container_dangers(words: Sequence[str]) -> Iterator[ImportWarning]:
    """What each option in a command line takes away, in its order.

    Args:
        words: the program, then its arguments.
    """
    start = next((at for at, word in enumerate(words) if _program(word) in PROGRAMS), None)
    if start is None:
        return
    for at in range(start + 1, len(words)):
        following = words[at + 1] if at + 1 < len(words) else ""
        if found := _judged(words[at], following):
            kind, option = found
            yield ImportWarning(kind, f"args[{at - 1}]", option)


def _program(word: str) -> str:
    return PureWindowsPath(word).name.lower().removesuffix(".exe")


def _judged(word: str, following: str) -> tuple[Kind, str] | None:
    if mount := _MOUNTS.fullmatch(word):
        inline = (mount["inline"] or mount["value"] or "").removeprefix("=")
        kind = _mounted(_source(inline or following))
        return (kind, word if inline else f"{word} {following}") if kind else None
    if (option := _VALUED.fullmatch(word)) is None:
        return None
    name, given = option["name"], option["value"]
    value = following if given is None else given
    text = word if given is not None else f"{name} {following}"
    if name == "--privileged":
        return None if given in {"false", "0"} else ("container_open", word)
    if name == "--mount":
        kind = _mounted(_bound(value))
        return (kind, text) if kind else None
    if name in _HOST and (value == "host" or value.startswith(("container:", "ns:"))):
        return ("container_open" if name == "--pid" else "container_host"), text
    if name in _RIGHTS and value and value not in _HARMLESS:
        is_all = name == "--cap-add" and _ALL_RIGHTS.fullmatch(value) is not None
        return ("container_open" if is_all else "container_rights"), text
    return None


def _mounted(source: str) -> Kind | None:
    """What it means that the container gets this path; None for what is no path of this machine."""
    if _SOCKET.search(source) or (source and _SYSTEM.fullmatch(_plain(source))):
        return "container_open"
    return "container_files" if _PATH.match(source) else None


def _plain(path: str) -> str:
    """Without the detours that hide which folder it is."""
    parts: list[str] = []
    for part in path.split("/"):
        if part == ".." and parts[1:]:
            parts.pop()
        elif part not in {".", ".."}:
            parts.append(part)
    return "/".join(parts) or "/"


def _source(mount: str) -> str:
    """What stands before the colon, but that of a Windows drive and of a default."""
    found = re.match(r"(?:[A-Za-z]:(?=[\\/]))?(?:\$\{[^}]*\}|\$(?!\{)|[^:$])*(?=:)", mount)
    return found[0] if found is not None else ""


def _bound(mount: str) -> str:
    """The path of a bind mount."""
    pairs = (part.partition("=") for part in mount.split(","))
    parts = {name: value for name, _, value in pairs}
    return parts.get("source", parts.get("src", "")) if parts.get("type") != "tmpfs" else ""
