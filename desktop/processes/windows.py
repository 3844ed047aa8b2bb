r"""Starts servers on Windows, each in a job that ends it and all that it started.

Guarantees: a server is put into two Job Objects before its first instruction (it is created
suspended), the app's and, inside that, one of its own; everything it starts is in them, too,
whatever its parent. Closing a server terminates its own job. The app holds the only handles; when
the app ends, however it ends, the system closes them and kills every process in the app's job.
Weaker: where a job of its own is refused, what a closed server leaves is found by parent links
alone, until the app ends; where both are refused, the log says so and nothing is guarded.

A batch file that npm made (`npx.cmd`, `.bin\*.cmd`) only starts `node` with a script, so `node` is
started with it. Any other one goes to cmd.exe, in a line that runs nothing but it.

Never run on Windows: decisions are here, system calls in `WindowsJobApi`. `tests/platforms` runs
both against a stand-in for kernel32 that keeps the rules of jobs.
"""

from __future__ import annotations

import asyncio
import ctypes
import logging
import ntpath
import re
import shutil
import subprocess
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, cast

from desktop.base.command_line import cmd_line
from desktop.base.later_patterns import compile_later
from desktop.processes.pipes import WritePipe

if TYPE_CHECKING:
    from desktop.processes.process import LaunchSpec, ProcessOutput

KILL_ON_JOB_CLOSE = 0x2000
MAX_MEMBERS = 4_096
"""PIDs of one job that are asked for at a time."""
_PID_LIST = 3  # JobObjectBasicProcessIdList
MAX_BATCH_BYTES = 64 * 1024
"""Of a batch file that is read: those of npm have one thousand."""
_SETS = compile_later(
    r'^\s*(?:IF .*?\(\s*)?@?SET\s+"?([A-Z_]+)=([^"\r\n]*?)"?\s*\)?\s*$', re.I | re.M
)
_CALL = compile_later(r'"([^"\r\n]+)"\s+"([^"\r\n]+)"\s+%\*\s*$', re.I | re.M)
_EXTENDED_LIMITS = 9  # JobObjectExtendedLimitInformation
_SET_QUOTA_AND_TERMINATE = 0x0101
_NO_WINDOW = getattr(subprocess, "CREATE_NO_WINDOW", 0)
_SUSPENDED = 0x4

logger = logging.getLogger(__name__)


class JobApi(Protocol):
    """The Windows calls that a `Job` needs; each raises `OSError` if Windows refuses."""

    def create_job(self) -> int: ...
    def limit(self, job: int, flags: int) -> None: ...
    def assign(self, job: int, pid: int) -> None: ...
    def resume(self, pid: int) -> None: ...
    def members(self, job: int) -> list[int]: ...
    def terminate(self, job: int) -> None: ...
    def close(self, job: int) -> None: ...


class Job:
    """The app's Job Object, created with the first server, and those of the servers inside it."""

    pid: int | None = None

    def __init__(self, api: JobApi | None = None) -> None:
        self._api = api
        self._app: int | None = None
        self._servers: dict[int, int] = {}

    def add(self, pid: int) -> None:
        """Put a process that was created suspended into its jobs and resume it.

        Raises:
            OSError: it cannot be resumed.
        """
        api = self._api = self._api or WindowsJobApi()
        try:
            if self._app is None:
                self._app = _make_job(api)
            api.assign(self._app, pid)
        except OSError as error:
            logger.warning("a server (PID %d) runs outside the app's job: %s", pid, error)
        try:
            self._servers[pid] = _make_job(api, pid)
        except OSError as error:
            logger.warning("a server (PID %d) has no job of its own: %s", pid, error)
        api.resume(pid)

    def members(self, pid: int) -> list[int] | None:
        """The PIDs in the job of a server, its own among them; None where it has no job."""
        job = self._servers.get(pid)
        if job is None or self._api is None:
            return None
        try:
            return self._api.members(job)
        except OSError:
            return None

    def forget(self, pid: int) -> None:
        """Kill what the server with this PID has left in its job, and close that."""
        job = self._servers.pop(pid, None)
        if job is not None and self._api is not None:
            self._api.terminate(job)
            self._api.close(job)

    async def wait_idle(self, limit: float) -> None:
        """Do nothing: a job is not a process."""

    def kill_all(self, limit: float) -> None:
        """Kill everything in the jobs."""
        for pid in list(self._servers):
            self.forget(pid)
        if self._app is not None and self._api is not None:
            self._api.terminate(self._app)


