"""A small MCP server with resources and prompts for the pictures of `demo`; a script of its own.

Our built-in servers offer tools alone. Must import nothing but the standard library, since it runs
without the project; answers what the window asks, and nothing else.
"""

from __future__ import annotations

import json
import sys
from typing import Any, Final

RESOURCE: Final = "handbook://opening-hours"
PROMPT: Final = "recommend_book"
_TEXTS: Final = {
    RESOURCE: (
        "Opening hours",
        "# Opening hours\n\nMonday to Friday from 9:00 to 18:30, Saturday from 10:00 to 16:00.\n\n"
        "- The last Saturday of the month is for **stocktaking**.\n"
        "- Readings begin at 19:30; doors open half an hour before.\n",
    ),
    "handbook://returns": ("Returns", "# Returns\n\nWithin 30 days, with the receipt.\n"),
    "handbook://gift-wrapping": ("Gift wrapping", "# Gift wrapping\n\nFree from two books on.\n"),
}
_PROMPTS: Final[list[dict[str, Any]]] = [
    {
        "name": PROMPT,
        "title": "Recommend a book",
        "description": "Asks for a book for a certain reader.",
        "arguments": [
            {"name": "reader", "description": "Who will read it.", "required": True},
            {"name": "budget", "description": "The most that it may cost."},
        ],
    },
    {"name": "weekly_letter", "title": "Weekly letter", "description": "Drafts the newsletter."},
]


def answer(method: str, params: dict[str, Any]) -> dict[str, Any] | None:
    """The result of a request; None for a method that is not there."""
    match method:
        case "initialize":
            return {
                "protocolVersion": params.get("protocolVersion", "2025-11-25"),
                "capabilities": {"resources": {}, "prompts": {}},
                "serverInfo": {"name": "handbook", "title": "Handbook", "version": "1.0.0"},
            }
        case "ping":
            return {}
        case "resources/list":
            return {
                "resources": [
                    {"uri": uri, "name": name, "mimeType": "text/markdown"}
                    for uri, (name, _) in _TEXTS.items()
                ]
            }
        case "resources/templates/list":
            return {"resourceTemplates": []}
        case "resources/read" if params.get("uri") in _TEXTS:
            uri = params["uri"]
            block = {"uri": uri, "mimeType": "text/markdown", "text": _TEXTS[uri][1]}
            return {"contents": [block]}
        case "prompts/list":
            return {"prompts": _PROMPTS}
        case _:
            return None


def main() -> None:
    """Answer line by line until the input ends."""
    for line in sys.stdin:
        request = json.loads(line)
        if "id" not in request or "method" not in request:
            continue
        result = answer(request["method"], request.get("params") or {})
        error = {"code": -32601, "message": "Method not found"}
        reply = {"error": error} if result is None else {"result": result}
        sys.stdout.write(f"{json.dumps({'jsonrpc': '2.0', 'id': request['id'], **reply})}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
