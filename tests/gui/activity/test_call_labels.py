from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtCore import QDateTime

from desktop.gui.activity import call_labels
from desktop.gui.widgets.styled_text import StyledText
from desktop.history.records import DONE
from desktop.history.serialization import HistoryLimits
from desktop.values.tool_types import ErrorCode
from tests.history.calls import ended, record_of


@pytest.mark.parametrize("outcome", [DONE, *ErrorCode])
def test_every_outcome_has_words_of_its_own(outcome: str) -> None:
    said = call_labels.outcome_label(outcome)
    assert said.text
    assert said.text != outcome
    assert (said.tone == "success") is (outcome == DONE)


def test_an_outcome_of_a_later_version_is_shown_as_it_is() -> None:
    assert call_labels.outcome_label("new_code") == StyledText("new_code", "danger")


def test_before_today_the_date_is_said() -> None:
    now = datetime.now(UTC)
    assert QDateTime.currentDateTime().toString("HH") in call_labels.time_label(now)
    assert len(call_labels.time_label(now - timedelta(days=3))) > len(call_labels.time_label(now))


def test_what_was_not_kept_is_said_with_its_place_and_size() -> None:
    finished = ended(arguments={"a": [{"token": "x"}]}, output="y" * 2000)
    record = record_of(finished, limits=HistoryLimits(text=1500))
    assert call_labels.record_notes(record) == [
        "Not kept because it looks like a secret: a[0].token",
        "Kept only in part: output, 2.0 kB",
    ]
