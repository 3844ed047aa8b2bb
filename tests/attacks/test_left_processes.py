"""Processes that hide from whoever started them: without environment, session or parent."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from tests.builtin_command import builtin
from tests.raw_client import RawClient, end_marked, find_marked

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems have no subreapers")
SLEEP = f"{sys.executable} -c 'import time; print(1, flush=True); time.sleep(600)' --marker "


@pytest.fixture
def marker() -> Iterator[str]:
    text = uuid4().hex
    yield text
    end_marked(text)


@pytest.fixture
def shell() -> Iterator[RawClient]:
    with RawClient(builtin("shell")) as client:
        client.initialize()
        yield client


@pytest.mark.parametrize(
    "hidden",
    [
        "env -i setsid {} > {} &",
        "env -i setsid -f {} > {}",
        "(env -i setsid nohup {} > {} &) &",
        "env -i setsid setsid -f {} > {}",
    ],
)
def test_what_a_command_hides_ends_with_its_call(
    hidden: str, marker: str, shell: RawClient, tmp_path: Path
) -> None:
    out = f"{tmp_path}/out"
    command = (
        f"{hidden.format(SLEEP + marker, out)}\nuntil grep -q 1 {out}; do sleep 0.02; done; echo up"
    )
    answer = shell.call("run_command", command=command)
    assert answer["result"]["structuredContent"]["stdout"] == "up\n"
    assert find_marked(marker) == []


def test_what_another_command_hides_goes_on_as_long_as_that_command(
    marker: str, shell: RawClient, tmp_path: Path
) -> None:
    out, gate = f"{tmp_path}/out", f"{tmp_path}/gate"
    long = (
        f"env -i setsid {SLEEP}{marker} > {out} &\n"
        f"until [ -e {gate} ]; do sleep 0.02; done; echo done"
    )
    shell.send("tools/call", {"name": "run_command", "arguments": {"command": long}}, id="long")
    wait = f"until grep -q 1 {out}; do sleep 0.02; done"
    assert shell.call("run_command", command=wait)["result"]["structuredContent"]["exit_code"] == 0
    assert len(find_marked(marker)) == 1
    (tmp_path / "gate").touch()
    shell.read_answer("long")
    assert find_marked(marker) == []
