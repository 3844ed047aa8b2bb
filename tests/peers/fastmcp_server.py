"""A server as people write them with FastMCP, over HTTP: `fastmcp_server.py PORT [ISSUER]`.

With an issuer it wants a token of that authorization server. Runs in the environment of the peers,
and not in ours.
"""

# FastMCP is where this runs, and not where it is checked.
# pyright: basic, reportMissingImports=false

from __future__ import annotations

import sys

from fastmcp import FastMCP
from fastmcp.server.auth import RemoteAuthProvider
from fastmcp.server.auth.providers.jwt import JWTVerifier

PORT, *ISSUER = sys.argv[1:]
ADDRESS = f"http://127.0.0.1:{PORT}"


def guard(issuer: str) -> RemoteAuthProvider:
    verifier = JWTVerifier(
        jwks_uri=f"{issuer}/jwks",
        issuer=issuer,
        audience=f"{ADDRESS}/mcp",
        required_scopes=["greet"],
    )
    return RemoteAuthProvider(verifier, [issuer], base_url=ADDRESS)


server = FastMCP("greeter", auth=guard(ISSUER[0]) if ISSUER else None)


@server.tool
def greet(name: str) -> str:
    """Greet a person."""
    return f"Hello, {name}!"


@server.tool
def add(a: int, b: int = 2) -> int:
    """Add two numbers."""
    return a + b


if __name__ == "__main__":
    server.run(transport="http", host="127.0.0.1", port=int(PORT), show_banner=False)
