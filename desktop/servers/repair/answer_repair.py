"""Repairs what servers send and the SDK's models refuse: each fault costs its part alone.

Works on the raw JSON, and only after the model has refused it, so a good answer costs nothing. A
tool that breaks the protocol stays in the list with what is wrong with it (`OddTool`). Resources
and prompts are the subject of `desktop.servers.repair.offer_repair`. What is left out is reported
as an oddity. Must not change what the models take. Source: MCP specification, basic/lifecycle and
server/tools.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

import mcp_types as types
from mcp_types.version import (
    HANDSHAKE_PROTOCOL_VERSIONS,
    LATEST_HANDSHAKE_VERSION,
    MODERN_PROTOCOL_VERSIONS,
    OLDEST_SUPPORTED_VERSION,
)
from pydantic import Field, ValidationError

from desktop.base.translatable import join_texts, translatable
from desktop.servers.repair.block_repair import as_json, repair_block
from desktop.servers.repair.model_fit import (
    Path,
    Raw,
    adapter,
    first_problem,
    fits,
    is_valid,
    known_path,
    problem,
)
from desktop.servers.repair.oddities import report_oddity
from desktop.servers.repair.offer_repair import OFFER_REPAIRS, STRICTER, repair_cursor
from desktop.values.packed_json import text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

MAX_PROBLEMS = 5
"""Problems told of one tool."""
MAX_PARTS: Final = 5_000
"""Parts of one answer: a million would hold up the app for 9 s, and take a gigabyte."""
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_NOTHING: Final[Raw] = {}
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}")


class ResultValidation(Protocol):
    """The SDK's `mcp_types.methods.validate_server_result`."""

    def __call__(self, method: str, version: str, data: Raw, /) -> None: ...


class MessageParser(Protocol):
    """The SDK's `mcp_types.methods.parse_server_notification`, and `parse_server_request`."""

    def __call__(self, method: str, version: str, params: Mapping[str, Any] | None, /) -> Any: ...


def repairing_results(validate: ResultValidation) -> ResultValidation:
    """The SDK's validation of results, after which a repaired result is accepted in its place."""

    def validate_or_repair(method: str, version: str, data: Raw, /) -> None:
        if method == _TASK_RESULT:
            method = _CALL
        if method == "initialize":
            _use_known_version(data)
        _leave_out_parts(method, data)
        if _is_surely_valid(method, version, data):
            return
        try:
            validate(method, version, data)
            _check_second(method, version, data)
        except ValidationError as error:
            repair = _REPAIRS.get(method)
            if repair is None or data.get("resultType") == "input_required":
                raise
            repair(data, error)

    return validate_or_repair


def repairing_requests(parse: MessageParser) -> MessageParser:
    """The SDK's parser of requests, which takes an elicitation whose schema says too little."""

    def parse_or_repair(method: str, version: str, params: Mapping[str, Any] | None, /) -> Any:
        try:
            return parse(method, version, params)
        except ValidationError:
            given = dict(params or {})
            schema: object = given.get("requestedSchema") or {}
            if method != "elicitation/create" or not isinstance(schema, dict):
                raise
            whole: Raw = {"type": "object", "properties": {}}
            members = whole | cast("Raw", schema)
            parsed = parse(method, version, given | {"requestedSchema": members})
            report_oddity(method, translatable("requestedSchema is not a whole object schema"))
            return parsed

    return parse_or_repair


def repairing_notifications(parse: MessageParser) -> MessageParser:
    """The SDK's parser of notifications; what it refuses is reported, and passed over."""

    def parse_or_report(method: str, version: str, params: Mapping[str, Any] | None, /) -> Any:
        try:
            return parse(method, version, params)
        except ValidationError as error:
            report_oddity(method, first_problem(error), is_warning=True)
            if method.endswith("/list_changed"):
                return parse(method, version, None)
            raise KeyError(method) from None  # how the SDK passes over what it does not know

    return parse_or_report


