"""Pure converters between MCP and the providers' formats: no network, nothing of Qt.

`convert` and `WireTools` for what is sent, `WireTools.read_arguments` for what a model wrote, and
`answer_messages` for the results. One tool that cannot be converted never fails the others.
"""

from __future__ import annotations

from desktop.features.models.formats.declaration import ApiFormat, Change, Declaration, Verdict
from desktop.features.models.formats.schema_normaliser import Normalised, process_json_schema
from desktop.features.models.formats.tool_formats import answer_messages, convert
from desktop.features.models.formats.wire_tools import (
    ReadArguments,
    UnknownTool,
    WireTools,
    make_wire_tools,
)

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
