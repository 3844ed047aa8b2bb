from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from desktop.cli.programs import programs_behind, version

if TYPE_CHECKING:
    from pathlib import Path


def script(folder: Path, text: str) -> str:
    file = folder / "program"
    file.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    file.chmod(0o755)
    return str(file)


@pytest.mark.parametrize(
    ("command", "programs"),
    [
        ("npx", ("npx", "node")),
        ("/usr/bin/uvx", ("uvx",)),
        ("NPX.cmd", ("npx", "node")),
        ("python3", ()),
        ("my-server", ()),
    ],
)
def test_the_programs_that_run_other_peoples_servers_are_known(
    command: str, programs: tuple[str, ...]
) -> None:
    assert programs_behind(command) == programs


async def test_the_version_is_the_first_line(tmp_path: Path) -> None:
    program = script(tmp_path, 'echo "v22.1.0 $1"; echo more')
    assert await version(program, os.environ) == "v22.1.0 --version"


async def test_a_program_that_says_nothing_or_fails_has_no_version(tmp_path: Path) -> None:
    assert await version(script(tmp_path, "exit 3"), os.environ) == ""
    assert await version(str(tmp_path / "missing"), os.environ) == ""


async def test_a_program_that_does_not_end_is_ended(tmp_path: Path) -> None:
    assert await version(script(tmp_path, "sleep 600 & sleep 600"), os.environ, limit=0.2) == ""
