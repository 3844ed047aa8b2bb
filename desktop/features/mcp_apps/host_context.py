"""`HostContext`: what an app is told of where it is shown. Values alone.

Source: MCP Apps 2026-01-26, "Host Context". No style variables are given: an app's own look, in the
theme of the window, is whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, TypeGuard

from msgspec import Struct

from desktop.features.mcp_apps.limits import MAX_HEIGHT

if TYPE_CHECKING:
    from desktop.values.tool_types import JsonObject

USER_AGENT: Final = "mcp-desktop"
DisplayMode: TypeAlias = Literal["inline", "fullscreen"]
"""As high as the app says; as large as its page. A window of its own (`pip`) there is none."""
MODES: Final[tuple[DisplayMode, ...]] = ("inline", "fullscreen")
MAX_SIDE: Final = 20_000
"""Pixels of a page that are believed."""


class Place(Struct, frozen=True):
    """How large an app is shown: its mode, and the pixels that its page has for it, 0 as yet."""

    mode: DisplayMode = "inline"
    width: int = 0
    height: int = 0

    def taking(self, said: JsonObject) -> Place:
        """What the page says of it, as far as that can be: `mode`, `width` and `height`."""
        mode, width, height = (said.get(name) for name in ("mode", "width", "height"))
        return Place(
            mode if mode in MODES else self.mode,
            width if _is_side(width) else self.width,
            height if _is_side(height) else self.height,
        )

    def to_json(self) -> dict[str, Any]:
        """As the specification has it: without a width as long as none is known."""
        room = {"width": self.width} if self.width else {}
        is_full = self.mode == "fullscreen" and self.height
        tall = {"height": self.height} if is_full else {"maxHeight": MAX_HEIGHT}
        return {"displayMode": self.mode, "containerDimensions": room | tall}


def _is_side(pixels: object) -> TypeGuard[int]:
    return isinstance(pixels, int) and 0 < pixels <= MAX_SIDE


class HostContext(Struct, frozen=True):
    """`locale` is a BCP 47 tag (`zh-CN`), `time_zone` one of IANA, empty where it is not known."""

    theme: Literal["light", "dark"] = "light"
    locale: str = ""
    time_zone: str = ""

    def to_json(self) -> dict[str, Any]:
        """As the specification has it, without what a `Place` says."""
        known = {"locale": self.locale, "timeZone": self.time_zone}
        return {
            "theme": self.theme,
            "availableDisplayModes": list(MODES),
            "platform": "desktop",
            "userAgent": USER_AGENT,
            **{name: value for name, value in known.items() if value},
        }
