"""A request that a person writes or sends again: any method, over the connection as it is.

It is bounded like every request and recorded like every message, marked as the person's own. Must
not send what the SDK alone may send: a session is begun once. Source: JSON-RPC 2.0, section 4.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from desktop.base.errors import UsageError
from desktop.base.json_places import parser_message
from desktop.base.translatable import translatable
from desktop.redaction.redactor import PLACEHOLDER
from desktop.servers.message_log import BY_HAND

if TYPE_CHECKING:
    from mcp import Client
    from mcp.shared.dispatcher import ProgressFnT

    from desktop.servers.calls import Requester
    from desktop.servers.message_log import RecordedMessage
    from desktop.values.tool_types import JsonObject, ToolError

MAX_LENGTH: Final = 1_000_000
"""Characters of the parameters."""
MAX_METHOD_LENGTH: Final = 200
NOT_BY_HAND: Final = frozenset(("initialize",))
"""What begins a session: the SDK sends it, once."""


class RawRequest(NamedTuple):
    """`params` is None where there are none."""

    method: str
    params: JsonObject | None


def request_of(message: RecordedMessage) -> RawRequest | None:
    """The request that was sent, as it can be sent again; None for any other message.

    Without its progress token: the SDK gives each request its own.
    """
    is_ours = message.direction == "sent" and message.kind == "request"
    if not is_ours or message.is_cut or message.method in NOT_BY_HAND:
        return None
    try:
        params = json.loads(message.body).get("params")
        message.redaction.value(params)  # what cannot be shown cannot be edited
    except (ValueError, RecursionError):
        return None
    return RawRequest(message.method, _without_token(params))


def request_text(request: RawRequest, message: RecordedMessage) -> str:
    """The parameters to be edited, without secrets."""
    return json.dumps(message.redaction.value(request.params or {}), indent=2, ensure_ascii=False)


def read_request(
    method: str, text: str, before: RawRequest, message: RecordedMessage
) -> RawRequest:
    """The request that a person wrote; a hidden secret that was left as it stood is sent as it was.

    Args:
        method: as it was written.
        text: the parameters as JSON; empty for none.
        before: the request that was edited.
        message: the one that it was read from.

    Raises:
        UsageError: it cannot be sent, and why.
    """
    method = method.strip()
    if not method or len(method) > MAX_METHOD_LENGTH:
        raise UsageError(translatable("Name a method, such as tools/call."))
    if method in NOT_BY_HAND:
        raise UsageError(
            translatable("{method} begins a session and is sent only once.", method=method)
        )
    if len(text) > MAX_LENGTH:
        raise UsageError(translatable("The parameters are too long."))
    if not text.strip():
        return RawRequest(method, None)
    try:
        params = json.loads(text)
    except RecursionError:
        raise UsageError(translatable("The parameters are nested too deeply.")) from None
    except ValueError as error:
        raise UsageError(
            translatable(
                "The parameters are not JSON (line {line}, column {column}): {words}.",
                line=getattr(error, "lineno", 1),
                column=getattr(error, "colno", 1),
                words=parser_message(getattr(error, "msg", str(error))),
            )
        ) from None
    if not isinstance(params, dict):
        raise UsageError(translatable("The parameters must be a JSON object."))
    shown = message.redaction.value(before.params or {})
    whole = _restored(params, shown, before.params or {})
    if PLACEHOLDER in json.dumps(whole, ensure_ascii=False):
        raise UsageError(translatable("Write the secret in place of {mark}.", mark=PLACEHOLDER))
    return RawRequest(method, whole)


async def send_raw(connection: Requester, request: RawRequest) -> tuple[str, ToolError | None]:
    """Send it and wait for its answer, which the message log has.

    Returns:
        The id under which its messages are recorded, and what went wrong.
    """

    async def send(client: Client, told: ProgressFnT) -> None:
        import mcp_types as types

        raw = types.Request[Any, str](method=request.method, params=request.params)
        await client.session.send_request(raw, types.Result, progress_callback=told)

    call_id = f"{BY_HAND}{os.urandom(8).hex()}"
    subject = f"{connection.name}, {request.method}"
    error = await connection.request(subject, send, call_id=call_id)
    return call_id, error


def _without_token(params: Any) -> JsonObject | None:
    if not isinstance(params, dict):
        return None
    whole = cast("dict[str, Any]", params)
    if not isinstance(whole.get("_meta"), dict):
        return whole
    meta = cast("dict[str, Any]", whole["_meta"])
    kept = {name: value for name, value in meta.items() if name != "progressToken"}
    rest = {name: value for name, value in whole.items() if name != "_meta"}
    return {**rest, "_meta": kept} if kept else rest


def _restored(value: Any, shown: Any, true: Any) -> Any:
    """`value`, with what stands in it exactly as it was shown as it truly is."""
    if all(isinstance(one, dict) for one in (value, shown, true)):
        return {
            name: _restored(member, shown.get(name), true.get(name))
            for name, member in cast("dict[str, Any]", value).items()
        }
    if all(isinstance(one, list) for one in (value, shown, true)):
        least = min(len(shown), len(true))
        return [
            _restored(item, shown[n], true[n]) if n < least else item
            for n, item in enumerate(cast("list[Any]", value))
        ]
    return true if isinstance(value, str) and value == shown else value
