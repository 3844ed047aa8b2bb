"""Declares tools that clients and providers stumble over, beside one that is well: `good`."""

from __future__ import annotations

import sys

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from tests.servers.base import Server, Tool, echo

BOTH = {"readOnlyHint": True, "destructiveHint": True}
MISSPELT = {"type": "object", "properties": {"n": {"type": "strin"}}}
TOOLS = [
    Tool("good", echo, {"message": "string"}),
    Tool("files.read", echo, {"message": "string"}),
    Tool("misspelt", echo, inputSchema=MISSPELT),
    Tool("no_object", echo, inputSchema={"type": "array"}),
    Tool("both", echo, {"message": "string"}, annotations=BOTH),
    Tool("silent", echo, {"message": "string"}, description=""),
]

if __name__ == "__main__":
    Server("odd-declarations", TOOLS).serve()
