"""`AppResource`: the page of an app as its server gave it, and what it wants to reach.

Nothing of it is believed: what is no page of an app is refused with a reason, and of the domains
those remain that a person can judge. Source: MCP Apps 2026-01-26, "UI Resource Format".
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, cast

from msgspec import Struct

from desktop.base.errors import DesktopError
from desktop.base.later_patterns import compile_later
from desktop.base.translatable import translatable
from desktop.config.imports.dangers import registrable_domain
from desktop.values.media_types import APP as APP_MIME

if TYPE_CHECKING:
    from desktop.values.tool_types import JsonObject

MAX_PAGE: Final = 10_000_000
"""Characters of a page."""
MAX_DOMAINS: Final = 20
"""Domains of one kind; whoever reads more of them does not judge them any more."""
Purpose: TypeAlias = Literal["connect", "resource", "frame"]
"""To send and fetch; to load scripts, images and fonts from; to show inside the page."""
_KEYS: Final[dict[str, Purpose]] = {
    "connectDomains": "connect",
    "resourceDomains": "resource",
    "frameDomains": "frame",
}
_LABEL: Final = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_ORIGIN: Final = compile_later(rf"(https|wss)://(\*\.)?({_LABEL}(?:\.{_LABEL})+)(:\d{{1,5}})?")
_PERMISSIONS: Final = ("camera", "microphone", "geolocation", "clipboardWrite")


class AppError(DesktopError):
    """An app cannot be shown; the sentence says why."""


class AppResource(Struct, frozen=True):
    """A page, and what it declares.

    `domains` are origins of the web in lower case (`https://api.example.com`), by what they are
    for, each once. `refused` are those that are none, as they were written; `permissions` the
    devices that it would like to use, which it never gets.
    """

    uri: str
    html: str
    domains: Mapping[Purpose, tuple[str, ...]]
    refused: tuple[str, ...] = ()
    permissions: tuple[str, ...] = ()
    prefers_border: bool = True

    @property
    def all_domains(self) -> tuple[str, ...]:
        """Each once, whatever it is for."""
        return tuple(dict.fromkeys(one for some in self.domains.values() for one in some))


def read_app(uri: str, answer: JsonObject) -> AppResource:
    """The app in the answer to `resources/read`.

    Raises:
        AppError: there is none in it.
    """
    contents = answer.get("contents")
    blocks = cast("list[Any]", contents) if isinstance(contents, list) else []
    block = next((one for one in blocks if _is_app(one)), None)
    if block is None:
        raise AppError(
            translatable(
                "{uri} is not an MCP App: the server sent no {mime}.", uri=uri, mime=APP_MIME
            )
        )
    html = _html(block)
    if not html.strip():
        raise AppError(translatable("The MCP App {uri} is empty.", uri=uri))
    if len(html) > MAX_PAGE:
        raise AppError(
            translatable(
                "The MCP App {uri} has more than {limit} characters.",
                uri=uri,
                limit=MAX_PAGE,
            )
        )
    ui = _object(_object(block, "_meta"), "ui")
    domains, refused = _domains(_object(ui, "csp"))
    permissions = _object(ui, "permissions")
    return AppResource(
        uri=uri,
        html=html,
        domains=domains,
        refused=refused,
        permissions=tuple(name for name in _PERMISSIONS if name in permissions),
        prefers_border=ui.get("prefersBorder") is not False,
    )


def _is_app(block: Any) -> bool:
    if not isinstance(block, Mapping):
        return False
    mime = cast("JsonObject", block).get("mimeType")
    return isinstance(mime, str) and mime.lower().replace(" ", "") == APP_MIME


def _html(block: JsonObject) -> str:
    text, blob = block.get("text"), block.get("blob")
    if isinstance(text, str):
        return text
    try:
        return base64.b64decode(blob, validate=True).decode() if isinstance(blob, str) else ""
    except (binascii.Error, ValueError):
        return ""


def _domains(csp: JsonObject) -> tuple[dict[Purpose, tuple[str, ...]], tuple[str, ...]]:
    """Those that are origins of the web, and those that are not; never more than `MAX_DOMAINS`."""
    found: dict[Purpose, tuple[str, ...]] = {}
    refused: list[str] = []
    for key, purpose in _KEYS.items():
        given = csp.get(key)
        listed = cast("list[object]", given) if isinstance(given, list) else []
        good: dict[str, None] = {}
        for one in listed[: MAX_DOMAINS * 2]:
            origin = read_origin(one)
            if origin and len(good) < MAX_DOMAINS:
                good[origin] = None
            elif len(refused) < MAX_DOMAINS:
                refused.append(str(one)[:200])
        if good:
            found[purpose] = tuple(good)
    return found, tuple(refused)


def read_origin(text: object) -> str:
    """`text` as an origin of the web; empty where it is none, or more than one.

    No address of this machine or its network by number, no bare scheme and no star but for whole
    subdomains: a person is to know who is meant.
    """
    if not isinstance(text, str):
        return ""
    origin = text.strip().lower().removesuffix("/")
    match = _ORIGIN.fullmatch(origin)
    if match is None or len(origin) > 300:
        return ""
    host = match.group(3)
    is_number = host.rpartition(".")[2].isdigit()
    is_here = host == "localhost" or host.endswith((".localhost", ".local", ".internal"))
    # `*.com` is everybody, and so is `*.co.uk`.
    is_everybody = bool(match.group(2)) and not registrable_domain(host)
    return "" if is_number or is_here or is_everybody else origin


def _object(value: JsonObject, key: str) -> JsonObject:
    inner = value.get(key)
    return cast("JsonObject", inner) if isinstance(inner, Mapping) else {}
