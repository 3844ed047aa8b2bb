"""The judge of Anthropic Messages: the package `anthropic`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import anthropic
import httpx2
from anthropic.types.message_create_params import MessageCreateParamsStreaming
from pydantic import TypeAdapter

from desktop.features.models.formats import ApiFormat
from tests.features.chat.llm.judges.judge import KEY, SECONDS, Heard, Refused, misfits_of

if TYPE_CHECKING:
    from tests.features.chat.llm.judges.judge import Body


class MessagesJudge:
    """Messages."""

    def __init__(self) -> None:
        self._type: TypeAdapter[Any] = TypeAdapter(MessageCreateParamsStreaming)

    def misfits(self, body: Body, path: str) -> list[str]:
        return misfits_of(self._type, body)

    def ask(self, url: str, body: Body, path: str) -> Heard | Refused:
        given: Any = {key: body[key] for key in body if key != "stream"}
        try:
            with (
                anthropic.Anthropic(
                    auth_token=KEY, api_key=None, base_url=url, max_retries=0, timeout=SECONDS
                ) as client,
                client.messages.stream(**given) as stream,
            ):
                message: Any = stream.get_final_message()
        except anthropic.APIStatusError as error:
            return Refused(error.status_code, error.message)
        except httpx2.TransportError as error:
            return Refused(0, str(error))
        usage, blocks = message.usage, message.content
        cached = usage.cache_read_input_tokens or 0
        went_in = usage.input_tokens + cached + (usage.cache_creation_input_tokens or 0)
        return Heard(
            "".join(block.text for block in blocks if block.type == "text"),
            "".join(block.thinking for block in blocks if block.type == "thinking"),
            [(block.name, block.input) for block in blocks if block.type == "tool_use"],
            (went_in, usage.output_tokens, cached),
            message.stop_reason,
        )


JUDGES = {ApiFormat.ANTHROPIC: MessagesJudge()}
