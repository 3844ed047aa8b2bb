"""Repairs what servers offer beside tools: lists of resources and prompts, contents, messages.

An entry that breaks the protocol loses the parts that do, or is left out where it could not be
asked for; the rest of its list is kept. What is left out is reported as an oddity. Must not change
what the SDK's models take. Source: MCP specification, server/{resources,prompts} and
server/utilities/completion.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

import mcp_types as types

from desktop.base.translatable import join_texts, translatable
from desktop.servers.repair.block_repair import MAX_ODD_BLOCK, repair_block
from desktop.servers.repair.message_repair import quoted
from desktop.servers.repair.model_fit import Raw, fits, is_valid, known_path, problem
from desktop.servers.repair.oddities import report_oddity

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pydantic import ValidationError

MAX_VALUES = 100
"""Proposed values that an answer may have."""
MAX_PROBLEMS = 5
"""Problems told of one entry."""
_MAX_TOLD = 60
"""Characters of a name in what is told of it."""


@dataclass(frozen=True, slots=True)
class _List:
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
        _content(given) for given in _listed(_READ, "contents", result.get("contents"))
    ]
    if not fits(types.ReadResourceResult, result, keep=("contents",)):
        raise error


def _content(given: Any) -> Raw:
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


OFFER_REPAIRS: Final[Mapping[str, Callable[[Raw, ValidationError], None]]] = {
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
