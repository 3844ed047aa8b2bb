"""A tag stays on whatever a server starts, however it tries to get away."""

from __future__ import annotations

import os
import subprocess
import sys
from uuid import uuid4

import pytest

from desktop.processes import tag

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Linux only")


def test_a_descendant_without_environment_in_its_own_session_has_the_tag() -> None:
    marker = uuid4().hex
    code = """
import os, subprocess
input()
sleeper = subprocess.Popen(["/bin/cat"], env={}, start_new_session=True)
print(sleeper.pid, flush=True)
"""
    with subprocess.Popen(
        [sys.executable, "-S", "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        assert tag.read(process.pid) is None
        tag.put(process.pid, marker)
        process.stdin.write("go\n")
        process.stdin.flush()
        descendant = int(process.stdout.readline())
        assert tag.read(descendant) == tag.read(process.pid) == tag.tag_of(marker)
        assert descendant in tag.all_pids()
    assert tag.read(os.getpid()) is None


def test_who_is_gone_is_not_tagged_and_has_none() -> None:
    nobody = 2**22 + 1
    tag.put(nobody, uuid4().hex)
    assert tag.read(nobody) is None


def test_a_marker_that_is_no_number_makes_no_tag() -> None:
    tag.put(os.getpid(), "not a number")
    assert tag.read(os.getpid()) is None


def test_there_are_no_tags_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    tag.put(os.getpid(), uuid4().hex)
    assert tag.all_pids() == []
    assert tag.read(os.getpid()) is None
