"""Has a model answer what a server asks of one, once a person has agreed to it.

Proposes a provider and a model by the server's hints, sends the server's conversation through a
`CompletionService`, and translates the answer. Must not ask a model by itself: whoever calls
`answer_sampling` was allowed to. The server's tools are offered, and run by the server alone. Of
its wishes the temperature is not passed on, because many models refuse any. Source: MCP
specification 2025-11-25, client/sampling.
"""

from __future__ import annotations

import json
from contextlib import aclosing
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from desktop.base.translatable import translatable
from desktop.features.chat.llm.completion import Completed, CompletionError, CompletionRequest
from desktop.features.models.formats.wire_tools import UnknownTool, make_wire_tools
from desktop.features.models.messages import (
    AssistantMessage,
    Image,
    ToolAnswer,
    ToolMessage,
    ToolRequest,
    UserMessage,
)
from desktop.servers.content import flatten_content
from desktop.servers.requests import SamplingAnswer, ToolOutcome, ToolUse
from desktop.tools.wire_names import WireNames
from desktop.values.tool_types import Content, ErrorCode, ToolError, ToolResult

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop.config.providers import ProviderSettings
    from desktop.features.chat.llm.completion import CompletionService
    from desktop.features.models.formats import ApiFormat, WireTools
    from desktop.features.models.messages import Message, StopReason
    from desktop.servers.requests import SamplingBlock, SamplingMessage, SamplingRequest

BEGINNING: Final = "(The beginning of this conversation is missing.)"
"""What stands before a conversation that a model began: providers take none."""
_STOPS: Final[Mapping[StopReason, str]] = {"tools": "toolUse", "length": "maxTokens"}


class Proposal(Struct, frozen=True):
    """Which model would answer; a person may choose another."""

    provider: ProviderSettings
    model: str

    def __str__(self) -> str:
        return f"{self.model} of {self.provider.name}"


def propose_model(
    hints: Sequence[str], providers: Mapping[str, ProviderSettings]
) -> Proposal | None:
    """The first model of a configured provider that a hint names, else the first there is.

    Args:
        hints: names of models or parts of them, the most wanted first.
        providers: those of the config.

    Returns:
        None where no provider has a model.
    """
    ready = [Proposal(each, each.model) for each in providers.values() if each.model]
    for hint in hints:
        for proposal in ready:
            if hint.lower() in proposal.model.lower():
                return proposal
    return ready[0] if ready else None


async def answer_sampling(
    service: CompletionService, model: str, request: SamplingRequest
) -> SamplingAnswer:
    """One turn of the model.

    Args:
        service: of the chosen provider.
        model: the provider's name for it.
        request: as the server sent it, or as a person corrected it.

    Raises:
        CompletionError: no answer that could be sent to the server.
    """
    offered = request.tools if request.tool_choice != "none" else ()

    async def load_tools(api_format: ApiFormat) -> WireTools:
        return make_wire_tools(offered, api_format, direct=_servers(request))

    completion = CompletionRequest(
        model,
        _messages(request),
        system=request.system,
        load_tools=load_tools if offered else None,
        max_tokens=request.max_tokens,
    )
    async with aclosing(service.stream(completion)) as events:
        async for event in events:
            if isinstance(event, Completed):
                return _answer(event, model, request.stop_sequences)
    raise CompletionError("provider", translatable("The model's answer did not end."))


def _servers(request: SamplingRequest) -> set[str]:
    return {tool.server for tool in request.tools}


def _answer(done: Completed, model: str, stops: Sequence[str]) -> SamplingAnswer:
    message = done.message
    text, is_cut = _until_stop(message.text, stops)
    blocks: list[SamplingBlock] = [Content("text", text)] if text or is_cut else []
    if not is_cut and done.tools is not None:
        blocks += [_tool_use(request, done.tools) for request in message.requests]
    if not blocks or message.stop in {"refused", "filtered"}:
        raise CompletionError("provider", translatable("The model gave no answer."))
    stop = "stopSequence" if is_cut else _STOPS.get(message.stop, "endTurn")
    return SamplingAnswer(tuple(blocks), message.model or model, stop)


