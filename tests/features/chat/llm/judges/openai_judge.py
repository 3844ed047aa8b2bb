"""The judge of Chat Completions and Responses: the package `openai`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import openai
from openai.lib.streaming.chat import ChatCompletionStreamState
from openai.types.chat.completion_create_params import CompletionCreateParamsStreaming
from openai.types.responses.response_create_params import ResponseCreateParamsStreaming
from pydantic import TypeAdapter

from desktop.features.models.formats import ApiFormat
from tests.features.chat.llm.judges.judge import KEY, SECONDS, Heard, Refused, misfits_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.features.chat.llm.judges.judge import Body


def _client(url: str) -> openai.OpenAI:
    return openai.OpenAI(api_key=KEY, base_url=f"{url}/v1", max_retries=0, timeout=SECONDS)


def _refused(error: openai.APIError) -> Refused:
    status = error.status_code if isinstance(error, openai.APIStatusError) else 0
    return Refused(status, error.message)


def _streamed(api: Any, body: Body) -> Iterator[Any]:
    with api.create(**body) as stream:
        yield from stream


class ChatJudge:
    """Chat Completions."""

    def __init__(self) -> None:
        self._type: TypeAdapter[Any] = TypeAdapter(CompletionCreateParamsStreaming)

    def misfits(self, body: Body, path: str) -> list[str]:
        return misfits_of(self._type, body)

    def ask(self, url: str, body: Body, path: str) -> Heard | Refused:
        state: Any = ChatCompletionStreamState()
        thinking = ""
        try:
            with _client(url) as client:
                for chunk in _streamed(client.chat.completions, body):
                    state.handle_chunk(chunk)
                    for choice in chunk.choices:
                        thinking += getattr(choice.delta, "reasoning_content", None) or ""
        except openai.APIError as error:
            return _refused(error)
        whole = state.current_completion_snapshot
        (choice,) = whole.choices
        message, usage = choice.message, whole.usage
        calls = [
            (each.function.name, json.loads(each.function.arguments))
            for each in message.tool_calls or ()
        ]
        counted = (
            usage.prompt_tokens,
            usage.completion_tokens,
            usage.prompt_tokens_details.cached_tokens,
        )
        text = message.content or message.refusal or ""
        return Heard(text, thinking, calls, counted, choice.finish_reason)


class ResponsesJudge:
    """Responses."""

    def __init__(self) -> None:
        self._type: TypeAdapter[Any] = TypeAdapter(ResponseCreateParamsStreaming)

    def misfits(self, body: Body, path: str) -> list[str]:
        return misfits_of(self._type, body)

    def ask(self, url: str, body: Body, path: str) -> Heard | Refused:
        whole: Any = None
        said: dict[str, str] = {"text": "", "thinking": ""}
        try:
            with _client(url) as client:
                for event in _streamed(client.responses, body):
                    if event.type in {"response.output_text.delta", "response.refusal.delta"}:
                        said["text"] += event.delta
                    if event.type == "response.reasoning_summary_text.delta":
                        said["thinking"] += event.delta
                    whole = getattr(event, "response", whole)
                    if event.type == "error":
                        return Refused(0, event.message)
        except openai.APIError as error:
            return _refused(error)
        calls = [
            (item.name, json.loads(item.arguments))
            for item in whole.output
            if item.type == "function_call"
        ]
        usage = whole.usage
        cached = usage.input_tokens_details.cached_tokens
        stop = whole.incomplete_details.reason if whole.incomplete_details else whole.status
        counted = (usage.input_tokens, usage.output_tokens, cached)
        return Heard(said["text"], said["thinking"], calls, counted, stop)


JUDGES = {ApiFormat.OPENAI: ChatJudge(), ApiFormat.OPENAI_RESPONSES: ResponsesJudge()}
