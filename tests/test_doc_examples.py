"""What a page tells people to type works as it stands: commands and programs, one page after one.

In a home that was never used, and in one that was. What needs a network or the repository's own
tools is left out by its words.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
PAGES = (
    "README.md",
    "docs/add-a-server.md",
    "docs/beyond-one-machine.md",
    "docs/ci.md",
    "docs/clients.md",
    "docs/first-steps.md",
    "docs/one-panel.md",
    "docs/saved-calls.md",
    "docs/security.md",
    "docs/troubleshooting.md",
)
ELSEWHERE = ("uvx", "pipx", "pip", "make", "git", "podman")
"""Programs that need a network, or more than a Python with the package."""
SERVER = f"""\
import runpy
runpy.run_path({str(ROOT / "tests" / "servers" / "notes.py")!r}, run_name="__main__")
"""
SERVERS = '{"mcpServers": {"notes": {"command": "python", "args": ["server.py"]}}}'

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the commands are for a shell")


class Home(NamedTuple):
    """A person's folder with the server of the pages, and the commands in the PATH."""

    folder: Path
    environment: dict[str, str]

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=50,
            check=False,
        )


@pytest.fixture
def home(request: pytest.FixtureRequest, tmp_path: Path) -> Home:
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, words in (("mcp-desktop", " -m desktop"), ("python", "")):
        file = programs / name
        file.write_text(f'#!/bin/sh\nexec {sys.executable}{words} "$@"\n', "utf-8")
        file.chmod(0o755)
    kept = {name: text for name, text in os.environ.items() if not name.startswith("MCP_")}
    environment = {
        **kept,
        "HOME": str(tmp_path / "home"),
        "XDG_CONFIG_HOME": str(tmp_path / "home" / ".config"),
        "XDG_DATA_HOME": str(tmp_path / "home" / ".local" / "share"),
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
    }
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "server.py").write_text(SERVER, "utf-8")
    (tmp_path / "work" / "servers.json").write_text(SERVERS, "utf-8")
    made = Home(tmp_path / "work", environment)
    if request.param == "used":
        assert (
            made.run("mcp-desktop", "call", "calculator:evaluate", "expression=1").returncode == 0
        )
    return made


def blocks(page: str, language: str) -> list[str]:
    """The code of a page in this language, in its order."""
    text = (ROOT / page).read_text("utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def commands(page: str) -> Iterator[str]:
    for block in blocks(page, "sh"):
        for line in block.replace("\\\n", " ").splitlines():
            if not line.strip() or line.split()[0] in ELSEWHERE or "//example.com" in line:
                continue
            yield line


WHERE = [
    *((page, "fresh") for page in PAGES),
    (PAGES[0], "used"),
    *(pytest.param(page, "used", marks=pytest.mark.exhaustive) for page in PAGES[1:]),
]


def test_a_translated_page_has_the_same_commands() -> None:
    for translated in (*ROOT.glob("*.zh-CN.md"), *ROOT.glob("docs/*.zh-CN.md")):
        page = translated.with_name(translated.name.replace(".zh-CN", ""))
        same, other = (
            [line.partition(" # ")[0].rstrip() for line in commands(str(each))]
            for each in (page, translated)
        )
        assert other == same, translated.name


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("page", "home"), WHERE, indirect=["home"])
def test_the_commands_of_a_page_work_as_they_stand(home: Home, page: str) -> None:
    lines = list(commands(page))
    assert lines
    for line in lines:
        done = home.run("sh", "-c", line)
        assert done.returncode == 0, (line, done.stdout, done.stderr)
        assert done.stdout.strip() or line.startswith("mkdir"), line
