"""What the providers refuse in `tools`, as a checker of a whole request: their 400s, offline.

Written from the providers' documents and error messages alone; shares no code with the converters.
"""

from __future__ import annotations

import json
import re
import sys
import threading
import warnings
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, TypeGuard

from jsonschema import Draft202012Validator, FormatChecker, SchemaError

from desktop.features.models.formats.declaration import ApiFormat

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

SCHEMA_KEYWORDS = {
    "items",
    "additionalProperties",
    "propertyNames",
    "contains",
    "not",
    "if",
    "then",
    "else",
}
SCHEMA_LIST_KEYWORDS = {"anyOf", "oneOf", "allOf", "prefixItems"}
SCHEMA_MAP_KEYWORDS = {
    "properties",
    "patternProperties",
    "dependentSchemas",
    "$defs",
    "definitions",
}
GEMINI_KEYS = {
    "$id", "$defs", "$ref", "$anchor", "type", "format", "title", "description", "enum", "items",
    "prefixItems", "minItems", "maxItems", "minimum", "maximum", "anyOf", "oneOf", "properties",
    "additionalProperties", "required", "propertyOrdering", "default", "pattern", "minLength",
    "maxLength", "minProperties", "maxProperties",
}  # fmt: skip
GEMINI_DEPTH = 100  # messages of protobuf, whose JSON reader stops there


def is_object(value: Any) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict)


def is_list(value: Any) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


def violations(api_format: ApiFormat, tools: Any) -> list[str]:
    """What the provider would say of the `tools` of a request; empty when it takes them."""
    checks = {
        ApiFormat.OPENAI: _chat,
        ApiFormat.OPENAI_RESPONSES: _responses,
        ApiFormat.ANTHROPIC: _anthropic,
        ApiFormat.GEMINI: _gemini,
    }
    with _deep():
        return list(checks[api_format](tools))