def _until_stop(text: str, stops: Sequence[str]) -> tuple[str, bool]:
    """The text before the first of the server's stop sequences, and whether there was one."""
    places = [text.find(stop) for stop in stops if stop and stop in text]
    return (text[: min(places)], True) if places else (text, False)


def _tool_use(request: ToolRequest, tools: WireTools) -> ToolUse:
    key = tools.find(request.wire_name)
    read = tools.read_arguments(request.wire_name, request.arguments)
    if isinstance(key, UnknownTool) or read.error:
        words = key.sentence if isinstance(key, UnknownTool) else read.error
        raise CompletionError(
            "provider", translatable("The model made an invalid call: {words}", words=words)
        )
    return ToolUse(request.call_id, key.partition(":")[2], read.arguments)


# --- the server's conversation --------------------------------------------------------------------


def _messages(request: SamplingRequest) -> list[Message]:
    names = WireNames(((tool.server, tool.name) for tool in request.tools), _servers(request))
    wire = {tool.name: names.name(tool.server, tool.name) for tool in request.tools}
    made: list[Message] = []
    following = [*request.messages[1:], None]
    for message, after in zip(request.messages, following, strict=True):
        if message.role == "user":
            made += _user_messages(message, made)
        else:
            made.append(_model_message(message, after, wire))
    if not made or not isinstance(made[0], UserMessage):
        made.insert(0, UserMessage(BEGINNING))
    return made


def _user_messages(message: SamplingMessage, before: Sequence[Message]) -> list[Message]:
    """What a person said, after the results of the calls that the model has just made."""
    asked = before[-1].requests if before and isinstance(before[-1], AssistantMessage) else ()
    results = {block.call_id: block for block in message.blocks if isinstance(block, ToolOutcome)}
    answers = tuple(
        ToolAnswer(request.call_id, request.wire_name, _result(results.pop(request.call_id)))
        for request in asked
    )
    made: list[Message] = [ToolMessage(answers)] if answers else []
    rest = [
        block
        for block in message.blocks
        if not isinstance(block, ToolOutcome) or block.call_id in results
    ]
    images = tuple(
        Image(block.data, block.mime)
        for block in rest
        if isinstance(block, Content) and block.kind == "image"
    )
    text = "\n".join(filter(None, map(_words, rest)))
    return [*made, UserMessage(text, images)] if text or images else made


def _model_message(
    message: SamplingMessage, after: SamplingMessage | None, wire: Mapping[str, str]
) -> AssistantMessage:
    """What the model said; its calls are calls only where their results follow, as it must be."""
    calls = [block for block in message.blocks if isinstance(block, ToolUse)]
    results = (
        {block.call_id for block in after.blocks if isinstance(block, ToolOutcome)} if after else ()
    )
    if all(call.call_id in results and call.name in wire for call in calls):
        requests = tuple(
            ToolRequest(call.call_id, wire[call.name], call.arguments) for call in calls
        )
        said = [block for block in message.blocks if not isinstance(block, ToolUse)]
    else:
        requests, said = (), list(message.blocks)
    text = "\n".join(filter(None, map(_words, said)))
    return AssistantMessage(text, requests, stop="tools" if requests else "end")


def _words(block: SamplingBlock) -> str:
    """A block as text; an image is sent as what it is."""
    match block:
        case ToolUse():
            return f"[called {block.name} {json.dumps(dict(block.arguments), ensure_ascii=False)}]"
        case ToolOutcome():
            return f"[result: {flatten_content(block.content)}]"
        case Content(kind="image"):
            return ""
        case Content():
            return flatten_content([block])


def _result(outcome: ToolOutcome) -> ToolResult:
    text = flatten_content(outcome.content)
    error = ToolError("ToolError", text, ErrorCode.TOOL_ERROR) if outcome.is_error else None
    return ToolResult(
        success=error is None,
        output=text,
        error=error,
        content=outcome.content,
        structured=outcome.structured,
    )
