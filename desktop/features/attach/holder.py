"""Takes terminal commands from other processes and runs them on a core that stays.

Only processes of the same user get in, and only with the same version, config file and servers of
the environment; each gets the same answers as alone, from servers that are connected already. A
command whose process goes away is cancelled, at its server, too. What it was told is not logged.

Also serves clients of the gateway, over what the process of `serve` hands over: its standard input
and output, or the socket that listens. When that process is gone, its client's calls are cancelled
or its port is closed; when the client is gone, that process is told to end.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import logging
import os
import socket
import sys
from contextlib import suppress
from importlib import import_module
from typing import IO, TYPE_CHECKING, Any, Protocol, cast

from desktop import __version__
from desktop.base.errors import DesktopError, UsageError
from desktop.base.file_lock import FileLock
from desktop.base.private_files import FILE_MODE
from desktop.base.tasks import TaskGroup, spawn
from desktop.cli.commands import ATTACHABLE, command_module
from desktop.cli.exit_codes import Exit
from desktop.cli.main import answer_interruption, explain
from desktop.cli.options import refuse_wrong_config
from desktop.cli.output import Console, Terminal
from desktop.features.attach import protocol
from desktop.features.attach.lent_core import CoreLender

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from desktop.cli.options import Options
    from desktop.cli.runner import CommandPlan
    from desktop.core import Core
    from desktop.features.gateway.client_gateways import ClientGateways
    from desktop.tools.approvals import ApprovalPrompter

logger = logging.getLogger(__name__)

MAX_COMMANDS = 32
"""Commands that run at a time; a further one starts alone."""
MAX_UNREAD = 256 * 1024 * 1024
"""Bytes that a command does not fetch before it is given up."""
COMMAND_LIMIT = 3600.0
"""Seconds from a greeting to its command: what it reads from its standard input may be slow."""
LEAVE_TRIES = 100
"""Looks of a window whether a daemon has made room."""
_PAUSE = 0.05
"""Seconds between two."""


class _Command(Protocol):
    """What each module of a command that can be attached has."""

    def plan(self, args: list[str], console: Console) -> tuple[Options, CommandPlan]: ...


class RemoteTerminal(Terminal):
    """The terminal of a command's own process, at the other end of a socket."""

    is_here = False

    def __init__(self, writer: asyncio.StreamWriter, told: Mapping[str, Any]) -> None:
        """Args: told: what the process says of its terminal."""
        self._writer = writer
        self._told = told
        self._lines: asyncio.Queue[bytes] = asyncio.Queue()

    @property
    def columns(self) -> int:
        columns: object = self._told.get("columns")
        return max(20, min(columns, 10_000)) if isinstance(columns, int) else 80

    @property
    def shows_results(self) -> bool:
        return self._told.get("results") is True

    @property
    def shows_notes(self) -> bool:
        return self._told.get("notes") is True

    @property
    def has_colours(self) -> bool:
        return self._told.get("colours") is True

    @property
    def types(self) -> bool:
        return self._told.get("types") is True

    @property
    def typed(self) -> Callable[[], Awaitable[bytes]]:
        return self._ask

    def out(self, text: str) -> None:
        self._print("out", text)

    def err(self, text: str) -> None:
        self._print("err", text)

    def take_line(self, line: object) -> None:
        """What the person typed; anything but a text is the end of the input."""
        self._lines.put_nowait(line.encode() if isinstance(line, str) else b"")

    def send(self, frame: Mapping[str, object]) -> None:
        """Write one line, unless the process is gone or does not read what it gets."""
        if self._writer.is_closing():
            return
        if self._writer.transport.get_write_buffer_size() > MAX_UNREAD:
            logger.warning("an attached command does not read what it is sent; it is given up")
            self._writer.transport.abort()
            return
        self._writer.write(protocol.encode(frame))

    async def _ask(self) -> bytes:
        self.send({"ask": True})
        return await self._lines.get()

    def _print(self, stream: str, text: str) -> None:
        for start in range(0, len(text), protocol.MAX_TEXT):
            self.send({stream: text[start : start + protocol.MAX_TEXT]})


