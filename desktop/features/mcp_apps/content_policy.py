"""The policies under which a browser shows an app, as HTTP headers.

An app reaches nothing unless its domains were allowed, opens no window, sends no form anywhere and
uses no device. Sources: Content Security Policy Level 3; MCP Apps 2026-01-26, "CSP Enforcement".
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.features.mcp_apps.resource import Purpose

SANDBOX: Final = "allow-scripts allow-forms"
"""Without `allow-same-origin`: an opaque origin shares no cookies and no storage with anybody."""
_NO_DEVICES: Final = ", ".join(
    f"{feature}=()"
    for feature in (
        "accelerometer", "autoplay", "camera", "clipboard-read", "clipboard-write",
        "display-capture", "encrypted-media", "fullscreen", "geolocation", "gyroscope", "hid",
        "identity-credentials-get", "idle-detection", "local-fonts", "magnetometer", "microphone",
        "midi", "payment", "publickey-credentials-get", "screen-wake-lock", "serial", "usb",
        "window-management", "xr-spatial-tracking",
    )
)  # fmt: skip
_COMMON: Final = {
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-dns-prefetch-control": "off",
    "permissions-policy": _NO_DEVICES,
}


def app_policy(domains: Mapping[Purpose, tuple[str, ...]], host_origin: str) -> str:
    """The Content-Security-Policy of an app.

    `'self'` is in none of it, as nothing else is at the app's address.

    Args:
        domains: those that were allowed.
        host_origin: whose page alone may hold the app.
    """
    resource = domains.get("resource", ())
    return "; ".join(
        (
            "default-src 'none'",
            _directive("script-src", "'unsafe-inline'", *resource),
            _directive("style-src", "'unsafe-inline'", *resource),
            _directive("img-src", "data:", "blob:", *resource),
            _directive("font-src", "data:", *resource),
            _directive("media-src", "data:", "blob:", *resource),
            _directive("connect-src", *domains.get("connect", ())),
            _directive("frame-src", *domains.get("frame", ())),
            "worker-src 'none'",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'none'",
            "webrtc 'block'",
            f"frame-ancestors {host_origin}",
            f"sandbox {SANDBOX}",
        )
    )


def app_headers(domains: Mapping[Purpose, tuple[str, ...]], host_origin: str) -> dict[str, str]:
    """The headers of the app's page."""
    return {
        **_COMMON,
        "content-security-policy": app_policy(domains, host_origin),
        "connection-allowlist": _allowlist(domains),
        "cross-origin-resource-policy": "cross-origin",
        "x-robots-tag": "none",
    }


def _allowlist(domains: Mapping[Purpose, tuple[str, ...]]) -> str:
    """All that may be reached, whatever it is for; WebRTC, which no policy above holds, never.

    It also keeps a connection from being opened for what the policy then refuses. Frames inside the
    app inherit it. Source: WICG, "Connection Allowlists"; Chromium has it, others do not yet.
    """
    allowed = dict.fromkeys(one for some in domains.values() for one in some)
    return f"({' '.join(json.dumps(one) for one in allowed)});webrtc=block"


def host_headers(app_origin: str) -> dict[str, str]:
    """The headers of our page around it, which may hold the app and nothing else.

    `frame-src` also keeps the app from leading its own frame elsewhere.
    """
    policy = "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src data:",
            "connect-src 'self'",
            f"frame-src {app_origin}",
            "frame-ancestors 'none'",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
        )
    )
    return {
        **_COMMON,
        "content-security-policy": policy,
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "x-frame-options": "DENY",
    }


def _directive(name: str, *sources: str) -> str:
    allowed = " ".join(sources) or "'none'"
    return f"{name} {allowed}"
