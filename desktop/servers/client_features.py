"""What a session gives the server that asks its client: roots, forms, addresses, a model's words.

Translates between the SDK's requests and `ServerRequests`, and decides nothing: who answers is not
known here. While somebody is being asked, the limits of the session's calls stand still. Sources:
MCP specification 2025-11-25, client/{roots,elicitation,sampling}; 2026-07-28, multi-round-trip.
"""

from __future__ import annotations

import base64
import os
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar, cast

import mcp_types as types
from pydantic import FileUrl, ValidationError

from desktop.base.errors import ConfigError
from desktop.base.file_url import is_file_url, path_of, url_of
from desktop.base.translatable import translatable
from desktop.servers.content import content_from_sdk
from desktop.servers.elicited_form import secret_fields, shown_schema
from desktop.servers.requests import (
    MAX_PER_SERVER,
    MAX_TOKENS,
    Accepted,
    Declined,
    ElicitationRequest,
    SamplingAnswer,
    SamplingMessage,
    SamplingRequest,
    ToolOutcome,
    ToolUse,
    UrlElicitationRequest,
    ask_to_open,
)
from desktop.servers.sdk import MCPError
from desktop.values.tool_types import Content, ToolDefinition

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from mcp.client.session import ClientRequestContext, IncomingMessage

    from desktop.config.models import ServerConfig
    from desktop.servers.callers import Callers
    from desktop.servers.requests import Answer, Request, SamplingBlock, ServerRequests
    from desktop.servers.timeouts import SessionTimeouts

T = TypeVar("T")
REJECTED: Final = -1
"""The specification's code for a sampling request that a person did not allow."""
MAX_URL_ROUNDS: Final = 3
"""How often one call may ask for addresses to be visited before it is made."""
SAMPLING: Final = types.SamplingCapability(tools=types.SamplingToolsCapability())


class ClientFeatures:
    """The SDK's callbacks for one session with one server."""

    def __init__(
        self, server: str, requests: ServerRequests, timeouts: SessionTimeouts, callers: Callers
    ) -> None:
        """Take what they work with.

        Args:
            server: its name.
            requests: who is asked.
            timeouts: those of its calls.
            callers: for whom these run.
        """
        self.roots: tuple[types.Root, ...] = ()
        """Those of the entry: a person chose them, so they hold for every client, too."""
        self._server = server
        self._requests = requests
        self._timeouts = timeouts
        self._callers = callers

    async def list_roots(self, context: ClientRequestContext) -> types.ListRootsResult:
        caller = self._callers.only_one()
        if caller is None or self.roots:
            return types.ListRootsResult(roots=list(self.roots))
        with self._timeouts.paused():
            roots = await caller.roots()
        return types.ListRootsResult(roots=list(self.roots if roots is None else roots))

    async def elicit(
        self, context: ClientRequestContext, params: types.ElicitRequestParams
    ) -> types.ElicitResult | types.ErrorData:
        is_form = isinstance(params, types.ElicitRequestFormParams)
        answer = await self._ask(_form_of(params) if is_form else _url_of(params))
        match answer:
            case Accepted() if is_form:
                return types.ElicitResult(action="accept", content=dict(answer.content))
            case Accepted():
                return types.ElicitResult(action="accept")
            case Declined():
                return types.ElicitResult(action="decline")
            case _:
                return types.ElicitResult(action="cancel")

    async def sample(
        self, context: ClientRequestContext, params: types.CreateMessageRequestParams
    ) -> types.CreateMessageResult | types.CreateMessageResultWithTools | types.ErrorData:
        answer = await self._ask(_sampling_of(self._server, params))
        if isinstance(answer, SamplingAnswer) and answer.blocks:
            return _sampled(answer, has_tools=bool(params.tools))
        reason = answer.reason if isinstance(answer, Declined) else ""
        words = f"User rejected sampling request{reason and f': {reason}'}"
        return types.ErrorData(code=REJECTED, message=words)

    def on_message(self, message: IncomingMessage) -> None:
        """Take a message of the server: it may say that what was to be done at a URL is done."""
        if isinstance(message, types.ElicitCompleteNotification):
            self._requests.complete(self._server, message.params.elicitation_id)

    async def after_urls(self, send: Callable[[], Awaitable[T]]) -> T:
        """Send a request; again each time that its server wanted addresses visited first.

        Raises:
            MCPError: what the server said, where the person did not go there.
        """
        for _ in range(MAX_URL_ROUNDS):
            try:
                return await send()
            except MCPError as error:
                urls = _required_urls(error)
                if not urls or not await self._all_visited(urls):
                    raise
        return await send()

    async def _all_visited(self, urls: Sequence[UrlElicitationRequest]) -> bool:
        for url in urls:
            if not isinstance(await self._ask(url), Accepted):
                return False
        return True

    async def _ask(self, request: Request) -> Answer:
        with self._timeouts.paused():
            return await self._requests.ask(self._server, request)


# --- from the SDK ---------------------------------------------------------------------------------


def _form_of(params: types.ElicitRequestFormParams) -> ElicitationRequest:
    schema = shown_schema(params.requested_schema)
    return ElicitationRequest(params.message, schema, secret_fields(schema))


