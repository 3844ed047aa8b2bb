from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft7Validator

from desktop.tools.keywords import validator_class
from desktop.tools.work import MOST_STEPS, TooMuchWorkError, running


def test_the_draft_is_the_one_the_schema_names() -> None:
    draft: Any = validator_class({"$schema": "http://json-schema.org/draft-07/schema#"})
    assert draft.META_SCHEMA == Draft7Validator.META_SCHEMA


def test_a_run_ends_after_so_many_steps() -> None:
    validator: Any = validator_class({})({"items": {"type": "integer"}})
    with running(), pytest.raises(TooMuchWorkError):
        list(validator.iter_errors([1] * (MOST_STEPS + 1)))


def test_equal_numbers_are_the_same_item_and_true_is_not_one() -> None:
    validator: Any = validator_class({})({"uniqueItems": True})
    with running():
        assert list(validator.iter_errors([{"a": 1}, {"a": 1.0}]))
        assert not list(validator.iter_errors([1, True, "1"]))


def test_what_had_to_be_skipped_is_noted() -> None:
    validator: Any = validator_class({})({"pattern": r"\p{L}"})
    with running() as run:
        assert list(validator.iter_errors("x")) == []
    assert len(run.skipped) == 1