def schemas_in(schema: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every schema inside a schema and itself, with its place."""
    todo = [(path, schema)]
    while todo:
        place, here = todo.pop()
        yield place, here
        if not is_object(here):
            continue
        for key, value in here.items():
            if key in SCHEMA_KEYWORDS:
                todo.append((f"{place}.{key}", value))
            elif key in SCHEMA_LIST_KEYWORDS and is_list(value):
                todo += [(f"{place}.{key}[{i}]", each) for i, each in enumerate(value)]
            elif key in SCHEMA_MAP_KEYWORDS and is_object(value):
                todo += [(f"{place}.{key}.{name}", each) for name, each in value.items()]


def _chat(tools: Any) -> Iterator[str]:
    yield from _most(tools, 128)
    functions = [tool.get("function", {}) for tool in tools]
    if any(set(tool) != {"type", "function"} or tool["type"] != "function" for tool in tools):
        yield "Missing required parameter: 'tools[].function'"
    yield from _openai_functions(functions)


def _responses(tools: Any) -> Iterator[str]:
    yield from _most(tools, 128)
    if any(tool.get("type") != "function" for tool in tools):
        yield "Invalid value: 'tools[].type'"
    yield from _openai_functions(tools)


def _openai_functions(functions: list[dict[str, Any]]) -> Iterator[str]:
    yield from _unique([function.get("name") for function in functions])
    for function in functions:
        name = function.get("name")
        yield from _named(name, r"[a-zA-Z0-9_-]{1,64}")
        if not isinstance(function.get("description"), str):
            yield f"{name}: description is not a string"
        if function.get("strict") is not False:
            yield f"{name}: strict is not false: optional parameters would become required"
        for words in _openai_schema(function.get("parameters")):
            yield f"Invalid schema for function {name!r}: {words}"


def _openai_schema(schema: Any) -> Iterator[str]:
    yield from _json_schema(schema, regexes=True)
    if not is_object(schema) or schema.get("type") != "object":
        yield "schema must be a JSON Schema of 'type: \"object\"'"
        return
    if "properties" not in schema:
        yield "object schema missing properties"
    if banned := {"oneOf", "anyOf", "allOf", "enum", "not", "const"} & schema.keys():
        yield f"schema must not have {sorted(banned)} at the top level"
    yield from _arrays(schema)


def _anthropic(tools: Any) -> Iterator[str]:
    yield from _unique([tool.get("name") for tool in tools])
    for place, tool in enumerate(tools):
        yield from _named(tool.get("name"), r"[a-zA-Z0-9_-]{1,64}")
        if extra := set(tool) - {"name", "description", "input_schema", "type"}:
            yield f"tools.{place}: Extra inputs are not permitted: {extra}"
        for words in _anthropic_schema(tool.get("input_schema")):
            yield f"tools.{place}.custom.input_schema: {words}"


def _anthropic_schema(schema: Any) -> Iterator[str]:
    yield from _json_schema(schema, regexes=False)
    if not is_object(schema) or schema.get("type") != "object":
        yield "type: Input should be 'object'"
        return
    if {"oneOf", "allOf", "anyOf"} & schema.keys():
        yield "input_schema does not support oneOf, allOf, or anyOf at the top level"
    if "definitions" in schema:
        yield "only $defs is recognised"
    for key in schema.get("properties", {}):
        if not re.fullmatch(r"[a-zA-Z0-9_.-]{1,64}", key):
            yield f"Property keys should match pattern '^[a-zA-Z0-9_.-]{{1,64}}$': {key!r}"


def _gemini(tools: Any) -> Iterator[str]:
    if not tools:
        return
    declarations = tools[0].get("functionDeclarations", tools[0].get("function_declarations"))
    if len(tools) != 1 or not declarations:
        yield "Multiple tools are supported only when they are all search tools."
        return
    yield from _most(declarations, 512)
    yield from _unique([declaration.get("name") for declaration in declarations])
    for declaration in declarations:
        name = declaration.get("name")
        yield from _named(name, r"[A-Za-z_][A-Za-z0-9_-]{0,62}")
        if not declaration.get("description"):
            yield f"{name}: description is missing"
        if extra := set(declaration) - {
            "name", "description", "parametersJsonSchema", "parameters_json_schema"
        }:  # fmt: skip
            yield f"Unknown name {extra}: Cannot find field."
        schema = declaration.get("parametersJsonSchema", declaration.get("parameters_json_schema"))
        if schema is not None:
            for words in _gemini_schema(schema):
                yield f"{name}: {words}"


def _gemini_schema(schema: Any) -> Iterator[str]:
    yield from _json_schema(schema, regexes=False)
    if not is_object(schema) or schema.get("type") != "object":
        yield "the schema must describe an object"
        return
    if not schema.get("properties") and not schema.get("additionalProperties"):
        yield "properties: should be non-empty for OBJECT type"
    if _depth(schema) > GEMINI_DEPTH:
        yield "exceeds the maximum allowed nesting depth"
    yield from _arrays(schema)
    yield from _cycles(schema.get("$defs", {}))
    for place, here in schemas_in(schema):
        if isinstance(here, bool):
            if not place.endswith(".additionalProperties"):
                yield f"{place}: a boolean is not a schema"
            continue
        yield from (f"{place}: {words}" for words in _gemini_node(here))


def _cycles(definitions: dict[str, Any]) -> Iterator[str]:
    """References to `$defs` are documented; of those that lead back only some are followed."""
    open_ones = {
        name: {
            str(here["$ref"]).removeprefix("#/$defs/")
            for _, here in schemas_in(each)
            if is_object(here) and "$ref" in here
        }
        for name, each in definitions.items()
    }
    while ended := [name for name, names in open_ones.items() if not names & open_ones.keys()]:
        for name in ended:
            del open_ones[name]
    if open_ones:
        yield f"a cyclic reference among {sorted(open_ones)}"


def _gemini_node(here: dict[str, Any]) -> Iterator[str]:
    if unknown := here.keys() - GEMINI_KEYS:
        yield f"Unknown name {sorted(unknown)}: Cannot find field."
    if "$ref" in here and (beside := here.keys() - {"$ref", "description", "default"}):
        yield f"only description and default may be set beside $ref, not {sorted(beside)}"
    if "format" in here or "title" in here:
        yield "only 'enum' and 'date-time' are supported for STRING type"
    for value in here.get("enum", []):
        if isinstance(value, bool) or not isinstance(value, str | int | float) or value == "":
            yield f"enum: {value!r} cannot be there"
    if missing := set(here.get("required", [])) - here.get("properties", {}).keys():
        yield f"required: property is not defined: {sorted(missing)}"


def _depth(value: Any) -> int:
    """Messages in messages that a protobuf Struct makes of it: three for each object level."""
    deepest, todo = 0, [(value, 0)]
    while todo:
        here, depth = todo.pop()
        deepest = max(deepest, depth)
        if is_object(here):
            todo += [(each, depth + 3) for each in here.values()]
        elif is_list(here):
            todo += [(each, depth + 2) for each in here]
    return deepest


def _most(tools: list[Any], most: int) -> Iterator[str]:
    if len(tools) > most:
        yield f"Invalid 'tools': array too long. Expected maximum length {most}."


def _unique(names: list[Any]) -> Iterator[str]:
    if len(set(names)) < len(names):
        yield "tools: Tool names must be unique."


def _named(name: Any, rule: str) -> Iterator[str]:
    if not isinstance(name, str) or not re.fullmatch(rule, name):
        yield f"Invalid name {name!r}: does not match {rule}"


def _arrays(schema: Any) -> Iterator[str]:
    for place, here in schemas_in(schema):
        if is_object(here) and "items" not in here:
            kind = here.get("type")
            if kind == "array" or (is_list(kind) and "array" in kind):
                yield f"In context={place}, array schema missing items"


def _json_schema(schema: Any, *, regexes: bool) -> Iterator[str]:
    """Draft 2020-12, with every reference leading somewhere inside."""
    try:
        text = json.dumps(schema, allow_nan=False, ensure_ascii=False)
        text.encode()
    except ValueError as error:
        yield f"not JSON: {error}"
        return
    if wrong := _invalid(text):
        yield f"JSON schema is invalid. It must match JSON Schema draft 2020-12: {wrong}"
        return
    for place, here in schemas_in(schema):
        if not is_object(here):
            continue
        if isinstance(here.get("$ref"), str):
            name = here["$ref"].removeprefix("#/$defs/")
            if name not in schema.get("$defs", {}):
                yield f"{place}: reference to undefined schema {here['$ref']!r}"
        if regexes:
            yield from _regexes(here)


def _regexes(here: dict[str, Any]) -> Iterator[str]:
    for pattern in [here.get("pattern", ""), *here.get("patternProperties", {})]:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                re.compile(pattern)
        except re.error:
            yield f"{pattern!r} is not a 'regex'"


@cache
def _invalid(text: str) -> str:
    """What the metaschema says; remembered, as it costs milliseconds."""
    try:
        Draft202012Validator.check_schema(json.loads(text), format_checker=FormatChecker(()))
    except SchemaError as error:
        return f"{error!s:.300}"
    return ""


_ONE_AT_A_TIME = threading.Lock()


@contextmanager
def _deep() -> Generator[None]:
    """jsonschema takes some fifteen frames for each level.

    The limit is one for all threads, and loopback servers judge requests in several: one that
    ends first would leave the next its limit for good.
    """
    with _ONE_AT_A_TIME:
        before = sys.getrecursionlimit()
        sys.setrecursionlimit(20_000)
        try:
            yield
        finally:
            sys.setrecursionlimit(before)
