"""Holds a conversion against the server's schema, with arguments as a model would give them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from referencing import Registry

from desktop.features.models.formats import ApiFormat, UnknownTool, make_wire_tools
from desktop.tools.validation.budget import TooMuchWorkError, validation_budget
from desktop.tools.validation.keywords import validator_class

if TYPE_CHECKING:
    from desktop.features.models.formats import Declaration
    from desktop.values.tool_types import ToolDefinition


def fits(schema: Any, value: Any, *, unsure: bool = True) -> bool:
    """Whether a value is valid in the schema's own draft.

    `unsure` is the answer where nobody here can tell: a pattern of another dialect, a reference
    that leads nowhere, a schema that refers to itself without end.
    """
    draft = validator_class(schema)
    with validation_budget() as budget:
        try:
            valid = draft(schema, registry=Registry()).is_valid(value)
        except TooMuchWorkError:
            return unsure
        return unsure if budget.skipped else valid


def parameters(declaration: Declaration) -> Any:
    """The schema that the provider gets; Gemini gets none of a tool without parameters."""
    body = declaration.body
    body = body.get("function", body)
    empty: Any = {"type": "object", "properties": {}}
    for name in ("parameters", "input_schema", "parametersJsonSchema"):
        if name in body:
            return body[name]
    return empty


def on_the_wire(declaration: Declaration, arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments under the names that the model was told."""
    told = {original: name for name, original in declaration.renamed_properties.items()}
    return {told.get(name, name): value for name, value in arguments.items()}


def problems(tool: ToolDefinition, arguments: dict[str, Any]) -> list[str]:
    """What is lost on the way to each provider and back of arguments that fit the schema."""
    found: list[str] = []
    for api_format in ApiFormat:
        table = make_wire_tools([tool], api_format)
        if table.quarantined:
            continue
        declaration = table.declarations[0]
        wire = on_the_wire(declaration, arguments)
        if len(wire) < len(arguments):
            continue  # an undeclared name that is the new name of a declared one
        if not fits(parameters(declaration), wire):
            found.append(f"{api_format}: refuses {wire}: {parameters(declaration)}")
        if isinstance(key := table.find(declaration.wire_name), UnknownTool) or key != tool.key:
            found.append(f"{api_format}: {declaration.wire_name} is {key}")
        back = table.read_arguments(declaration.wire_name, json.dumps(wire))
        if back.error or back.arguments != arguments:
            found.append(f"{api_format}: {arguments} came back as {back}")
    return found
