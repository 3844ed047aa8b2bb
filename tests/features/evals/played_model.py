"""A model behind a real endpoint on this machine that answers by what it was asked."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from desktop.features.models.formats import ApiFormat
from tests.features.models.loopback import openai_chat
from tests.features.models.loopback.exchange import EVENTS, Reply, Turn
from tests.features.models.loopback.script import Failing, turn

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.features.models.loopback.exchange import Request
    from tests.features.models.loopback.server import Loopback

Played: TypeAlias = "Turn | Failing"
PRICE = {"input": 1_000_000, "output": 1_000_000}
"""A token costs 1."""


class PlayedModel:
    """`say` is given the question and the results of tools since it, and says what comes next."""

    def __init__(self, loopback: Loopback) -> None:
        self.say: Callable[[str, list[str]], Played] = lambda _, __: turn("ok")
        self.questions: list[str] = []
        self.tools: list[str] = []
        """The names that the last request declared."""
        self._loopback, self._numbers = loopback, itertools.count()
        loopback.answers = {openai_chat.WIRE: self._answer}

    def provider(self, **more: Any) -> dict[str, Any]:
        base = self._loopback.base_url(ApiFormat.OPENAI)
        return {"kind": "openai", "api": "chat", "baseUrl": base, "model": "gpt-x", **more}

    def _answer(self, request: Request) -> Reply:
        messages = request.body["messages"]
        self.tools = [tool["function"]["name"] for tool in request.body.get("tools", ())]
        at = max(n for n, each in enumerate(messages) if each["role"] == "user")
        content = messages[at]["content"]
        question = content if isinstance(content, str) else content[0]["text"]
        results = [_text(each["content"]) for each in messages[at:] if each["role"] == "tool"]
        if not results:
            self.questions.append(question)
        said = self.say(question, results)
        wire = openai_chat.WIRE
        if isinstance(said, Failing):
            return Reply(wire.refusal(said.message, said.status), said.status)
        numbered = replace(said, number=next(self._numbers))
        return Reply(pieces=wire.stream(numbered, request), content_type=EVENTS)


def _text(content: Any) -> str:
    return content if isinstance(content, str) else json.dumps(content)
