"""What a terminal command ends with: a contract with other programs.

The command that another run carries out says it, too: must import next to nothing.
"""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """What a command ended with."""

    DONE = 0
    TOOL_ERROR = 1
    USAGE = 2
    """Wrong usage, arguments or configuration: nothing was sent."""
    UNREACHABLE = 3
    TIMEOUT = 4
    UNDECIDED = 5
    """Nothing failed, and of something it is not known whether it is well."""
    INTERRUPTED = 130
