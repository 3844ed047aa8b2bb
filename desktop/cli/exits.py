"""The exit codes of every command: a contract with other programs. Decides nothing else."""

from __future__ import annotations

from enum import IntEnum

from desktop.tool_types import ErrorCode, ToolResult


class Exit(IntEnum):
    """What a command ended with."""

    DONE = 0
    TOOL_ERROR = 1
    USAGE = 2
    """Wrong usage, arguments or configuration: nothing was sent."""
    UNREACHABLE = 3
    TIMEOUT = 4
    INTERRUPTED = 130


_BY_CODE = {
    ErrorCode.NOT_FOUND: Exit.USAGE,
    ErrorCode.INVALID_ARGUMENTS: Exit.USAGE,
    ErrorCode.DENIED: Exit.USAGE,
    ErrorCode.UNREACHABLE: Exit.UNREACHABLE,
    ErrorCode.TIMEOUT: Exit.TIMEOUT,
    ErrorCode.CANCELLED: Exit.INTERRUPTED,
}


def exit_of(result: ToolResult) -> Exit:
    """The exit code of a call; what the server or the tool said itself counts as its error."""
    if result.error is None:
        return Exit.DONE
    return _BY_CODE.get(result.error.code, Exit.TOOL_ERROR)
