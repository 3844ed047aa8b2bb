"""The published MCP servers that `make peers` installs into .peers: their commands, or why not.

@pytest.mark.real_servers
@peers.needs_everything
async def test_...(): command, *args = peers.everything_command()
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PEERS = ROOT / ".peers"
SCOPE = PEERS / "node" / "node_modules" / "@modelcontextprotocol"


def _script(package: str) -> Path:
    return SCOPE / package / "dist" / "index.js"


def _python(name: str) -> Path:
    inside = "Scripts/python.exe" if sys.platform == "win32" else "bin/python"
    return PEERS / name / inside


def _node_command(package: str) -> list[str]:
    """`node script`, not `npx`: nothing is fetched, and the PID is the server's own."""
    return [shutil.which("node") or "node", str(_script(package))]


def everything_command(transport: str = "stdio") -> list[str]:
    """`transport`: "stdio", "sse" (/sse) or "streamableHttp" (/mcp), on the port in PORT."""
    return [*_node_command("server-everything"), transport]


def filesystem_command(*folders: Path) -> list[str]:
    """Serves the files in `folders`, at least one."""
    return [*_node_command("server-filesystem"), *map(str, folders)]


def memory_command() -> list[str]:
    """Keeps its graph in the file named by MEMORY_FILE_PATH: set it, or it is written to .peers."""
    return _node_command("server-memory")


def time_command(timezone: str = "UTC") -> list[str]:
    return [str(_python("time")), "-m", "mcp_server_time", "--local-timezone", timezone]


def git_command(repository: Path) -> list[str]:
    return [str(_python("git")), "-m", "mcp_server_git", "--repository", str(repository)]


def node_skip_reason(package: str) -> str:
    """Empty where `package` can be started."""
    if not shutil.which("node"):
        return "node is not installed"
    return "" if _script(package).is_file() else f"{package} is not installed: make peers"


def python_skip_reason(name: str) -> str:
    """Empty where the server `name` can be started."""
    return "" if _python(name).exists() else f"mcp-server-{name} is not installed: make peers"


def _needs(reason: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(bool(reason), reason=reason or "installed")


needs_everything = _needs(node_skip_reason("server-everything"))
needs_filesystem = _needs(node_skip_reason("server-filesystem"))
needs_memory = _needs(node_skip_reason("server-memory"))
needs_time = _needs(python_skip_reason("time"))
needs_git = _needs(python_skip_reason("git"))
