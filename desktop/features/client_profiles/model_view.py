"""What the model of one client gets: the names, descriptions and schemas of tools, and results.

Follows its profile; what is not known stays as the server said it. Pure. Must not judge: see
`verdicts`.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, cast

from msgspec import Struct
from msgspec.structs import replace

from desktop.features.client_profiles.profiles import known
from desktop.servers.content import flatten_content
from desktop.values.tool_types import ToolResult, ValidationIssue

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.features.client_profiles.profiles import NameRule, Profile, StructuredContent
    from desktop.values.tool_types import Content, JsonObject, ToolDefinition

Fate: TypeAlias = Literal["kept", "replaced", "hashed", "cut", "left out", "refused", "unknown"]
"""What becomes of a name; `replaced` are its letters, `unknown` where nobody says what."""
CHARACTERS_PER_TOKEN: Final = 4
"""An estimate, where a limit is one of tokens."""
MAX_NODES: Final = 20_000
"""Of a schema that are looked at."""
_NAMED: Final = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
_LISTED: Final = ("anyOf", "oneOf", "allOf", "prefixItems")
_SINGLE: Final = (
    "items", "additionalProperties", "additionalItems", "not", "if", "then", "else", "contains",
    "propertyNames", "unevaluatedItems", "unevaluatedProperties",
)  # fmt: skip
_HIDDEN: Final = "client"
"""The code of an issue that says what the model of a client does not get."""


class ModelName(Struct, frozen=True):
    """The name of a tool as a model gets it; empty where it gets none."""

    name: str
    fate: Fate = "kept"


class ModelView:
    """Of one client."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        rule, prefix = known(profile.tool_name_rule), known(profile.tool_name_prefix)
        self._rule = rule.value if rule is not None else None
        self._prefix = prefix.value if prefix is not None else None
        dropped = known(profile.schema_keywords_dropped)
        self._dropped = frozenset(dropped.value if dropped is not None else ())
        allowed = self._rule.allowed if self._rule is not None else ""
        self._bad = re.compile(f"[^{allowed}]+") if allowed else None
        self._prefixes: dict[str, str] = {}

    def name(self, server: str, tool: str) -> ModelName:
        """The name of one tool: with its prefix, and as the rule makes it."""
        whole = self._prefix_of(server) + tool
        rule = self._rule
        if rule is None:
            return ModelName(whole)
        name, fate = whole, "kept"
        # The name of a server is the user's, and not what a tool is blamed for.
        if self._bad is not None and self._bad.search(whole if rule.bad == "hashed" else tool):
            fate = rule.bad
            if fate in ("left out", "refused"):
                return ModelName("", fate)
        if self._bad is not None and fate != "unknown":
            name = self._bad.sub("_", name)
        if fate == "hashed":
            return ModelName(_hashed(name, whole, rule), "hashed")
        counted = len(server) + len(tool) if rule.counts == "server and tool" else len(name)
        if rule.max is None or counted <= rule.max:
            return ModelName(name, fate)
        return _shortened(name, whole, rule)

    def is_bad(self, tool: str) -> bool:
        """Whether a name has characters that the rule does not allow."""
        return self._bad is not None and self._bad.search(tool) is not None

    def _prefix_of(self, server: str) -> str:
        if server not in self._prefixes:
            self._prefixes[server] = self._make_prefix(server)
        return self._prefixes[server]

    def _make_prefix(self, server: str) -> str:
        prefix = self._prefix
        if prefix is None:
            return ""
        name = server.lower() if prefix.lowercase else server
        if prefix.replaces:
            name = re.sub(prefix.replaces, "_", name).strip("_")
        return prefix.format.replace("{server}", name)[: prefix.max]

    def tool(self, definition: ToolDefinition) -> ToolDefinition | None:
        """A tool under its own name, with the description and schema that the model gets.

        None where the model gets no such tool.
        """
        if not definition.is_for_models and self.honours_visibility is not False:
            return None
        if not self.name(definition.server, definition.name).name:
            return None
        limit = known(self.profile.description_limit)
        description = definition.description
        if limit is not None and limit.value.tool is not None:
            description = description[: limit.value.tool]
        return replace(
            definition,
            description=description,
            input_schema=self.schema(definition.input_schema),
        )

    @property
    def honours_visibility(self) -> bool | None:
        """Whether a tool that is for apps alone is kept from the model; None where unknown."""
        cell = known(self.profile.tool_visibility_honoured)
        return cell.value if cell is not None else None

    def schema(self, schema: JsonObject) -> JsonObject:
        """The arguments as the model is told them; the same object where nothing is dropped."""
        if not self._dropped & keywords(schema):
            return schema
        return cast("JsonObject", _without(cast("object", schema), self._dropped, 0))

    def result(self, result: ToolResult) -> tuple[ToolResult, tuple[ValidationIssue, ...]]:
        """A result as the model gets it, and a warning for each part that it does not get."""
        said: list[ValidationIssue] = []
        seen = self._half(result, said)
        seen = self._without_images(seen, said)
        return self._limited(seen, said), tuple(said)

    def _half(self, result: ToolResult, said: list[ValidationIssue]) -> ToolResult:
        """The text or the structured content, where the model gets but one of them."""
        rule = known(self.profile.structured_content)
        if result.structured is None or rule is None:
            if result.structured is not None:
                said.append(self._issue("nobody says whether the model gets structuredContent"))
            return result
        match sees(rule.value, is_error=result.error is not None):
            case "text":
                if lost_without_structured(result):
                    said.append(self._issue("the model does not get structuredContent"))
                return _changed(result, result.content, None)
            case "structured":
                if lost_without_text(result):
                    said.append(self._issue("the model gets structuredContent, and not the text"))
                kept = result.content if rule.value.keeps_media else ()
                media = tuple(block for block in kept if block.kind != "text")
                return _changed(result, media, result.structured)
            case _:
                return result

    def _without_images(self, result: ToolResult, said: list[ValidationIssue]) -> ToolResult:
        rule = known(self.profile.images_to_model)
        if rule is None or not any(map(is_image, result.content)):
            return result
        kept = tuple(
            block for block in result.content if not is_image(block) or rule.value.shows(block.kind)
        )
        if len(kept) == len(result.content):
            return result
        said.append(self._issue("the model does not get the picture"))
        return _changed(result, kept, result.structured)

    def _limited(self, result: ToolResult, said: list[ValidationIssue]) -> ToolResult:
        most = self.most_characters
        if most is None or len(model_text(result)) <= most:
            return result
        said.append(self._issue("the model gets the beginning alone"))
        if result.structured is not None and not result.output:
            text = model_text(result)[:most]
            return replace(_changed(result, (), None), output=text)
        return replace(result, output=result.output[:most])

    @property
    def most_characters(self) -> int | None:
        """Of a result; None where it is not known. Tokens are estimated."""
        cell = known(self.profile.result_limit)
        if cell is None:
            return None
        by_tokens = cell.value.tokens and cell.value.tokens * CHARACTERS_PER_TOKEN
        limits = [limit for limit in (cell.value.characters, by_tokens) if limit]
        return min(limits, default=None)

    def _issue(self, words: str) -> ValidationIssue:
        text = f"{self.profile.label}: {words}"  # for the terminal, which is English
        return ValidationIssue((), "rule", text, "warning", _HIDDEN)


