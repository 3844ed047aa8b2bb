"""Keywords mean what the standard says, within a budget, and say on what else they depend."""

from __future__ import annotations

from time import monotonic
from typing import Any

import pytest
from jsonschema import Draft7Validator

from desktop.tools.validation import find_misfits, validate
from desktop.tools.validation.budget import (
    MAX_DEPTH,
    MAX_STEPS,
    TooMuchWorkError,
    current_budget,
    validation_budget,
)
from desktop.tools.validation.keywords import validator_class
from desktop.tools.validation.patterns import UncheckedPatternError


def test_the_draft_is_the_one_the_schema_names() -> None:
    draft: Any = validator_class({"$schema": "http://json-schema.org/draft-07/schema#"})
    assert draft.META_SCHEMA == Draft7Validator.META_SCHEMA


def test_a_run_ends_after_so_many_steps() -> None:
    validator: Any = validator_class({})({"items": {"type": "integer"}})
    with validation_budget(), pytest.raises(TooMuchWorkError):
        list(validator.iter_errors([1] * (MAX_STEPS + 1)))


def test_equal_numbers_are_the_same_item_and_true_is_not_one() -> None:
    validator: Any = validator_class({})({"uniqueItems": True})
    with validation_budget():
        assert list(validator.iter_errors([{"a": 1}, {"a": 1.0}]))
        assert not list(validator.iter_errors([1, True, "1"]))


def test_what_had_to_be_skipped_is_noted() -> None:
    validator: Any = validator_class({})({"pattern": "(?R)"})
    with validation_budget() as budget:
        assert list(validator.iter_errors("x")) == []
    assert len(budget.skipped) == 1


# --- the budget -------------------------------------------------------------------------------


def test_a_budget_has_so_many_steps() -> None:
    with validation_budget() as budget:
        for _ in range(MAX_STEPS):
            budget.count()
        with pytest.raises(TooMuchWorkError):
            budget.count()


def test_a_budget_whose_time_is_up_ends_with_the_next_step() -> None:
    with validation_budget() as budget:
        assert budget.deadline <= monotonic() + 1
        budget.deadline = 0.0
        with pytest.raises(TooMuchWorkError):
            budget.count()


def test_a_budget_whose_time_for_patterns_is_up_tries_no_other() -> None:
    with validation_budget() as budget:
        budget.pattern_seconds = 0.19
        assert budget.matches("a", "a")
        budget.pattern_seconds = 0.3
        with pytest.raises(UncheckedPatternError, match="takes too long on these values"):
            budget.matches("a", "a")


def test_each_budget_is_its_own_also_inside_another() -> None:
    with validation_budget() as outer:
        with validation_budget(is_trial=True) as inner:
            assert current_budget() is inner
            assert (inner.trials, outer.trials) == (1, 0)
        assert current_budget() is outer


def test_what_is_passed_over_twice_is_told_once_and_counted_twice() -> None:
    with validation_budget() as budget:
        budget.skip("a pattern")
        budget.skip("a pattern")
    assert (list(budget.skipped), budget.passed_over) == (["a pattern"], 2)


# --- replaced keywords ------------------------------------------------------------------------


def errors(schema: Any, value: Any) -> list[str]:
    return [str(issue) for issue in find_misfits(schema, value) if issue.severity == "error"]


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        ({"pattern": "b"}, "abc", "xyz"),
        ({"required": ["a"]}, {"a": None}, {}),
        ({"uniqueItems": True}, [1, True, "1"], [{"a": 1}, {"a": 1.0}]),
        ({"patternProperties": {"^x": {"type": "integer"}}}, {"x1": 1, "y": "z"}, {"x1": "y"}),
        ({"properties": {"a": {}}, "additionalProperties": False}, {"a": 1}, {"a": 1, "b": 1}),
        ({"additionalProperties": {"type": "integer"}}, {"b": 1}, {"b": "x"}),
        ({"propertyNames": {"pattern": "^[a-z]+$"}}, {"ab": 1}, {"A": 1}),
        ({"format": "uuid"}, 5, "x"),
    ],
)
def test_good_passes_bad_does_not_and_other_kinds_are_not_meant(
    schema: Any, good: Any, bad: Any
) -> None:
    assert errors(schema, good) == []
    assert errors(schema, bad)
    assert errors(schema, 7) == []


