"""Verdicts as JUnit XML, the form that build servers read. Pure: writes no file.

Source: the schema of Jenkins' xunit plug-in, `junit-10.xsd`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, SubElement, indent, tostring

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from desktop.history.saved_run import SavedCallOutcome

# What XML 1.0 cannot have, not even escaped (section 2.2).
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_junit(files: Iterable[tuple[str, Sequence[SavedCallOutcome]]]) -> str:
    """One suite a file: its name and its verdicts. A server that is away is an error."""
    root = Element("testsuites", name="mcp-desktop")
    every: list[SavedCallOutcome] = []
    for name, verdicts in files:
        suite = SubElement(root, "testsuite", {"name": _legal(name)} | _counts(verdicts))
        every += verdicts
        for verdict in verdicts:
            _add_case(suite, verdict)
    root.attrib |= _counts(every)
    indent(root)
    return f"<?xml version='1.0' encoding='utf-8'?>\n{tostring(root, encoding='unicode')}\n"


def _counts(verdicts: Sequence[SavedCallOutcome]) -> dict[str, str]:
    outcomes = [verdict.outcome for verdict in verdicts]
    failures, passed = outcomes.count("failed"), outcomes.count("passed")
    return {
        "tests": str(len(outcomes)),
        "failures": str(failures),
        "errors": str(len(outcomes) - failures - passed),
        "time": _seconds(sum(verdict.result.execution_time for verdict in verdicts)),
    }


def _add_case(suite: Element, verdict: SavedCallOutcome) -> None:
    call, result = verdict.call, verdict.result
    case = SubElement(
        suite,
        "testcase",
        name=_legal(call.name),
        classname=_legal(call.tool),
        time=_seconds(result.execution_time),
    )
    if verdict.differences:
        kind = "failure" if verdict.outcome == "failed" else "error"
        first = verdict.differences[0]
        problem = SubElement(case, kind, message=_legal(first.message), type=first.kind)
        problem.text = _legal("\n".join(one.message for one in verdict.differences))


def _seconds(seconds: float) -> str:
    return f"{seconds:.3f}"


def _legal(text: str) -> str:
    """Control characters as they are written in JSON, so that they can still be told."""
    return _ILLEGAL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
