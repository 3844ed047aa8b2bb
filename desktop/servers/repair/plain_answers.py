"""Looks whether an answer of a server is one of the plain kind that both models of the SDK take.

Most answers are: they are valid, and the models need not be asked. To look at a list of tools takes
a quarter of the time of the first model, and a server whose answers are all plain has no generation
of models imported for it, which takes 40 ms. Must take nothing that a model refuses, and change
nothing; what is not plain may be valid all the same. Source: MCP specification, schema of
2025-11-25 and 2026-07-28.
"""

from __future__ import annotations

from itertools import starmap
from typing import TYPE_CHECKING, Any, Final, cast

from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from desktop.base.later_patterns import compile_later
from desktop.values.packed_json import text_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.servers.repair.model_fit import Raw

GREETING: Final = "initialize"
LIST: Final = "tools/list"
CALL: Final = "tools/call"
RESULT_MEMBERS: Final = frozenset(
    ("content", "structuredContent", "isError", "_meta", "resultType")
)
_SURROGATE: Final = compile_later("[\ud800-\udfff]")
_NOTHING: Final[Raw] = {}
_DICTIONARY: Final = frozenset((dict,))
_STRING: Final = frozenset((str,))
_SCOPES: Final = ("public", "private")


def is_surely_valid(method: str, version: str, data: Raw) -> bool:
    """Whether both models take the answer to `method` in a session of `version`."""
    if method == GREETING:
        return _is_plain_greeting(data)
    is_plain = _is_plain_result if method == CALL else _is_plain_list if method == LIST else None
    if is_plain is None or not is_plain(data):
        return False
    if version in HANDSHAKE_PROTOCOL_VERSIONS:
        return data.get("resultType", "complete") == "complete"
    return version in MODERN_PROTOCOL_VERSIONS and _has_additions(method, data)


def _has_additions(method: str, data: Raw) -> bool:
    """Whether it has what 2026-07-28 asks for besides."""
    lifetime = data.get("ttlMs")
    is_kept = type(lifetime) is int and lifetime >= 0 and data.get("cacheScope") in _SCOPES
    return data.get("resultType") == "complete" and (is_kept or method == CALL)


# --- the greeting ---------------------------------------------------------------------------------

_GREETING_MEMBERS: Final = frozenset(
    ("protocolVersion", "capabilities", "serverInfo", "instructions")
)
_NAMES: Final = frozenset(("name", "title", "version", "description", "websiteUrl", "icons"))
_FLAGS: Final[Mapping[str, frozenset[str]]] = {
    "tools": frozenset(("listChanged",)),
    "prompts": frozenset(("listChanged",)),
    "resources": frozenset(("subscribe", "listChanged")),
    "logging": frozenset(),
    "completions": frozenset(),
}
"""By capability, what it says in true and false."""


def _is_plain_greeting(greeting: Raw) -> bool:
    info, capabilities = greeting.get("serverInfo"), greeting.get("capabilities")
    if not isinstance(info, dict) or not isinstance(capabilities, dict):
        return False
    names = cast("Raw", info)
    return (
        greeting.keys() <= _GREETING_MEMBERS
        and _is_text(greeting.get("protocolVersion"))
        and (greeting.get("instructions") is None or _is_text(greeting["instructions"]))
        and {"name", "version"} <= names.keys() <= _NAMES
        and _are_plain_icons(names.get("icons", []))
        and all(_is_text(text) for name, text in names.items() if name != "icons")
        and all(starmap(_is_plain_capability, cast("Raw", capabilities).items()))
    )


def _is_plain_capability(name: str, given: Any) -> bool:
    if not isinstance(given, dict):
        return False
    said = cast("Raw", given)
    if name == "experimental":
        return all(map(_is_text, said)) and _DICTIONARY.issuperset(map(type, said.values()))
    known = _FLAGS.get(name)
    return (
        known is not None
        and said.keys() <= known
        and all(isinstance(flag, bool) for flag in said.values())
    )


# --- the list -------------------------------------------------------------------------------------

