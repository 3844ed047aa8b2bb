"""`HostContext`: what an app is told of where it is shown. Values alone.

Source: MCP Apps 2026-01-26, "Host Context". No style variables are given: an app's own look, in the
theme of the window, is whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal

from desktop.mcp_apps.limits import MAX_HEIGHT

USER_AGENT: Final = "mcp-desktop"


@dataclass(frozen=True, slots=True)
class HostContext:
    """`locale` is a BCP 47 tag (`zh-CN`), `time_zone` one of IANA, empty where it is not known."""

    theme: Literal["light", "dark"] = "light"
    locale: str = ""
    time_zone: str = ""

    def to_json(self) -> dict[str, Any]:
        """As the specification has it."""
        known = {"locale": self.locale, "timeZone": self.time_zone}
        return {
            "theme": self.theme,
            "displayMode": "inline",
            "availableDisplayModes": ["inline"],
            "containerDimensions": {"maxHeight": MAX_HEIGHT},
            "platform": "desktop",
            "userAgent": USER_AGENT,
            **{name: value for name, value in known.items() if value},
        }
