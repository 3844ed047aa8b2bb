"""Repairs what servers send and the SDK's models refuse: each fault costs its part alone.

Works on the raw JSON, and only after the model has refused it, so a good answer costs nothing. A
tool that breaks the protocol stays in the list with what is wrong with it (`OddTool`). What is left
out is reported as an oddity; a block of content that is none is shown as the JSON it is. Must not
change what the models take. Source: MCP specification, basic/lifecycle,
server/{tools,resources,prompts} and server/utilities/completion.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

import mcp_types as types
from mcp_types.version import (
    LATEST_HANDSHAKE_VERSION,
    MODERN_PROTOCOL_VERSIONS,
    OLDEST_SUPPORTED_VERSION,
)
from msgspec import Struct
from pydantic import Field, ValidationError

from desktop.base.later_patterns import compile_later
from desktop.base.translatable import join_texts, translatable
from desktop.servers.repair.message_repair import quoted
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
from desktop.servers.repair.plain_answers import (
    CALL,
    GREETING,
    LIST,
    RESULT_MEMBERS,
    is_surely_valid,
)
from desktop.values.media_types import detect_media_type

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

MAX_PROBLEMS = 5
"""Problems told of one tool or other entry."""
MAX_PARTS: Final = 5_000
"""Parts of one answer: a million would hold up the app for 9 s, and take a gigabyte."""
_DATE: Final = compile_later(r"\d{4}-\d{2}-\d{2}")


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
            method = CALL
        if method == GREETING:
            _use_known_version(data)
        _leave_out_parts(method, data)
        if is_surely_valid(method, version, data):
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
    if method == CALL:  # a model has to know, too
        parts.append({"type": "text", "text": f"[{more:,} further parts were left out]"})


def _check_second(method: str, version: str, data: Raw) -> None:
    """The SDK reads with a second model, which is stricter in these places."""
    if method == CALL:
        _check_result(version, data)
    elif method == LIST and version in MODERN_PROTOCOL_VERSIONS:
        _drop_execution(data)
    elif (stricter := STRICTER.get(method)) is not None:
        _check_strictly(stricter, data)
    elif method == GREETING:
        adapter(types.InitializeResult).validate_python(data, by_name=False)


def _check_strictly(model: Any, data: Raw) -> None:
    if data.get("resultType", "complete") == "complete":
        adapter(model).validate_python(data, by_name=False)


# --- the greeting ---------------------------------------------------------------------------------


def _use_known_version(greeting: Raw) -> None:
    """Take a version from before the first release for the first: no answer differs in them."""
    version: object = greeting.get("protocolVersion")
    if not isinstance(version, str):
        report_oddity(GREETING, translatable("protocolVersion is missing or not a string"))
        greeting["protocolVersion"] = LATEST_HANDSHAKE_VERSION
    elif _DATE.fullmatch(version) and version < OLDEST_SUPPORTED_VERSION:
        words = translatable("protocol {version} is older than the first release", version=version)
        report_oddity(GREETING, words)
        greeting["protocolVersion"] = OLDEST_SUPPORTED_VERSION


def _repair_greeting(greeting: Raw, error: ValidationError) -> None:
    report_oddity(GREETING, first_problem(error))
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


_REQUIRED: Final = frozenset(("name", "inputSchema"))


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
            report_oddity(LIST, problem(known_path(path), each["type"], each["msg"]))
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
        report_oddity(LIST, words)
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

_PARTS: Final = {CALL: "content", "resources/read": "contents", "prompts/get": "messages"}
_TASK_RESULT: Final = "tasks/result"
"""The result of a call that was a task; the SDK has no model for what is in it."""


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
    if not fits(types.CallToolResult, result, keep=("content",), where=CALL):
        raise error


def _content(result: Raw) -> list[Any]:
    """The blocks of a result that are blocks, and between them as JSON those that are not."""
    content: object = result.get("content")
    if isinstance(content, list):
        return [repair_block(CALL, block) for block in cast("list[Any]", content)]
    if content is not None:
        report_oddity(CALL, translatable("content is not a list"))
        return [repair_block(CALL, content)]
    report_oddity(CALL, translatable("content is missing"))
    others = {key: value for key, value in result.items() if key not in RESULT_MEMBERS}
    return [as_json(others)] if others else []


# What is offered beside tools: an entry loses the parts that break the protocol, or is left out
# where it could not be asked for.

MAX_VALUES = 100
"""Proposed values that an answer may have."""
_MAX_TOLD = 60
"""Characters of a name in what is told of it."""


class _List(Struct, frozen=True):
    """One of the lists: where its entries are, what they are asked for by, and their models."""

    method: str
    member: str
    key: str
    entry: Any
    page: Any

    def repair(self, page: Raw, error: ValidationError) -> None:
        """Keep of a page what can be asked for."""
        found: dict[int, list[str]] = {}
        for each in error.errors(include_url=False, include_context=False, include_input=False):
            path = each["loc"]
            if path[:1] == (self.member,) and len(path) > 1:
                words = problem(known_path(path[2:]), each["type"], each["msg"])
                found.setdefault(cast("int", path[1]), []).append(words)
            elif path[:1] not in {("ttlMs",), ("cacheScope",), ("resultType",)}:
                report_oddity(self.method, problem(known_path(path), each["type"], each["msg"]))
        entries: object = page.get(self.member)
        listed = cast("list[Any]", entries) if isinstance(entries, list) else []
        page[self.member] = [
            kept
            for number, given in enumerate(listed)
            if (kept := self._entry(number, given, found[number]) if number in found else given)
            is not None
        ]
        repair_cursor(page)
        if not fits(self.page, page, keep=(self.member,)):
            raise error

    def _entry(self, number: int, given: Any, found: list[str]) -> Raw | None:
        entry = dict(cast("Raw", given)) if isinstance(given, dict) else {}
        wanted: object = entry.get(self.key)
        if isinstance(wanted, str):
            if not isinstance(entry.get("name"), str):
                entry["name"] = wanted
            _keep_good_arguments(entry)
        is_kept = isinstance(wanted, str) and fits(self.entry, entry, keep=(self.key, "name"))
        problems = join_texts("; ", *dict.fromkeys(found[:MAX_PROBLEMS]))
        words = (
            translatable(
                "{name}: {problems}", name=cast("str", wanted)[:_MAX_TOLD], problems=problems
            )
            if is_kept
            else translatable(
                "entry {number} was skipped: {problems}", number=number + 1, problems=problems
            )
        )
        report_oddity(self.method, words)
        return entry if is_kept else None


def _keep_good_arguments(prompt: Raw) -> None:
    given: object = prompt.get("arguments")
    if isinstance(given, list):
        prompt["arguments"] = [
            argument
            for argument in cast("list[Any]", given)
            if isinstance(argument, dict)
            and fits(types.PromptArgument, cast("Raw", argument), keep=("name",))
        ]


def repair_cursor(page: Raw) -> None:
    """Some servers count their pages: a number is taken for the text that it should be."""
    cursor: object = page.get("nextCursor")
    if isinstance(cursor, int | float) and not isinstance(cursor, bool):
        page["nextCursor"] = json.dumps(cursor)


# --- what a read brings ---------------------------------------------------------------------------

_READ: Final = "resources/read"


def _repair_contents(result: Raw, error: ValidationError) -> None:
    result["contents"] = [
        _read_content(given) for given in _listed(_READ, "contents", result.get("contents"))
    ]
    if not fits(types.ReadResourceResult, result, keep=("contents",)):
        raise error


def _read_content(given: Any) -> Raw:
    content = dict(cast("Raw", given)) if isinstance(given, dict) else {}
    if not isinstance(content.get("uri"), str):
        report_oddity(_READ, translatable("a part of it has no URI"))
        content["uri"] = ""
    for model in (types.TextResourceContents, types.BlobResourceContents):
        if fits(model, part := dict(content), keep=("uri", "text", "blob")):
            return part
    report_oddity(_READ, translatable("a part of it is neither text nor bytes"))
    text = given if isinstance(given, str) else quoted(given, MAX_ODD_BLOCK)
    return {"uri": content["uri"], "text": text}


def _listed(method: str, member: str, given: object) -> list[Any]:
    """A list; of what should be one, one entry; of nothing, none."""
    if isinstance(given, list):
        return cast("list[Any]", given)
    if given is None:
        report_oddity(method, translatable("{member} is missing", member=member))
        return []
    report_oddity(method, translatable("{member} is not a list", member=member))
    return [given]


# --- the messages of a prompt ---------------------------------------------------------------------

_GET: Final = "prompts/get"
_ROLES: Final = ("user", "assistant")


def _repair_messages(result: Raw, error: ValidationError) -> None:
    given = _listed(_GET, "messages", result.get("messages"))
    result["messages"] = [message for each in given for message in _messages(each)]
    if not fits(types.GetPromptResult, result, keep=("messages",)):
        raise error


def _messages(given: Any) -> list[Raw]:
    """The message; one for each block where it has several."""
    if is_valid(types.PromptMessage, given):
        return [cast("Raw", given)]
    message = cast("Raw", given) if isinstance(given, dict) else {"content": [given]}
    role: object = message.get("role")
    if role not in _ROLES:
        words = translatable("a message is from {role}", role=quoted(role, _MAX_TOLD))
        report_oddity(_GET, words)
        role = "user"
    content: object = message.get("content")
    blocks = (cast("list[Any]", content) if isinstance(content, list) else []) or [content]
    return [{"role": role, "content": repair_block(_GET, block)} for block in blocks]


# --- proposed values ------------------------------------------------------------------------------

_COMPLETE: Final = "completion/complete"


def _repair_completion(result: Raw, error: ValidationError) -> None:
    given: object = result.get("completion")
    completion = dict(cast("Raw", given)) if isinstance(given, dict) else {"values": given}
    values = _listed(_COMPLETE, "values", completion.get("values"))
    texts = [
        value if isinstance(value, str) else json.dumps(value)
        for value in values
        if isinstance(value, str | int | float)
    ]
    if len(texts) < len(values) or len(texts) > MAX_VALUES:
        report_oddity(
            _COMPLETE, translatable("values contains something other than strings, or too many")
        )
    completion["values"] = texts[:MAX_VALUES]
    if not fits(types.Completion, completion, keep=("values",), where=_COMPLETE):
        raise error
    result["completion"] = completion
    if not fits(types.CompleteResult, result, keep=("completion",)):
        raise error


_REPAIRS: Final[Mapping[str, Callable[[Raw, ValidationError], None]]] = {
    GREETING: _repair_greeting,
    LIST: _repair_list,
    CALL: _repair_result,
    "resources/list": _List(
        "resources/list", "resources", "uri", types.Resource, types.ListResourcesResult
    ).repair,
    "resources/templates/list": _List(
        "resources/templates/list",
        "resourceTemplates",
        "uriTemplate",
        types.ResourceTemplate,
        types.ListResourceTemplatesResult,
    ).repair,
    "prompts/list": _List(
        "prompts/list", "prompts", "name", types.Prompt, types.ListPromptsResult
    ).repair,
    _READ: _repair_contents,
    _GET: _repair_messages,
    _COMPLETE: _repair_completion,
}
"""What repairs the result of a method."""
STRICTER: Final[Mapping[str, Any]] = {
    _READ: types.ReadResourceResult,
    _GET: types.GetPromptResult,
    _COMPLETE: types.CompleteResult,
}
"""The second models with which the SDK reads these results, after it has accepted them."""


MAX_ODD_BLOCK = 20_000
"""Characters of a block that is shown as JSON because it is not a block."""
_SNIFFED = 64
"""Base64 characters from which a media type is detected."""
_MEDIA: Final = ("image", "audio")


def repair_block(where: str, given: Any) -> Any:
    """The block, or a text block in its place; `where` is the method, for what is said of it."""
    if isinstance(given, str):
        return {"type": "text", "text": given}
    if not isinstance(given, dict):
        return as_json(given)
    block = dict(cast("Raw", given))
    if _is_block(block):
        return block
    report_oddity(where, translatable("a content block is of an unknown type"))
    for extra in ("annotations", "_meta"):
        block.pop(extra, None)
    data: object = block.get("data")
    if block.get("type") in _MEDIA and isinstance(data, str):
        kind = _media_type(data)
        if kind.startswith(f"{block['type']}/"):
            block["mimeType"] = kind
    return block if _is_block(block) else as_json(cast("object", given))


def _media_type(data: str) -> str:
    try:
        return detect_media_type(base64.b64decode(data[:_SNIFFED]))
    except (binascii.Error, ValueError):
        return ""


def as_json(value: object) -> Raw:
    """A block that shows a value that is none."""
    return {"type": "text", "text": quoted(value, MAX_ODD_BLOCK)}


def _is_block(value: object) -> bool:
    return is_valid(types.ContentBlock, value)