def _url_of(
    params: types.ElicitRequestURLParams, *, blocks_call: bool = False
) -> UrlElicitationRequest:
    return ask_to_open(
        params.message,
        params.url,
        elicitation_id=params.elicitation_id or "",
        blocks_call=blocks_call,
    )


def _required_urls(error: MCPError) -> list[UrlElicitationRequest]:
    """The addresses that an error wants visited; none where it is another error, or an odd one."""
    if error.code != types.URL_ELICITATION_REQUIRED:
        return []
    try:
        wanted = types.ElicitationRequiredErrorData.model_validate(error.data)
    except ValidationError:
        return []
    return [_url_of(params, blocks_call=True) for params in wanted.elicitations[:MAX_PER_SERVER]]


def _sampling_of(server: str, params: types.CreateMessageRequestParams) -> SamplingRequest:
    preferences = params.model_preferences or types.ModelPreferences()
    priorities = {
        "cost": preferences.cost_priority,
        "speed": preferences.speed_priority,
        "intelligence": preferences.intelligence_priority,
    }
    choice = params.tool_choice.mode if params.tool_choice is not None else None
    return SamplingRequest(
        tuple(
            SamplingMessage(message.role, tuple(map(block_from_sdk, message.content_as_list)))
            for message in params.messages
        ),
        max(1, min(params.max_tokens, MAX_TOKENS)),
        system=params.system_prompt or "",
        temperature=params.temperature,
        stop_sequences=tuple(params.stop_sequences or ()),
        hints=tuple(hint.name for hint in preferences.hints or () if hint.name),
        priorities={name: value for name, value in priorities.items() if value is not None},
        tools=tuple(
            ToolDefinition(
                server, tool.name, tool.title or "", tool.description or "",
                input_schema=tool.input_schema,
            )
            for tool in params.tools or ()
        ),
        tool_choice=choice or "auto",
        context=params.include_context or "none",
    )  # fmt: skip


def block_from_sdk(block: types.SamplingMessageContentBlock) -> SamplingBlock:
    match block:
        case types.ToolUseContent():
            return ToolUse(block.id, block.name, block.input)
        case types.ToolResultContent():
            return ToolOutcome(
                block.tool_use_id,
                tuple(map(content_from_sdk, block.content)),
                block.structured_content,
                bool(block.is_error),
            )
        case _:
            return content_from_sdk(block)


# --- to the SDK -----------------------------------------------------------------------------------


def _sampled(
    answer: SamplingAnswer, *, has_tools: bool
) -> types.CreateMessageResult | types.CreateMessageResultWithTools:
    if has_tools:
        return types.CreateMessageResultWithTools(
            role="assistant",
            content=[block_to_sdk(block) for block in answer.blocks],
            model=answer.model,
            stop_reason=answer.stop,
        )
    # One block is all that a server without tools can take: a text in parts is one text.
    plain = [block for block in answer.blocks if isinstance(block, Content)]
    texts = "".join(block.text for block in plain)
    block = Content("text", texts) if texts or not plain else plain[0]
    return types.CreateMessageResult(
        role="assistant",
        content=cast("types.SamplingContent", block_to_sdk(block)),
        model=answer.model,
        stop_reason=answer.stop,
    )


def block_to_sdk(block: SamplingBlock) -> types.SamplingMessageContentBlock:
    match block:
        case ToolUse():
            return types.ToolUseContent(
                id=block.call_id, name=block.name, input=dict(block.arguments)
            )
        case ToolOutcome():
            texts = [types.TextContent(text=part.text) for part in block.content]
            return types.ToolResultContent(
                tool_use_id=block.call_id, content=list(texts), is_error=block.is_error
            )
        case Content(kind="image"):
            return types.ImageContent(data=_encoded(block.data), mime_type=block.mime)
        case Content(kind="audio"):
            return types.AudioContent(data=_encoded(block.data), mime_type=block.mime)
        case Content():
            return types.TextContent(text=block.text)


def _encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


def read_roots(config: ServerConfig) -> list[types.Root]:
    """The roots of an expanded `config`, each a folder that is there now.

    They only tell: what a server does with one is its own affair, and none is a limit we keep.

    Raises:
        ConfigError: one is not a folder. Left out, it could leave a server with no roots at all,
            and some then take more for theirs than the person meant.
    """
    return [_read_root(root, index, config.cwd) for index, root in enumerate(config.roots)]


def _read_root(root: str, index: int, cwd: str | None) -> types.Root:
    folder = _folder(root, cwd)
    if folder is None:
        raise ConfigError(
            translatable('"roots[{index}]" is not an existing folder', index=index),
            remedy=translatable(
                'Create the folder or correct its path; a relative path starts from "cwd".'
            ),
        )
    return types.Root(uri=FileUrl(url_of(str(folder))), name=folder.name or str(folder))


def _folder(root: str, cwd: str | None) -> Path | None:
    try:
        path = path_of(root) if is_file_url(root) else root
        folder = Path(os.path.abspath(os.path.join(cwd or "", path)))
        return folder if folder.is_dir() else None
    except (OSError, ValueError):
        return None
