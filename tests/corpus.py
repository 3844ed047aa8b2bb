"""The real tools, where the corpus is: it is beside the repository and not part of it."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from desktop.values.tool_types import ToolDefinition

_PLACES = [folder / "shared" / "corpus" for folder in Path(__file__).parents[2:4]]
FOLDER = next((folder for folder in _PLACES if folder.is_dir()), _PLACES[0])
needs_corpus = pytest.mark.skipif(
    not FOLDER.is_dir(), reason="the corpus of real tools is not here"
)


@cache
def corpus() -> tuple[ToolDefinition, ...]:
    """Every tool of every server; empty where the corpus is not."""
    return tuple(
        ToolDefinition(
            file.stem.replace(".", "-"),
            tool["name"],
            tool.get("title") or "",
            tool.get("description") or "",
            input_schema=tool["inputSchema"],
        )
        for file in sorted(FOLDER.glob("*.json"))
        for tool in json.loads(file.read_text(encoding="utf-8"))["tools"]
    )
