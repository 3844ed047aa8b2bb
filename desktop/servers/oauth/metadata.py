"""Where the documents are that say how one signs in to a server; the SDK knows the addresses.

Fetches nothing. Source: RFC 9728, RFC 8414; MCP specification, basic/authorization.
"""

from __future__ import annotations

import httpx2
from mcp.client.auth.utils import (
    build_oauth_authorization_server_metadata_discovery_urls,
    build_protected_resource_metadata_discovery_urls,
    extract_resource_metadata_from_www_auth,
)

from desktop.servers.state import UNAUTHORIZED


def resource_metadata_urls(challenge: str, url: str) -> list[str]:
    """Where the metadata of a server may be, the likeliest first.

    Args:
        challenge: its `WWW-Authenticate`; may be empty.
        url: the server's.
    """
    headers = {"www-authenticate": challenge} if challenge else {}
    refusal = httpx2.Response(UNAUTHORIZED, headers=headers)
    named = extract_resource_metadata_from_www_auth(refusal)
    return build_protected_resource_metadata_discovery_urls(named, url)


def server_metadata_urls(issuer: str | None, url: str) -> list[str]:
    """Where the metadata of an authorization server may be, the likeliest first.

    Args:
        issuer: what the server named; None where it named none.
        url: the server's.
    """
    return build_oauth_authorization_server_metadata_discovery_urls(issuer, url)
