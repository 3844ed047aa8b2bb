from __future__ import annotations

import subprocess
import sys

from desktop.gui.servers.process_usage import UsageReader


def test_the_memory_of_everything_a_server_started_counts() -> None:
    parent = "import subprocess, sys; subprocess.run([sys.executable, '-c', sys.argv[1]])"
    child = "print('up', flush=True); input()"
    process = subprocess.Popen(
        [sys.executable, "-S", "-c", parent, child], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        process.stdout.readline()
        reader = UsageReader()
        both = reader.read([process.pid])[process.pid]
        assert both.memory > 8_000_000
        assert both.seconds >= 0
    finally:
        process.communicate(b"\n")


def test_a_process_that_is_gone_is_left_out() -> None:
    process = subprocess.Popen([sys.executable, "-S", "-c", ""])
    reader = UsageReader()
    process.wait()
    assert reader.read([process.pid]) == {}
