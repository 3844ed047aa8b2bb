"""What Windows cannot have is offered nowhere there, and whoever names it is told why."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

from builtin_servers.catalog import CATALOG, offered

if TYPE_CHECKING:
    from pathlib import Path

AS_ON_WINDOWS = """
import json, sys
from builtin_servers import catalog
catalog.CATALOG = catalog.offered("win32")
from desktop.__main__ import main
for words in json.loads(sys.argv[1]):
    print("exit code", main(words), file=sys.stderr)
"""
WHY = "on Windows, links could lead out of its folders"


def run(folder: Path, *commands: list[str]) -> tuple[str, str]:
    """What the commands print on a system with the built-in servers of Windows."""
    paths = ("--config", str(folder / "mcp.json"), "--data-dir", str(folder / "data"))
    words = json.dumps([[*command, *paths] for command in commands])
    done = subprocess.run(
        [sys.executable, "-c", AS_ON_WINDOWS, words],
        env={**os.environ, "OPENAI_API_KEY": "none"},
        capture_output=True,
        encoding="utf-8",
        timeout=50,
        check=True,
    )
    return done.stdout, done.stderr


def test_the_files_are_offered_nowhere_on_windows_and_who_names_them_is_told_why(
    tmp_path: Path,
) -> None:
    entry = {"builtin": "filesystem", "args": [str(tmp_path)]}
    (tmp_path / "mcp.json").write_text(json.dumps({"mcpServers": {"files": entry}}), "utf-8")
    assert [name for name in CATALOG if name not in offered("win32")] == ["filesystem"]
    out, errors = run(
        tmp_path,
        ["builtin"],
        ["builtin", "-h"],
        ["ask", "-h"],
        ["builtin", "filesystem"],
        ["--verbose", "builtin", "filesystem"],
        ["ask", "x", "--builtin", "filesystem .", "--provider", "openai", "--model", "m"],
        ["call", "files:list_directory"],
    )
    assert "sqlite" in out
    assert "filesystem" not in out
    assert errors.count("exit code 2") == errors.count(WHY) == 4
