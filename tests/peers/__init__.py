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

from tests.peers import postgres_cluster

ROOT = Path(__file__).parents[2]
PEERS = ROOT / ".peers"
MODULES = PEERS / "node" / "node_modules"
PYTHON = PEERS / "python" / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
SERVERS = "@modelcontextprotocol/server-"
PLAYWRIGHT = "@playwright/mcp"


def _script(package: str) -> Path:
    return MODULES / package / ("cli.js" if package == PLAYWRIGHT else "dist/index.js")


def _node_command(package: str) -> list[str]:
    """`node script`, not `npx`: nothing is fetched, and the PID is the server's own."""
    return [shutil.which("node") or "node", str(_script(package))]


def everything_command(transport: str = "stdio") -> list[str]:
    """`transport`: "stdio", "sse" (/sse) or "streamableHttp" (/mcp), on the port in PORT."""
    return [*_node_command(SERVERS + "everything"), transport]


def filesystem_command(*folders: Path) -> list[str]:
    """Serves the files in `folders`, at least one."""
    return [*_node_command(SERVERS + "filesystem"), *map(str, folders)]


def memory_command() -> list[str]:
    """Keeps its graph in the file named by MEMORY_FILE_PATH: set it, or it is written to .peers."""
    return _node_command(SERVERS + "memory")


def sequential_thinking_command() -> list[str]:
    return _node_command(SERVERS + "sequential-thinking")


def postgres_command(url: str) -> list[str]:
    """Queries the database at `url`."""
    return [*_node_command(SERVERS + "postgres"), url]


def playwright_command() -> list[str]:
    """Drives the Chromium of the machine, without a screen and with a profile of its own."""
    # Chromium's own sandbox does not start as root, which a container's only user is.
    options = ("--headless", "--isolated", "--no-sandbox", "--executable-path", chromium())
    return [*_node_command(PLAYWRIGHT), *options]


def app_server_command(name: str) -> list[str]:
    """A published example of MCP Apps: "basic-vanillajs" or "budget-allocator"."""
    return [*_node_command(SERVERS + name), "--stdio"]


def time_command(timezone: str = "UTC") -> list[str]:
    return [str(PYTHON), "-m", "mcp_server_time", "--local-timezone", timezone]


def git_command(repository: Path) -> list[str]:
    return [str(PYTHON), "-m", "mcp_server_git", "--repository", str(repository)]


def fetch_command() -> list[str]:
    """Fetches from this machine, too."""
    return [str(PYTHON), "-m", "mcp_server_fetch", "--allow-private-ips"]


def duckdb_command(database: Path) -> list[str]:
    """The DuckDB server of MotherDuck on a file, which it may write."""
    options = ("--db-path", str(database), "--read-write")
    return [str(PYTHON.with_name("mcp-server-motherduck")), *options]


def fastmcp_command(port: int) -> list[str]:
    """A server written with FastMCP, at http://127.0.0.1:port/mcp."""
    return [str(PYTHON), str(Path(__file__).with_name("fastmcp_server.py")), str(port)]


def authorization_server_command(port: int, resource: str) -> tuple[list[str], dict[str, str]]:
    """oidc-provider at http://127.0.0.1:port, with what its environment needs.

    Args:
        port: to listen at.
        resource: the MCP server that it gives tokens for.
    """
    script = Path(__file__).with_name("authorization_server.mjs")
    command = [shutil.which("node") or "node", str(script), str(port), resource]
    return command, {"MODULES": str(MODULES)}


def chromium() -> str:
    """Path of Debian's Chromium, empty where it is not installed."""
    return shutil.which("chromium") or ""


def nginx() -> str:
    """Path of nginx, empty where it is not installed; Debian has it where only root looks."""
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin") or ""


def tinyproxy() -> str:
    """Path of Tinyproxy, empty where it is not installed."""
    return shutil.which("tinyproxy") or shutil.which("tinyproxy", path="/usr/sbin") or ""


def node_skip_reason(package: str) -> str:
    """Empty where `package` can be started."""
    if not shutil.which("node"):
        return "node is not installed"
    return "" if _script(package).is_file() else f"{package} is not installed: make peers"


def _library_skip_reason(package: str) -> str:
    if not shutil.which("node"):
        return "node is not installed"
    is_there = (MODULES / package / "package.json").is_file()
    return "" if is_there else f"{package} is not installed: make peers"


def python_skip_reason() -> str:
    """Empty where the servers from PyPI can be started."""
    return "" if PYTHON.exists() else "the servers from PyPI are not installed: make peers"


def _program_skip_reason(program: str, path: str) -> str:
    return "" if path else f"{program} is not installed"


def _needs(reason: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(bool(reason), reason=reason or "installed")


needs_everything = _needs(node_skip_reason(SERVERS + "everything"))
needs_filesystem = _needs(node_skip_reason(SERVERS + "filesystem"))
needs_memory = _needs(node_skip_reason(SERVERS + "memory"))
needs_sequential_thinking = _needs(node_skip_reason(SERVERS + "sequential-thinking"))
needs_playwright = _needs(
    node_skip_reason(PLAYWRIGHT) or _program_skip_reason("chromium", chromium())
)
needs_app_servers = _needs(
    node_skip_reason(SERVERS + "basic-vanillajs") or node_skip_reason(SERVERS + "budget-allocator")
)
needs_postgres = _needs(
    node_skip_reason(SERVERS + "postgres")
    or _program_skip_reason("postgres", str(postgres_cluster.programs() or ""))
)
needs_authorization_server = _needs(python_skip_reason() or _library_skip_reason("oidc-provider"))
needs_pypi = _needs(python_skip_reason())
needs_tinyproxy = _needs(_program_skip_reason("tinyproxy", tinyproxy()))
needs_nginx = _needs(_program_skip_reason("nginx", nginx()))
needs_fastmcp_behind_nginx = _needs(python_skip_reason() or _program_skip_reason("nginx", nginx()))
