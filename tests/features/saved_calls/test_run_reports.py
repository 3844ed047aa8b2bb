"""The reports for build servers and pull requests, whatever a server said."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from desktop.base.report_text import MAX_MARKDOWN
from desktop.features.saved_calls.expectations import Mismatch
from desktop.features.saved_calls.run_reports import RunColumn, to_junit, to_markdown
from desktop.features.saved_calls.saved_call import SavedCall
from desktop.features.saved_calls.saved_call_runner import SavedCallOutcome
from desktop.history.diff import DiffLine
from desktop.values.tool_types import ErrorCode, ToolError, ToolResult
from tests.junit import check_structure


def verdict(name: str, *messages: str, code: ErrorCode | None = None) -> SavedCallOutcome:
    error = ToolError("E", "e", code) if code is not None else None
    result = ToolResult(error is None, error=error, execution_time=0.25)
    found = tuple(Mismatch("equals", message) for message in messages)
    return SavedCallOutcome(SavedCall(name=name, tool="s:t"), result, found)


def column(*verdicts: SavedCallOutcome, title: str = "", file: str = "a.json") -> RunColumn:
    return RunColumn(title, {(file, each.call.name): each for each in verdicts})


def test_each_file_is_a_suite_with_its_counts() -> None:
    verdicts = [
        verdict("well"),
        verdict("wrong", "n: expected 1, got 2", "and more"),
        verdict("away", "no server", code=ErrorCode.UNREACHABLE),
        verdict("late", "too slow", code=ErrorCode.TIMEOUT),
    ]
    root = ElementTree.fromstring(to_junit([column(*verdicts)]))
    check_structure(root)
    assert (root.attrib["tests"], root.attrib["failures"], root.attrib["errors"]) == ("4", "1", "2")
    failure = root.find("testsuite/testcase/failure")
    assert failure is not None
    assert failure.attrib["message"] == "n: expected 1, got 2"
    assert failure.text == "n: expected 1, got 2\nand more"


@pytest.mark.parametrize("text", ["\x1b[31m red", "\0", "\ud800 half", "\ufffe", "</failure>&\"'<"])
def test_whatever_a_server_said_the_report_can_be_read(text: str) -> None:
    report = to_junit([column(verdict("named", text), file=text)])
    report.encode()
    root = ElementTree.fromstring(report)
    check_structure(root)
    if text.startswith("\x1b"):
        assert "\\u001b[31m red" in report


def skipped(name: str) -> SavedCallOutcome:
    result = ToolResult(False, error=ToolError("Skipped", "why", ErrorCode.CANCELLED))
    return SavedCallOutcome(SavedCall(name=name, tool="s:t"), result, (), skipped="it needs 'x'")


def test_a_skipped_call_is_neither_passed_nor_failed() -> None:
    root = ElementTree.fromstring(to_junit([column(verdict("well"), skipped("s"))]))
    check_structure(root)
    suite = root[0]
    assert (suite.attrib["tests"], suite.attrib["skipped"], suite.attrib["failures"]) == (
        "2",
        "1",
        "0",
    )
    told = suite.find("testcase/skipped")
    assert told is not None
    assert told.attrib["message"] == "it needs 'x'"


def test_each_server_has_suites_of_its_own() -> None:
    root = ElementTree.fromstring(
        to_junit([column(verdict("a"), title="v1"), column(verdict("a"), title="v2")])
    )
    check_structure(root)
    assert [suite.attrib["name"] for suite in root] == ["a.json (v1)", "a.json (v2)"]


def test_the_summary_has_the_failures_first_and_the_servers_side_by_side() -> None:
    one = column(verdict("fine"), verdict("bad"), title="v1")
    two = column(verdict("fine"), verdict("bad", "n: expected 1"), title="v2")
    text = to_markdown([one, two], 1.5)
    lines = text.splitlines()
    assert lines[0] == "### ❌ Saved calls: 3 passed, 1 failed in 1.5 s"
    assert lines[2] == "| call | tool | v1 | v2 |"
    assert lines[4] == "| bad | s\\:t | ✅ passed 250 ms | ❌ failed 250 ms |"
    assert lines[5].startswith("| fine ")
    assert "**bad** on v2\n- n\\: expected 1\n" in text


HOSTILE = "</td>|`@someone` [x](http://evil) <img src=x> # * \n\n# big\x1b[31m"


def test_nothing_that_a_server_said_becomes_markup() -> None:
    lines = (DiffLine("added", "````\n# out of the block"), DiffLine("removed", "@someone"))
    bad = SavedCallOutcome(
        SavedCall(name=HOSTILE, tool="s:t"),
        ToolResult(True),
        (Mismatch("snapshot", HOSTILE, diff=lines),),
    )
    text = to_markdown([column(bad, title=HOSTILE)], 1)
    table, _, block = text.partition("`````diff")
    for mark in ("<", "@", "\x1b", "[x](", "\n# "):
        assert mark not in table
    assert block.endswith("\n`````\n")
    assert table.count("|") - table.count("\\|") == 4 * 3


def test_the_summary_stays_within_a_comment_and_says_what_is_left_out() -> None:
    many = [verdict(f"call {n}", "x" * 5_000) for n in range(3_000)]
    text = to_markdown([column(*many)], 1)
    assert len(text) <= MAX_MARKDOWN
    assert "more calls are left out here" in text
    assert text.count("More is left out here") == 1
