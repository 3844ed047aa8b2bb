"""What patterns mean, and that none takes long."""

from __future__ import annotations

import pytest

from builtin_servers.call import ToolError
from builtin_servers.files.globs import compile_glob, compile_globs


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
    with pytest.raises(ToolError, match="pattern"):
        compile_glob(pattern)


@pytest.mark.parametrize("pattern", ["*a" * 100 + "b", "**/" * 100 + "b", "**" * 200 + "b"])
def test_no_pattern_takes_time_beyond_its_length(pattern: str) -> None:
    assert not compile_glob(pattern)("/".join(["a" * 200] * 50))
