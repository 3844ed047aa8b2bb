"""A server that writes a profile of the client that connects to it.

It notes what the client says of itself and does by itself. What only its model can tell, the model
is asked for by two tools: `look` answers with other words in each half, and `report` takes what the
model got. Must not read or write a stream: see `cli.capture`.
"""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, cast

from desktop import __version__
from desktop.features.client_profiles.profiles import CELLS, Profile
from desktop.values.acting_client import CAPABILITIES, INFO
from desktop.values.json_schema import object_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.values.tool_types import JsonObject

NAME: Final = "capture"
"""The name under which the server should be configured: it is looked for in names of tools."""
SOURCE: Final = "mcp-desktop capture"
ASK: Final = "Call the tool look of the server capture, then its tool report with all that you got."
"""What a person says to the model of the client."""
_TEXT_WORD, _STRUCTURED_WORD = "heron", "walnut"
_STEP, _MARKS = 256, 40
_MODERN: Final = "2026-07-28"
_HANDSHAKE: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
_MAX_REPORT: Final = 2_000
_MOST_NAMES: Final = 100


def _described() -> str:
    """A description with a mark at each `_STEP` characters, which says how far it goes."""
    said = "Answers with words to be reported. The marks say how much of this text is there: "
    for number in range(1, _MARKS + 1):
        mark = f" d{number * _STEP:05}"
        said = said.ljust(number * _STEP - len(mark), ".") + mark
    return said


_TOOLS: Final[list[JsonObject]] = [
    {
        "name": "look",
        "description": _described(),
        "inputSchema": {"type": "object", "properties": {}},
        "outputSchema": {"type": "object", "properties": {"word": {"type": "string"}}},
    },
    {
        "name": "report",
        "description": "Takes what you got: call look before.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "words": {
                    "type": "string",
                    "description": "all words that look answered with, as you got them",
                },
                "last_mark": {
                    "type": "string",
                    "description": "the last mark in the description of look, such as d00256",
                },
                "names": {
                    "type": "array",
                    "items": {"type": "string"},
                    "description": "the names of this server's tools, exactly as you call them",
                },
            },
            "required": ["words", "last_mark", "names"],
        },
    },
]


