"""`serve --http`: opens the port on loopback, says where it is reached, and serves there.

Where another run has the servers, that serves on this port: the port is opened and the address told
here in both cases, so what a person sees and who is let in is the same. Decides nothing about what
is offered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.base.loopback_server import open_socket
from desktop.features.gateway.address import url_of
from desktop.features.gateway.token import FILE, read_token

if TYPE_CHECKING:
    import socket
    from pathlib import Path

    from desktop.cli.output import Console
    from desktop.features.gateway.cli.serve_options import ServeOptions
    from desktop.features.gateway.server.gateway import Gateway


async def serve_alone(
    gateway: Gateway, options: ServeOptions, folder: Path, console: Console
) -> None:
    """Serve with the servers of this process until cancelled.

    Raises:
        UsageError: the port cannot be used.
        ConfigError: the token cannot be kept in `folder`.
    """
    from desktop.features.gateway.server.http import serve_http

    token = read_token(folder, new=options.new_token)
    opened = open_port(options)
    tell(opened.getsockname()[1], token, folder, console)
    await serve_http(gateway, opened, token)


def open_port(options: ServeOptions) -> socket.socket:
    """The socket that listens.

    Raises:
        UsageError: the port cannot be used.
    """
    return open_socket(options.http or 0)


def tell(port: int, token: str, folder: Path, console: Console) -> None:
    """Say where clients find the gateway, and what they have to send."""
    url, file = url_of(port), folder / FILE
    if console.as_json:
        console.document({"url": url, "token_file": str(file)})
        return
    console.write(f"Serving at {url}")
    # On a terminal alone: what goes into a file or a journal is read by others, too.
    if console.width is not None:
        console.write(f"Authorization: Bearer {token}")
    console.write(f"The token is in {file}; Ctrl+C ends the gateway.")
