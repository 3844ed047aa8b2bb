"""Lines are found, no expression holds the server up, and what patterns mean."""

from __future__ import annotations

import os
import sys
import threading
from typing import TYPE_CHECKING, Any

import psutil
import pytest

if sys.platform == "win32":
    raise pytest.skip.Exception("the filesystem server is for POSIX", allow_module_level=True)

from builtin_servers.files import search
from builtin_servers.files.roots import Roots
from builtin_servers.files.search import (
    ContentSearch,
    compile_glob,
    compile_globs,
    compile_pattern,
    search_content,
)
from builtin_servers.framework.tool import CallContext, ToolCallError
from tests.builtin_command import InProcess, ignore

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.txt").write_text("zero\nFirst hit\nlast\n")
    (tmp_path / "sub" / "b.py").write_text("hit = 1  # a.c\n")
    (tmp_path / "binary").write_bytes(b"hit\0")
    (tmp_path / "link").symlink_to("/etc/passwd")
    os.mkfifo(tmp_path / "pipe")
    return tmp_path


def found(folder: Path, **arguments: Any) -> list[tuple[str, int]]:
    reply = InProcess("filesystem", folder).structured("search_content", path=".", **arguments)
    return [(match["path"], match["line"]) for match in reply["matches"]]


def test_lines_are_found_by_text_or_expression_in_files_that_fit(folder: Path) -> None:
    assert found(folder, pattern="HIT") == [("a.txt", 2), ("sub/b.py", 1)]
    assert found(folder, pattern="hit", ignoreCase=False, filePattern="*.py") == [("sub/b.py", 1)]
    assert found(folder, pattern="a.c") == [("sub/b.py", 1)]
    assert found(folder, pattern="^(zero|last)$", isRegex=True) == [("a.txt", 1), ("a.txt", 3)]
    assert found(folder, pattern="hit", excludePatterns=["sub"]) == [("a.txt", 2)]
    assert found(folder, pattern="root") == []


def test_one_file_can_be_searched(folder: Path) -> None:
    files = InProcess("filesystem", folder)
    assert files("search_content", path="a.txt", pattern="last").text == "a.txt:3: last"


def test_context_is_shown_around(folder: Path) -> None:
    files = InProcess("filesystem", folder)
    shown = files("search_content", path=".", pattern="first", contextLines=1).text
    assert shown == "a.txt-1- zero\na.txt:2: First hit\na.txt-3- last\n--"


def test_the_number_of_matches_is_limited_and_said(folder: Path) -> None:
    reply = InProcess("filesystem", folder)("search_content", path=".", pattern="hit", maxResults=1)
    assert reply.text == "a.txt:2: First hit\n[Only the first 1 matches are shown.]"


@pytest.mark.parametrize("pattern", ["(", "[z-a]", "(" * 500 + ")" * 499])
def test_what_is_no_expression_is_said(folder: Path, pattern: str) -> None:
    with pytest.raises(ToolCallError, match="no regular expression"):
        found(folder, pattern=pattern, isRegex=True)


def endless(folder: Path, call: CallContext, timeout: float) -> dict[str, Any]:
    (folder / "a.txt").write_text("a" * 60 + "!")
    pattern = compile_pattern("(a+)+$", is_regex=True, ignore_case=False)
    wanted = ContentSearch(pattern, lambda _: True, compile_globs([]), context=0, max_results=5)
    with Roots([str(folder)]).resolve(".") as rooted:
        return search_content(rooted, call, wanted, timeout)


def test_an_expression_that_never_ends_is_stopped_at_the_limit(folder: Path) -> None:
    assert (
        "stopped at its limit of 0.2 s" in endless(folder, CallContext({}, ignore), 0.2)["notes"][0]
    )


def test_a_search_is_stopped_when_cancelled(folder: Path) -> None:
    call = CallContext({}, ignore)
    timer = threading.Timer(0.2, call.cancel)
    timer.start()
    with pytest.raises(ToolCallError, match="Cancelled"):
        endless(folder, call, 30)
    timer.join()


def test_a_large_file_is_searched_in_part_and_that_is_said(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "MAX_FILE_BYTES", 4)
    reply = InProcess("filesystem", folder)("search_content", path="a.txt", pattern="hit")
    assert "only the first 4 B were searched" in reply.text


def test_no_process_is_left(folder: Path) -> None:
    before = psutil.Process().children()  # what other tests share lives on; zombies count, too
    found(folder, pattern="hit")
    assert [child for child in psutil.Process().children() if child not in before] == []


@pytest.mark.parametrize(
    ("pattern", "path", "fits"),
    [
        ("*.py", "a.py", True),
        ("*.py", "x/y/a.py", True),
        ("/*.py", "x/a.py", False),
        ("x/*.py", "x/a.py", True),
        ("x/*.py", "x/y/a.py", False),
        ("**/a.py", "a.py", True),
        ("**/a.py", "x/y/a.py", True),
        ("x/**", "x/y/z", True),
        ("x/**/z", "x/z", True),
        ("x/**/z", "x/a/b/z", True),
        ("**", "x/y", True),
        ("**/**/b", "a/b", True),
        ("a?c", "abc", True),
        ("a?c", "a/c", False),
        ("[ab].txt", "b.txt", True),
        ("[!ab].txt", "b.txt", False),
        ("*.{py,txt}", "d/a.txt", True),
        ("{a,b}/{c,d}", "b/c", True),
        ("node_modules", "x/node_modules", True),
        ("node_modules", "x/node_modules/y", False),
        ("a.b", "axb", False),
        ("a\nb", "a\nb", True),
    ],
)
def test_a_pattern_fits_what_it_means(pattern: str, path: str, fits: bool) -> None:
    assert compile_glob(pattern)(path) is fits


def test_any_of_several_patterns_is_enough() -> None:
    fits = compile_globs(["*.a", "*.b"])
    assert fits("x.b")
    assert not fits("x.c")
    assert not compile_globs([])("x")


@pytest.mark.parametrize("pattern", ["", "x" * 501, "{a,b}" * 7])
def test_patterns_have_a_limit(pattern: str) -> None:
    with pytest.raises(ToolCallError, match="pattern"):
        compile_glob(pattern)


@pytest.mark.parametrize("pattern", ["*a" * 100 + "b", "**/" * 100 + "b", "**" * 200 + "b"])
def test_no_pattern_takes_time_beyond_its_length(pattern: str) -> None:
    assert not compile_glob(pattern)("/".join(["a" * 200] * 50))
