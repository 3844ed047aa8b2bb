"""The pipes of a server are made in pairs, and none is left open when that fails."""

from __future__ import annotations

import os
import sys

import pytest

from desktop.processes.piped import make_pipes

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX only")


def test_what_one_end_writes_the_other_reads() -> None:
    ours, theirs = make_pipes()
    ours.stdin.write(b"in")
    theirs.stdout.write(b"out")
    theirs.stderr.write(b"err")
    assert (theirs.stdin.read(9), ours.stdout.read(9), ours.stderr.read(9)) == (
        b"in",
        b"out",
        b"err",
    )
    assert not any(os.get_inheritable(end.fileno()) for end in (*ours, *theirs))
    ours.close()
    theirs.close()
    assert all(end.closed for end in (*ours, *theirs))
