"""Replaces pieces of a text and shows the difference. Does no I/O.

A piece is found as it stands; failing that with the file's line ends; failing that by its lines
without their indentation, which the new lines then take over (as the reference server does).
"""

from __future__ import annotations

from builtin_servers.call import ToolError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

_SHOWN = 80


def apply_edits(text: str, edits: Iterable[Mapping[str, Any]]) -> str:
    """`text` after each edit in turn: `oldText`, `newText`, `replaceAll`.

    Raises:
        ToolError: a piece is not there, or is there more than once and not all are meant.
    """
    for number, edit in enumerate(edits, 1):
        old, new = edit["oldText"], edit["newText"]
        if not old:
            raise ToolError(f"Edit {number}: oldText is empty; write_file writes a whole file")
        text = _apply(text, old, new, number, replace_all=edit.get("replaceAll", False))
    return text


def diff(before: str, after: str, path: str) -> str:
    """The unified difference; empty where there is none."""
    from difflib import unified_diff

    lines = unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), f"a/{path}", f"b/{path}"
    )
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )


def _apply(text: str, old: str, new: str, number: int, *, replace_all: bool) -> str:
    if old not in text and "\r\n" in text:
        old, new = _with_crlf(old), _with_crlf(new)
    count = text.count(old)
    if count > 1 and not replace_all:
        raise ToolError(
            f"Edit {number}: oldText is there {count} times: give more of what stands around it, "
            "or set replaceAll"
        )
    if count:
        return text.replace(old, new)
    return _apply_by_lines(text, old, new, number)


def _with_crlf(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\n", "\r\n")


def _apply_by_lines(text: str, old: str, new: str, number: int) -> str:
    lines = text.split("\n")
    wanted = [line.strip() for line in old.strip("\r\n").split("\n")]
    stripped = [line.strip() for line in lines]
    size = len(wanted)
    found = [
        start
        for start in range(len(lines) - size + 1)
        if stripped[start] == wanted[0] and stripped[start : start + size] == wanted
    ]
    if not found or not any(wanted):
        shown = repr(old[:_SHOWN]) + ("…" if len(old) > _SHOWN else "")
        raise ToolError(f"Edit {number}: oldText is not in the file: {shown}")
    if len(found) > 1:
        places = ", ".join(str(start + 1) for start in found[:10])
        raise ToolError(f"Edit {number}: oldText fits more than once, at lines {places}")
    start = found[0]
    indented = _indent(new.strip("\r\n").split("\n"), old.strip("\r\n"), lines[start])
    return "\n".join([*lines[:start], *indented, *lines[start + size :]])


def _indent(new: list[str], old: str, first: str) -> list[str]:
    """The new lines moved by as much as the file's first line stands apart from the old one."""
    have = first[: len(first) - len(first.lstrip())]
    wrote = old[: len(old) - len(old.lstrip(" \t"))]
    end = "\r" if first.endswith("\r") else ""
    moved: list[str] = []
    for line in new:
        bare = line.rstrip("\r")
        if bare.strip() and bare.startswith(wrote):
            bare = have + bare[len(wrote) :]
        moved.append(bare + end)
    return moved
