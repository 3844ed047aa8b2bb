"""Holds a JUnit report against the form that build servers read."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xml.etree import ElementTree

NUMBERS = {"tests", "failures", "errors"}


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
            assert {child.tag for child in case} <= {"failure", "error", "skipped"}
    for number in NUMBERS:
        assert int(root.attrib[number]) == sum(int(suite.attrib[number]) for suite in root)
