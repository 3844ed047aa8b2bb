"""All of the package `mcp` is imported from one module, and comes without the SDK's server."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

from desktop.servers import sdk

SERVERS = Path(sdk.__file__).parent


def packages(file: Path) -> set[str]:
    """What is imported when the module is, for its types alone not counted."""
    body = ast.parse(file.read_text(encoding="utf-8")).body
    froms = {node.module or "" for node in body if isinstance(node, ast.ImportFrom)}
    plain = {name.name for node in body if isinstance(node, ast.Import) for name in node.names}
    return {name.partition(".")[0] for name in froms | plain}


def test_no_other_module_imports_the_sdk_by_itself() -> None:
    assert [file.name for file in SERVERS.glob("*.py") if "mcp" in packages(file)] == ["sdk.py"]


def test_the_core_comes_without_the_server() -> None:
    code = """
import sys
import desktop.core
print("mcp" in sys.modules, [name for name in sys.modules if name.startswith("mcp.server")])
"""
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert found.stdout.strip() == "True []"


PLAIN_SESSION = """
import asyncio, sys
from desktop.config.models import ServerConfig
from desktop.host import McpHost
from tests.server_commands import command

program, args = command("plain")
plain = ServerConfig(name="plain", command=program, args=tuple(args))
builtin = ServerConfig(name="builtin", builtin="calculator")

async def main():
    async with McpHost(servers=[plain, builtin]) as host:
        await host.load_tools()
        print((await host.call_tool("plain:add", {"a": 1, "b": 2})).output)
        print((await host.call_tool("builtin:evaluate", {"expression": "1 + 2"})).output)
        eras = {each.about.protocol for each in host.core.service.connections.values()} - {""}
        print(sorted(eras))
    print([name for name in sys.modules if name.startswith("mcp_types._v")])

asyncio.run(main())
"""


def test_plain_answers_of_either_generation_bring_none_of_its_models(tmp_path: Path) -> None:
    found = subprocess.run(
        [sys.executable, "-c", PLAIN_SESSION],
        cwd=SERVERS.parents[1],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert found.stdout.split() == ["3", "3", "['2025-11-25',", "'2026-07-28']", "[]"]
