"""The allow-list."""

from __future__ import annotations

import subprocess

from builtin_servers.catalog import CATALOG
from builtin_servers.framework.tool import BuiltinServer
from builtin_servers.launch import make_server
from tests.builtin_command import run_code


def test_each_name_leads_to_a_server_of_that_name_and_title() -> None:
    for name, entry in CATALOG.items():
        server = make_server(name)
        assert isinstance(server, BuiltinServer)
        assert (server.name, server.title) == (name, entry.title)
        assert entry.description


def test_the_catalog_imports_no_server() -> None:
    code = "import builtin_servers.catalog; print([m for m in sys.modules if 'builtin_s' in m])"
    command, args = run_code(code)
    done = subprocess.run([command, *args], capture_output=True, text=True, timeout=30, check=True)
    assert done.stdout.strip() == "['builtin_servers', 'builtin_servers.catalog']"