def _make_job(api: JobApi, pid: int | None = None) -> int:
    """A job that ends with its handle, with the process `pid` in it."""
    job = api.create_job()
    try:
        api.limit(job, KILL_ON_JOB_CLOSE)
        if pid is not None:
            api.assign(job, pid)
    except OSError:
        api.close(job)
        raise
    return job


class _Limits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION: basic limits, I/O counters, four sizes."""

    _fields_ = (
        ("process_time", ctypes.c_int64),
        ("job_time", ctypes.c_int64),
        ("flags", ctypes.c_uint32),
        ("minimum_working_set", ctypes.c_size_t),
        ("maximum_working_set", ctypes.c_size_t),
        ("active_processes", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("priority", ctypes.c_uint32),
        ("scheduling", ctypes.c_uint32),
        ("counters", ctypes.c_uint64 * 6),
        ("sizes", ctypes.c_size_t * 4),
    )


class _PidList(ctypes.Structure):
    """JOBOBJECT_BASIC_PROCESS_ID_LIST: how many there are, how many are given, and those."""

    _fields_ = (
        ("assigned", ctypes.c_uint32),
        ("given", ctypes.c_uint32),
        ("pids", ctypes.c_size_t * MAX_MEMBERS),
    )


class WindowsJobApi:
    """The calls of kernel32 (https://learn.microsoft.com/windows/win32/procthread/job-objects)."""

    def __init__(self, dll: Any = None) -> None:
        """Calls kernel32, or `dll` in its place."""
        # Looked up by name, because ctypes has it on Windows only.
        self._dll = dll or vars(ctypes)["WinDLL"]("kernel32", use_last_error=True)
        self._dll.CreateJobObjectW.restype = ctypes.c_void_p
        self._dll.OpenProcess.restype = ctypes.c_void_p

    def create_job(self) -> int:
        return self._check(self._dll.CreateJobObjectW(None, None))

    def limit(self, job: int, flags: int) -> None:
        limits = _Limits(flags=flags)
        size = ctypes.sizeof(limits)
        handle = ctypes.c_void_p(job)
        self._check(
            self._dll.SetInformationJobObject(handle, _EXTENDED_LIMITS, ctypes.byref(limits), size)
        )

    def assign(self, job: int, pid: int) -> None:
        process = ctypes.c_void_p(
            self._check(self._dll.OpenProcess(_SET_QUOTA_AND_TERMINATE, False, pid))
        )
        try:
            self._check(self._dll.AssignProcessToJobObject(ctypes.c_void_p(job), process))
        finally:
            self._dll.CloseHandle(process)

    def resume(self, pid: int) -> None:
        import psutil

        try:
            psutil.Process(pid).resume()
        except psutil.Error as error:
            raise OSError(f"process {pid} cannot be resumed: {error}") from error

    def members(self, job: int) -> list[int]:
        found = _PidList()
        handle, size = ctypes.c_void_p(job), ctypes.sizeof(found)
        self._check(
            self._dll.QueryInformationJobObject(handle, _PID_LIST, ctypes.byref(found), size, None)
        )
        return list(found.pids[: found.given])

    def terminate(self, job: int) -> None:
        self._dll.TerminateJobObject(ctypes.c_void_p(job), 1)

    def close(self, job: int) -> None:
        self._dll.CloseHandle(ctypes.c_void_p(job))

    def _check(self, result: int | None) -> int:
        if not result:
            raise vars(ctypes)["WinError"](vars(ctypes)["get_last_error"]())
        return result


class WindowsProcess(asyncio.SubprocessProtocol):
    """A server process of asyncio's proactor loop. Created by `start`."""

    keeper_pid = None
    lost_keeper = False
    left_input_unread = False  # Windows does not say

    def __init__(self, output: ProcessOutput, job: Job | None = None) -> None:
        self._output = output
        self._job = job
        self._writer = WritePipe()
        self._transport: asyncio.SubprocessTransport | None = None
        self.exited = asyncio.Event()

    @property
    def pid(self) -> int:
        return self._transport.get_pid() if self._transport is not None else 0

    @property
    def exit_code(self) -> int | None:
        return self._transport.get_returncode() if self._transport is not None else None

    def members(self) -> list[int] | None:
        return self._job.members(self.pid) if self._job is not None else None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.SubprocessTransport", transport)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == 1:
            self._output.stdout_received(data)
        else:
            self._output.stderr_received(data)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd == 0:
            self._writer.connection_lost(exc)
        elif fd == 1:
            self._output.stdout_closed()

    def process_exited(self) -> None:
        self.exited.set()
        self._output.process_exited(self.exit_code or 0)

    def pause_writing(self) -> None:
        self._writer.pause_writing()

    def resume_writing(self) -> None:
        self._writer.resume_writing()

    async def write(self, data: bytes) -> None:
        stdin = cast("asyncio.WriteTransport | None", self._pipe(0))
        if stdin is None or stdin.is_closing():
            raise BrokenPipeError("the server's input is closed")
        stdin.write(data)
        await self._writer.wait_writable()

    def set_output(self, output: ProcessOutput) -> None:
        self._output = output

    def pause_reading(self) -> None:
        if (stdout := cast("asyncio.ReadTransport | None", self._pipe(1))) is not None:
            stdout.pause_reading()

    def resume_reading(self) -> None:
        if (stdout := cast("asyncio.ReadTransport | None", self._pipe(1))) is not None:
            stdout.resume_reading()

    def close_stdin(self) -> None:
        if (stdin := self._pipe(0)) is not None:
            stdin.close()

    def release(self) -> None:
        if self._transport is not None:
            self._transport.close()

    async def wait_released(self, limit: float) -> bool:
        return self.exited.is_set()

    def _pipe(self, fd: int) -> asyncio.BaseTransport | None:
        return self._transport.get_pipe_transport(fd) if self._transport is not None else None


async def start(
    launch: LaunchSpec, output: ProcessOutput, job: Job | None = None
) -> WindowsProcess:
    """Start a server without a console window, in `job` from its first instruction.

    Raises:
        OSError: it cannot be started.
        ValueError: a NUL byte in command, arguments or environment, or an argument that a batch
            file cannot be given.
    """
    process = WindowsProcess(output, job)
    loop = asyncio.get_running_loop()
    if (words := _words(launch)) is not None:
        start_it = partial(loop.subprocess_exec, lambda: process, *words)
    else:
        line = cmd_line(launch.command, launch.args)
        start_it = partial(loop.subprocess_shell, lambda: process, line)
    await start_it(
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=dict(launch.environment),
        cwd=launch.cwd,
        creationflags=_NO_WINDOW | (_SUSPENDED if job is not None else 0),
    )
    if job is not None:
        try:
            job.add(process.pid)
        except OSError:
            process.release()
            raise
    return process


def _words(launch: LaunchSpec) -> list[str] | None:
    """Program and arguments; None for a batch file, which only cmd.exe can run."""
    if not is_batch_file(launch.command):
        return [launch.command, *launch.args]
    wrapped = unwrapped(launch.command, launch.environment.get("PATH", ""))
    return [*wrapped, *launch.args] if wrapped is not None else None


# --- batch files ------------------------------------------------------------------------------


def is_batch_file(command: str) -> bool:
    """Whether cmd.exe would run it. Windows drops dots and blanks at the end of a name."""
    return command.rstrip(". ").lower().endswith((".bat", ".cmd"))


def unwrapped(command: str, path: str) -> tuple[str, str] | None:
    """The `node` and the script that a batch file of npm starts; None for any other one.

    Args:
        command: the full path of the batch file.
        path: the PATH of the server, in which `node` is looked up.
    """
    try:
        with open(command, "rb") as file:
            text = file.read(MAX_BATCH_BYTES).decode("utf-8", "replace")
    except OSError:
        return None
    call = _CALL.search(text)
    if call is None:
        return None
    folder = ntpath.dirname(command)
    values: dict[str, str] = {}
    for name, value in _SETS.findall(text):
        values.setdefault(name.upper(), value)  # later ones are for where the first is not there
    node, script = (_expanded(part, values, folder) for part in call.groups())
    if node is None or ntpath.basename(node).lower() not in ("node", "node.exe"):
        return None
    if script is None or not script.lower().endswith((".js", ".cjs", ".mjs")):
        return None
    found = _beside(folder) or shutil.which("node", path=path)
    return (found, script) if found else None


def _expanded(text: str, values: dict[str, str], folder: str) -> str | None:
    """A path of the file, with its folder and variables put in; None if one is not known."""
    for _ in range(4):
        text = re.sub(r"%~?dp0%?\\?", lambda _: folder + "\\", text, flags=re.I)
        text = re.sub(r"%([A-Za-z_]+)%", lambda name: values.get(name[1].upper(), name[0]), text)
    return None if "%" in text else ntpath.normpath(text)


def _beside(folder: str) -> str | None:
    return shutil.which("node.exe", path=folder)