def _leave_out_parts(method: str, result: Raw) -> None:
    """Keep the first `MAX_PARTS` of an answer, before anything is made of each of them."""
    name = _PARTS.get(method, "")
    given = result.get(name)
    if not isinstance(given, list) or (more := len(cast("list[Any]", given)) - MAX_PARTS) <= 0:
        return
    parts = cast("list[Any]", given)
    del parts[MAX_PARTS:]
    words = translatable("{count} further parts of an answer were left out", count=f"{more:,}")
    report_oddity(method, words, is_warning=True)
    if method == _CALL:  # a model has to know, too
        parts.append({"type": "text", "text": f"[{more:,} further parts were left out]"})


def _check_second(method: str, version: str, data: Raw) -> None:
    """The SDK reads with a second model, which is stricter in these places."""
    if method == _CALL:
        _check_result(version, data)
    elif method == _LIST and version in MODERN_PROTOCOL_VERSIONS:
        _drop_execution(data)
    elif (stricter := STRICTER.get(method)) is not None:
        _check_strictly(stricter, data)
    elif method == "initialize":
        adapter(types.InitializeResult).validate_python(data, by_name=False)


def _check_strictly(model: Any, data: Raw) -> None:
    if data.get("resultType", "complete") == "complete":
        adapter(model).validate_python(data, by_name=False)


# --- the greeting ---------------------------------------------------------------------------------


def _use_known_version(greeting: Raw) -> None:
    """Take a version from before the first release for the first: no answer differs in them."""
    version: object = greeting.get("protocolVersion")
    if not isinstance(version, str):
        report_oddity("initialize", translatable("protocolVersion is missing or not a string"))
        greeting["protocolVersion"] = LATEST_HANDSHAKE_VERSION
    elif _DATE.fullmatch(version) and version < OLDEST_SUPPORTED_VERSION:
        words = translatable("protocol {version} is older than the first release", version=version)
        report_oddity("initialize", words)
        greeting["protocolVersion"] = OLDEST_SUPPORTED_VERSION


def _repair_greeting(greeting: Raw, error: ValidationError) -> None:
    report_oddity("initialize", first_problem(error))
    info: object = greeting.get("serverInfo")
    named: Raw = dict(cast("Raw", info)) if isinstance(info, dict) else {}
    for key in ("name", "version"):
        value: object = named.get(key)
        named[key] = value if isinstance(value, str) else "" if value is None else str(value)
    greeting["serverInfo"] = named
    greeting["capabilities"] = _capabilities(greeting.get("capabilities"))
    if not fits(types.InitializeResult, greeting):
        raise error


def _capabilities(given: object) -> Raw:
    """`true` means that there is such a thing, as most writers of it mean; no object, tools."""
    if not isinstance(given, dict):
        return {"tools": {}}
    known = cast("Raw", given)
    return {
        name: value if isinstance(value, dict) else {}
        for name, value in known.items()
        if value not in (None, False)
    }


# --- the list of tools ----------------------------------------------------------------------------


class OddTool(types.Tool):
    """A tool that breaks the protocol, without the parts that no model takes."""

    problems: tuple[str, ...] = Field(default=(), exclude=True)
    """What is wrong with it, in words."""


_LIST: Final = "tools/list"
_REQUIRED: Final = frozenset(("name", "inputSchema"))
_PLAIN_MEMBERS: Final = frozenset(
    ("name", "title", "description", "inputSchema", "outputSchema", "annotations", "_meta")
)
_DICTIONARY: Final = frozenset((dict,))
_STRING: Final = frozenset((str,))
_HINTS: Final = frozenset(("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"))


def _is_surely_valid(method: str, version: str, data: Raw) -> bool:
    """Whether both models take it: to look at tools takes a quarter of the time of the first."""
    if version not in HANDSHAKE_PROTOCOL_VERSIONS:
        return False
    if method == _CALL:
        return _is_plain_result(data)
    return method == _LIST and _is_plain_list(data)


