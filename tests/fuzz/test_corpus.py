"""Every input that fuzzing has kept is read again: no crash, no long block."""

from __future__ import annotations

import pytest

from tests.attacks.measure import processor_time
from tests.fuzz import corpus
from tests.fuzz.targets import TARGETS


@pytest.mark.parametrize("target", TARGETS)
def test_what_was_kept_is_taken_or_refused_in_a_moment(target: str) -> None:
    inputs = corpus.read(target)
    assert inputs
    for data in inputs:
        with processor_time() as cost:
            TARGETS[target](data)
        assert cost.processor < 1, data
