"""`--trace`: writes the JSON-RPC messages of a run as JSON lines, their secrets left out.

To a file, or to stderr with `-`: stdout belongs to the command's result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.atomic_file import write_file
from desktop.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.cli.screen import Console
    from desktop.servers.message_log import MessageLog, RecordedMessage

STDERR = "-"


def write_trace(traffic: MessageLog, target: Path, screen: Console) -> None:
    """Write what is kept of the traffic; a file that cannot be written is told, no more."""
    from desktop.servers.message_log import json_lines

    messages: list[RecordedMessage] = []
    while part := traffic.after(messages[-1].number if messages else 0):
        messages += part
    is_file = str(target) != STDERR
    text = "".join(json_lines(messages, ascii_only=not is_file))
    if not is_file:
        screen.note(text.rstrip("\n"))
        return
    try:
        write_file(target, text.encode("utf-8", "replace"))
    except ConfigError as error:  # the call was made: its result is still printed
        screen.note(str(error))
        return
    if traffic.first > 1:
        screen.note(f"the trace begins at message {traffic.first}: no more are kept")
