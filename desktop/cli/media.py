"""Saves the images, sounds and files of a result in a folder; never over a file that is there.

Names come from the kind and the type of the content, never from the server.
"""

from __future__ import annotations

import mimetypes
from typing import TYPE_CHECKING

from desktop.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.tool_types import Content, ToolResult

_TRIES = 10_000


def save_media(result: ToolResult, folder: Path) -> list[Path]:
    """Write each block that has bytes; returns the files in the order of the blocks.

    Raises:
        UsageError: the folder cannot be written to.
    """
    blocks = [block for block in result.content if block.data]
    try:
        if blocks:
            folder.mkdir(parents=True, exist_ok=True)
        return [_save(block, folder) for block in blocks]
    except OSError as error:
        raise UsageError(f"{folder} cannot be written to: {error.strerror}.") from None


def _save(block: Content, folder: Path) -> Path:
    suffix = mimetypes.guess_extension(block.mime.partition(";")[0].strip()) or ".bin"
    for number in range(1, _TRIES):
        file = folder / f"{block.kind}-{number}{suffix}"
        try:
            with file.open("xb") as stream:
                stream.write(block.data)
        except FileExistsError:
            continue
        return file
    raise OSError(17, "it is full of earlier results")
