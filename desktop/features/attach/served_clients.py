"""Serves clients of the gateway over what other processes hand over, on a core that stays.

The process that a client started has given its standard input and output away and waits. When it is
gone, its client's calls are cancelled; when the client is gone, that process is told to end. One
that serves over HTTP has given away the socket that listens: who is let in is looked at here as it
would be there, and the port is closed when that process is gone.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import os
import socket
import sys
from importlib import import_module
from typing import IO, TYPE_CHECKING, Any

from desktop.base.tasks import spawn
from desktop.cli.exit_codes import Exit
from desktop.features.attach import protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.core import Core
    from desktop.features.attach.lent_core import CoreLender
    from desktop.features.gateway.client_gateways import ClientGateways
    from desktop.tools.approvals import ApprovalPrompter

logger = logging.getLogger(__name__)
_GATEWAYS, _STDIO, _HTTP = (
    "desktop.features.gateway.client_gateways",
    "desktop.features.gateway.server.stdio",
    "desktop.features.gateway.server.http",
)
"""Bring the SDK's server: imported in a thread, with the first client."""


class ServedClients:
    """The clients that one holder serves."""

    def __init__(
        self,
        core: Core,
        lender: CoreLender,
        prompter_of: Callable[[str], ApprovalPrompter] | None,
    ) -> None:
        self._core, self._lender, self._prompter_of = core, lender, prompter_of
        self._gateways: ClientGateways | None = None
        self._running: set[asyncio.Task[None]] = set()

    async def serve(
        self, client: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Serve one until it has left, its process has ended, or `end` was called.

        Raises:
            WrongFrameError: no pipes came.
            TimeoutError: no pipes came in time.
        """
        source, target = await _take_files(writer, 2)
        with os.fdopen(source, "rb", 0) as reading, os.fdopen(target, "wb", 0) as writing:
            serving = spawn(self._serve(client, reading, writing), "serve a client")
            await self._wait(client, serving, reader, writer)

    async def serve_port(
        self, client: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Serve clients over HTTP until the process that opened the port ends, or `end` is called.

        Raises:
            WrongFrameError: no socket came that listens on loopback.
            TimeoutError: none came in time.
            ConfigError: the token cannot be read.
        """
        from desktop.features.gateway.token import read_token

        (number,) = await _take_files(writer, 1)
        with _listening(number) as opened:
            token = read_token(self._core.paths.data)
            writer.write(protocol.encode({"serving": True}))
            serving = spawn(self._serve_port(client, opened, token), "serve clients over HTTP")
            await self._wait(client, serving, reader, writer)

    async def _wait(
        self,
        client: str,
        serving: asyncio.Task[None],
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        leaving = spawn(reader.read(1), "the process of a client")
        self._running.add(serving)
        logger.info("a gateway for %.60r is served here", client)
        try:
            await asyncio.wait({serving, leaving}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._running.discard(serving)
            was_left = serving.done() and not serving.cancelled()
            serving.cancel()
            leaving.cancel()
            await asyncio.wait({serving, leaving})
            # Where it was ended from here, it says so itself.
            frame = {"exit": Exit.DONE} if was_left else {}
            if frame and not writer.is_closing():
                writer.write(protocol.encode(frame))

    def end(self) -> None:
        """End those that are served now."""
        for serving in self._running:
            serving.cancel()

    def close(self) -> None:
        """Serve none any more."""
        self.end()
        if self._gateways is not None:
            self._gateways.close()

    async def _serve(self, client: str, reading: IO[bytes], writing: IO[bytes]) -> None:
        await _import(_GATEWAYS, _STDIO)
        from desktop.features.gateway.server.stdio import serve_pipes

        async with self._opened().open(client) as gateway:
            await serve_pipes(gateway, reading, writing)

    async def _serve_port(self, client: str, opened: socket.socket, token: str) -> None:
        await _import(_GATEWAYS, _HTTP)
        from desktop.features.gateway.server.http import serve_http

        async with self._opened().open(client) as gateway:
            await serve_http(gateway, opened, token)

    def _opened(self) -> ClientGateways:
        if self._gateways is None:
            from desktop.features.gateway.client_gateways import ClientGateways

            more: dict[str, Any] = {"prompter_of": self._prompter_of} if self._prompter_of else {}
            self._gateways = ClientGateways(self._core, otherwise=self._lender.ask_core, **more)
            self._lender.ask_clients(self._gateways.questions)
        return self._gateways


async def _import(*modules: str) -> None:
    for module in modules:  # only now: who hands something over does not wait for that
        await asyncio.to_thread(import_module, module)


def _listening(number: int) -> socket.socket:
    """The socket of this descriptor, if it listens on this machine alone."""
    try:
        opened = socket.socket(fileno=number)
    except OSError as error:
        os.close(number)
        raise protocol.WrongFrameError("no socket came") from error
    if not _is_of_this_machine(opened):
        opened.close()
        raise protocol.WrongFrameError("no socket came that listens on loopback")
    return opened


def _is_of_this_machine(opened: socket.socket) -> bool:
    if opened.family != socket.AF_INET or opened.type != socket.SOCK_STREAM:
        return False
    if not opened.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
        return False
    return ipaddress.ip_address(opened.getsockname()[0]).is_loopback


async def _take_files(writer: asyncio.StreamWriter, count: int) -> list[int]:
    """The descriptors that come over the socket, which only its own calls can receive."""
    if sys.platform == "win32":
        raise OSError("Windows has no such socket")
    transport: Any = writer.transport
    transport.pause_reading()
    theirs = writer.get_extra_info("socket")
    with socket.socket(fileno=os.dup(theirs.fileno())) as connection:
        connection.setblocking(False)
        writer.write(protocol.encode({"pipes": True}))
        await writer.drain()
        async with asyncio.timeout(protocol.PIPES_LIMIT):
            await _until_readable(connection)
        try:
            _, descriptors, _, _ = socket.recv_fds(connection, 1, count)
        except OSError as error:
            raise protocol.WrongFrameError("nothing was handed over") from error
    transport.resume_reading()
    if len(descriptors) != count:
        for each in descriptors:
            os.close(each)
        raise protocol.WrongFrameError("nothing was handed over")
    for each in descriptors:
        os.set_inheritable(each, False)
    return descriptors


async def _until_readable(connection: socket.socket) -> None:
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    loop.add_reader(connection.fileno(), ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(connection.fileno())
