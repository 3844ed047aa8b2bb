"""Anthropic's rule of "Preserved thinking": a signed block comes back beside what it was made with.

    judge = BoundThinking(script)       # in place of the script
    loopback.play(judge)

System, tools and all messages before the block must be those of the request that it answered; any
difference is the 400 that the documentation quotes. Recorded requests are `script.requests`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.features.models.loopback.exchange import Reply, Request, Turn
from tests.features.models.loopback.script import Script

if TYPE_CHECKING:
    from tests.features.models.loopback.exchange import Wire

REFUSAL = (
    "messages.{place}.content.0: Invalid signature in thinking block. The block is bound to a "
    "different conversation."
)


class BoundThinking(Script):
    """Plays its turns like a `Script`; `refused` are the requests that broke the rule."""

    def __init__(self, turns: list[Turn]) -> None:
        super().__init__(turns)
        self.refused: list[Request] = []
        self._made: dict[str, tuple[Any, Any, list[Any]]] = {}

    def answer(self, wire: Wire, request: Request) -> Reply:
        body = request.body
        told = (body.get("system"), body.get("tools"))
        for place, message in enumerate(body["messages"]):
            for block in message["content"] if isinstance(message["content"], list) else ():
                if block["type"] != "thinking":
                    continue
                if self._made[block["signature"]] != (*told, body["messages"][:place]):
                    self.refused.append(request)
                    return Reply(wire.refusal(REFUSAL.format(place=place), 400), 400)
        self._made[f"signed_{len(self.requests)}"] = (*told, body["messages"])
        return super().answer(wire, request)
