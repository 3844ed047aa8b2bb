"""A pattern that is compiled later behaves as one that is compiled at once."""

from __future__ import annotations

import importlib
import pkgutil
import re
import sys

import pytest

import desktop
from desktop.base.later_patterns import compile_later


def test_it_finds_what_the_pattern_finds() -> None:
    later, early = (make("(?P<word>b+)", re.IGNORECASE) for make in (compile_later, re.compile))
    for _ in range(2):
        assert later.sub(r"<\g<word>>", "aBb") == early.sub(r"<\g<word>>", "aBb") == "a<Bb>"
        assert [found.span() for found in later.finditer("bab")] == [(0, 1), (2, 3)]
    assert (later.pattern, later.flags, later.groupindex) == (
        *(early.pattern, early.flags, early.groupindex),
    )


def test_bytes_are_searched_with_bytes() -> None:
    assert compile_later(rb"\d+").findall(b"1 22") == [b"1", b"22"]


def test_one_that_is_wrong_says_so_when_it_is_used() -> None:
    wrong = compile_later("(")
    with pytest.raises(re.error, match="unterminated"):
        wrong.search("")


@pytest.mark.skipif(sys.platform != "linux", reason="modules for Linux are imported")
def test_every_pattern_of_the_app_can_be_compiled() -> None:
    checked = 0
    for found in pkgutil.walk_packages(desktop.__path__, "desktop."):
        if found.name.endswith(("__main__", ".windows")):
            continue
        for name, value in vars(importlib.import_module(found.name)).items():
            if type(value) is type(compile_later("")):
                assert isinstance(re.compile(value.pattern, value.flags), re.Pattern), name
                checked += 1
    assert checked > 200