def _is_plain_list(page: Raw) -> bool:
    cursor, tools = page.get("nextCursor"), page.get("tools")
    return (
        "_meta" not in page
        and (cursor is None or isinstance(cursor, str))
        and isinstance(tools, list)
        and all(map(_is_plain_tool, cast("list[Any]", tools)))
    )


def _is_plain_tool(given: Any) -> bool:
    """Written without generators, which would take three times as long: each tool comes here."""
    if not isinstance(given, dict):
        return False
    tool = cast("Raw", given)
    return (
        tool.keys() <= _PLAIN_MEMBERS
        and _is_text(tool.get("name"))
        and _is_text(tool.get("title", ""))
        and _is_text(tool.get("description", ""))
        and _is_plain_schema(tool.get("inputSchema"))
        and ("outputSchema" not in tool or _is_plain_schema(tool["outputSchema"]))
        and ("_meta" not in tool or isinstance(tool["_meta"], dict))
        and ("annotations" not in tool or _are_plain_hints(tool["annotations"]))
    )


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and (value.isascii() or _SURROGATE.search(value) is None)


def _is_plain_schema(given: Any) -> bool:
    if not isinstance(given, dict):
        return False
    schema = cast("Raw", given)
    if text_of(schema) is not None:  # it was looked at before it became one
        return True
    if schema.get("type") != "object" or not isinstance(schema.get("$schema", ""), str):
        return False
    properties, required = schema.get("properties", _NOTHING), schema.get("required", ())
    if not isinstance(properties, dict) or not isinstance(required, list | tuple):
        return False
    return _DICTIONARY.issuperset(
        map(type, cast("Raw", properties).values())
    ) and _STRING.issuperset(map(type, cast("list[Any]", required)))


def _are_plain_hints(given: Any) -> bool:
    if not isinstance(given, dict):
        return False
    for name, hint in cast("Raw", given).items():
        if not (isinstance(hint, bool) if name in _HINTS else name == "title" and _is_text(hint)):
            return False
    return True


def _repair_list(page: Raw, error: ValidationError) -> None:
    found: defaultdict[int, list[tuple[Path, str, str]]] = defaultdict(list)
    for each in error.errors(include_url=False, include_context=False, include_input=False):
        path: Path = each["loc"]
        member = next(iter(path), "")
        if member == "tools" and len(path) > 1:
            found[cast("int", path[1])].append((known_path(path[2:]), each["type"], each["msg"]))
        elif member not in {
            "ttlMs",
            "cacheScope",
            "resultType",
        }:  # the SDK fills these in
            report_oddity(_LIST, problem(known_path(path), each["type"], each["msg"]))
    _drop_execution(page)
    tools: object = page.get("tools")
    listed = cast("list[Any]", tools) if isinstance(tools, list) else []
    page["tools"] = [
        tool
        for number, given in enumerate(listed)
        if (tool := _tool(number, given, found[number]) if number in found else given) is not None
    ]
    repair_cursor(page)
    if not fits(types.ListToolsResult, page, keep=("tools",)):
        raise error


def _tool(number: int, given: Any, found: list[tuple[Path, str, str]]) -> OddTool | None:
    """The tool with what is wrong with it; None, and an oddity, where it cannot be called."""
    name: object = cast("Raw", given).get("name") if isinstance(given, dict) else None
    problems = tuple(dict.fromkeys(problem(*each) for each in found))[:MAX_PROBLEMS]
    tool = _odd_tool(dict(cast("Raw", given)), problems) if isinstance(name, str) else None
    if tool is None:
        words = translatable(
            "tool {number} cannot be called: {problems}",
            number=number + 1,
            problems=join_texts("; ", *problems),
        )
        report_oddity(_LIST, words)
    return tool