_PLAIN_MEMBERS: Final = frozenset(
    (
        "name",
        "title",
        "description",
        "inputSchema",
        "outputSchema",
        "annotations",
        "icons",
        "_meta",
    )
)
_THEMES: Final = ("light", "dark")
_ICON_MEMBERS: Final = frozenset(("src", "mimeType", "sizes", "theme"))
_HINTS: Final = frozenset(("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"))


def _is_plain_list(page: Raw) -> bool:
    cursor, tools = page.get("nextCursor"), page.get("tools")
    return (
        _is_plain_object(page.get("_meta"))
        and (cursor is None or _is_text(cursor))
        and isinstance(tools, list)
        and all(map(_is_plain_tool, cast("list[Any]", tools)))
    )


def _is_plain_object(given: Any) -> bool:
    """Whether it is left out, or an object in which there may be anything."""
    return given is None or (isinstance(given, dict) and all(map(_is_text, cast("Raw", given))))


def _is_plain_tool(given: Any) -> bool:
    """Written without generators, which would take three times as long: each tool comes here."""
    if not isinstance(given, dict):
        return False
    tool = cast("Raw", given)
    return (
        tool.keys() <= _PLAIN_MEMBERS
        and _is_text(tool.get("name"))
        and _is_text(tool.get("title", ""))
        and _is_text(tool.get("description", ""))
        and _is_plain_schema(tool.get("inputSchema"))
        and ("outputSchema" not in tool or _is_plain_schema(tool["outputSchema"]))
        and _is_plain_object(tool.get("_meta"))
        and ("annotations" not in tool or _are_plain_hints(tool["annotations"]))
        and ("icons" not in tool or _are_plain_icons(tool["icons"]))
    )


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and (value.isascii() or _SURROGATE.search(value) is None)


def _is_plain_schema(given: Any) -> bool:
    if not isinstance(given, dict):
        return False
    schema = cast("Raw", given)
    if text_of(schema) is not None:  # it was looked at before it became one
        return True
    if schema.get("type") != "object" or not isinstance(schema.get("$schema", ""), str):
        return False
    properties, required = schema.get("properties", _NOTHING), schema.get("required", ())
    if not isinstance(properties, dict) or not isinstance(required, list | tuple):
        return False
    return _DICTIONARY.issuperset(
        map(type, cast("Raw", properties).values())
    ) and _STRING.issuperset(map(type, cast("list[Any]", required)))


def _are_plain_hints(given: Any) -> bool:
    if not isinstance(given, dict):
        return False
    for name, hint in cast("Raw", given).items():
        if not (isinstance(hint, bool) if name in _HINTS else name == "title" and _is_text(hint)):
            return False
    return True


def _are_plain_icons(given: Any) -> bool:
    return isinstance(given, list) and all(map(_is_plain_icon, cast("list[Any]", given)))


def _is_plain_icon(given: Any) -> bool:
    if not isinstance(given, dict):
        return False
    icon = cast("Raw", given)
    sizes = icon.get("sizes", ())
    return (
        icon.keys() <= _ICON_MEMBERS
        and _is_text(icon.get("src"))
        and _is_text(icon.get("mimeType", ""))
        and isinstance(sizes, list | tuple)
        and all(map(_is_text, cast("list[Any]", sizes)))
        and ("theme" not in icon or icon["theme"] in _THEMES)
    )


# --- the result of a call -------------------------------------------------------------------------

_TEXT_MEMBERS: Final = frozenset(("type", "text"))


def _is_plain_result(result: Raw) -> bool:
    """Whether it is text, and objects in which there may be anything, as most results are."""
    content: object = result.get("content")
    if (
        not result.keys() <= RESULT_MEMBERS
        or not isinstance(content, list)
        or not isinstance(result.get("isError", False), bool)
        or not _is_plain_object(result.get("structuredContent"))
        or not _is_plain_object(result.get("_meta"))
    ):
        return False
    return all(map(_is_plain_text, cast("list[Any]", content)))


def _is_plain_text(given: Any) -> bool:
    if not isinstance(given, dict):
        return False
    block = cast("Raw", given)
    return block.keys() == _TEXT_MEMBERS and block["type"] == "text" and _is_text(block["text"])
