"""Any JSON at all as a schema: no crash, bounded work, and nothing that a provider refuses."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from desktop.features.models.formats import ApiFormat, make_wire_tools, process_json_schema
from desktop.features.models.formats.schema_normaliser import MAX_DEPTH, MAX_INLINED, MAX_NODES
from desktop.values.tool_types import ToolDefinition
from tests.features.models.fixtures import FIXTURES, megabyte, nested, reference_bomb, thing
from tests.features.models.provider_rules import schemas_in, violations
from tests.features.models.schema_strategies import junk, sound_schemas

COUNTED = settings(
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.filter_too_much,
        HealthCheck.data_too_large,
    ],
)


def refused(schema: Any) -> list[str]:
    """What any provider would refuse of a tool with this schema, and reasons that are missing."""
    tool = ToolDefinition("fuzz", "tool", input_schema=schema)
    found: list[str] = []
    for api_format in ApiFormat:
        table = make_wire_tools([tool], api_format)
        found += violations(api_format, table.tools)
        found += ["no reason" for each in table.quarantined if not each.reason]
    return found


@settings(COUNTED, max_examples=200)
@given(junk)
def test_any_json_is_converted_or_quarantined_with_a_reason(schema: Any) -> None:
    before = copy.deepcopy(schema)
    assert refused(schema) == []
    assert repr(schema) == repr(before)


@settings(COUNTED, max_examples=60)
@given(sound_schemas())
def test_any_sound_schema_is_taken_by_all_providers(schema: Any) -> None:
    assert refused(schema) == []


@pytest.mark.parametrize("levels", [10, 30, 200])
def test_references_that_double_at_each_level_cost_a_bounded_number_of_steps(levels: int) -> None:
    normalised = process_json_schema(reference_bomb(levels))
    assert normalised.refusal == ""
    # Below the limit each reference is written out, above it each definition is visited once.
    assert normalised.visited <= MAX_INLINED + 6 * levels + 2 * MAX_DEPTH
    assert refused(reference_bomb(levels)) == []


def test_a_schema_with_too_many_parts_is_quarantined_before_it_costs_more() -> None:
    many = {f"p{i}": {"anyOf": [{"type": "string"}, {"type": "null"}]} for i in range(MAX_NODES)}
    normalised = process_json_schema(thing(**many))
    assert "parts" in normalised.refusal
    assert normalised.visited == MAX_NODES + 1


@pytest.mark.parametrize("levels", [100, 300])
def test_levels_beyond_the_limit_are_open(levels: int) -> None:
    normalised = process_json_schema(nested(levels, {"type": "string"}))
    assert normalised.visited == MAX_DEPTH + 2
    assert len(list(schemas_in(normalised.schema))) == MAX_DEPTH + 2
    assert refused(nested(levels, {"type": "string"})) == []


@pytest.mark.parametrize("api_format", ApiFormat)
def test_a_schema_of_a_megabyte_is_quarantined_and_the_others_are_sent(
    api_format: ApiFormat,
) -> None:
    table = make_wire_tools([megabyte(), FIXTURES[0].tool], api_format)
    assert [each.key for each in table.declarations] == ["fixtures:missing"]
    assert "1,395," in table.quarantined[0].reason
    assert table.warnings == (table.quarantined[0].reason,)


def test_no_fixture_is_changed_by_converting_it() -> None:
    for fixture in FIXTURES:
        if fixture.name in {"deep_default", "hundred_levels"}:
            continue  # deeper than Python copies
        before = copy.deepcopy(fixture.schema)
        refused(fixture.schema)
        assert repr(fixture.schema) == repr(before)
