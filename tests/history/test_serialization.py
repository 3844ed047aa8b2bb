"""A call becomes a row and a call again; what does not fit is cut and said."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from desktop.history.records import Summary
from desktop.history.serialization import (
    COLUMNS,
    COUNTED,
    HistoryLimits,
    decode,
    encode,
)
from desktop.redaction.policy import PLACEHOLDER
from desktop.values.tool_types import Content, ErrorCode, ValidationIssue
from tests.history.calls import ended, failed, record_of

if TYPE_CHECKING:
    from desktop.history.records import FinishedCall, Record


def around(finished: FinishedCall, **limits: int) -> Record:
    return record_of(finished, 7, HistoryLimits(**limits))


def test_each_column_of_a_call_is_written_and_each_value_of_a_summary_is_read() -> None:
    row = encode(ended(), HistoryLimits())
    assert list(row.summary) == [column.name for column in COLUMNS]
    assert all(type(row.summary[column.name]) is column.type for column in COLUMNS)
    shown = [column.field for column in (*COLUMNS, *COUNTED) if column.field]
    assert sorted(["id", *shown]) == sorted(Summary.__struct_fields__)


def test_everything_of_a_result_comes_back() -> None:
    issue = ValidationIssue(("a", 0), "type", "must be a number")
    finished = ended(
        "s:t",
        {"a": [1, {"b": None}]},
        output="one\ntwo",
        content=(
            Content("text", text="one\ntwo"),
            Content("image", data=b"\x89PNG", mime="image/png"),
            Content("resource", text="inside", uri="file:///x", name="x", mime="text/plain"),
        ),
        structured={"ok": True, "n": 1.5, "none": None},
        meta={"trace": "1"},
        output_issues=(issue,),
        timestamp=datetime(2026, 11, 20, 12, 0, 1, tzinfo=UTC),
        execution_time=1.0,
        is_unchecked=True,
    )
    record = around(finished)
    assert record.result == finished.result
    assert record.arguments == finished.call.arguments
    assert record.call_id == finished.call.call_id
    assert record.cut == {}
    assert record.summary.at == datetime(2026, 11, 20, 12, 0, 0, tzinfo=UTC)
    assert (record.summary.id, record.summary.key, record.summary.outcome) == (7, "s:t", "done")


def test_what_looks_secret_in_a_result_is_not_kept() -> None:
    said = "error: token=s3cr3tValue; GET https://host/x?access_token=s3cr3tValue"
    finished = ended(
        output=said,
        content=(Content("link", text="Bearer s3cr3tValue", uri="https://u:s3cr3tValue@h/"),),
        structured={"access_token": "s3cr3tValue", "text": said},
        meta={"note": said},
        output_issues=(ValidationIssue((), "type", said),),
    )
    row = encode(finished, HistoryLimits())
    assert "s3cr3tValue" not in repr(row)
    assert "GET https://host/x" in around(finished).result.output


@pytest.mark.parametrize("issues", [None, ()])
def test_nothing_checked_and_nothing_found_stay_apart(issues: Any) -> None:
    assert around(ended(output_issues=issues)).result.output_issues == issues


def test_a_row_of_before_there_were_unchecked_calls_is_read_as_checked() -> None:
    row = encode(ended("s:t", {}), HistoryLimits())
    body = json.loads(row.contents["body"])
    del body["unchecked"]
    columns = row.summary | row.contents | {"media": 0, "body": json.dumps(body)}
    assert not decode({"id": 7, **columns}, {}).result.is_unchecked


def test_an_error_keeps_its_code_and_words() -> None:
    record = around(failed("a:b", "no\nway", ErrorCode.TIMEOUT))
    assert (record.summary.outcome, record.summary.message) == ("timeout", "no\nway")
    assert record.result.error == failed("a:b", "no\nway", ErrorCode.TIMEOUT).result.error


@pytest.mark.parametrize("text", ["half \ud83d of a pair", "nul \0 inside", "", "\u2028 中文 🎈"])
def test_every_text_survives(text: str) -> None:
    record = around(ended("a:b", {"x": text}, output=text, structured=[text]))
    assert record.arguments == {"x": text}
    assert (record.result.output, record.result.structured) == (text, [text])


def test_what_is_too_long_is_cut_and_its_true_size_noted() -> None:
    finished = ended(
        "a:b",
        {"a": "y" * 500},
        output="x" * 500,
        structured=["z" * 500],
        content=(Content("text", text="x" * 500), Content("image", data=bytes(300))),
    )
    record = around(finished, text=100, media=200)
    assert record.arguments is None
    assert record.result.output == "x" * 100
    assert record.result.structured is None
    assert [len(block.data) for block in record.result.content] == [0, 0]
    assert record.cut["output"] == 500
    assert record.cut["content[1]"] == 300
    assert record.cut["arguments"] >= 100
    assert record.cut["structured"] >= 100


def test_what_cannot_be_written_as_json_costs_that_part_alone() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    record = around(ended("a:b", {"deep": deep}, structured=deep, output="said"))
    assert (record.arguments, record.result.structured) == (None, None)
    assert record.result.output == "said"
    assert set(record.cut) == {"arguments", "structured"}


def test_no_secret_is_in_the_row_wherever_it_came_back() -> None:
    secret = 'hun"ter 22\n'
    finished = ended(
        "a:b",
        {"password": secret, "note": f"it is {secret}"},
        output=f"you said {secret}",
        structured={"echo": [secret]},
        success=False,
        error=failed("a:b", f"wrong: {secret}").result.error,
    )
    row = encode(finished, HistoryLimits())
    assert "ter 22" not in repr(row)
    assert "ter 22" not in row.contents["body"].decode()
    record = record_of(finished)
    assert record.arguments == {"password": PLACEHOLDER, "note": f"it is {PLACEHOLDER}"}
    assert record.hidden == (("password",),)
    assert record.result.structured == {"echo": [PLACEHOLDER]}


@pytest.mark.parametrize("reference", ["#/$defs/My%20Pin", "#pin"])
def test_what_a_referred_schema_calls_secret_is_not_in_the_row(reference: str) -> None:
    schema = {
        "properties": {"pin": {"$ref": reference}},
        "$defs": {"My Pin": {"$anchor": "pin", "type": "string", "writeOnly": True}},
    }
    finished = ended("a:b", {"pin": "246810"}, output="pin 246810")._replace(schema=schema)
    row = encode(finished, HistoryLimits())
    assert "246810" not in repr(row)
    assert "246810" not in row.contents["body"].decode()


@pytest.mark.parametrize("secret", ["output", "structured", "123456789"])
def test_a_secret_that_is_a_word_of_ours_does_no_harm(secret: str) -> None:
    record = around(ended("a:b", {"password": secret}, structured={"total": 123456789}))
    assert record.result.structured == {"total": 123456789}
    assert record.arguments == {"password": PLACEHOLDER}
