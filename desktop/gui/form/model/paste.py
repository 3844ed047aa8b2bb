"""Takes the arguments out of JSON that was copied elsewhere: alone, or inside a call of any kind.

Knows `tools/call` requests, MCP's `{"name", "arguments"}`, saved calls, and the tool calls of
OpenAI (chat and responses), Anthropic and Gemini. Reads data; evaluates nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from msgspec import Struct

from desktop.gui.form.model.json_text import read_json

if TYPE_CHECKING:
    from collections.abc import Collection

_MAX_STEPS: Final = 8
_WRAPPERS: Final = ("params", "function", "functionCall", "function_call", "toolUse")
_LISTS: Final = ("tool_calls", "toolCalls", "content", "parts")
_NAMES: Final = ("name", "tool", "key")
_ARGUMENTS: Final = ("arguments", "input", "args")


class NotArgumentsError(ValueError):
    """The text is JSON, but holds no arguments."""


class PastedCall(Struct, frozen=True):
    """What was found; `tool` as the call names it, empty where only the arguments were copied."""

    arguments: dict[str, Any]
    tool: str = ""


def read_pasted(text: str, declared: Collection[str]) -> PastedCall:
    """The arguments in a copied text.

    Args:
        text: what the clipboard holds.
        declared: the tool's own properties; an object of only these is never taken for a call.

    Raises:
        JsonTextError: it is not JSON.
        NotArgumentsError: it is no object, and no single call.
    """
    here: Any = read_json(text)
    is_request = False
    for _ in range(_MAX_STEPS):
        if isinstance(here, list):
            here = _only_call(cast("list[Any]", here))
        if not isinstance(here, dict):
            break
        members = cast("dict[str, Any]", here)
        if members and members.keys() <= set(declared):
            return PastedCall(members)
        if (call := _call(members, is_request=is_request)) is not None:
            return call
        inner = _inner(members)
        if inner is None:
            return PastedCall(members)
        is_request = members.get("method") == "tools/call"
        here = inner
    raise NotArgumentsError(type(here).__name__)


def _call(members: dict[str, Any], *, is_request: bool) -> PastedCall | None:
    name = next((members[key] for key in _NAMES if isinstance(members.get(key), str)), None)
    if name is None:
        return None
    for key in _ARGUMENTS:
        value = members.get(key)
        if isinstance(value, str):  # OpenAI writes them as JSON inside the JSON
            value = read_json(value or "{}")
        if isinstance(value, dict):
            return PastedCall(cast("dict[str, Any]", value), str(name))
    return (
        PastedCall({}, str(name)) if is_request and not members.keys() - {"name", "_meta"} else None
    )


def _inner(members: dict[str, Any]) -> Any:
    """What a known kind of call is wrapped in, None where there is nothing of the kind."""
    for key in _WRAPPERS:
        value = members.get(key)
        if isinstance(value, dict) and (key != "params" or members.get("method") == "tools/call"):
            return cast("dict[str, Any]", value)
    for key in _LISTS:
        value = members.get(key)
        if isinstance(value, list) and (call := _only_call(cast("list[Any]", value))) is not None:
            return call
    return None


def _only_call(entries: list[Any]) -> Any:
    """The one entry that is a call; None where there is none, or a choice to make."""
    objects = [cast("dict[str, Any]", entry) for entry in entries if isinstance(entry, dict)]
    calls = [entry for entry in objects if _inner(entry) is not None or _is_call(entry)]
    return calls[0] if len(calls) == 1 else None


def _is_call(members: dict[str, Any]) -> bool:
    return any(isinstance(members.get(key), str) for key in _NAMES) and any(
        isinstance(members.get(key), str | dict) for key in _ARGUMENTS
    )
