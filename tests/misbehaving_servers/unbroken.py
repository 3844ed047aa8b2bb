"""Every text of it is one word of 200 letters: nothing can be wrapped at a space.

A tool that fails says it in such a word, too.
"""

from __future__ import annotations

import sys

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from tests.servers.base import Server, Tool, log, text_result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tests.servers.base import Json

WORD = "Wide" * 50
NAME = WORD[:64]
URI = f"test://{WORD}"
PROPERTY = {"type": "string", "title": WORD, "description": WORD, "enum": [WORD, WORD.lower()]}
SCHEMA = {
    "type": "object",
    "properties": {NAME: PROPERTY, "other": {"type": "array", "items": PROPERTY}},
    "required": ["other"],
}
TEXTS: Json = {"title": WORD, "description": WORD}
PROMPT: Json = {"name": NAME, "arguments": [{"name": NAME} | TEXTS]} | TEXTS
TEMPLATE: Json = {"uriTemplate": f"{URI}/{{id}}", "name": NAME} | TEXTS


class Unbroken(Server):
    """Offers a tool that fails, one that answers, and one with a form; a resource and a prompt."""

    def __init__(self) -> None:
        tools = [
            Tool("fails", lambda _: text_result(WORD, is_error=True), **TEXTS),
            Tool("answers", lambda _: {"content": [], "structuredContent": {WORD: WORD}}, **TEXTS),
            Tool(NAME, lambda _: WORD, None, **TEXTS, inputSchema=SCHEMA),
        ]
        super().__init__("unbroken", tools)
        self.answers |= {
            "resources/list": lambda _: {"resources": [{"uri": URI, "name": NAME} | TEXTS]},
            "resources/templates/list": lambda _: {"resourceTemplates": [TEMPLATE]},
            "resources/read": lambda _: {"contents": [{"uri": URI, "text": WORD}]},
            "prompts/list": lambda _: {"prompts": [PROMPT]},
        }

    def _introduce(self) -> Json:
        offers: Json = {"tools": {}, "resources": {}, "prompts": {}}
        return super()._introduce() | {"instructions": WORD, "capabilities": offers}


if __name__ == "__main__":
    log(WORD)
    Unbroken().serve()
