"""The folders that a server is told of when it asks for its roots, as MCP has them.

Only tells: what a server does with a root is its own affair, and no root is a limit that we keep.
Source: MCP specification, client/roots.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import mcp_types as types
from pydantic import FileUrl

from desktop.base.errors import ConfigError
from desktop.base.file_url import is_file_url, path_of, url_of
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
    folder = _folder(root, cwd)
    if folder is None:
        raise ConfigError(
            translatable('"roots[{index}]" is not an existing folder', index=index),
            remedy=translatable(
                'Create the folder or correct its path; a relative path starts from "cwd".'
            ),
        )
    return types.Root(uri=FileUrl(url_of(str(folder))), name=folder.name or str(folder))


def _folder(root: str, cwd: str | None) -> Path | None:
    try:
        path = path_of(root) if is_file_url(root) else root
        folder = Path(os.path.abspath(os.path.join(cwd or "", path)))
        return folder if folder.is_dir() else None
    except (OSError, ValueError):
        return None
