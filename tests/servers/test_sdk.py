"""All of the package `mcp` comes from one place, and so without the SDK's server.

The SDK's client comes without the SDK's server, which anybody can still import.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

from desktop.servers import sdk

ROOT = Path(__file__).parent.parent.parent


def run(code: str, *folders: Path) -> list[str]:
    path = os.pathsep.join(map(str, (*folders, ROOT)))
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    ).stdout.splitlines()


def test_the_client_is_imported_without_the_server() -> None:
    code = """
import sys
from desktop.servers.client_import import import_client
import_client()
import mcp
print(mcp.Client.__module__)
print([name for name in sys.modules if name.startswith(("mcp.server", "starlette", "uvicorn"))])
"""
    assert run(code) == ["mcp.client.client", "[]"]


def test_the_server_can_be_imported_afterwards() -> None:
    code = """
from desktop.servers.client_import import import_client
import_client()
import mcp.server
from mcp.server.stdio import stdio_server
print(mcp.server.Server("any").name, stdio_server.__name__)
"""
    assert run(code) == ["any stdio_server"]


def test_an_sdk_that_is_there_already_is_left_as_it_is() -> None:
    code = """
import mcp
from mcp.server import Server
from desktop.servers.client_import import import_client
import_client()
import sys
print(sys.modules["mcp"] is mcp, sys.modules["mcp.server"].Server is Server)
"""
    assert run(code) == ["True True"]


def test_an_sdk_that_needs_its_server_is_imported_whole(tmp_path: Path) -> None:
    package = tmp_path / "mcp"
    (package / "server").mkdir(parents=True)
    (package / "server" / "__init__.py").write_text("LIMIT = 4\n")
    (package / "client.py").write_text("from mcp.server import LIMIT\nDOUBLE = LIMIT * 2\n")
    (package / "__init__.py").write_text("from mcp.client import DOUBLE\n")
    code = """
from desktop.servers.client_import import import_client
import_client()
import mcp
print(mcp.DOUBLE)
"""
    assert run(code, tmp_path) == ["8"]


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


def test_it_gives_the_sdk_itself() -> None:
    import mcp
    from mcp.shared.message import SessionMessage

    assert (sdk.Client, sdk.MCPError) == (mcp.Client, mcp.MCPError)
    assert sdk.SessionMessage is SessionMessage
