"""The secrets of a session's calls and servers: known while it runs, never written.

The rule is the history's: by schema, by name, by the form of a value, and what a server was given.
Must not change what the model or the tools are given.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from desktop.redaction.arguments import redact_arguments, replace_values
from desktop.redaction.policy import PLACEHOLDER
from desktop.values.tool_types import EMPTY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from desktop.features.models.formats import WireTools
    from desktop.features.models.messages import AssistantMessage, ToolRequest
    from desktop.tools.registry import ToolSource
    from desktop.values.tool_types import JsonObject, ToolCall, ToolResult


class SessionSecrets:
    """Values that stand in secret arguments, learned call by call."""

    def __init__(self, tools: ToolSource, known: Callable[[], Iterable[str]] = tuple) -> None:
        """Make it.

        Args:
            tools: have the schemas that say what is secret.
            known: gives the secrets of the servers that were started by now.
        """
        self._tools, self._known = tools, known
        self._values: dict[str, None] = {}
        self._keys: dict[str, str] = {}

    @property
    def values(self) -> tuple[str, ...]:
        return (*self._known(), *self._values)

    def expect(self, message: AssistantMessage, table: WireTools) -> None:
        """Learn what the requests of a turn have in them, before any of it is written."""
        for request in message.requests:
            key = table.find(request.wire_name)
            if isinstance(key, str):
                self._keys[request.wire_name] = key
            self.arguments_of(request)

    def learn(self, call: ToolCall, result: ToolResult) -> None:
        """Learn from a call as it was sent: a person may have corrected its arguments."""
        self._hidden(call.key, call.arguments)

    def written(self, call: ToolCall) -> JsonObject:
        """The arguments of a call as they may be written."""
        hidden = self._hidden(call.key, call.arguments)
        return hidden if isinstance(hidden, dict) else {"arguments": hidden}

    def arguments_of(self, request: ToolRequest) -> str | dict[str, Any]:
        """The arguments as they may be written: an object where they are one, else a text."""
        arguments = request.arguments
        value: Any = arguments
        if isinstance(arguments, str):
            try:
                value = json.loads(arguments)
            except (RecursionError, ValueError):
                return self.cover(arguments)
        if not isinstance(value, Mapping):
            return self.cover(str(arguments))
        key = self._keys.get(request.wire_name, "")
        return self._hidden(key, cast("Mapping[str, Any]", value))

    def hides_in(self, request: ToolRequest) -> bool:
        """Whether something in the arguments is not written."""
        written = json.dumps(self.arguments_of(request), ensure_ascii=False, default=str)
        return PLACEHOLDER in written

    def cover(self, text: str) -> str:
        """A text as it may be written."""
        return replace_values(text, self.values)

    def _hidden(self, key: str, arguments: JsonObject) -> str | dict[str, Any]:
        tool = self._tools.get(key)
        schema = tool.definition.input_schema if tool is not None else EMPTY
        try:
            hidden = redact_arguments(arguments, schema, self._known())
            self._values.update(dict.fromkeys(hidden.values))
            return replace_values(hidden.arguments, self.values)
        except RecursionError:
            return "(nested too deeply to be kept)"
