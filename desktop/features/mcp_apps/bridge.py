"""`AppBridge`: the host's side of the conversation with one app, over JSON-RPC 2.0.

Whatever an app asks for goes to its own server alone, through the executor that it is given, within
the bounds of `limits`. Nothing of it is believed. Must not know how its messages come and go, nor
show anything. Source: MCP Apps 2026-01-26, "Communication Protocol".
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, cast

from desktop import __version__
from desktop.base.signals import Signal
from desktop.base.tasks import TaskGroup
from desktop.base.translatable import translatable
from desktop.features.mcp_apps.download import Download, read_downloads
from desktop.features.mcp_apps.host_context import MODES, Place
from desktop.features.mcp_apps.limits import (
    MAX_CALLS,
    MAX_HEIGHT,
    MAX_MESSAGE,
    MAX_OPEN,
    MAX_RESULT,
    MessageRate,
)
from desktop.features.mcp_apps.model_context import read_context
from desktop.servers.app_messages import call_json, read_json, result_json, tool_json
from desktop.values.tool_types import EMPTY, ErrorCode, ToolCall, ToolError

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from desktop.features.mcp_apps.host_context import HostContext
    from desktop.features.mcp_apps.resource import AppResource
    from desktop.servers.connection import ServerConnection
    from desktop.tools.executor import ToolExecutor
    from desktop.tools.registry import ToolRegistry
    from desktop.values.tool_types import JsonObject, ToolDefinition, ToolResult

logger = logging.getLogger(__name__)

PROTOCOL: Final = "2026-01-26"
PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
NO_METHOD: Final = -32601
INVALID_PARAMS: Final = -32602
REFUSED: Final = -32000
TEARDOWN_LIMIT: Final = 1.0
"""Seconds in which an app may put away what it has before it is gone."""
MAX_LOG: Final = 500
"""Characters of a log message of an app that are kept."""
MAX_TEXT: Final = 20_000
"""Characters of a message for the chat."""
RequestId: TypeAlias = "str | int"


class PersonAnswers(Protocol):
    """What only a person can say yes to."""

    async def open_link(self, url: str) -> bool:
        """Whether they opened it."""
        ...

    async def send_message(self, text: str) -> bool:
        """Whether it is in the chat by now."""
        ...

    async def save(self, download: Download) -> bool:
        """Whether they had it written somewhere."""
        ...

    @property
    def has_chat(self) -> bool: ...

    @property
    def has_conversation(self) -> bool:
        """Whether the app stands in a conversation, whose model it may tell something."""
        ...

    def tell_model(self, text: str) -> bool:
        """Keep this for the next message, in place of what was kept; False where it is too much."""
        ...


class ShownCall:
    """The call that an app is to show: its tool, what was sent, and what came of it."""

    __slots__ = ("arguments", "definition", "result")

    def __init__(
        self, definition: ToolDefinition, arguments: JsonObject, result: ToolResult
    ) -> None:
        self.definition, self.arguments, self.result = definition, arguments, result


class _RefusalError(Exception):
    def __init__(self, code: int, words: str) -> None:
        super().__init__(words)
        self.code = code


class AppBridge:
    """Answers one app, from its `ui/initialize` on; a page that is loaded again begins anew.

    `noted` has a sentence on what the app wanted and did not get, or did; `initialized` and
    `finished` (the app wants to be closed) say how far it is.
    """

    def __init__(
        self,
        shown: ShownCall,
        resource: AppResource,
        executor: ToolExecutor,
        registry: ToolRegistry,
        connection: Callable[[], ServerConnection],
        person: PersonAnswers,
        context: HostContext,
    ) -> None:
        """Make it; it says nothing before the app does.

        Args:
            shown: the call.
            resource: the app, with the domains that were allowed.
            executor: runs its calls, and asks for them.
            registry: knows the tools of its server.
            connection: to its server; raises `ServerError` where that is gone.
            person: asked for the rest.
            context: the look and language of the window.
        """
        self.noted: Signal[[str]] = Signal()
        self.called: Signal[[ToolCall]] = Signal()
        self.initialized: Signal[[]] = Signal()
        self.finished: Signal[[]] = Signal()
        self.placed: Signal[[]] = Signal()
        """Its mode or size is another one."""
        self.sent: Signal[[bytes]] = Signal()
        """A line for the page: JSON, `{"app": message}` or `{"host": instruction}`."""
        self.is_initialized = False
        self._shown, self._resource = shown, resource
        self._executor, self._registry, self._connection = executor, registry, connection
        self._person, self._context, self.place = person, context, Place()
        self._greeted = self._is_saving = False
        self._rate = MessageRate()
        self._calls = 0
        self._open: dict[RequestId, ToolCall | None] = {}
        self._tasks = TaskGroup("app")
        self._torn_down = asyncio.Event()
        self._requests: dict[str, Callable[[JsonObject], JsonObject]] = {
            "ping": lambda _: {},
            "ui/initialize": self._initialize,
            "ui/request-display-mode": self._change_mode,
        }
        self._slow: dict[str, Callable[[RequestId, JsonObject], Awaitable[JsonObject]]] = {
            "tools/call": self._call_tool,
            "resources/read": self._read_resource,
            "ui/open-link": self._open_link,
            "ui/message": self._take_message,
            "ui/download-file": self._download,
            "ui/update-model-context": self._take_context,
        }
        self._notifications: dict[str, Callable[[JsonObject], None]] = {
            "ui/notifications/initialized": self._begin,
            "ui/notifications/size-changed": self._resize,
            "ui/notifications/request-teardown": lambda _: self.finished.send(),
            "notifications/message": self._log,
            "notifications/cancelled": self._cancel,
        }

    # --- from the app -----------------------------------------------------------------------------

    def receive(self, line: bytes) -> None:
        """Take one message of the app, as JSON; never raises for what is in it."""
        if len(line) > MAX_MESSAGE:
            self._note_refused(
                translatable("a message has more than {limit} bytes", limit=MAX_MESSAGE)
            )
            return
        try:
            message: Any = json.loads(line)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, Mapping):
            self._note_refused(translatable("a message is not JSON-RPC"))
            return
        fields = cast("JsonObject", message)
        request_id = fields.get("id")
        is_request = isinstance(request_id, str | int) and not isinstance(request_id, bool)
        if not self._rate.take():
            self._note_refused(translatable("too many messages"))
            if is_request and "method" in fields:
                self._refuse(cast("RequestId", request_id), REFUSED, "Too many messages.")
            return
        self._take(fields, cast("RequestId", request_id) if is_request else None)

    def _take(self, fields: JsonObject, request_id: RequestId | None) -> None:
        method, params = fields.get("method"), fields.get("params")
        given = cast("JsonObject", params) if isinstance(params, Mapping) else EMPTY
        if fields.get("jsonrpc") != "2.0":
            self._note_refused(translatable("a message is not JSON-RPC"))
        elif method is None and request_id == _TEARDOWN_ID:
            self._torn_down.set()
        elif not isinstance(method, str):
            return
        elif request_id is None:
            if (take := self._notifications.get(method)) is not None:
                take(given)
        else:
            self._answer(request_id, method, given)

    def _answer(self, request_id: RequestId, method: str, params: JsonObject) -> None:
        if (answer := self._requests.get(method)) is not None:
            self._reply(request_id, answer(params))
        elif (slow := self._slow.get(method)) is None:
            self._refuse(request_id, NO_METHOD, f"This host has no {method[:100]}.")
        elif not self._greeted:
            self._refuse(request_id, INVALID_REQUEST, "Send ui/initialize first.")
        elif request_id in self._open:
            self._refuse(request_id, INVALID_REQUEST, "This id is in use.")
        elif len(self._open) >= MAX_OPEN:
            self._note_refused(translatable("more than {limit} requests are open", limit=MAX_OPEN))
            self._refuse(request_id, REFUSED, "Too many requests are open.")
        elif self._calls >= MAX_CALLS:
            self._note_refused(
                translatable("{limit} requests were made; open the MCP App again", limit=MAX_CALLS)
            )
            self._refuse(request_id, REFUSED, "No more requests in this view.")
        else:
            self._calls += 1
            self._open[request_id] = None
            self._tasks.spawn(self._work(request_id, slow, params), method[:40])

    async def _work(
        self,
        request_id: RequestId,
        slow: Callable[[RequestId, JsonObject], Awaitable[JsonObject]],
        params: JsonObject,
    ) -> None:
        begun = self._open
        try:
            result = await slow(request_id, params)
            if begun is self._open:  # else it was another page's
                self._reply(request_id, result)
        except _RefusalError as refusal:
            if begun is self._open:
                self._refuse(request_id, refusal.code, str(refusal))
        except Exception as error:
            logger.exception("a request of an app failed")
            if begun is self._open:
                self._refuse(request_id, REFUSED, type(error).__name__)
        finally:
            begun.pop(request_id, None)

    # --- its requests -----------------------------------------------------------------------------

    def _initialize(self, params: JsonObject) -> JsonObject:
        self._greeted = True
        capabilities: dict[str, Any] = {
            "openLinks": {},
            "downloadFile": {},
            "serverTools": {},
            "serverResources": {},
            "logging": {},
            "sandbox": {"permissions": {}, "csp": self._allowed()},
        }
        if self._person.has_chat:
            capabilities["message"] = {"text": {}}
        if self._person.has_conversation:
            capabilities["updateModelContext"] = {"text": {}, "structuredContent": {}}
        tool = {"toolInfo": {"tool": tool_json(self._shown.definition)}}
        return {
            "protocolVersion": PROTOCOL,
            "hostInfo": {"name": "mcp-desktop", "version": __version__},
            "hostCapabilities": capabilities,
            "hostContext": self._context.to_json() | self.place.to_json() | tool,
        }

    def _allowed(self) -> JsonObject:
        return {f"{purpose}Domains": list(some) for purpose, some in self._resource.domains.items()}

    async def _call_tool(self, request_id: RequestId, params: JsonObject) -> JsonObject:
        name, arguments = params.get("name"), params.get("arguments", {})
        if not isinstance(name, str) or not isinstance(arguments, Mapping):
            raise _RefusalError(INVALID_PARAMS, "Give `name` and `arguments`.")
        server = self._shown.definition.server
        tool = self._registry.get(f"{server}:{name}")
        if tool is None or not tool.definition.is_for_apps:
            self._note_refused(
                translatable("the server has no tool {name} for apps", name=name[:200])
            )
            raise _RefusalError(INVALID_PARAMS, f"No tool of this server for apps: {name[:200]}")
        call = ToolCall(tool.definition.key, cast("JsonObject", arguments), origin="app")
        self._open[request_id] = call
        self.called.send(call)
        result, answer = await call_json(partial(self._executor.run, call))
        if result.error is not None and result.error.code == ErrorCode.DENIED:
            self.noted.send(translatable("Denied: the call of {tool}.", tool=tool.definition.name))
        return answer

    async def _read_resource(self, _: RequestId, params: JsonObject) -> JsonObject:
        uri = params.get("uri")
        if not isinstance(uri, str) or len(uri) > MAX_TEXT:
            raise _RefusalError(INVALID_PARAMS, "Give `uri`.")
        return await self._read(uri)

    async def _read(self, uri: str) -> JsonObject:
        answer = await read_json(self._connection(), uri)
        if isinstance(answer, ToolError):
            raise _RefusalError(REFUSED, answer.message)
        return answer

    async def _open_link(self, _: RequestId, params: JsonObject) -> JsonObject:
        url = params.get("url")
        if not isinstance(url, str) or not url.lower().startswith("https://"):
            self._note_refused(translatable("a link does not begin with https://"))
            raise _RefusalError(INVALID_PARAMS, "Only https:// can be opened.")
        self.noted.send(translatable("Requested: to open a link."))
        if not await self._person.open_link(url):
            raise _RefusalError(REFUSED, "Link opening denied by user")
        return {}

    async def _take_message(self, _: RequestId, params: JsonObject) -> JsonObject:
        text = _text_of(params.get("content"))
        if not self._person.has_chat:
            raise _RefusalError(NO_METHOD, "There is no chat here.")
        if not text or len(text) > MAX_TEXT or params.get("role") != "user":
            raise _RefusalError(INVALID_PARAMS, "Invalid message format")
        self.noted.send(translatable("Requested: to put a message into the chat."))
        if not await self._person.send_message(text):
            raise _RefusalError(REFUSED, "Message sending denied")
        return {}

    async def _download(self, _: RequestId, params: JsonObject) -> JsonObject:
        if self._is_saving:
            raise _RefusalError(REFUSED, "Another file waits to be saved.")
        self._is_saving = True
        try:
            files = await read_downloads(params, self._read)
            self.noted.send(translatable("Requested: to save a file."))
            saved = [await self._person.save(one) for one in files]
        except ValueError as error:
            raise _RefusalError(INVALID_PARAMS, str(error)) from None
        finally:
            self._is_saving = False
        return {} if all(saved) else {"isError": True}

    async def _take_context(self, _: RequestId, params: JsonObject) -> JsonObject:
        if not self._person.has_conversation:
            raise _RefusalError(NO_METHOD, "This MCP App stands in no conversation.")
        try:
            text = read_context(params)
        except ValueError as error:
            raise _RefusalError(INVALID_PARAMS, str(error)) from None
        if not self._person.tell_model(text):
            self._note_refused(translatable("too many MCP Apps have something for the model"))
            raise _RefusalError(REFUSED, "Too many apps have something for the model.")
        if text:
            self.noted.send(
                translatable("Requested: to tell the model something with your next message.")
            )
        return {}

    # --- its notifications ------------------------------------------------------------------------

    def _begin(self, _: JsonObject) -> None:
        if not self._greeted or self.is_initialized:
            return
        self.is_initialized = True
        self._notify("ui/notifications/tool-input", {"arguments": dict(self._shown.arguments)})
        error = self._shown.result.error
        if error is not None and error.code == ErrorCode.CANCELLED:
            self._notify("ui/notifications/tool-cancelled", {"reason": error.message})
        else:
            self._notify("ui/notifications/tool-result", result_json(self._shown.result))
        self.initialized.send()

    def _resize(self, params: JsonObject) -> None:
        height = params.get("height")
        if isinstance(height, int | float) and 0 < height < float("inf"):
            self._instruct({"height": min(MAX_HEIGHT, round(height))})

    def _log(self, params: JsonObject) -> None:
        said = params.get("data")
        text = said if isinstance(said, str) else json.dumps(said)
        self.noted.send(translatable("Log: {text}", text=text[:MAX_LOG]))

    def _cancel(self, params: JsonObject) -> None:
        wanted = params.get("requestId")
        if isinstance(wanted, str | int) and (call := self._open.get(wanted)) is not None:
            self._executor.cancel(call.call_id)

    def _change_mode(self, params: JsonObject) -> JsonObject:
        """A mode that there is not leaves the one that is. Says what it is by now."""
        wanted = params.get("mode")
        if wanted in MODES and wanted != self.place.mode and self._greeted:
            self._instruct({"mode": wanted})
            self.move({"mode": wanted})
        return {"mode": self.place.mode}

    # --- to the app -------------------------------------------------------------------------------

    def move(self, said: JsonObject) -> None:
        """The app is shown in another size or mode, as its page says, and is told so."""
        place = self.place.taking(said)
        if place != self.place:
            self.place = place
            self.placed.send()
            if self.is_initialized:
                self._notify("ui/notifications/host-context-changed", place.to_json())

    def change_context(self, context: HostContext) -> None:
        """Tell the app of another look or language."""
        if context == self._context:
            return
        self._context = context
        if self.is_initialized:
            self._notify("ui/notifications/host-context-changed", context.to_json())

    def begin_anew(self) -> None:
        """The page was loaded again: what the app before asked for is given up."""
        self._greeted = self.is_initialized = False
        self.place = Place()
        self._give_up()

    async def close(self) -> None:
        """Let the app put away what it has, a moment at most, and give up what it asked for."""
        if self.is_initialized:
            self._send({"id": _TEARDOWN_ID, "method": "ui/resource-teardown", "params": {}})
            await _within(TEARDOWN_LIMIT, self._torn_down.wait())
        self._instruct({"closed": True})
        self._give_up()
        await self._tasks.close()

    def _give_up(self) -> None:
        given_up, self._open = self._open, {}
        for call in given_up.values():
            if call is not None:
                self._executor.cancel(call.call_id)

    def say_dropped(self, count: int) -> None:
        """Its page has thrown away this many messages, because there were too many."""
        if count > 0:
            self._note_refused(translatable("too many or too large messages"))

    def _note_refused(self, why: str) -> None:
        self.noted.send(translatable("Refused: {why}.", why=why))

    def _reply(self, request_id: RequestId, result: JsonObject) -> None:
        self._send({"id": request_id, "result": result})

    def _refuse(self, request_id: RequestId, code: int, words: str) -> None:
        self._send({"id": request_id, "error": {"code": code, "message": words}})

    def _notify(self, method: str, params: JsonObject) -> None:
        self._send({"method": method, "params": params})

    def _send(self, message: dict[str, Any]) -> None:
        line = _line({"app": {"jsonrpc": "2.0", **message}})
        if len(line) > MAX_RESULT:
            self._note_refused(translatable("an answer has more than {n} bytes", n=MAX_RESULT))
            if "id" not in message:
                return
            error = {"code": REFUSED, "message": "The answer is too large for an app."}
            line = _line({"app": {"jsonrpc": "2.0", "id": message["id"], "error": error}})
        self.sent.send(line)

    def _instruct(self, instruction: dict[str, Any]) -> None:
        self.sent.send(_line({"host": instruction}))


_TEARDOWN_ID: Final = "mcp-desktop-teardown"


def _line(value: dict[str, Any]) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


def _text_of(content: object) -> str:
    """The texts of a message; a block alone is what earlier apps send."""
    blocks = cast("list[object]", content) if isinstance(content, list) else [content]
    texts = [cast("JsonObject", one).get("text") for one in blocks if isinstance(one, Mapping)]
    return "\n".join(text for text in texts if isinstance(text, str)).strip()


async def _within(seconds: float, waiting: Awaitable[object]) -> None:
    try:
        await asyncio.wait_for(waiting, seconds)
    except TimeoutError:
        return
