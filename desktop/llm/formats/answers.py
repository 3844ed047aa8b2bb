"""What tools answered, as the messages that each provider wants next. Pure; sends nothing.

All answers of one round go together: providers want every call answered before anything else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop.llm.formats import (
    answers_anthropic,
    answers_chat,
    answers_gemini,
    answers_responses,
)
from desktop.llm.formats.api_format import ApiFormat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.llm.messages import ToolAnswer


def answer_messages(
    api_format: ApiFormat, answers: Sequence[ToolAnswer], *, media_inside: bool = True
) -> list[dict[str, Any]]:
    """The messages (for Responses: input items, for Gemini: contents) of one round, as JSON.

    Never an empty answer. `media_inside` is for Gemini alone: whether the model takes media inside
    a functionResponse (3 and later); others get them in a content of their own after it. The
    google-genai client reads base64 only as JSON: `types.Content.model_validate_json`.
    """
    match api_format:
        case ApiFormat.OPENAI:
            return answers_chat.messages(answers)
        case ApiFormat.OPENAI_RESPONSES:
            return answers_responses.items(answers)
        case ApiFormat.ANTHROPIC:
            return answers_anthropic.messages(answers)
        case ApiFormat.GEMINI:
            return answers_gemini.contents(answers, media_inside=media_inside)
