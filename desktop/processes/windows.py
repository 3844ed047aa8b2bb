"""Starts servers on Windows, inside a job that ends them when the app cannot.

Guarantees: a server is put into the Job Object before its first instruction (it is created
suspended), and everything it starts is in the job, too. The app holds the only handle; when the app
ends, however it ends, the system closes the handle and kills every process in the job. Weaker:
where nested jobs are not allowed (before Windows 8) a server is started without the job, and the
log says so. What a closed server leaves is ended by the tracker, as on every platform without a
keeper.

Written from the documentation and never run: decisions are here, system calls in `WindowsJobApi`.
"""

from __future__ import annotations

import asyncio
import ctypes
import logging
import subprocess
from typing import TYPE_CHECKING, Protocol, cast

from desktop.processes.pipes import WritePipe

if TYPE_CHECKING:
    from desktop.processes.process import LaunchSpec, ProcessOutput

KILL_ON_JOB_CLOSE = 0x2000
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
    def terminate(self, job: int) -> None: ...


class Job:
    """The app's Job Object, created with the first server."""

    pid: int | None = None

    def __init__(self, api: JobApi | None = None) -> None:
        self._api = api
        self._job: int | None = None

    def add(self, pid: int) -> None:
        """Put a process that was created suspended into the job and resume it.

        Raises:
            OSError: it cannot be resumed.
        """
        api = self._api = self._api or WindowsJobApi()
        try:
            if self._job is None:
                job = api.create_job()
                api.limit(job, KILL_ON_JOB_CLOSE)
                self._job = job
            api.assign(self._job, pid)
        except OSError as error:
            logger.warning("a server (PID %d) runs outside the app's job: %s", pid, error)
        api.resume(pid)

    def forget(self, pid: int) -> None:
        """Do nothing: an ended process is no longer in the job."""

    async def wait_idle(self, limit: float) -> None:
        """Do nothing: a job is not a process."""

    def kill_all(self, limit: float) -> None:
        """Kill everything in the job."""
        if self._job is not None and self._api is not None:
            self._api.terminate(self._job)


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


class WindowsJobApi:
    """The calls of kernel32."""

    def __init__(self) -> None:
        # Looked up by name, because ctypes has it on Windows only.
        self._dll: ctypes.CDLL = vars(ctypes)["WinDLL"]("kernel32", use_last_error=True)
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

    def terminate(self, job: int) -> None:
        self._dll.TerminateJobObject(ctypes.c_void_p(job), 1)

    def _check(self, result: int | None) -> int:
        if not result:
            raise vars(ctypes)["WinError"](vars(ctypes)["get_last_error"]())
        return result


class WindowsProcess(asyncio.SubprocessProtocol):
    """A server process of asyncio's proactor loop. Created by `start`."""

    keeper_pid = None
    lost_keeper = False
    left_input_unread = False  # Windows does not say

    def __init__(self, output: ProcessOutput) -> None:
        self._output = output
        self._writer = WritePipe()
        self._transport: asyncio.SubprocessTransport | None = None
        self.exited = asyncio.Event()

    @property
    def pid(self) -> int:
        return self._transport.get_pid() if self._transport is not None else 0

    @property
    def exit_code(self) -> int | None:
        return self._transport.get_returncode() if self._transport is not None else None

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
        ValueError: a NUL byte in command, arguments or environment.
    """
    process = WindowsProcess(output)
    await asyncio.get_running_loop().subprocess_exec(
        lambda: process,
        launch.command,
        *launch.args,
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