@pytest.mark.parametrize(
    ("step", "good", "bad"),
    [(0.01, 4.35, 4.355), (0.1, 0.3, 0.35), (1e-7, 0.3, 1e-8), (3, 9.0, 10), (0.5, 1e300, 0.25)],
)
def test_a_multiple_is_one_of_the_decimals_that_people_write(
    step: float, good: float, bad: float
) -> None:
    assert errors({"multipleOf": step}, good) == []
    assert errors({"multipleOf": step}, bad)
    with validation_budget() as budget:
        for other in (True, "x"):
            assert list(validator_class({})({"multipleOf": step}).iter_errors(other)) == []
    assert not budget.skipped


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "integer"},
        {"type": "string", "enum": ["a"]},
        {"const": "a"},
        {"$ref": "#/$defs/text", "$defs": {"text": {"type": "string"}}},
        {"allOf": [{"type": "object"}]},
        {"anyOf": [{"const": 1}, {"const": 2}]},
        {"oneOf": [{"const": 1}, {"const": 2}]},
    ],
)
def test_null_fits_where_a_schema_is_nullable_as_openapi_writes_it(schema: Any) -> None:
    assert errors({**schema, "nullable": True}, None) == []
    assert errors({**schema, "nullable": True}, [])
    assert errors({**schema, "nullable": False}, None)


@pytest.mark.parametrize(
    ("schema", "value", "path"),
    [
        ({"properties": {"a": False}}, {"a": 1}, ("a",)),
        ({"properties": {"o": {"properties": {"a": False}}}}, {"o": {"a": 1}}, ("o", "a")),
        ({"patternProperties": {"^x-": False}}, {"x-1": 1}, ("x-1",)),
    ],
)
def test_a_property_that_is_never_allowed_is_named(schema: Any, value: Any, path: Any) -> None:
    (issue,) = find_misfits(schema, value)
    assert (issue.path, issue.message) == (path, "is not allowed here")


OLDER: list[tuple[Any, Any, Any]] = [
    ({"items": [{"type": "string"}, {"type": "integer"}]}, ["a", 1], ["a", "b"]),
    ({"items": [{}], "additionalItems": False}, [1], [1, 2]),
    ({"minimum": 1, "exclusiveMinimum": True}, 1.5, 1),
    ({"maximum": 1, "exclusiveMaximum": True}, 0, 1),
    ({"maximum": 1, "exclusiveMaximum": False}, 1, 2),
    ({"properties": {"t": {"items": [{"type": "null"}]}}}, {"t": [None]}, {"t": [1]}),
]


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    OLDER,
)
def test_a_schema_that_names_no_draft_may_be_written_for_an_older_one(
    schema: Any, good: Any, bad: Any
) -> None:
    assert find_misfits(schema, good) == []
    (issue,) = find_misfits(schema, bad)
    assert issue.severity == "error"


def test_alternatives_of_fixed_values_are_named() -> None:
    schema = {"oneOf": [{"const": 1, "title": "One"}, {"const": 2}, {"enum": ["x", None]}]}
    (issue,) = find_misfits(schema, 3)
    assert issue.message == "must be one of: 1, 2, x, null"


def test_a_foreign_pattern_in_an_alternative_proves_nothing() -> None:
    """What could not be checked fits for the time being; `not` and `oneOf` turn that round."""
    foreign = {"pattern": "(?R)"}
    assert errors({"not": foreign}, "x") == []
    assert errors({"oneOf": [foreign, {"type": "string"}]}, "x") == []
    assert errors({"contains": foreign, "maxContains": 1}, ["x", "y"]) == []
    assert errors({"not": {"pattern": "^x"}}, "x")


def test_what_must_be_missing_may_be_missing_although_it_has_a_default() -> None:
    schema = {"not": {"properties": {"n": {"default": 1}}, "required": ["n"]}}
    assert validate(schema, {}) == []
    assert validate(schema, {"n": 1})


