"""Whatever fits a server's schema fits what each provider is told, and comes back as it was."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis_jsonschema import from_schema  # pyright: ignore[reportUnknownVariableType]

from desktop.features.models.formats.declaration import ApiFormat
from desktop.features.models.formats.tool_formats import convert
from desktop.values.json_schema import dump_json
from desktop.values.tool_types import ToolDefinition
from tests.corpus import corpus, needs_corpus
from tests.features.models.fixtures import FIXTURES, Fixture
from tests.features.models.instances import fits, problems
from tests.features.models.schema_strategies import arguments, sound_schemas
from tests.features.models.shared_references import SHARED, VALUES

if TYPE_CHECKING:
    from desktop.values.tool_types import JsonObject

COUNTED = settings(
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.filter_too_much,
        HealthCheck.data_too_large,
    ],
)

BEYOND_DRAWING = {"reference_bomb", "hundred_levels", "deep_default"}
"""hypothesis-jsonschema writes references out and takes exponential time for these."""
PARTS = 6
"""The real tools are checked in parts, none of which takes long."""


def drawn(tool: ToolDefinition, found: list[str], count: int) -> int:
    """Draw arguments for a tool and check each into `found`; how many there were."""
    checked = 0
    strategy = cast("Any", from_schema)(dict(tool.input_schema))

    @settings(COUNTED, max_examples=count)
    @given(strategy)
    def check(value: Any) -> None:
        nonlocal checked
        assume(type(value) is dict and fits(tool.input_schema, value, unsure=False))
        found.extend(problems(tool, dict(value)))
        checked += 1

    check()
    return checked


@needs_corpus
@pytest.mark.parametrize("part", range(PARTS))
def test_arguments_of_real_tools_survive_the_way_to_each_provider_and_back(part: int) -> None:
    found: list[str] = []
    tools = corpus()[part::PARTS]
    assert [tool.key for tool in tools if not drawn(tool, found, 2)] == []
    assert found == []


@needs_corpus
@pytest.mark.parametrize("api_format", ApiFormat)
def test_no_real_schema_grows_by_what_a_provider_wants(api_format: ApiFormat) -> None:
    grown = {
        tool.key: (sent, own)
        for tool in corpus()
        if (sent := schema_length(convert(tool, "t", api_format, is_kept=False).body))
        > 1.05 * (own := len(dump_json(tool.input_schema, default=dict)))
    }
    assert grown == {}


def schema_length(body: JsonObject) -> int:
    """Of what stands for the parameters in a declaration, with the spaces that are written here."""
    places = ("input_schema", "parameters", "parametersJsonSchema")
    inner = body.get("function", body)
    return max(len(dump_json(inner.get(place, ""), default=dict)) for place in places)


@pytest.mark.parametrize("kind", SHARED)
def test_arguments_survive_where_references_stay(kind: str) -> None:
    tool = ToolDefinition("s", kind, description="x", input_schema=SHARED[kind])
    fitting = [value for value in VALUES if fits(SHARED[kind], value)]
    assert len(fitting) > 1
    for value in fitting:
        assert problems(tool, value) == []


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda fixture: fixture.name)
def test_arguments_in_the_sense_of_an_odd_schema_survive(fixture: Fixture) -> None:
    for value in fixture.fits:
        assert problems(fixture.tool, value) == []


def test_arguments_drawn_for_odd_schemas_survive() -> None:
    usable, found = 0, list[str]()
    for fixture in FIXTURES:
        if fixture.name in BEYOND_DRAWING:
            continue
        try:
            usable += drawn(fixture.tool, found, 2) > 0
        except Exception:  # noqa: BLE001 - hypothesis-jsonschema makes no sense of it, in many ways
            continue
    assert found == []
    assert usable >= 30


@settings(COUNTED, max_examples=150)
@given(sound_schemas(), arguments)
def test_no_sound_schema_becomes_stricter(schema: Any, value: dict[str, Any]) -> None:
    assume(fits(schema, value, unsure=False))
    assert problems(ToolDefinition("fuzz", "tool", input_schema=schema), value) == []
