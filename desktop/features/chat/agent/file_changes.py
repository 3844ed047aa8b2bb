"""What a call would make of a file, before a person allows it: for the built-in filesystem alone.

Uses the code of the server itself, so that it reads no other file than the call would write. Must
not write, and says nothing where it is not sure: then the arguments are all there is to be shown.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from desktop.tools.approvals import FileChange

if TYPE_CHECKING:
    from desktop.config.models import ServerConfig
    from desktop.values.tool_types import JsonObject

MAX_LENGTH: Final = 400_000
"""Characters of a file, before and after, of which a difference is made."""
MAX_LINES: Final = 3_000
"""Lines of them: the time that a difference takes grows with their square."""
_WRITING: Final = ("write_file", "edit_file")


async def find_file_change(
    config: ServerConfig | None, tool: str, arguments: JsonObject
) -> FileChange | None:
    """What the file becomes; None where the call writes none, or that cannot be told."""
    if config is None or config.builtin != "filesystem" or tool not in _WRITING:
        return None
    return await asyncio.to_thread(_find, config.args, tool, arguments)


def _find(args: tuple[str, ...], tool: str, arguments: JsonObject) -> FileChange | None:
    from builtin_servers.files.operations import apply_edits, make_diff, read_for_edit
    from builtin_servers.files.roots import Roots
    from builtin_servers.framework.arguments import parse_arguments
    from builtin_servers.framework.tool import ArgumentError, ToolCallError

    try:
        folders = parse_arguments(args, switches=["--read-only"]).rest
        with Roots(folders).resolve(arguments["path"]) as rooted:
            path, is_new = rooted.path, rooted.stat() is None
            before = "" if is_new else read_for_edit(rooted).decode("utf-8")
        is_whole = tool == "write_file"
        after = arguments["content"] if is_whole else apply_edits(before, arguments["edits"])
        if not isinstance(after, str) or (is_new and not is_whole):
            return None
        lines = max(before.count("\n"), after.count("\n"))
        if max(len(before), len(after)) > MAX_LENGTH or lines > MAX_LINES:
            return None
        return FileChange(path, make_diff(before, after, path), is_new)
    except (ArgumentError, ToolCallError, OSError, ValueError, LookupError, TypeError):
        return None  # the server says what is wrong