def test_trials_and_depth_are_over_when_a_keyword_is_done() -> None:
    schema = {"anyOf": [{"not": {"type": "string"}}, {"minLength": 1}], "items": {"pattern": "("}}
    validator: Any = validator_class({})(schema)
    with validation_budget() as budget:
        list(validator.iter_errors("x"))
        list(validator.iter_errors(["x"]))
        assert (budget.trials, budget.depth) == (0, 0)


def test_items_are_the_same_whatever_the_order_of_their_members_and_however_deep() -> None:
    schema = {"uniqueItems": True}
    assert errors(schema, [{"a": 1, "b": [2.0]}, {"b": [2], "a": 1.0}])
    assert errors(schema, [{"a": 1.5}, {"a": 1}]) == []
    assert errors(schema, [[1], [2]]) == []
    assert errors({"uniqueItems": False}, [1, 1]) == []
    assert find_misfits(schema, "not a list") == []


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"anyOf": [{"deprecated": True}]}, 1),
        ({"oneOf": [{"deprecated": True}, False]}, 1),
        ({"not": {"not": {"readOnly": True}}}, 1),
        ({"contains": {"readOnly": True}}, [1]),
        ({"unevaluatedProperties": {"readOnly": True}}, {"a": 1}),
        ({"unevaluatedItems": {"readOnly": True}}, [1]),
        ({"if": {"readOnly": True}, "else": False}, 1),
    ],
)
def test_what_only_deserves_a_word_does_not_count_where_a_schema_is_tried(
    schema: Any, value: Any
) -> None:
    assert find_misfits(schema, value) == []
    assert errors({"not": {"deprecated": True}}, value)


def test_what_a_condition_brings_is_not_a_trial_and_may_deserve_a_word() -> None:
    marked = {"properties": {"a": {"deprecated": True}, "b": {"format": "hostname"}}}
    for schema in ({"if": True, "then": marked}, {"if": False, "else": marked}):
        issues = find_misfits(schema, {"a": 1, "b": "not a host"})
        assert [(issue.where, issue.severity) for issue in issues] == [
            ("a", "warning"),
            ("b", "warning"),
        ]


def test_a_name_that_a_foreign_pattern_may_cover_is_allowed() -> None:
    schema: Any = {"patternProperties": {"(?R)": {}}, "additionalProperties": False}
    assert errors(schema, {"name": 1}) == []


def nested(depth: int) -> tuple[Any, Any]:
    """A schema of lists within lists, and a value that is wrong at the bottom."""
    schema: Any = {"type": "string"}
    value: Any = 1
    for _ in range(depth):
        schema, value = {"items": schema}, [value]
    return schema, value


def test_a_value_is_checked_to_its_greatest_depth_and_a_deeper_one_is_a_warning() -> None:
    assert find_misfits(*nested(MAX_DEPTH - 1))[0].code == "type"
    deeper = find_misfits(*nested(MAX_DEPTH))
    assert {issue.severity for issue in deeper} == {"warning"}
    assert "it is nested too deeply to be fully checked" in deeper[-1].message


# --- keywords by which one field depends on another -------------------------------------------


def told(schema: Any, value: Any) -> list[tuple[str, str, str]]:
    issues = validate(schema | {"additionalProperties": True}, value)
    return [(issue.where, issue.layer, issue.message) for issue in issues]


def test_what_another_field_requires_is_missing_at_its_own_place() -> None:
    schema = {"dependentRequired": {"card": ["address", "name"]}}
    assert told(schema, {"card": 1, "name": "x"}) == [
        ("address", "rule", "'address' is required when 'card' is given")
    ]
    assert told(schema, {}) == []


def test_a_schema_that_another_field_brings_says_so() -> None:
    schema = {"dependentSchemas": {"card": {"properties": {"cvc": {"type": "integer"}}}}}
    assert told(schema, {"card": 1, "cvc": "x"}) == [
        ("cvc", "rule", "must be a whole number, is text (when 'card' is given)")
    ]
    assert told(schema, {"cvc": "x"}) == []


def test_the_older_keyword_for_both_means_the_same() -> None:
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "dependencies": {"a": ["b"], "c": {"required": ["d"]}},
    }
    assert told(schema, {"a": 1, "c": 1}) == [
        ("b", "rule", "'b' is required when 'a' is given"),
        ("d", "rule", "'d' is required when 'c' is given"),
    ]


