from __future__ import annotations

from datetime import UTC, datetime

import pytest

from desktop.history.record import DONE, Summary
from desktop.tool_types import ErrorCode


@pytest.mark.parametrize(("outcome", "is_done"), [(DONE, True), (ErrorCode.TIMEOUT.value, False)])
def test_a_call_is_done_or_has_the_code_of_its_error(outcome: str, is_done: bool) -> None:
    now = datetime.now(UTC)
    assert Summary(1, "a:b", now, 0.1, "person", outcome, "{}").is_done is is_done
