"""The folders that a server is told of when it asks for its roots, as MCP has them.

Only tells: what a server does with a root is its own affair, and no root is a limit that we keep.
Source: MCP specification, client/roots.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import mcp_types as types
from pydantic import FileUrl

from desktop.base.errors import ConfigError
from desktop.base.translatable import translatable

if TYPE_CHECKING:
    from desktop.config.models import ServerConfig


def read_roots(config: ServerConfig) -> list[types.Root]:
    """The roots of an expanded `config`, each a folder that is there now.

    Raises:
        ConfigError: one is not a folder. Left out, it could leave a server with no roots at all,
            and some then take more for theirs than the person meant.
    """
    return [_read_root(root, index, config.cwd) for index, root in enumerate(config.roots)]


def _read_root(root: str, index: int, cwd: str | None) -> types.Root:
    path = _path_of(root) if root.startswith("file:///") else root
    folder = Path(os.path.abspath(os.path.join(cwd or "", path)))
    try:
        is_folder = folder.is_dir()
    except OSError:
        is_folder = False
    if not is_folder:
        raise ConfigError(
            translatable('"roots[{index}]" is not an existing folder', index=index),
            remedy=translatable(
                'Create the folder or correct its path; a relative path starts from "cwd".'
            ),
        )
    return types.Root(uri=FileUrl(folder.as_uri()), name=folder.name or str(folder))


def _path_of(url: str) -> str:
    """The path of a `file:` URL by the rules of this system: `/C:/x`, or `//host/share` on Windows.

    `urllib.request.url2pathname` does the same, and brings an HTTP client.
    """
    parts = urlsplit(url)
    path = unquote(parts.path)
    if sys.platform != "win32":
        return path
    return rf"\\{parts.netloc}{path}" if parts.netloc else path.removeprefix("/")