KIND: Any = {"properties": {"kind": {"const": "card"}}, "required": ["kind"]}


def test_a_branch_says_when_it_holds() -> None:
    schema = {"if": KIND, "then": {"required": ["cvc"]}, "else": {"required": ["iban"]}}
    assert told(schema, {"kind": "card"}) == [
        ("cvc", "rule", "'cvc' is required when 'kind' is card")
    ]
    assert told(schema, {"kind": "bank"}) == [
        ("iban", "rule", "'iban' is required unless 'kind' is card")
    ]
    assert told(schema, {"kind": "card", "cvc": 1}) == []


@pytest.mark.parametrize(
    ("condition", "reason"),
    [
        ({"properties": {"kind": {"enum": ["a", "b"]}}}, "when 'kind' is a or b"),
        ({"required": ["x"], "type": "object"}, "when 'x' is given"),
        (
            {"properties": {"kind": {"const": "a"}, "x": {"const": 1}}, "required": ["kind"]},
            "when 'kind' is a and 'x' is 1",
        ),
        (
            {"properties": {"kind": {"enum": ["a", "b", "c"]}}, "required": ["x"]},
            "when 'kind' is a or b or c and 'x' is given",
        ),
        ({"properties": {"kind": {"enum": ["a", "b", "c", "d"]}}}, "because of another value"),
        (
            {"required": ["kind", "x", "u"]},
            "when 'kind' is given and 'x' is given and 'u' is given",
        ),
        ({"required": ["kind", "x", "u", "v"]}, "because of another value"),
        ({"properties": {"kind": {"minLength": 1}}}, "because of another value"),
        ({"properties": {"kind": True}}, "because of another value"),
        ({}, "because of another value"),
        ({"required": ["x"], "minProperties": 1}, "because of another value"),
        ({"not": {"required": ["y"]}}, "because of another value"),
        (True, "because of another value"),
    ],
)
def test_a_condition_is_told_as_far_as_it_is_plain(condition: Any, reason: str) -> None:
    schema = {"if": condition, "then": {"required": ["z"]}}
    given = {"kind": "a", "x": 1, "u": 1, "v": 1}
    assert told(schema, given) == [("z", "rule", f"'z' is required {reason}")]


def test_the_reason_stays_with_an_alternative_that_explains_the_error() -> None:
    choice = {"anyOf": [{"type": "string", "minLength": 3}, {"type": "null"}]}
    null, flag = {"type": "null"}, {"type": "boolean"}
    parts = {"a": choice, "b": {"anyOf": [null]}, "c": {"anyOf": [null, flag]}}
    schema = {"if": KIND, "then": {"properties": parts}}
    assert told(schema, {"kind": "card", "a": "x", "b": 1, "c": 1}) == [
        ("a", "rule", "must have at least 3 characters, has 1 (when 'kind' is card)"),
        ("b", "rule", "must be null, is a whole number (when 'kind' is card)"),
        ("c", "rule", "must be null or true or false, is a whole number (when 'kind' is card)"),
    ]


@pytest.mark.parametrize(
    "schema",
    [
        {"if": {"properties": {"a": {"pattern": "(?R)"}}}, "then": {"required": ["b"]}},
        {"if": {"$ref": "http://127.0.0.1:1/x"}, "else": {"required": ["b"]}},
        {"dependentRequired": {"a": 5}},
        {"dependentRequired": 5},
        {"dependentSchemas": {"a": 5}},
        {"if": 5, "then": {"required": ["b"]}},
    ],
)
def test_a_condition_that_cannot_be_tried_is_a_warning_and_forbids_nothing(schema: Any) -> None:
    issues = validate(schema | {"additionalProperties": True}, {"a": "x"})
    assert {issue.severity for issue in issues} == {"warning"}


def test_a_default_forbids_nothing_that_fits_as_it_is() -> None:
    one_of: Any = {
        "oneOf": [
            {"properties": {"a": {"default": 1}}, "required": ["a"]},
            {"properties": {"b": {"type": "integer"}}, "required": ["b"]},
        ]
    }
    assert validate(one_of, {"b": 2}) == []