def _odd_tool(given: Raw, problems: tuple[str, ...]) -> OddTool | None:
    schema: object = given.get("inputSchema")
    given["inputSchema"] = _usable_schema(cast("Raw", schema)) if isinstance(schema, dict) else {}
    given.pop("problems", None)  # not the server's to say
    if not fits(types.Tool, given, keep=tuple(_REQUIRED)):
        return None
    tool = OddTool.model_validate(given, by_name=False)
    tool.problems = problems
    return tool


def _usable_schema(schema: Raw) -> Raw:
    """The schema itself; without those of its own keywords with which no object could ever fit."""
    kind: object = schema.get("type")
    kinds = cast("list[Any]", kind) if isinstance(kind, list) else [kind]
    wrong = {
        "type": "type" in schema and "object" not in kinds,
        "properties": not isinstance(schema.get("properties"), dict | None),
        "required": not isinstance(schema.get("required"), list | None),
    }
    if not any(wrong.values()):
        return schema
    return {key: value for key, value in schema.items() if not wrong.get(key)}


def _drop_execution(page: Raw) -> None:
    """The later protocol has no `execution` any more: its model passes over it, the second not."""
    tools: object = page.get("tools")
    for tool in cast("list[Any]", tools) if isinstance(tools, list) else ():
        if isinstance(tool, dict):
            execution = cast("Raw", tool).get("execution")
            if execution is not None and not is_valid(types.ToolExecution, execution):
                del tool["execution"]


# --- the result of a call -------------------------------------------------------------------------

_CALL: Final = "tools/call"
_PLAIN_RESULT: Final = frozenset(("content", "isError"))
_TEXT_MEMBERS: Final = frozenset(("type", "text"))


def _is_plain_result(result: Raw) -> bool:
    """Whether it is text alone, as most results are."""
    content: object = result.get("content")
    if (
        not result.keys() <= _PLAIN_RESULT
        or not isinstance(content, list)
        or not isinstance(result.get("isError", False), bool)
    ):
        return False
    return all(map(_is_plain_text, cast("list[Any]", content)))


def _is_plain_text(given: Any) -> bool:
    if not isinstance(given, dict):
        return False
    block = cast("Raw", given)
    return block.keys() == _TEXT_MEMBERS and block["type"] == "text" and _is_text(block["text"])


_PARTS: Final = {_CALL: "content", "resources/read": "contents", "prompts/get": "messages"}
_TASK_RESULT: Final = "tasks/result"
"""The result of a call that was a task; the SDK has no model for what is in it."""
_RESULT_MEMBERS: Final = frozenset(
    ("content", "structuredContent", "isError", "_meta", "resultType")
)


def _check_result(version: str, result: Raw) -> None:
    if "isError" in result and result["isError"] is None:
        del result["isError"]
    kind = result.get("resultType", "complete")
    if version in MODERN_PROTOCOL_VERSIONS and kind == "complete":
        # The first model takes anything for a question to the person.
        adapter(types.CallToolResult).validate_python(result, by_name=False)


def _repair_result(result: Raw, error: ValidationError) -> None:
    result["content"] = _content(result)
    if result.get("isError") is None:
        result.pop("isError", None)
    if not fits(types.CallToolResult, result, keep=("content",), where=_CALL):
        raise error


def _content(result: Raw) -> list[Any]:
    """The blocks of a result that are blocks, and between them as JSON those that are not."""
    content: object = result.get("content")
    if isinstance(content, list):
        return [repair_block(_CALL, block) for block in cast("list[Any]", content)]
    if content is not None:
        report_oddity(_CALL, translatable("content is not a list"))
        return [repair_block(_CALL, content)]
    report_oddity(_CALL, translatable("content is missing"))
    others = {key: value for key, value in result.items() if key not in _RESULT_MEMBERS}
    return [as_json(others)] if others else []


_REPAIRS: Final[Mapping[str, Callable[[Raw, ValidationError], None]]] = {
    "initialize": _repair_greeting,
    _LIST: _repair_list,
    _CALL: _repair_result,
    **OFFER_REPAIRS,
}
