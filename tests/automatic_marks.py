"""Marks tests by what they use: `gui` for a widget, `process` for a process of their own.

`exhaustive` are those that `make test` leaves to `make test-all` and CI: they try by the hundred
what another test tries once, run published servers, or test the tools that we work with.

Nobody has to remember a mark. What a test uses is read from its code and from that of the fixtures
and of the functions below `tests` that it names. A product function that starts processes is
listed here; a test that starts one without any of these says `@pytest.mark.process` itself.
"""

from __future__ import annotations

from fnmatch import fnmatch
from functools import cache
from inspect import isclass, isfunction, ismodule
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, cast

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

EXHAUSTIVE = (
    "tests/*fuzz*",
    "tests/*/test_soundness.py",
    "tests/conformance/*",
    "tests/gui/test_canaries.py",
    "tests/misbehaving_servers/*",
    "tests/mutants/*",
    "tests/packaging/*",
    "tests/test_peers.py",
    "tests/test_real_servers.py",
    "tests/test_soak.py",
    "tests/tools/test_snippets.py",
    "tests/wild/*",
)
"""Files, as patterns, whose tests are all exhaustive; others have the mark at a test or a case."""
GUI_FIXTURES = {"qtbot", "qapp"}
STARTERS = {
    "subprocess": {"*"},
    "multiprocessing": {"*"},
    "os": {"fork", "posix_spawn", "execv", "popen", "system"},
    "asyncio": {"create_subprocess_exec", "create_subprocess_shell"},
    # Who names an interpreter starts it.
    "sys": {"executable"},
}
"""Modules, and what of them starts a process."""
PRODUCT_STARTERS = {
    "Guardian",
    "LaunchResolver",
    "LaunchSpec",
    "ShellPath",
    "StdioTransport",
    "WindowRun",
    "build_bootstrap",
    "build_core",
    "bundle_licences",
    "bundle_sbom",
    "kill_stubborn_server",
    "find_python",
    "grab_pages",
    "read_version",
    "run_command",
    "search_content",
    "setup_env",
    "try_bundle",
}
"""Names of the product whose use starts a server, a shell or another program."""


def mark(items: list[pytest.Item]) -> None:
    """Add the marks to all tests."""
    for item in items:
        if not isinstance(item, pytest.Function):
            continue
        if any(fnmatch(item.nodeid.partition("::")[0], pattern) for pattern in EXHAUSTIVE):
            item.add_marker("exhaustive")
        if GUI_FIXTURES & set(item.fixturenames):
            item.add_marker("gui")
        if any(starts_process(function) for function in _functions(item)):
            item.add_marker("process")


def _functions(item: pytest.Function) -> Iterator[Callable[..., object]]:
    """The test and all fixtures that it gets, as far as they are ours."""
    yield cast("Callable[..., object]", item.obj)
    # pytest says nowhere else which fixtures it found for a test.
    names = item._fixtureinfo.name2fixturedefs  # pyright: ignore[reportPrivateUsage]
    for definitions in names.values():
        for one in definitions:
            if one.func.__module__.startswith("tests.") and one.func.__module__ != "tests.conftest":
                yield one.func


@cache
def starts_process(function: Callable[..., object]) -> bool:
    """Whether it names what starts a process, itself or by a function of `tests`."""
    return _starts(function, set())


def _starts(found: object, seen: set[int]) -> bool:
    if id(found) in seen:
        return False
    seen.add(id(found))
    if isclass(found):
        return any(_starts(member, seen) for member in vars(found).values())
    function = getattr(found, "__wrapped__", found)
    function = getattr(function, "fget", None) or getattr(function, "__func__", function)
    if not isfunction(function):
        return False
    names = set(_names(function.__code__))
    return any(_is_starter(name, names, function, seen) for name in names)


def _is_starter(name: str, names: set[str], function: FunctionType, seen: set[int]) -> bool:
    if name in PRODUCT_STARTERS:
        return True
    found = function.__globals__.get(name)
    if ismodule(found):
        if starting := STARTERS.get(found.__name__):
            return "*" in starting or bool(starting & names)
        if found.__name__.startswith("tests."):
            return any(_starts(getattr(found, other, None), seen) for other in names)
        return False
    return str(getattr(found, "__module__", "")).startswith("tests.") and _starts(found, seen)


def _names(code: CodeType) -> Iterator[str]:
    """All names and texts in it, those of functions inside included."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
        elif isinstance(constant, str):  # a tool is called by its name
            yield constant
