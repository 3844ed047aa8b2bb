"""A stand-in for kernel32 that keeps the rules of Job Objects, for `WindowsJobApi`.

The rules are those of Microsoft's documentation ("Job Objects", "Nested Jobs",
AssignProcessToJobObject, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE): a child is in all jobs of its parent;
a process that is in a job can only be assigned to one that is empty or below that job; terminating
a job ends its processes and those of the jobs below; the last handle of a job that kills on close
ends them, too. What breaks a rule fails the call, as there.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

KILL_ON_CLOSE = 0x2000
PID_LIST, EXTENDED_LIMITS = 3, 9
FLAGS_AT = 16
"""Where JOBOBJECT_EXTENDED_LIMIT_INFORMATION has its flags, after two times of 8 bytes."""


@dataclass
class FakeProcess:
    """A process of the stand-in; `jobs` from the outermost inward."""

    parent: int
    jobs: list[FakeJob]
    is_suspended: bool = False
    has_run: bool = False


@dataclass(eq=False)
class FakeJob:
    """A job; `above` is the one that it is nested in."""

    above: FakeJob | None = None
    flags: int = 0
    has_members: bool = False


class FakeKernel32:
    """The functions that `WindowsJobApi` calls, and the processes they act on."""

    def __init__(self, *, nests: bool = True, refuses: str = "") -> None:
        """Args: nests: False as before Windows 8, where a process is in one job at most; `refuses`
        is the function that always fails.
        """
        self.processes: dict[int, FakeProcess] = {}
        self.handles: dict[int, FakeJob | int] = {}
        self.error = 0
        self._nests = nests
        self._refuses = refuses
        self._next = 100
        self.CreateJobObjectW = self._function("create", self._create)
        self.SetInformationJobObject = self._function("limit", self._limit)
        self.OpenProcess = self._function("open", self._open)
        self.AssignProcessToJobObject = self._function("assign", self._assign)
        self.QueryInformationJobObject = self._function("query", self._query)
        self.TerminateJobObject = self._function("terminate", self._terminate)
        self.CloseHandle = self._function("close", self._close)

    # --- what a test does ------------------------------------------------------------------

    def start(self, parent: int = 0, *, suspended: bool = False) -> int:
        """A new process, in the jobs of its parent; its PID."""
        self._next += 4
        jobs = list(self.processes[parent].jobs) if parent in self.processes else []
        self.processes[self._next] = FakeProcess(parent, jobs, suspended, not suspended)
        return self._next

    def resume(self, pid: int) -> None:
        process = self.processes[pid]
        process.is_suspended, process.has_run = False, True

    def end(self, pid: int) -> None:
        """A process ends by itself; its children stay."""
        del self.processes[pid]

    def end_app(self) -> None:
        """The app ends, however it does: the system closes its handles."""
        for handle in list(self.handles):
            self._close(ctypes.c_void_p(handle))

    # --- the functions ---------------------------------------------------------------------

    def _function(self, name: str, work: Callable[..., int]) -> Any:
        system = self

        class Function:
            restype: Any = ctypes.c_int

            def __call__(self, *arguments: Any) -> int:
                return system._fail(5) if system._refuses == name else work(*arguments)

        return Function()

    def _create(self, _security: None, _name: None) -> int:
        return self._handle(FakeJob())

    def _limit(self, job: ctypes.c_void_p, kind: int, limits: Any, size: int) -> int:
        found = self._job(job)
        raw = bytes(limits._obj)  # pyright: ignore[reportPrivateUsage] - what byref holds
        # 144 bytes in a process of 64 bits; another size is ERROR_BAD_LENGTH.
        if found is None or kind != EXTENDED_LIMITS or size != 144 or len(raw) != size:
            return self._fail(24)
        found.flags = int.from_bytes(raw[FLAGS_AT : FLAGS_AT + 4], "little")
        return 1

    def _open(self, access: int, _inherit: bool, pid: int) -> int:
        if pid not in self.processes:
            return self._fail(87)
        if access & 0x0101 != 0x0101:  # PROCESS_SET_QUOTA and PROCESS_TERMINATE
            return self._fail(5)
        return self._handle(pid)

    def _assign(self, job: ctypes.c_void_p, process: ctypes.c_void_p) -> int:
        found, pid = self._job(job), self.handles.get(process.value or 0)
        if found is None or not isinstance(pid, int):
            return self._fail(6)
        jobs = self.processes[pid].jobs
        if jobs and not self._nests:
            return self._fail(5)
        inner = jobs[-1] if jobs else None
        if found.has_members and found.above is not inner:
            return self._fail(5)  # it has members, and is not below the job of the process
        found.above, found.has_members = inner, True
        jobs.append(found)
        return 1

    def _query(self, job: ctypes.c_void_p, kind: int, found: Any, size: int, _length: None) -> int:
        asked = self._job(job)
        if asked is None or kind != PID_LIST:
            return self._fail(6)
        pids = self._members(asked)
        listed = found._obj  # pyright: ignore[reportPrivateUsage] - what byref holds
        assert size == ctypes.sizeof(listed)
        listed.assigned = listed.given = len(pids)
        for place, pid in enumerate(pids):
            listed.pids[place] = pid
        return 1

    def _terminate(self, job: ctypes.c_void_p, _code: int) -> int:
        found = self._job(job)
        if found is None:
            return self._fail(6)
        for pid in self._members(found):
            del self.processes[pid]
        return 1

    def _close(self, handle: ctypes.c_void_p) -> int:
        held = self.handles.pop(handle.value or 0, None)
        if held is None:
            return self._fail(6)
        if isinstance(held, FakeJob) and held.flags & KILL_ON_CLOSE:
            for pid in self._members(held):
                del self.processes[pid]
        return 1

    # --- its own ---------------------------------------------------------------------------

    def _members(self, job: FakeJob) -> list[int]:
        return [pid for pid, process in self.processes.items() if job in process.jobs]

    def _job(self, handle: ctypes.c_void_p) -> FakeJob | None:
        held = self.handles.get(handle.value or 0)
        return held if isinstance(held, FakeJob) else None

    def _handle(self, held: FakeJob | int) -> int:
        self._next += 4
        self.handles[self._next] = held
        return self._next

    def _fail(self, error: int) -> int:
        self.error = error
        return 0
