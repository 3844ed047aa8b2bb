"""Makes one object schema of several of which one must fit. Looser than they are, never stricter.

Needed at the top level, where neither OpenAI nor Anthropic takes `anyOf` or `oneOf`. What cannot
be said in the schema is said in words. The idea is litellm's; its rules for open objects are not.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from desktop.llm.formats.keywords import Schema

_PLAIN: Final = frozenset({"type", "const", "enum", "title", "description"})
_MOST_SETS, _LONGEST = 12, 600


def disjoin(branches: Sequence[Schema], declared: Collection[str]) -> Schema:
    """A schema that takes every object that one of `branches` takes.

    `declared` are the properties that hold beside the branches, where a branch without an opinion
    changes nothing.
    """
    found: dict[str, list[Schema]] = {}
    in_open: Counter[str] = Counter()
    for branch in branches:
        is_open = not _is_closed(branch)
        for name, schema in cast("Schema", branch.get("properties", {})).items():
            found.setdefault(name, []).append(schema)
            in_open[name] += is_open
    open_ones = sum(not _is_closed(branch) for branch in branches)
    out: Schema = {"properties": {}}
    for name, schemas in found.items():
        # A branch that does not know a property and is open takes anything under its name.
        free = open_ones > in_open[name]
        if not (free and name in declared):
            out["properties"][name] = one_of(schemas + ([{}] if free else []))
    if required := _in_all(branches):
        out["required"] = required
    if branches and not open_ones:
        out["additionalProperties"] = False
    return out


def one_of(schemas: Sequence[Schema]) -> Schema:
    """One of several schemas, as plainly as it can be said: the only one, one enum, or `anyOf`."""
    different = list({_text(schema): schema for schema in schemas}.values())
    if len(different) == 1:
        return different[0]
    if all(each.keys() <= _PLAIN and ("const" in each or "enum" in each) for each in different):
        return _one_enum(different)
    return {"anyOf": different}


def in_words(branches: Sequence[Schema]) -> str:
    """A sentence for the model about which sets of parameters there are; empty for none."""
    sets = [_set(branch) for branch in branches[:_MOST_SETS]]
    if len(branches) < 2 or not all(sets) or len(set(sets)) < 2:
        return ""
    more = " or others" if len(branches) > _MOST_SETS else ""
    text = f"Give the parameters of one of these sets: {' or '.join(sets)}{more}."
    return text if len(text) <= _LONGEST else ""


def _set(branch: Schema) -> str:
    properties = cast("Schema", branch.get("properties", {}))
    shown: list[str] = []
    for name in cast("list[str]", branch.get("required", [])):
        schema = cast("Schema", properties.get(name, {}))
        shown.append(f"{name}={_text(schema['const'])}" if "const" in schema else name)
    return f"({', '.join(shown)})" if shown else ""


def _is_closed(branch: Schema) -> bool:
    return branch.get("additionalProperties") is False and not branch.get("patternProperties")


def _in_all(branches: Sequence[Schema]) -> list[str]:
    counted = Counter(name for branch in branches for name in set(branch.get("required", ())))
    first = cast("list[str]", branches[0].get("required", [])) if branches else []
    return [name for name in dict.fromkeys(first) if counted[name] == len(branches)]


def _one_enum(schemas: Sequence[Schema]) -> Schema:
    values: dict[str, Any] = {}
    for schema in schemas:
        here = [schema["const"]] if "const" in schema else cast("list[Any]", schema["enum"])
        values.update({_text(value): value for value in here})
    out: Schema = {"enum": list(values.values())}
    kinds = {_text(schema.get("type")) for schema in schemas}
    if len(kinds) == 1 and "type" in schemas[0]:
        out = {"type": schemas[0]["type"], **out}
    described = next((each["description"] for each in schemas if "description" in each), "")
    return {**out, "description": described} if described else out


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