class CaptureServer:
    """One client; `cells` are what is known of it by now."""

    def __init__(self) -> None:
        self.cells: dict[str, Any] = {}
        self._versions: list[str] = []
        self._is_told = False

    @property
    def is_known(self) -> bool:
        """Whether a client has said who it is."""
        return "client_info_name" in self.cells

    def profile(self) -> Profile:
        """What is known, in the form of a file."""
        name = str(self.cells.get("client_info_name", {}).get("value", "client"))
        version = self.cells.get("client_info_version", {}).get("value", "unknown")
        slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "client"
        cells: dict[str, Any] = {cell: self.cells.get(cell, "unknown") for cell in CELLS}
        about: dict[str, Any] = {"id": slug, "label": name, "version": version, "schema_rules": []}
        return Profile.model_validate({**about, **cells})

    def answer(self, message: object) -> Iterator[JsonObject]:
        """What to send for one message: an answer, or a notification, or nothing."""
        request = object_of(message)
        method, params = request.get("method"), object_of(request.get("params"))
        if not isinstance(method, str) or "id" not in request:
            return
        self._hear(method, params)
        result = self._result(method, params)
        about: JsonObject = {"jsonrpc": "2.0", "id": request["id"]}
        if result is None:
            yield {**about, "error": {"code": -32601, "message": f"no such method: {method[:60]}"}}
            return
        yield {**about, "result": result}
        if method == "tools/list" and not self._is_told and not self._is_modern:
            self._is_told = True
            yield {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}

    @property
    def _is_modern(self) -> bool:
        return _MODERN in self._versions

    def _hear(self, method: str, params: JsonObject) -> None:
        """Learn from what is asked, and in which order."""
        meta = object_of(params.get("_meta"))
        if method == "initialize":
            self._introduced(params.get("clientInfo"), params.get("capabilities"))
            self._spoke(str(params.get("protocolVersion", ""))[:20])
        elif INFO in meta:
            self._introduced(meta.get(INFO), meta.get(CAPABILITIES))
            self._spoke(_MODERN)
        if method == "tools/list" and self._is_told:
            self._note("list_changed", {"tools": True})
        elif method == "tools/call" and self._is_told and "list_changed" not in self.cells:
            self._note("list_changed", {"tools": False}, "it called a tool without reading again")

    def _introduced(self, info: object, capabilities: object) -> None:
        said = object_of(info)
        self._note("client_info_name", str(said.get("name", ""))[:200])
        self._note("client_info_version", str(said.get("version", ""))[:200])
        self._note("capabilities", object_of(capabilities))

    def _spoke(self, version: str) -> None:
        if version and version not in self._versions:
            self._versions.append(version)
        self._note("protocol_versions", sorted(self._versions), "those that it asked for")

    def _result(self, method: str, params: JsonObject) -> JsonObject | None:
        complete = {"resultType": "complete"} if self._is_modern else {}
        offers: JsonObject = {"tools": {"listChanged": True}}
        about: JsonObject = {
            "capabilities": offers,
            "serverInfo": {"name": NAME, "version": __version__},
            "instructions": ASK,
        }
        match method:
            case "initialize":
                asked = params.get("protocolVersion")
                version = asked if asked in _HANDSHAKE else _HANDSHAKE[-1]
                return {**about, "protocolVersion": version}
            case "server/discover":
                return {**complete, **about, "supportedVersions": [_MODERN], **_CACHE}
            case "tools/list":
                return {**complete, "tools": _TOOLS, **(_CACHE if self._is_modern else {})}
            case "tools/call":
                return {**complete, **self._called(params)}
            case "ping":
                return {**complete}
            case _:
                return None

    def _called(self, params: JsonObject) -> JsonObject:
        if params.get("name") == "look":
            return {
                "content": [{"type": "text", "text": f"The text says {_TEXT_WORD}."}],
                "structuredContent": {"word": _STRUCTURED_WORD},
            }
        if params.get("name") != "report":
            return {"content": [{"type": "text", "text": "No such tool."}], "isError": True}
        self._reported(object_of(params.get("arguments")))
        known = ", ".join(sorted(self.cells))
        return {"content": [{"type": "text", "text": f"Thank you. Known now: {known}."}]}

    def _reported(self, given: JsonObject) -> None:
        """What its model got, as it says."""
        note = "as its model reported"
        words = str(given.get("words", ""))[:_MAX_REPORT].lower()
        halves = {(True, True): "both", (True, False): "text", (False, True): "structured"}
        seen = halves.get((_TEXT_WORD in words, _STRUCTURED_WORD in words))
        if seen is not None:
            self._note("structured_content", {"model_sees": seen}, note)
        mark = re.fullmatch(r"d(\d{5})", str(given.get("last_mark", "")).strip().lower())
        if mark is not None and 0 < (most := int(mark[1])) < _STEP * _MARKS:
            near = f"{note}; between {most:,} and {most + _STEP:,} characters"
            self._note("description_limit", {"tool": most}, near)
        names: object = given.get("names")
        if isinstance(names, list):
            self._named(
                [str(name)[:200] for name in cast("list[object]", names)[:_MOST_NAMES]], note
            )

    def _named(self, names: list[str], note: str) -> None:
        look = next((name for name in names if name.endswith("look")), "")
        prefix = look.removesuffix("look")
        if NAME in prefix:
            self._note("tool_name_prefix", {"format": prefix.replace(NAME, "{server}", 1)}, note)

    def _note(self, cell: str, value: object, note: str = "") -> None:
        day = datetime.now(UTC).date().isoformat()
        about = {"value": value, "source": SOURCE, "date": day, "seen": "captured"}
        self.cells[cell] = about | ({"note": note} if note else {})


_CACHE: Final[JsonObject] = {"ttlMs": 0, "cacheScope": "private"}


def to_json(profile: Profile) -> str:
    """The text of a file."""
    document = profile.model_dump(mode="json", exclude_defaults=True, by_alias=True)
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"
