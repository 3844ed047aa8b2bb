"""What is taken over without being looked at closely is what the rules would have left as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.features.models.formats import schema_normaliser
from desktop.features.models.formats.schema_normaliser import process_json_schema
from tests.corpus import corpus, needs_corpus
from tests.features.models.fixtures import FIXTURES, Fixture
from tests.features.models.schema_strategies import sound_schemas

if TYPE_CHECKING:
    from desktop.features.models.formats.schema_normaliser import Normalised

ODD: tuple[Any, ...] = (
    *("", "a", "Ü", "\x07", "\n", "a\x7f", "\ud800", "string", "null", "array", "object", "any"),
    *(True, False, None, 0, 1, -1, 1.0, 1.5, 2**53, 10**301, float("inf")),
    *([], [1], ["a"], ["a", "a"], ["\x07"], {}, {"a": 1}),
)
TEXTS, COUNTS = ("", "a", "Ü", "\x07"), (0, 1, 2**53, 1.5)
LIKELY: dict[str, tuple[Any, ...]] = {
    "type": ("string", "null", "array", "object", "any", ["string", "null"]),
    **dict.fromkeys(("description", "title", "format", "pattern"), TEXTS),
    "default": (*TEXTS, *COUNTS, True, None, []),
    "enum": (["a"], ["a", "a"], ["\x07"], [1], []),
    **dict.fromkeys(("minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum"), COUNTS),
    "const": COUNTS,
}
LEAVES = st.lists(st.sampled_from(sorted(LIKELY)), unique=True, max_size=3).flatmap(
    lambda keywords: st.fixed_dictionaries(
        {each: st.sampled_from(LIKELY[each]) | st.sampled_from(ODD) for each in keywords}
    )
)
SETTINGS = settings(deadline=None, derandomize=True, database=None)


def closely(schema: Any) -> Normalised:
    """The same without the shortcut."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schema_normaliser, "_IS_PLAIN", {})
        return process_json_schema(schema)


@settings(SETTINGS, max_examples=300)
@given(LEAVES)
def test_a_leaf_of_any_values_is_as_the_rules_leave_it(leaf: dict[str, Any]) -> None:
    schema = {"type": "object", "properties": {"a": leaf}, "required": ["a"]}
    assert repr(process_json_schema(schema)) == repr(closely(schema))


@settings(SETTINGS, max_examples=100)
@given(sound_schemas())
def test_a_sound_schema_is_as_the_rules_leave_it(schema: dict[str, Any]) -> None:
    assert repr(process_json_schema(schema)) == repr(closely(schema))


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda fixture: fixture.name)
def test_a_known_schema_is_as_the_rules_leave_it(fixture: Fixture) -> None:
    assert repr(process_json_schema(fixture.schema)) == repr(closely(fixture.schema))


@needs_corpus
def test_schemas_of_real_tools_are_as_the_rules_leave_them() -> None:
    for tool in corpus():
        given = tool.input_schema
        assert repr(process_json_schema(given)) == repr(closely(given)), tool.key


def test_what_is_taken_over_is_not_the_object_of_the_server() -> None:
    leaf = {"type": "string", "enum": ["a"]}
    made = process_json_schema({"type": "object", "properties": {"a": leaf}}).schema
    made["properties"]["a"]["enum"].append("b")
    assert leaf == {"type": "string", "enum": ["a"]}
