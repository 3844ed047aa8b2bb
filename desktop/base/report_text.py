"""Reports for build servers (JUnit XML) and for pull requests (Markdown), whatever a server said.

Nothing that a server said becomes markup. Sources: the schema of Jenkins' xunit plug-in,
`junit-10.xsd`; GitHub Flavored Markdown, 6.1 and 4.5; GitHub's limit for a comment, 65,536
characters. Pure: writes no file, and must not know what was tested.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from msgspec import Struct

from desktop.base.later_patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from xml.etree.ElementTree import Element

MAX_MARKDOWN: Final = 60_000
MAX_CELL: Final = 120
MAX_MESSAGE: Final = 500
_MAX_BLOCK: Final = 4_000

# What XML 1.0 cannot have, not even escaped (section 2.2).
_ILLEGAL = compile_later("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

CaseEnd: TypeAlias = Literal["passed", "failure", "error", "skipped"]


class JunitCase(Struct, frozen=True):
    """One test: what became of it, and in `lines` why; the first is its message."""

    name: str
    classname: str
    end: CaseEnd = "passed"
    lines: Sequence[str] = ()
    kind: str = ""
    seconds: float = 0.0


class JunitSuite(Struct, frozen=True):
    """The tests of one file or server."""

    name: str
    cases: Sequence[JunitCase]


def to_junit(suites: Sequence[JunitSuite]) -> str:
    """The whole document."""
    # Here and not above: every run of the app imports this module, few write XML.
    from xml.etree.ElementTree import Element, SubElement, indent, tostring

    root = Element("testsuites", name="mcp-desktop")
    for each in suites:
        suite = SubElement(root, "testsuite", {"name": legal(each.name)} | _counts(each.cases))
        suite.attrib["skipped"] = str(sum(case.end == "skipped" for case in each.cases))
        for case in each.cases:
            _add_case(suite, case)
    root.attrib |= _counts([case for each in suites for case in each.cases])
    indent(root)
    return f"<?xml version='1.0' encoding='utf-8'?>\n{tostring(root, encoding='unicode')}\n"


def _counts(cases: Sequence[JunitCase]) -> dict[str, str]:
    ends = [case.end for case in cases]
    return {
        "tests": str(len(cases)),
        "failures": str(ends.count("failure")),
        "errors": str(ends.count("error")),
        "time": _seconds(sum(case.seconds for case in cases)),
    }


def _add_case(suite: Element, told: JunitCase) -> None:
    from xml.etree.ElementTree import SubElement

    names = {"name": legal(told.name), "classname": legal(told.classname)}
    case = SubElement(suite, "testcase", names, time=_seconds(told.seconds))
    if told.end == "passed":
        return
    said = SubElement(case, told.end, message=legal(told.lines[0]) if told.lines else "")
    if told.end != "skipped":
        said.attrib["type"] = told.kind
        said.text = legal("\n".join(told.lines))


def _seconds(seconds: float) -> str:
    return f"{seconds:.3f}"


def legal(text: str) -> str:
    """Control characters as they are written in JSON, so that they can still be told."""
    return _ILLEGAL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def markdown_row(cells: Iterable[str]) -> str:
    """A line of a table; the cells are Markdown already."""
    return f"| {' | '.join(cells)} |\n"


_PUNCTUATION: Final = compile_later(r"([\\`*_{}\[\]()#+\-.!|~^$:=])")
_ENTITIES: Final = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "&#64;", "\u2028": " "}


def markdown_line(text: str, most: int = MAX_CELL) -> str:
    """One line of plain text: no markup, no link, nobody mentioned."""
    line = " ".join(legal(text[: 4 * most]).split())
    line = line if len(line) <= most else f"{line[:most]}…"
    line = _PUNCTUATION.sub(r"\\\1", line)
    return "".join(_ENTITIES.get(character, character) for character in line)


def markdown_diff(lines: Sequence[str]) -> str:
    """A fenced block that nothing in it can end; nothing for no lines."""
    if not lines:
        return ""
    text = legal("\n".join(lines))
    text = text if len(text) <= _MAX_BLOCK else f"{text[:_MAX_BLOCK]}\n…"
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(longest + 1, 3)
    return f"\n{fence}diff\n{text}\n{fence}\n"
