"""Where the gateway is reached over HTTP: on this machine alone. Must not import anything."""

from __future__ import annotations

from typing import Final

PATH: Final = "/mcp"
USUAL_PORT: Final = 7777
"""What is proposed to a person; nothing else is listening there on most machines."""


def url_of(port: int) -> str:
    return f"http://127.0.0.1:{port}{PATH}"
