"""Windows: the Job Object that ends the servers when the app cannot.

Guarantees: a server is put into the job before its first instruction (it is created suspended), and
all it starts is in the job, too. The app holds the only handle; when the app ends, however it ends,
the system closes the handle and kills every process in the job. Weaker: without the right to make
nested jobs (before Windows 8) a server is started without it, and that is said in the log; one that
is closed alone leaves to the tracker what it left behind, as on every platform without a keeper.
Written from the documentation and not run: decisions are here, calls of the system in `Kernel32`.
"""

from __future__ import annotations

import ctypes
import logging
from typing import Protocol

KILL_ON_JOB_CLOSE = 0x2000
_EXTENDED_LIMITS = 9  # JobObjectExtendedLimitInformation
_SET_QUOTA_AND_TERMINATE = 0x0101

logger = logging.getLogger(__name__)


class System(Protocol):
    """What is asked of Windows; each raises `OSError` where it is refused."""

    def create_job(self) -> int: ...
    def limit(self, job: int, flags: int) -> None: ...
    def assign(self, job: int, pid: int) -> None: ...
    def resume(self, pid: int) -> None: ...
    def terminate(self, job: int) -> None: ...


class Job:
    """The one job of the app, made with the first server."""

    pid: int | None = None

    def __init__(self, system: System | None = None) -> None:
        self._system = system
        self._job: int | None = None

    def take(self, pid: int) -> None:
        """Put a process that was created suspended into the job, and let it run.

        Raises:
            OSError: it cannot be let run.
        """
        system = self._system = self._system or Kernel32()
        try:
            if self._job is None:
                job = system.create_job()
                system.limit(job, KILL_ON_JOB_CLOSE)
                self._job = job
            system.assign(self._job, pid)
        except OSError as error:
            logger.warning("a server (PID %d) runs outside the app's job: %s", pid, error)
        system.resume(pid)

    def forget(self, pid: int) -> None:
        """Nothing: what ended is no longer in the job."""

    async def settle(self, limit: float) -> None:
        """Nothing: it is no process."""

    def end(self, limit: float) -> None:
        """Kill all that is in the job."""
        if self._job is not None and self._system is not None:
            self._system.terminate(self._job)


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


class Kernel32:
    """The calls themselves."""

    def __init__(self) -> None:
        # By name: the module has them on Windows alone.
        self._api: ctypes.CDLL = vars(ctypes)["WinDLL"]("kernel32", use_last_error=True)
        self._api.CreateJobObjectW.restype = ctypes.c_void_p
        self._api.OpenProcess.restype = ctypes.c_void_p

    def create_job(self) -> int:
        return self._checked(self._api.CreateJobObjectW(None, None))

    def limit(self, job: int, flags: int) -> None:
        limits = _Limits(flags=flags)
        size = ctypes.sizeof(limits)
        handle = ctypes.c_void_p(job)
        self._checked(
            self._api.SetInformationJobObject(handle, _EXTENDED_LIMITS, ctypes.byref(limits), size)
        )

    def assign(self, job: int, pid: int) -> None:
        process = ctypes.c_void_p(
            self._checked(self._api.OpenProcess(_SET_QUOTA_AND_TERMINATE, False, pid))
        )
        try:
            self._checked(self._api.AssignProcessToJobObject(ctypes.c_void_p(job), process))
        finally:
            self._api.CloseHandle(process)

    def resume(self, pid: int) -> None:
        import psutil

        try:
            psutil.Process(pid).resume()
        except psutil.Error as error:
            raise OSError(f"process {pid} cannot be resumed: {error}") from error

    def terminate(self, job: int) -> None:
        self._api.TerminateJobObject(ctypes.c_void_p(job), 1)

    def _checked(self, result: int | None) -> int:
        if not result:
            raise vars(ctypes)["WinError"](vars(ctypes)["get_last_error"]())
        return result
