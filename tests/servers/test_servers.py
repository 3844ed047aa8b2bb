"""Each test server misbehaves exactly as it says, seen through bare pipes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from tests.raw_client import MODERN_META, RawClient, end_marked, find_marked
from tests.server_commands import FOLDER, command

if TYPE_CHECKING:
    from collections.abc import Iterator

BRIEF = 0.3
"""Seconds that show a process stays; a slower machine only makes it stay more surely."""


@pytest.fixture
def marker() -> Iterator[str]:
    marker = f"test-{uuid.uuid4().hex}"
    yield marker
    end_marked(marker)


def connect(name: str, *args: object) -> RawClient:
    client = RawClient(command(name, *args))
    client.initialize()
    return client


def text_of(answer: dict[str, Any]) -> str:
    return answer["result"]["content"][0]["text"]


@pytest.mark.parametrize(
    "name",
    [
        "plain",
        "ignores_sigterm",
        "garbage",
        "bad_utf8",
        "drops_discover",
        "dies_on_discover",
        "huge_line",
        "floods_stderr",
        "list_changes",
        "shell_wrapper",
        "wrong_result",
    ],
)
def test_a_server_that_ends_with_its_input_answers_echo_and_leaves_with_code_0(name: str) -> None:
    with connect(name) as client:
        assert text_of(client.call("echo", message="hello")) == "hello"
        client.close_input()
        assert client.wait() == 0


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(LookupError, match="nothing_like_it"):
        command("nothing_like_it")


def test_every_script_can_be_started_by_its_name() -> None:
    scripts = {path.stem for path in FOLDER.glob("*.py")} - {"base", "__init__"}
    for name in (name for name in scripts if not name.startswith("test_")):
        assert Path(command(name)[1][2]).is_file()


# plain


def test_plain_lists_and_answers_the_kinds_of_content() -> None:
    with connect("plain") as client:
        names = {tool["name"] for tool in client.ask("tools/list")["result"]["tools"]}
        assert {"echo", "add", "slow", "env", "write_file"} <= names
        assert text_of(client.call("add", a=2, b=3)) == "5"
        assert client.call("fail", message="no")["result"]["isError"] is True
        assert len(text_of(client.call("big", bytes=1_000_000))) == 1_000_000
        kinds = [client.call(t)["result"]["content"][0]["type"] for t in ("image", "audio")]
        assert kinds == ["image", "audio"]
        assert client.call("resource")["result"]["content"][0]["resource"]["uri"] == "test://note"


def test_plain_answers_structured_content_that_keeps_and_that_breaks_its_schema() -> None:
    with connect("plain") as client:
        assert client.call("structured")["result"]["structuredContent"]["degrees"] == 21.5
        assert client.call("broken_structured")["result"]["structuredContent"]["degrees"] == "warm"


def test_plain_tells_its_environment_and_pid_and_writes_a_file(tmp_path: Path) -> None:
    with RawClient(command("plain"), env={"TOKEN": "abc"}) as client:
        client.initialize()
        found = json.loads(text_of(client.call("env", names=["TOKEN", "HOME"])))
        assert found == {"TOKEN": "abc", "HOME": None}
        assert text_of(client.call("pid")) == str(client.process.pid)
        client.call("write_file", path=str(tmp_path / "marker"), text="here")
        assert (tmp_path / "marker").read_text() == "here"


def test_plain_reports_progress() -> None:
    with connect("plain") as client:
        arguments = {"seconds": 0.02, "steps": 2}
        meta = {"progressToken": "t"}
        params = {"name": "slow", "arguments": arguments, "_meta": meta}
        assert "2 steps" in text_of(client.ask("tools/call", params))
        assert [note["params"]["progress"] for note in client.notifications] == [1, 2]


def test_plain_stops_a_cancelled_call_and_says_so_on_stderr() -> None:
    with connect("plain") as client:
        arguments = {"seconds": 60, "steps": 3000}
        client.send("tools/call", {"name": "slow", "arguments": arguments}, id="long")
        assert client.ask("ping")["result"] == {}
        client.send("notifications/cancelled", {"requestId": "long"})
        client.wait_stderr("stopped long")


def test_plain_crashes_with_the_code_it_is_given() -> None:
    with connect("plain") as client:
        client.send("tools/call", {"name": "crash", "arguments": {"code": 7}}, id=9)
        assert client.wait() == 7
        assert "crashing" in client.stderr


def test_any_server_answers_with_the_protocol_version_it_is_given() -> None:
    with RawClient(command("plain", "--protocol", "1999-01-01")) as client:
        assert client.initialize()["result"]["protocolVersion"] == "1999-01-01"


# Ends


def test_ignores_eof_outlives_its_input_and_ends_on_sigterm() -> None:
    with connect("ignores_eof") as client:
        client.close_input()
        assert client.is_alive_after(BRIEF)
        client.process.terminate()
        assert client.wait() == -signal.SIGTERM


def test_ignores_sigterm_outlives_the_signal() -> None:
    with connect("ignores_sigterm") as client:
        client.process.terminate()
        assert client.is_alive_after(BRIEF)
        assert text_of(client.call("echo", message="still here")) == "still here"


def test_stubborn_outlives_both() -> None:
    with connect("stubborn") as client:
        client.close_input()
        client.process.terminate()
        assert client.is_alive_after(BRIEF)


def test_exits_at_start_explains_itself() -> None:
    with RawClient(command("exits_at_start")) as client:
        assert client.wait() == 3
        assert "API_KEY is not set" in client.stderr


def test_flaky_dies_as_often_as_it_is_told_then_works(tmp_path: Path) -> None:
    start = command("flaky", "--times", 2, "--count-file", tmp_path / "count")
    for _ in range(2):
        with RawClient(start) as client:
            assert client.wait() == 1
    with RawClient(start) as client:
        client.initialize()
        assert text_of(client.call("echo", message="up")) == "up"


def test_slow_start_answers_only_after_its_seconds() -> None:
    with RawClient(command("slow_start", "--seconds", "1.5")) as client:
        client.send("initialize", {"protocolVersion": "2025-11-25"}, id=1)
        with pytest.raises(TimeoutError):
            client.read_line(0.1)
        assert client.read_answer(1)["result"]["serverInfo"]["name"] == "slow-start"


# What is left behind


@pytest.mark.parametrize(
    ("name", "args", "left"),
    [
        ("leaves_child", (), 1),
        ("setsid_child", (), 1),
        ("daemon_child", (), 1),
        ("many_children", ("--count", 4), 4),
    ],
)
def test_a_server_that_leaves_children_exits_and_they_stay(
    name: str, args: tuple[object, ...], left: int, marker: str
) -> None:
    with connect(name, *args, "--marker", marker) as client:
        client.close_input()
        assert client.wait() == 0
        assert len(find_marked(marker)) == left


def test_leaves_child_keeps_it_in_the_group_and_setsid_child_does_not(marker: str) -> None:
    with connect("leaves_child", "--marker", marker) as client:
        assert child_groups(client, marker) == {client.process.pid}
        end_marked(marker)
    with connect("setsid_child", "--marker", marker) as client:
        assert child_groups(client, marker).isdisjoint({client.process.pid})


def test_the_daemon_has_no_parent_no_group_and_no_environment_of_the_server(marker: str) -> None:
    with connect("daemon_child", "--marker", marker) as client:
        (daemon,) = [found for found in find_marked(marker) if found.pid != client.process.pid]
        assert daemon.ppid() != client.process.pid
        assert daemon.environ() == {}
        assert child_groups(client, marker).isdisjoint({client.process.pid})
        assert psutil.Process(client.process.pid).children(recursive=True) == []


def test_crash_child_holds_stdout_is_gone_but_no_end_of_file_comes(marker: str) -> None:
    with connect("crash_child_holds_stdout", "--marker", marker) as client:
        client.send("tools/call", {"name": "crash"}, id=5)
        assert client.wait() == 1
        with pytest.raises(TimeoutError):
            client.read_line(BRIEF)
        assert end_marked(marker) == 1
        with pytest.raises(EOFError):
            client.read_line()


def test_what_is_left_behind_ends_by_itself() -> None:
    if sys.platform == "win32":
        pytest.skip("needs POSIX signals")
    root = str(FOLDER.parent.parent)
    lines = f"import sys; sys.path.insert(0, {root!r}); from tests.servers import base"
    code = f"{lines}; base.LIFE = 1; base.wait_forever()"
    done = subprocess.run([sys.executable, "-S", "-I", "-c", code], timeout=30, check=False)
    assert done.returncode == -signal.SIGALRM


def child_groups(client: RawClient, marker: str) -> set[int]:
    children = [found for found in find_marked(marker) if found.pid != client.process.pid]
    assert children
    assert sys.platform != "win32"
    return {os.getpgid(child.pid) for child in children}


# What they say


def test_garbage_writes_three_lines_before_each_answer() -> None:
    with connect("garbage") as client:
        assert len(client.garbage) == 6
        client.ask("ping")
        assert len(client.garbage) == 9


def test_bad_utf8_writes_bytes_that_do_not_decode() -> None:
    with connect("bad_utf8") as client:
        with pytest.raises(UnicodeDecodeError):
            client.garbage[0].decode()
        client.send("tools/call", {"name": "latin1"}, id=3)
        line = client.read_line()
        assert b"caf\xe9" in line
        json.loads(line.decode(errors="replace"))


def test_silent_says_nothing_and_ends_with_its_input() -> None:
    with RawClient(command("silent")) as client:
        client.send("initialize", {}, id=1)
        with pytest.raises(TimeoutError):
            client.read_line(BRIEF)
        client.close_input()
        assert client.wait() == 0


def test_drops_discover_answers_other_requests_only() -> None:
    with RawClient(command("drops_discover")) as client:
        client.send("server/discover", {"_meta": MODERN_META}, id="probe")
        assert "result" in client.initialize()


def test_dies_on_discover_ends_on_the_probe() -> None:
    with RawClient(command("dies_on_discover")) as client:
        client.send("server/discover", {"_meta": MODERN_META}, id="probe")
        assert client.wait() == 1


def test_huge_line_sends_one_line_of_the_size_as_a_result_or_at_the_start() -> None:
    with connect("huge_line", "--megabytes", 3) as client:
        assert len(text_of(client.call("huge"))) == 3 << 20
    with RawClient(command("huge_line", "--megabytes", 2, "--at", "start")) as client:
        assert len(client.read_line()) > 2 << 20
        assert "result" in client.initialize()


def test_floods_stderr_at_the_start_and_when_called() -> None:
    with connect("floods_stderr", "--megabytes", 2) as client:
        before = len(client.stderr)
        assert before > 1_900_000
        assert text_of(client.call("flood")) == "flooded"
        assert len(client.stderr) >= 2 * before


def test_shell_wrapper_stays_as_the_parent_of_the_server() -> None:
    with connect("shell_wrapper") as client:
        (server,) = psutil.Process(client.process.pid).children()
        assert text_of(client.call("pid")) == str(server.pid)
        client.close_input()
        client.wait()


def test_list_changes_tells_of_an_added_and_a_removed_tool() -> None:
    with connect("list_changes") as client:
        client.call("add_tool", name="later")
        assert text_of(client.call("later", message="x")) == "x"
        client.call("remove_tool", name="later")
        assert "error" in client.call("later")
        methods = [note["method"] for note in client.notifications]
        assert methods == ["notifications/tools/list_changed"] * 2
        client.send("tools/call", {"name": "crash"}, id="crash")
        assert client.wait() == 1


def test_list_changes_tells_a_listener_in_the_modern_era() -> None:
    with RawClient(command("list_changes", "--era", "modern")) as client:
        found = client.ask("server/discover", {"_meta": MODERN_META})["result"]
        assert found["supportedVersions"] == ["2026-07-28"]
        wanted = {"_meta": MODERN_META, "notifications": {"toolsListChanged": True}}
        client.send("subscriptions/listen", wanted, id="listen")
        params = {"name": "add_tool", "arguments": {"name": "later"}, "_meta": MODERN_META}
        assert client.ask("tools/call", params)["result"]["resultType"] == "complete"
        acknowledged, changed = client.notifications
        assert acknowledged["method"] == "notifications/subscriptions/acknowledged"
        meta = changed["params"]["_meta"]
        assert meta == {"io.modelcontextprotocol/subscriptionId": "listen"}


@pytest.mark.parametrize(("page", "pages"), [(0, 1), (20, 5), (30, 4)])
def test_many_tools_pages_its_list_and_keeps_each_tool_to_its_size(page: int, pages: int) -> None:
    with connect("many_tools", "--count", 100, "--bytes", 900, "--page", page) as client:
        cursor: dict[str, str] = {}
        tools: list[object] = []
        for _ in range(pages):
            result = client.ask("tools/list", cursor)["result"]
            tools += result["tools"]
            cursor = {"cursor": result.get("nextCursor", "")}
        assert cursor == {"cursor": ""}
        assert len(tools) == 100
        assert {len(json.dumps(tool, separators=(",", ":"))) for tool in tools} == {900}


def test_wrong_result_breaks_the_protocol_in_each_way() -> None:
    with connect("wrong_result") as client:
        assert client.call("no_content")["result"] == {}
        assert client.call("content_is_text")["result"] == {"content": "text"}
        assert client.call("result_is_list")["result"] == []
        assert "code" not in client.call("error_without_code")["error"]
        assert {"result", "error"} <= set(client.call("result_and_error"))
        assert client.call("protocol_error")["error"]["code"] == -32603
        client.send("tools/call", {"name": "never"}, id="never")
        client.send("tools/call", {"name": "wrong_id"}, id="lost")
        assert client.read_message()["id"] == 987654
        client.send("tools/call", {"name": "answers_twice"}, id="two")
        assert [client.read_message()["id"] for _ in range(2)] == ["two", "two"]


def test_wrong_result_can_break_the_list_too() -> None:
    with connect("wrong_result", "--list", "bad") as client:
        tools = client.ask("tools/list")["result"]["tools"]
        assert "inputSchema" not in tools[0]