def sees(rule: StructuredContent, *, is_error: bool) -> str:
    """Which half of a result the model gets."""
    return (rule.of_errors if is_error else None) or rule.model_sees


def model_text(result: ToolResult) -> str:
    """The text that counts: that of the content, or else the structured content as JSON."""
    if result.output or result.structured is None:
        return result.output
    return json.dumps(result.structured, ensure_ascii=False, separators=(",", ":"))


def is_image(block: Content) -> bool:
    """Whether a block of a result is a picture, or leads to one."""
    return block.kind == "image" or block.mime.startswith("image/")


def _changed(result: ToolResult, content: tuple[Content, ...], structured: Any) -> ToolResult:
    """The result with other parts; the text of an error stays its message."""
    return replace(result, content=content, output=flatten_content(content), structured=structured)


# Names


def _shortened(name: str, whole: str, rule: NameRule) -> ModelName:
    most = rule.max or len(name)
    match rule.over:
        case "cut":
            return ModelName(name[:most], "cut")
        case "hashed":
            return ModelName(_hashed(name, whole, rule), "hashed")
        case "middle":
            return ModelName(f"{name[: most - 35]}___{name[-32:]}", "cut")
        case "left out":
            return ModelName("", "left out")
        case "refused":
            return ModelName("", "refused")
        case "unknown":
            return ModelName(name, "unknown")


