"""`serve --http`: opens the port on loopback, says where it is reached, and serves there.

Where a window or a daemon has the servers, that serves on this port and this process owns it: when
either ends, the port is closed. The port is opened and the address told here in both cases, so what
a person sees and who is let in is the same. Decides nothing about what is offered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.base.loopback_server import open_socket
from desktop.base.paths import find_paths
from desktop.cli.exit_codes import Exit
from desktop.servers.gateway.address import url_of
from desktop.servers.gateway.token import FILE, read_token

if TYPE_CHECKING:
    import socket
    from pathlib import Path

    from desktop.cli.output import Console
    from desktop.cli.serve_options import ServeOptions
    from desktop.servers.gateway.gateway import Gateway


async def serve_alone(
    gateway: Gateway, options: ServeOptions, folder: Path, console: Console
) -> None:
    """Serve with the servers of this process until cancelled.

    Raises:
        UsageError: the port cannot be used.
        ConfigError: the token cannot be kept in `folder`.
    """
    from desktop.servers.gateway.http import serve_http

    token = read_token(folder, new=options.new_token)
    opened = _open(options)
    _tell(opened.getsockname()[1], token, folder, console)
    await serve_http(gateway, opened, token)


def serve_attached(args: list[str], options: ServeOptions, console: Console) -> int | None:
    """Have the run that has the servers serve on our port; None where there is no such run.

    Raises:
        UsageError: the port cannot be used.
        ConfigError: the token cannot be kept.
    """
    from desktop.cli.attach import protocol
    from desktop.cli.attach.client import wants_own_run
    from desktop.cli.attach.way import find_run

    if not protocol.IS_SUPPORTED or wants_own_run(args) or (run := find_run(args)) is None:
        return None
    from desktop.cli.attach.served_client import hand_over_port, leave_port, wait_for_end

    folder = find_paths(options.config, options.data_dir).data
    with run:
        token = read_token(folder, new=options.new_token)
        with _open(options) as opened:
            port = opened.getsockname()[1]
            if not hand_over_port(run, opened, options.client):
                return None
        _tell(port, token, folder, console)
        if not console.as_json:
            console.write("The open window or daemon serves there, with the servers that it runs.")
        try:
            code = wait_for_end(run)
        except KeyboardInterrupt:
            leave_port(run)
            raise
    if code is not None:
        return code
    console.note(
        f"mcp-desktop: The app that served {url_of(port)} was closed. Start this again: without the"
        " app, servers of its own are started."
    )
    return Exit.UNREACHABLE


def _open(options: ServeOptions) -> socket.socket:
    return open_socket(options.http or 0)


def _tell(port: int, token: str, folder: Path, console: Console) -> None:
    url, file = url_of(port), folder / FILE
    if console.as_json:
        console.document({"url": url, "token_file": str(file)})
        return
    console.write(f"Serving at {url}")
    # On a terminal alone: what goes into a file or a journal is read by others, too.
    if console.width is not None:
        console.write(f"Authorization: Bearer {token}")
    console.write(f"The token is in {file}; Ctrl+C ends the gateway.")
