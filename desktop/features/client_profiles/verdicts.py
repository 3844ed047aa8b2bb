"""How a server comes through in each client: a verdict, and sentences with their sources.

Held against what the server declares and what it answered before; nothing is called. Pure, and
quick for 10,000 tools. Never a verdict without data: "unknown" is one.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, cast

from msgspec import Struct
from msgspec.structs import replace

from desktop.base.translatable import translatable
from desktop.features.client_profiles.model_view import (
    ModelView,
    is_image,
    keywords,
    lost_without_structured,
    lost_without_text,
    model_text,
    sees,
    subschemas,
    telling_keywords,
)
from desktop.features.client_profiles.profiles import CELLS, known

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from desktop.features.client_profiles.model_view import Fate
    from desktop.features.client_profiles.profiles import Cell, Profile, SchemaRule
    from desktop.values.tool_types import JsonObject, ToolDefinition, ToolResult


class VerdictKind(StrEnum):
    """How much of a server a client lets through; the later, the less."""

    WORKS = "works"
    RENAMED = "renamed"
    UNKNOWN = "unknown"
    CUT = "cut"
    NOT_SHOWN = "not shown"
    REFUSED = "refused"

    @property
    def is_whole(self) -> bool:
        """Whether all of it is known to reach the model, under whatever name."""
        return self in (VerdictKind.WORKS, VerdictKind.RENAMED)


_ORDER: Final = {verdict: at for at, verdict in enumerate(VerdictKind)}
_LISTED: Final = 4
"""Tools that a sentence names."""
_LONGEST: Final = 48
"""Characters of a name in a sentence."""
_NEWEST_DIALECT: Final = "draft/2020-12"
_STRUCTURED_SINCE: Final = "2025-06-18"
"""The first version of the protocol with structured content."""


class ClientFinding(Struct, frozen=True):
    """One sentence; one with the verdict `works` is a remark."""

    verdict: VerdictKind
    message: str
    cell: Cell[Any]
    tools: tuple[str, ...] = ()


class ClientVerdict(Struct, frozen=True):
    """`unknown` are the names of the cells that nobody knows."""

    profile: Profile
    verdict: VerdictKind
    findings: tuple[ClientFinding, ...]
    unknown: tuple[str, ...]

    def of(self, tool: str) -> tuple[ClientFinding, ...]:
        """What is said of one tool, and of all of them."""
        return tuple(each for each in self.findings if not each.tools or tool in each.tools)


class EarlierResult(Struct, frozen=True):
    """A result that a tool gave before."""

    tool: str
    result: ToolResult


class Surface(Struct, frozen=True, dict=True):
    """What is known of one server; `transport` is empty where it was not asked."""

    server: str
    tools: Sequence[ToolDefinition]
    results: Sequence[EarlierResult] = ()
    instructions: str = ""
    transport: str = ""
    tells_changes: bool = False
    count: int | None = None
    """Of all tools for models, where `tools` are some of them."""

    def of(self, tool: ToolDefinition) -> Surface:
        """What of it one tool depends on: quick, however many there are."""
        count = sum(each.is_for_models for each in self.tools)
        return replace(self, tools=(tool,), count=count)

    @cached_property
    def facts(self) -> list[_ToolFacts]:
        """Of each tool; read once for all clients."""
        return [_facts(tool) for tool in self.tools]

    @cached_property
    def answers(self) -> list[_AnswerFacts]:
        """Of each result."""
        return [_answer(each) for each in self.results]

    @cached_property
    def has_app(self) -> bool:
        return any(tool.app_uri for tool in self.tools)


def judge(surface: Surface, profiles: Iterable[Profile]) -> list[ClientVerdict]:
    """The verdict of each client, in their order."""
    return [_judge(surface, profile) for profile in profiles]


def by_weight(verdicts: Iterable[ClientVerdict]) -> list[ClientVerdict]:
    """Those with a problem first, and those of which nothing is known last."""

    def weight(each: ClientVerdict) -> tuple[bool, int]:
        return each.verdict == VerdictKind.UNKNOWN, -_ORDER[each.verdict]

    return sorted(verdicts, key=weight)


def _judge(surface: Surface, profile: Profile) -> ClientVerdict:
    view = ModelView(profile)
    shown = [
        each for each in surface.facts if each.is_for_models or view.honours_visibility is False
    ]
    findings = [
        *_of_server(surface, profile),
        *_of_count(surface.count or len(shown), profile),
        *_of_names(surface.server, shown, view),
        *_of_descriptions(surface, shown, profile),
        *_of_schemas(surface, shown, profile),
        *_of_apps(surface, profile),
        *_of_results(surface, view),
    ]
    findings.sort(key=lambda each: -_ORDER[each.verdict])
    unknown = tuple(name for name in CELLS if profile.cell(name) is None)
    worst = findings[0].verdict if findings else VerdictKind.WORKS
    if _ORDER[worst] < _ORDER[VerdictKind.UNKNOWN] and _lacks_data(surface, unknown):
        worst = VerdictKind.UNKNOWN
    return ClientVerdict(profile, worst, tuple(findings), unknown)


def _lacks_data(surface: Surface, unknown: tuple[str, ...]) -> bool:
    """Whether what this server depends on is not known."""
    needed = {"tool_name_rule"} if surface.tools else set[str]()
    has_structured = any(each.has_output_schema for each in surface.facts)
    if has_structured or any(each.result.structured is not None for each in surface.results):
        needed.add("structured_content")
    if any(each.has_image for each in surface.answers):
        needed.add("images_to_model")
    return bool(needed.intersection(unknown))


# The server as a whole


def _of_server(surface: Surface, profile: Profile) -> Iterator[ClientFinding]:
    ways = known(profile.transports)
    if ways is not None and surface.transport and surface.transport not in ways.value:
        words = translatable(
            "It reaches servers by {ways} alone, not by {way}.",
            ways=", ".join(ways.value),
            way=surface.transport,
        )
        yield ClientFinding(VerdictKind.REFUSED, words, ways)
    changes = known(profile.list_changed)
    if surface.tells_changes and changes is not None and changes.value.tools is False:
        words = translatable("It does not read the tools again when the server says they changed.")
        yield ClientFinding(VerdictKind.WORKS, words, changes)
    versions = known(profile.protocol_versions)
    newest = max(versions.value, default="") if versions is not None else ""
    declaring = [each.name for each in surface.facts if each.has_output_schema]
    if versions is not None and declaring and newest < _STRUCTURED_SINCE:
        words = translatable(
            "It speaks the protocol up to {newest}, which has no structuredContent: {tools}.",
            newest=newest,
            tools=_listed(declaring),
        )
        yield ClientFinding(VerdictKind.WORKS, words, versions, tuple(declaring))


def _of_count(count: int, profile: Profile) -> Iterator[ClientFinding]:
    limit = known(profile.max_tools)
    if limit is None or count <= limit.value.max:
        return
    per = {
        "request": translatable("in one request"),
        "server": translatable("of a server"),
        "all servers": translatable("of all servers together"),
        "agent": translatable("of an agent"),
    }[limit.value.per]
    how: dict[str, Any] = {"most": limit.value.max, "per": per, "count": f"{count:,}"}
    said, verdict = {
        "refused": (
            translatable(
                "Requests fail: it takes {most} tools {per}, and there are {count}.", **how
            ),
            VerdictKind.REFUSED,
        ),
        "left out": (
            translatable("It takes {most} tools {per}, and leaves out the rest of {count}.", **how),
            VerdictKind.NOT_SHOWN,
        ),
        "unknown": (
            translatable("It takes {most} tools {per}, and there are {count}.", **how),
            VerdictKind.CUT,
        ),
    }[limit.value.over]
    yield ClientFinding(verdict, said, limit)


def _of_apps(surface: Surface, profile: Profile) -> Iterator[ClientFinding]:
    apps = known(profile.mcp_apps)
    if apps is not None and not apps.value and surface.has_app:
        with_app = [tool.name for tool in surface.tools if tool.app_uri]
        words = translatable("It shows no MCP Apps: {tools}.", tools=_listed(with_app))
        yield ClientFinding(VerdictKind.WORKS, words, apps, tuple(with_app))
    visibility = known(profile.tool_visibility_honoured)
    hidden = [each.name for each in surface.facts if not each.is_for_models]
    if visibility is not None and not visibility.value and hidden:
        words = translatable(
            "Its model is given tools that are for apps alone: {tools}.", tools=_listed(hidden)
        )
        yield ClientFinding(VerdictKind.WORKS, words, visibility, tuple(hidden))


# Names


def _of_names(server: str, shown: list[_ToolFacts], view: ModelView) -> Iterator[ClientFinding]:
    rule = known(view.profile.tool_name_rule)
    if rule is None:
        return
    by_fate: defaultdict[Fate, list[str]] = defaultdict(list)
    by_name: defaultdict[str, list[str]] = defaultdict(list)
    for each in shown:
        made = view.name(server, each.name)
        by_fate[made.fate].append(each.name)
        by_name[made.name].append(each.name)
    for fate, names in by_fate.items():
        if fate != "kept":
            yield _of_fate(fate, names, server, view, rule)
    for name, same in by_name.items():
        if name and len(same) > 1:
            words = translatable(
                "These have one name for its model, {name}: {tools}.",
                name=name,
                tools=_listed(same),
            )
            yield ClientFinding(VerdictKind.NOT_SHOWN, words, rule, tuple(same))


def _of_fate(
    fate: Fate, names: list[str], server: str, view: ModelView, rule: Cell[Any]
) -> ClientFinding:
    tools = _listed(names)
    example = view.name(server, names[0]).name
    why = _name_rule(rule, is_bad=view.is_bad(names[0]))
    match fate:
        case "left out":
            words = translatable("Its model is not given {tools}: {why}.", tools=tools, why=why)
            verdict = VerdictKind.NOT_SHOWN
        case "refused":
            words = translatable("It refuses {tools}: {why}.", tools=tools, why=why)
            verdict = VerdictKind.REFUSED
        case "unknown":
            words = translatable(
                "Nobody says what becomes of {tools}: {why}.", tools=tools, why=why
            )
            verdict = VerdictKind.UNKNOWN
        case _:
            words = translatable(
                "Renamed: {tools}, because {why}. For its model the first is {name}.",
                tools=tools,
                why=why,
                name=example,
            )
            verdict = VerdictKind.RENAMED
    return ClientFinding(verdict, words, rule, tuple(names))


def _name_rule(rule: Cell[Any], *, is_bad: bool) -> str:
    value = rule.value
    if is_bad:
        return translatable("the characters of a name are {allowed}", allowed=value.allowed)
    if value.counts == "server and tool":
        return translatable(
            "the names of server and tool have at most {most} characters together",
            most=value.max,
        )
    return translatable("a name has at most {most} characters", most=value.max)


# Descriptions and schemas


def _of_descriptions(
    surface: Surface, shown: list[_ToolFacts], profile: Profile
) -> Iterator[ClientFinding]:
    limit = known(profile.description_limit)
    if limit is None:
        return
    if (most := limit.value.tool) is not None:
        long = [each.name for each in shown if each.description > most]
        if long:
            words = translatable(
                "Descriptions end after {most} characters: {tools}.",
                most=f"{most:,}",
                tools=_listed(long),
            )
            yield ClientFinding(VerdictKind.CUT, words, limit, tuple(long))
    most = limit.value.instructions
    if most is not None and len(surface.instructions) > most:
        words = translatable(
            "The instructions of the server end after {most} characters of {count}.",
            most=f"{most:,}",
            count=f"{len(surface.instructions):,}",
        )
        yield ClientFinding(VerdictKind.CUT, words, limit)


def _of_schemas(
    surface: Surface, shown: list[_ToolFacts], profile: Profile
) -> Iterator[ClientFinding]:
    dropped = known(profile.schema_keywords_dropped)
    if dropped is not None:
        lost = frozenset(dropped.value)
        with_lost = [each for each in shown if each.telling & lost]
        if with_lost:
            words = translatable(
                "Its model is not told {keywords} of arguments: {tools}.",
                keywords=", ".join(
                    sorted(frozenset[str]().union(*(each.telling & lost for each in with_lost)))
                ),
                tools=_listed([each.name for each in with_lost]),
            )
            yield ClientFinding(
                VerdictKind.CUT, words, dropped, tuple(each.name for each in with_lost)
            )
    for rule in profile.schema_rules:
        if rule.value.with_app and not surface.has_app:
            continue
        broken = [each.name for each in shown if _breaks(each, rule.value)]
        if broken:
            words = translatable(
                "{consequence}, because {cause}: {tools}.",
                consequence=_consequence(rule.value),
                cause=_cause(rule.value),
                tools=_listed(broken),
            )
            yield ClientFinding(_VERDICTS[rule.value.then], words, rule, tuple(broken))


_VERDICTS: Final = {
    "changed": VerdictKind.CUT,
    "tool left out": VerdictKind.NOT_SHOWN,
    "call may fail": VerdictKind.UNKNOWN,
    "call refused": VerdictKind.REFUSED,
    "all refused": VerdictKind.REFUSED,
    "server refused": VerdictKind.REFUSED,
}


def _consequence(rule: SchemaRule) -> str:
    return {
        "changed": translatable("Its model is told less of the arguments"),
        "tool left out": translatable("Its model is not given the tool"),
        "call may fail": translatable("Calls of the tool may fail"),
        "call refused": translatable("Calls of the tool fail"),
        "all refused": translatable("All requests fail"),
        "server refused": translatable("The server cannot be used"),
    }[rule.then]


def _cause(rule: SchemaRule) -> str:
    where = rule.where
    return {
        "older dialect": translatable(
            "the {schema} declares a JSON Schema older than 2020-12", schema=where
        ),
        "type is no object": translatable("the type of the {schema} is not object", schema=where),
        "top-level union": translatable(
            "the {schema} has anyOf, oneOf or allOf at its top", schema=where
        ),
        "top-level union of no object": translatable(
            "the {schema} is anyOf or oneOf and no object", schema=where
        ),
        "has anyOf": translatable("there is anyOf in the {schema}", schema=where),
        "list of types": translatable("a type in the {schema} is a list", schema=where),
        "property name": translatable(
            "a property is not named as {pattern} allows", pattern=rule.pattern
        ),
        "larger than": translatable(
            "the {schema} is larger than {size} bytes", schema=where, size=f"{rule.bytes:,}"
        ),
    }[rule.when]


def _breaks(tool: _ToolFacts, rule: SchemaRule) -> bool:
    schema = tool.input if rule.where == "inputSchema" else tool.output
    if schema is None:
        return False
    match rule.when:
        case "older dialect":
            dialect = schema.get("$schema")
            return isinstance(dialect, str) and _NEWEST_DIALECT not in dialect
        case "type is no object":
            return schema.get("type") != "object"
        case "top-level union":
            return bool({"anyOf", "oneOf", "allOf"} & schema.keys())
        case "top-level union of no object":
            return bool({"anyOf", "oneOf"} & schema.keys()) and schema.get("type") != "object"
        case "has anyOf":
            return "anyOf" in keywords(schema)
        case "list of types":
            return any(isinstance(each.get("type"), list) for each in subschemas(schema))
        case "property name":
            names: object = schema.get("properties")
            allowed = re.compile(rule.pattern)
            return isinstance(names, dict) and not all(
                allowed.fullmatch(str(name)) for name in cast("JsonObject", names)
            )
        case "larger than":
            return tool.input_size > rule.bytes


# Results


def _of_results(surface: Surface, view: ModelView) -> Iterator[ClientFinding]:
    answers = surface.answers
    if answers:
        yield from _of_halves(answers, view.profile)
        yield from _of_images(answers, view.profile)
        yield from _of_sizes(answers, view)
        yield from _of_times(answers, view.profile)
    elif (remark := _of_declared_output(surface, view.profile)) is not None:
        yield remark


def _of_halves(answers: list[_AnswerFacts], profile: Profile) -> Iterator[ClientFinding]:
    rule = known(profile.structured_content)
    if rule is None:
        return
    seen = [
        (each, sees(rule.value, is_error=each.is_error)) for each in answers if each.has_structured
    ]
    losing = [each for each, half in seen if half == "text" and each.lost_values]
    if losing:
        worst = max(losing, key=lambda each: each.lost_values)
        words = translatable(
            "Its model does not get structuredContent, and the text lacks values of it: {tools}. "
            "The text of {tool} lacks {count}.",
            tools=_listed(_names(losing)),
            tool=worst.tool,
            count=worst.lost_values,
        )
        yield ClientFinding(VerdictKind.NOT_SHOWN, words, rule, _names(losing))
    losing = [each for each, half in seen if half == "structured" and each.loses_text]
    if losing:
        words = translatable(
            "Its model gets structuredContent and not the text, which has words of its own: "
            "{tools}.",
            tools=_listed(_names(losing)),
        )
        yield ClientFinding(VerdictKind.NOT_SHOWN, words, rule, _names(losing))


def _of_declared_output(surface: Surface, profile: Profile) -> ClientFinding | None:
    """Without a result nobody can say what is lost; but which half counts."""
    rule = known(profile.structured_content)
    declaring = [each.name for each in surface.facts if each.has_output_schema]
    if rule is None or not declaring:
        return None
    tools = _listed(declaring)
    words = {
        "text": translatable(
            "Its model gets the text of a result alone, not structuredContent: {tools}.",
            tools=tools,
        ),
        "structured": translatable(
            "Its model gets structuredContent in place of the text: {tools}.", tools=tools
        ),
        "both": "",
    }[rule.value.model_sees]
    return ClientFinding(VerdictKind.WORKS, words, rule, tuple(declaring)) if words else None


def _of_images(answers: list[_AnswerFacts], profile: Profile) -> Iterator[ClientFinding]:
    rule = known(profile.images_to_model)
    if rule is None:
        return
    losing = [each for each in answers if not all(map(rule.value.shows, each.images))]
    if losing:
        words = translatable(
            "Its model does not get the pictures of {tools}.", tools=_listed(_names(losing))
        )
        yield ClientFinding(VerdictKind.NOT_SHOWN, words, rule, _names(losing))


def _of_sizes(answers: list[_AnswerFacts], view: ModelView) -> Iterator[ClientFinding]:
    rule, most = known(view.profile.result_limit), view.most_characters
    if rule is None or most is None:
        return
    long = [each for each in answers if each.size > most]
    if long:
        how = {"most": f"{most:,}", "tools": _listed(_names(long))}
        words = {
            "cut": translatable("Results end after {most} characters: {tools}.", **how),
            "file": translatable(
                "Results of more than {most} characters go to a file, of which its model gets the "
                "beginning: {tools}.",
                **how,
            ),
            "refused": translatable("Results of more than {most} characters fail: {tools}.", **how),
        }[rule.value.over]
        verdict = VerdictKind.REFUSED if rule.value.over == "refused" else VerdictKind.CUT
        yield ClientFinding(verdict, words, rule, _names(long))


def _of_times(answers: list[_AnswerFacts], profile: Profile) -> Iterator[ClientFinding]:
    limit = known(profile.timeout_default)
    if limit is None:
        return
    slow = [each for each in answers if each.seconds > limit.value]
    if slow:
        words = translatable(
            "Calls end after {most} seconds: {tools}.",
            most=f"{limit.value:g}",
            tools=_listed(_names(slow)),
        )
        yield ClientFinding(VerdictKind.REFUSED, words, limit, _names(slow))


# What is read of a tool and of a result, once for all clients


class _ToolFacts(Struct, frozen=True):
    name: str
    description: int
    input: JsonObject
    output: JsonObject | None
    telling: frozenset[str]
    input_size: int
    is_for_models: bool

    @property
    def has_output_schema(self) -> bool:
        return self.output is not None


def _facts(tool: ToolDefinition) -> _ToolFacts:
    schema = tool.input_schema
    return _ToolFacts(
        tool.name,
        len(tool.description),
        schema,
        tool.output_schema,
        telling_keywords(schema),
        len(json.dumps(schema, separators=(",", ":"), ensure_ascii=False, default=str)),
        tool.is_for_models,
    )


class _AnswerFacts(Struct, frozen=True):
    tool: str
    size: int
    seconds: float
    is_error: bool
    has_structured: bool
    lost_values: int
    loses_text: bool
    images: frozenset[str]

    @property
    def has_image(self) -> bool:
        return bool(self.images)


def _answer(called: EarlierResult) -> _AnswerFacts:
    result = called.result
    has_structured = result.structured is not None
    return _AnswerFacts(
        called.tool,
        len(model_text(result)),
        result.execution_time,
        result.error is not None,
        has_structured,
        lost_without_structured(result) if has_structured else 0,
        lost_without_text(result) if has_structured else False,
        frozenset(block.kind for block in result.content if is_image(block)),
    )


def _names(answers: Iterable[_AnswerFacts]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.tool for each in answers))


def _listed(names: Sequence[str]) -> str:
    """The first of them, and how many more there are."""
    shown = ", ".join(map(_short, names[:_LISTED]))
    if len(names) <= _LISTED:
        return shown
    return translatable("{names} and {count} more", names=shown, count=len(names) - _LISTED)


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"
