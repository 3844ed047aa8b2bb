"""Writes everything a result holds into a new folder. Must not import Qt; runs on another thread.

No name of the server decides where: each file is `NN-name` directly inside a folder made anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.atomic_file import write_file
from desktop.errors import ConfigError
from desktop.gui.results.kinds import text_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from desktop.tool_types import Content, ToolResult

MOST_FILES = 1_000


def save_all(
    result: ToolResult,
    folder: Path,
    name: str,
    naming: Callable[[str, str, str], str],
    structured: str = "",
) -> Path:
    """The new folder inside `folder`, with a file for each block and `structuredContent.json`.

    Args:
        result: what is saved.
        folder: what the person picked; it exists.
        name: of the new folder; a number is added where it is taken.
        naming: wanted name, MIME type and fallback to a harmless file name.
        structured: the structured content as JSON, empty where there is none.

    Raises:
        ConfigError: a file or the folder cannot be written.
    """
    made = _new_folder(folder, naming(name, "", "result"))
    for number, block in enumerate(result.content[:MOST_FILES], 1):
        wanted = naming(block.name or block.uri, _mime(block), block.kind)
        write_file(made / f"{number:02d}-{wanted}", _content(block))
    if not result.content and result.output:
        write_file(made / "01-text.txt", result.output.encode("utf-8", "replace"))
    if structured:
        write_file(made / "structuredContent.json", structured.encode("utf-8", "replace"))
    return made


def _mime(block: Content) -> str:
    return block.mime or ("text/plain" if text_of(block) else "")


def _content(block: Content) -> bytes:
    if block.kind == "link":
        return f"{block.uri}\n{block.text}".encode("utf-8", "replace")
    return block.data or block.text.encode("utf-8", "replace")


def _new_folder(folder: Path, name: str) -> Path:
    for number in range(1, 1_000):
        made = folder / (name if number == 1 else f"{name}-{number}")
        try:
            made.mkdir()
        except FileExistsError:
            continue
        except OSError as error:
            raise ConfigError(f"{made} cannot be made: {error.strerror}") from error
        return made
    raise ConfigError(f"{folder} has too many folders called {name}")
