"""The report that build servers read: the structure they expect, whatever a server said."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from desktop.history.expectation import Mismatch
from desktop.history.junit import to_junit
from desktop.history.saved_call import SavedCall
from desktop.history.saved_run import SavedCallOutcome
from desktop.tool_types import ErrorCode, ToolError, ToolResult

NUMBERS = {"tests", "failures", "errors"}


def verdict(name: str, *messages: str, code: ErrorCode | None = None) -> SavedCallOutcome:
    error = ToolError("E", "e", code) if code is not None else None
    result = ToolResult(error is None, error=error, execution_time=0.25)
    found = tuple(Mismatch("equals", message) for message in messages)
    return SavedCallOutcome(SavedCall(name=name, tool="s:t"), result, found)


def check_structure(root: ElementTree.Element) -> None:
    """As in `junit-10.xsd`: who may be in whom, which attributes there have to be."""
    assert root.tag == "testsuites"
    for suite in root:
        assert suite.tag == "testsuite"
        assert suite.attrib.keys() >= {"name", "time", *NUMBERS}
        cases = suite.findall("testcase")
        assert len(cases) == len(suite) == int(suite.attrib["tests"])
        for kind in ("failure", "error"):
            count = sum(case.find(kind) is not None for case in cases)
            assert count == int(suite.attrib[f"{kind}s"])
        for case in cases:
            assert case.attrib.keys() == {"name", "classname", "time"}
            assert float(case.attrib["time"]) >= 0
            assert {child.tag for child in case} <= {"failure", "error"}
    for number in NUMBERS:
        assert int(root.attrib[number]) == sum(int(suite.attrib[number]) for suite in root)


def test_each_file_is_a_suite_with_its_counts() -> None:
    verdicts = [
        verdict("well"),
        verdict("wrong", "n: expected 1, got 2", "and more"),
        verdict("away", "no server", code=ErrorCode.UNREACHABLE),
        verdict("late", "too slow", code=ErrorCode.TIMEOUT),
    ]
    root = ElementTree.fromstring(to_junit([("a.json", verdicts), ("b.json", [])]))
    check_structure(root)
    assert (root.attrib["tests"], root.attrib["failures"], root.attrib["errors"]) == ("4", "1", "2")
    failure = root.find("testsuite/testcase/failure")
    assert failure is not None
    assert failure.attrib["message"] == "n: expected 1, got 2"
    assert failure.text == "n: expected 1, got 2\nand more"


@pytest.mark.parametrize("text", ["\x1b[31m red", "\0", "\ud800 half", "\ufffe", "</failure>&\"'<"])
def test_whatever_a_server_said_the_report_can_be_read(text: str) -> None:
    report = to_junit([(text, [verdict("named", text)])])
    report.encode()
    root = ElementTree.fromstring(report)
    check_structure(root)
    if text.startswith("\x1b"):
        assert "\\u001b[31m red" in report
