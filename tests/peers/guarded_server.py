"""A FastMCP server that wants a token of oidc-provider, as people put theirs on the net.

Ends with the context. Any name and password will do to sign in.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from tests import peers
from tests.peers.listening import free_ports, listening

if TYPE_CHECKING:
    from collections.abc import Generator


@contextlib.contextmanager
def serving() -> Generator[tuple[str, str]]:
    """The address of the server, and that of its authorization server."""
    port, behind = free_ports()
    url, issuer = f"http://127.0.0.1:{behind}/mcp", f"http://127.0.0.1:{port}"
    command, env = peers.authorization_server_command(port, url)
    with (
        listening(command, port, env),
        listening([*peers.fastmcp_command(behind), issuer], behind),
    ):
        yield url, issuer


SIGN_IN = """() => {
  document.querySelector("[name=login]").value = "ada";
  document.querySelector("[name=password]").value = "any";
  document.querySelector("form").submit();
}"""
"""What a person does on the page to sign in at, as a script of that page."""

AGREE = '() => { document.querySelector("form").submit(); }'
"""And on the pages after it."""