def _hashed(name: str, whole: str, rule: NameRule) -> str:
    digits = hashlib.sha1(whole.encode("utf-8", "replace"), usedforsecurity=False).hexdigest()
    kept = (rule.max or len(name)) - rule.digits - 1
    return f"{name[:kept]}_{digits[: rule.digits]}"


# Schemas


def subschemas(schema: JsonObject) -> Iterator[JsonObject]:
    """A schema and all that are in it, as many as are looked at."""
    waiting: list[object] = [schema]
    for _ in range(MAX_NODES):
        if not waiting:
            return
        here = waiting.pop()
        if not isinstance(here, dict):
            continue
        found = cast("dict[str, object]", here)
        yield found
        for key in found.keys() & _INNER:
            inner = found[key]
            if key in _NAMED and isinstance(inner, dict):
                waiting += cast("dict[str, object]", inner).values()
            elif key in _LISTED and isinstance(inner, list):
                waiting += cast("list[object]", inner)
            elif key in _SINGLE:
                waiting.append(inner)


_INNER: Final = frozenset({*_NAMED, *_LISTED, *_SINGLE})


def keywords(schema: JsonObject) -> frozenset[str]:
    """The keywords that a schema uses anywhere; names of properties are none."""
    return frozenset(key for each in subschemas(schema) for key in each)


def telling_keywords(schema: JsonObject) -> frozenset[str]:
    """Those that tell a model something: not `$schema`, nor `additionalProperties` of yes or no."""
    return frozenset(
        key
        for each in subschemas(schema)
        for key, value in each.items()
        if key not in _SILENT and not (key == "additionalProperties" and isinstance(value, bool))
    )


_SILENT: Final = frozenset({"$schema", "$id", "$comment"})


_MAX_DEPTH: Final = 60


def _without(schema: object, dropped: frozenset[str], depth: int) -> object:
    """A copy without these keywords; what is too deep is left as it is."""
    members = cast("dict[str, object]", schema) if isinstance(schema, dict) else None
    if members is None or depth > _MAX_DEPTH:
        return cast("object", schema)
    made: dict[str, object] = {}
    for key, value in members.items():
        if key in dropped:
            continue
        if key in _NAMED and isinstance(value, dict):
            inner = cast("dict[str, object]", value).items()
            made[key] = {name: _without(each, dropped, depth + 1) for name, each in inner}
        elif key in _LISTED and isinstance(value, list):
            items = cast("list[object]", value)
            made[key] = [_without(each, dropped, depth + 1) for each in items]
        elif key in _SINGLE:
            made[key] = _without(value, dropped, depth + 1)
        else:
            made[key] = value
    return made


# The two halves of a result

_MAX_LEAVES: Final = 2_000
_MAX_TEXT: Final = 200_000
_MAX_JSON: Final = 5_000_000


def lost_without_structured(result: ToolResult) -> int:
    """How many values of the structured content are not in the text; 0 where it is too long."""
    text = result.output
    if (read := _json_of(text)) is not None:
        said = {_word(leaf) for leaf in _leaves(read)}
        return sum(_word(leaf) not in said for leaf in _leaves(result.structured))
    if len(text) > _MAX_TEXT:
        return 0
    return sum(_word(leaf) not in text for leaf in _leaves(result.structured))


def lost_without_text(result: ToolResult) -> bool:
    """Whether the text says what the structured content does not."""
    leaves = {_word(leaf) for leaf in _leaves(result.structured)}
    if (read := _json_of(result.output)) is not None:
        return any(_word(leaf) not in leaves for leaf in _leaves(read))
    text = _word(result.output)
    if not text:
        return False
    return text not in leaves and any(
        line.strip() and line.strip() not in leaves for line in text.splitlines()
    )


def _json_of(text: str) -> Any:
    if len(text) > _MAX_JSON or text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _word(leaf: object) -> str:
    """A value as a text would say it: its beginning, without space around it."""
    word = leaf if isinstance(leaf, str) else json.dumps(leaf)
    return word[:_MAX_TEXT].strip()


def _leaves(value: object) -> Iterator[object]:
    """The texts and numbers in a value; true, false and null are everywhere."""
    waiting = [value]
    for _ in range(_MAX_LEAVES):
        if not waiting:
            return
        here = waiting.pop()
        if isinstance(here, dict):
            waiting += cast("dict[str, object]", here).values()
        elif isinstance(here, list):
            waiting += cast("list[object]", here)
        elif here not in ("", None) and not isinstance(here, bool):
            yield here
