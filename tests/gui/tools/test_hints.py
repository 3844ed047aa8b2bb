from __future__ import annotations

import pytest

from desktop.gui.tools.hints import hints_of
from desktop.tool_types import Annotations


@pytest.mark.parametrize(
    ("annotations", "words"),
    [
        (Annotations(), []),
        (Annotations(read_only=True, destructive=True), ["read-only"]),
        (Annotations(read_only=False), ["makes changes"]),
        (Annotations(destructive=True, idempotent=True), ["destructive", "safe to repeat"]),
        (Annotations(open_world=True), ["reaches outside"]),
        (Annotations(open_world=False), ["stays local"]),
    ],
)
def test_hints_are_words_and_silence_stays_silent(
    annotations: Annotations, words: list[str]
) -> None:
    assert [hint.words for hint in hints_of(annotations)] == words