class CommandHolder:
    """Listens in the data folder of a core, from `open` until `close`."""

    def __init__(
        self,
        core: Core,
        *,
        keeps_started: bool = False,
        leave: Callable[[], object] | None = None,
        prompter_of: Callable[[str], ApprovalPrompter] | None = None,
    ) -> None:
        """Create a holder that does not listen yet.

        Args:
            core: what the commands run on.
            keeps_started: see `CoreLender`.
            leave: makes room for a window; None where nothing else may take the place.
            prompter_of: asks the person about the calls of a client of the gateway; None where
                nobody can be asked.
        """
        self._core = core
        self._leave = leave
        self._lender = CoreLender(core, keeps_started=keeps_started)
        self._clients = ServedClients(core, self._lender, prompter_of)
        self._lock = FileLock(core.paths.data / protocol.LOCK)
        self._server: asyncio.Server | None = None
        self._tasks = TaskGroup("attached commands")
        self._running = 0
        self._signature: object = None
        self.on_change: Callable[[int], object] = lambda _: None
        """Called with the number of commands that run, whenever it changes."""

    async def try_open(self) -> bool:
        """Become the one who takes commands; False where another run is.

        Raises:
            OSError: the socket cannot be made.
        """
        if sys.platform == "win32" or not protocol.IS_SUPPORTED or not self._lock.take():
            return False
        try:
            self._lock.write(str(os.getpid()).encode())
            self._signature = self._look()
            self._server = await asyncio.start_unix_server(
                self._accept, sock=self._listen(), limit=protocol.MAX_LINE
            )
        except BaseException:
            self._lock.release()
            raise
        return True

    async def open_in_place_of_daemon(self) -> None:
        """Become the one who takes commands, also where a daemon is: that ends. Never raises."""
        try:
            if await self.try_open() or not await ask_to_leave(self._core):
                return
            for _ in range(LEAVE_TRIES):
                await asyncio.sleep(_PAUSE)
                if await self.try_open():
                    return
            logger.warning("the daemon did not make room: terminal commands go on without it")
        except (OSError, TimeoutError) as error:
            logger.warning("terminal commands start servers of their own: %s", error)

    def stop_listening(self) -> None:
        """Take no further command; those that run go on. Idempotent."""
        if self._server is not None:
            self._server.close()
            self._server = None
            with suppress(OSError):
                os.unlink(self._core.paths.data / protocol.SOCKET)
        self._lock.release()

    async def close(self) -> None:
        """Take no command any more and cancel those that run."""
        self.stop_listening()
        self._clients.close()
        await self._tasks.close()
        self._lender.close()

    def end_clients(self) -> None:
        """End the gateways of all clients: they can start again, where there is another run."""
        self._clients.end()

    def _listen(self) -> socket.socket:
        """The socket, which nobody but its owner can open, in place of one that a dead run left."""
        if sys.platform == "win32":
            raise OSError("Windows has no such socket")
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        folder = self._core.paths.data
        try:
            with suppress(FileNotFoundError):
                os.unlink(folder / protocol.SOCKET)
            with protocol.reachable(folder) as path:
                listening.bind(path)
            os.chmod(folder / protocol.SOCKET, FILE_MODE)  # before it listens: nobody is in yet
            listening.listen()
            listening.setblocking(False)
        except BaseException:
            listening.close()
            raise
        return listening

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._tasks.spawn(self._handle(reader, writer), "command")

    async def _handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._running += 1
        self.on_change(self._running)
        try:
            if not protocol.is_own(writer.get_extra_info("socket")):
                logger.warning("a process of another user was refused")
                return
            async with asyncio.timeout(protocol.GREETING_LIMIT):
                greeting = protocol.decode(await reader.readline())
            reason = self._refusal(greeting)
            answer = {"ok": True} if not reason else {"no": reason}
            writer.write(protocol.encode(answer))
            if reason:
                logger.debug("a command was refused: %s", reason)
            elif greeting.get("leave") is True and self._leave is not None:
                self._leave()
            else:
                await self._take_command(reader, writer)
            await writer.drain()
        except (OSError, ValueError, protocol.WrongFrameError, DesktopError) as error:
            logger.debug("an attached command broke off: %s", error)
        finally:
            writer.close()
            self._running -= 1
            self.on_change(self._running)

    def _refusal(self, greeting: Mapping[str, Any]) -> str:
        """Why this process gets no answers here; empty where it does."""
        if greeting.get("protocol") != protocol.PROTOCOL:
            return "another protocol"
        if greeting.get("leave") is True:
            return "" if self._leave is not None else "a window is open"
        if greeting.get("version") != __version__:
            return f"this is version {__version__}"
        if greeting.get("config") != str(self._core.paths.config):
            return "another config file"
        if greeting.get("servers") != protocol.fingerprint(os.environ):
            return "other servers in the environment"
        paths, word = self._core.paths, greeting.get("word")
        is_bound = self._core.store.untrusted or paths.is_own_word or paths.is_trusted
        if is_bound and word != [paths.is_own_word, paths.is_trusted]:
            return "another word of the person for the config file"
        return "too many commands" if self._running > MAX_COMMANDS else ""

    async def _take_command(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        async with asyncio.timeout(COMMAND_LIMIT):
            frame = protocol.decode(await reader.readline())
        if isinstance(client := frame.get("serve"), str):
            serve = self._clients.serve_port if frame.get("http") is True else self._clients.serve
            await serve(client, reader, writer)
            return
        name, args, told = (frame.get(key) for key in ("command", "args", "terminal"))
        if name not in ATTACHABLE or not isinstance(args, list) or not isinstance(told, dict):
            raise protocol.WrongFrameError("it is no command")
        words = [str(word) for word in cast("list[object]", args)]
        terminal = RemoteTerminal(writer, cast("Mapping[str, Any]", told))
        logger.info("a terminal's %s runs here", name)
        running = spawn(self._run(str(name), words, terminal), f"attached {name}")
        watching = spawn(_watch(reader, terminal, running), "attached terminal")
        try:
            await asyncio.wait({running})
        finally:
            running.cancel()
            watching.cancel()
            await asyncio.wait({running, watching})
        if not running.cancelled() and running.exception() is None:
            terminal.send({"exit": running.result()})

    async def _run(self, name: str, args: list[str], terminal: Terminal) -> int:
        console = Console(as_json="--json" in args, terminal=terminal)
        try:
            command = cast("_Command", import_module(command_module(name)))
            options, plan = command.plan(args, console)
            if options.given_servers():
                raise UsageError("Only the process it was typed for starts a server of --server.")
            self._follow_config()
            chosen = list(plan.choose(self._core.store))
            with self._lender.lend(chosen) as core:
                return await plan.run(core, chosen)
        except DesktopError as error:
            explain(error, console)
            return Exit.USAGE
        except asyncio.CancelledError:
            return answer_interruption(Exit.INTERRUPTED, console)

    def _follow_config(self) -> None:
        """Read the config again if it has changed, as a command that starts alone would.

        Raises:
            ConfigError: it cannot be understood; the servers go on as they were.
        """
        from desktop.bootstrap import open_config_store

        if (now := self._look()) != self._signature:
            refuse_wrong_config(open_config_store(self._core.paths))
            # Who names the file once more has read it once more.
            self._core.store.reload(is_named=True)
            self._signature = now
        refuse_wrong_config(self._core.store)

    def _look(self) -> object:
        """What changes when the config or what is trusted does."""
        return tuple(map(_stamp, (self._core.paths.config, self._core.paths.trust)))


def _stamp(file: os.PathLike[str]) -> tuple[int, int, int] | None:
    try:
        status = os.stat(file)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


async def _watch(
    reader: asyncio.StreamReader, terminal: RemoteTerminal, running: asyncio.Task[int]
) -> None:
    """Pass on what the process says; its end, and what is no line of it, ends the command."""
    alive = spawn(_keep_alive(terminal), "signs of life")
    try:
        while line := await reader.readline():
            frame = protocol.decode(line)
            if frame.get("cancel") is True:
                running.cancel()
            if "line" in frame:
                terminal.take_line(frame["line"])
    except (OSError, ValueError, protocol.WrongFrameError) as error:
        logger.debug("an attached terminal broke off: %s", error)
    finally:
        alive.cancel()
    running.cancel()


async def _keep_alive(terminal: RemoteTerminal) -> None:
    while True:
        await asyncio.sleep(protocol.ALIVE_EVERY)
        terminal.send({"alive": True})


async def ask_to_leave(core: Core) -> bool:
    """Ask the run that takes the commands to make room; whether it does.

    Raises:
        OSError: it cannot be reached.
        TimeoutError: it does not answer.
    """
    if sys.platform == "win32":
        raise OSError("Windows has no such socket")
    async with asyncio.timeout(protocol.GREETING_LIMIT):
        with protocol.reachable(core.paths.data) as path:
            reader, writer = await asyncio.open_unix_connection(path)
        try:
            if not protocol.is_own(writer.get_extra_info("socket")):
                return False
            writer.write(protocol.encode({"protocol": protocol.PROTOCOL, "leave": True}))
            answer = await reader.readline()
        finally:
            writer.close()
    with contextlib.suppress(protocol.WrongFrameError):
        return protocol.decode(answer).get("ok") is True
    return False


# --- clients of the gateway -----------------------------------------------------------------------

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
