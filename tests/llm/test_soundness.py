"""Whatever fits a server's schema fits what each provider is told, and comes back as it was."""

from __future__ import annotations

from typing import Any, cast

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis.errors import HypothesisException
from hypothesis_jsonschema import from_schema  # pyright: ignore[reportUnknownVariableType]
from jsonschema.exceptions import SchemaError

from desktop.tools.definition import ToolDefinition
from tests.llm.corpus import corpus, needs_corpus
from tests.llm.fixtures import FIXTURES, Fixture
from tests.llm.instances import fits, problems
from tests.llm.schema_strategies import arguments, sound_schemas

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


def drawn(tool: ToolDefinition, count: int) -> int:
    """Draw arguments for a tool and check each; how many there were."""
    checked = 0
    strategy = cast("Any", from_schema)(dict(tool.input_schema))

    @settings(COUNTED, max_examples=count)
    @given(strategy)
    def check(value: Any) -> None:
        nonlocal checked
        assume(type(value) is dict and fits(tool.input_schema, value, unsure=False))
        assert problems(tool, dict(value)) == []
        checked += 1

    check()
    return checked


@needs_corpus
def test_arguments_of_real_tools_survive_the_way_to_each_provider_and_back() -> None:
    counts = [drawn(tool, 3) for tool in corpus()]
    assert len(counts) == 291
    assert sum(count > 0 for count in counts) == 291
    print(f"{sum(counts)} argument sets of {len(counts)} tools")


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda fixture: fixture.name)
def test_arguments_in_the_sense_of_an_odd_schema_survive(fixture: Fixture) -> None:
    for value in fixture.fits:
        assert problems(fixture.tool, value) == []


def test_arguments_drawn_for_odd_schemas_survive() -> None:
    usable = 0
    for fixture in FIXTURES:
        try:
            usable += drawn(fixture.tool, 5) > 0
        except (SchemaError, HypothesisException, ValueError, TypeError, LookupError):
            continue  # no draft makes sense of it, so there is nothing to draw from
    assert usable >= 30


@settings(COUNTED, max_examples=250)
@given(sound_schemas(), arguments)
def test_no_sound_schema_becomes_stricter(schema: Any, value: dict[str, Any]) -> None:
    assume(fits(schema, value, unsure=False))
    assert problems(ToolDefinition("fuzz", "tool", input_schema=schema), value) == []
