"""Pure converters between MCP and the providers' formats: no network, no SDK, nothing of Qt.

`convert` and `WireTools` for what goes out, `read_arguments` and `answer_messages` for what comes
back. One tool that cannot be converted never fails the others.
"""

from __future__ import annotations

from desktop.llm.formats.answers import answer_messages
from desktop.llm.formats.api_format import ApiFormat
from desktop.llm.formats.conversion import convert
from desktop.llm.formats.declaration import Declaration, Verdict
from desktop.llm.formats.normaliser import Normalised, process_json_schema
from desktop.llm.formats.report import Change
from desktop.llm.formats.wire_tools import ReadArguments, UnknownTool, WireTools, make_wire_tools

__all__ = [
    "ApiFormat",
    "Change",
    "Declaration",
    "Normalised",
    "ReadArguments",
    "UnknownTool",
    "Verdict",
    "WireTools",
    "answer_messages",
    "convert",
    "make_wire_tools",
    "process_json_schema",
]
