"""Folders where people's programs usually are, for when the login shell does not tell.

Looks at the disk, starts nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_IN_HOME = (".local/bin", ".cargo/bin", ".volta/bin", ".bun/bin", ".deno/bin", "bin", ".asdf/shims")
_IN_SYSTEM = ("/usr/local/bin", "/opt/homebrew/bin", "/home/linuxbrew/.linuxbrew/bin", "/snap/bin")
_ALIASES = 5


def usual_folders(home: Path) -> Iterator[Path]:
    """Those that exist, the person's own first."""
    folders = [home / name for name in _IN_HOME]
    if (node := nvm_default(home / ".nvm")) is not None:
        folders.append(node)
    folders += [type(home)(name) for name in (*_IN_SYSTEM, "/usr/bin", "/bin")]
    yield from (folder for folder in folders if folder.is_dir())


def nvm_default(nvm: Path) -> Path | None:
    """The `bin` of the Node.js that nvm would choose; the newest where its alias names no one."""
    try:
        versions = sorted((nvm / "versions" / "node").iterdir(), key=_version)
    except OSError:
        return None
    wanted = _alias(nvm, "default").removeprefix("v")
    fitting = [v for v in versions if f"{v.name.removeprefix('v')}.".startswith(f"{wanted}.")]
    chosen = fitting or versions
    return chosen[-1] / "bin" if chosen else None


def _alias(nvm: Path, name: str) -> str:
    """What an alias means, through others (`default` -> `lts/*` -> `lts/jod` -> `v22.1.0`)."""
    for _ in range(_ALIASES):
        if ".." in name.split("/") or name.startswith("/") or "\0" in name:
            break
        try:
            name = (nvm / "alias" / name).read_text("utf-8", errors="replace").strip()
        except OSError:
            break
    return name


def _version(folder: Path) -> list[int]:
    return [int(part) for part in re.findall(r"\d{1,9}", folder.name)]
