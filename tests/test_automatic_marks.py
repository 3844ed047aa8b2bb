"""Which tests are marked as starting a process, seen at functions that are never run."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from desktop.processes.process import LaunchSpec
from tests import server_commands
from tests.automatic_marks import PRODUCT_STARTERS, starts_process

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QApplication


def by_subprocess() -> object:
    return subprocess.run([])


def by_an_interpreter() -> object:
    return [sys.executable]


async def by_asyncio() -> object:
    return await asyncio.create_subprocess_exec("sh")


def by_a_function_of_tests() -> object:
    return server_commands.command("plain")


def by_one_inside() -> object:
    return [by_subprocess() for _ in "ab"]


def by_the_product() -> object:
    return LaunchSpec("sh", (), {})


def by_the_name_of_a_tool(call: Callable[[str], object]) -> object:
    return call("run_command")


class Starter:
    def start(self) -> object:
        return by_subprocess()


def by_a_class() -> object:
    return Starter()


def without() -> object:
    return os.getpid(), sys.version, asyncio.sleep(0)


@pytest.mark.parametrize(
    "function",
    [
        by_subprocess,
        by_an_interpreter,
        by_asyncio,
        by_a_function_of_tests,
        by_one_inside,
        by_the_product,
        by_the_name_of_a_tool,
        by_a_class,
    ],
)
def test_what_names_a_starter_is_a_process(function: Callable[..., object]) -> None:
    assert starts_process(function)


def test_other_functions_of_the_same_modules_are_none() -> None:
    assert not starts_process(without)


def test_what_needs_neither_has_no_mark(
    request: pytest.FixtureRequest,
) -> None:
    assert [mark.name for mark in request.node.iter_markers()] == []


def test_a_test_of_a_widget_is_marked_as_such(
    request: pytest.FixtureRequest, qapp: QApplication
) -> None:
    assert [mark.name for mark in request.node.iter_markers()] == ["gui"]
    assert qapp is not None


def test_each_name_of_the_product_still_stands_in_it() -> None:
    """A name that was changed there alone would mark nothing any more."""
    root = Path(__file__).parent.parent
    sources = [
        *(root / "desktop").rglob("*.py"),
        *(root / "builtin_servers").rglob("*.py"),
        *(root / "resources/packaging").glob("*.py"),
    ]
    words = {file.stem for file in sources}
    for file in sources:
        words |= set(
            re.findall(r"^\s*(?:class|(?:async )?def) (\w+)", file.read_text("utf-8"), re.M)
        )
    assert words >= PRODUCT_STARTERS
