from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.cli.terminal import entry

if TYPE_CHECKING:
    from tests.cli.terminal import Done, Terminal


def by_name(done: Done) -> dict[str, dict[str, Any]]:
    return {server["name"]: server for server in done.document["servers"]}


def configure(terminal: Terminal) -> None:
    terminal.configure(
        plain=entry("plain"),
        dead=entry("exits_at_start"),
        missing={"command": "no-such-program"},
        off=entry("plain", enabled=False),
        wrong={"command": 3},
        refused={"url": "http://127.0.0.1:9/mcp"},
    )


def test_the_table_says_of_each_server_what_became_of_it(terminal: Terminal) -> None:
    configure(terminal)
    done = terminal.run("servers")
    rows = {line.split()[0]: line for line in done.out.splitlines()}
    assert done.code == 0
    assert rows["NAME"].split() == ["NAME", "TRANSPORT", "TOOLS", "TIME", "SOURCE", "STATE"]
    assert rows["plain"].endswith("connected")
    assert "failed: dead exited with code 3" in rows["dead"]
    assert "failed:" in rows["missing"]
    assert "http" in rows["refused"]
    assert "failed:" in rows["refused"]
    assert rows["off"].endswith("off")
    assert "wrong:" in rows["wrong"]
    assert "builtin" in rows["calculator"]
    assert "API_KEY is not set" in done.err
    assert "Searched PATH" in done.err


def test_the_document_has_the_same_for_programs(terminal: Terminal) -> None:
    configure(terminal)
    done = terminal.run("servers", "--json")
    servers = by_name(done)
    plain, off = servers["plain"], servers["off"]
    assert done.code == 0
    assert (plain["state"], plain["error"], plain["tools"]) == ("connected", None, 14)
    assert isinstance(plain["pid"], int)
    assert plain["protocol"] == "2025-11-25"
    assert plain["seconds"] > 0
    assert (off["state"], off["enabled"], off["pid"], off["tools"]) == ("off", False, None, 0)
    assert servers["dead"]["state"] == "failed"
    assert "exited with code 3" in servers["dead"]["error"]
    assert servers["wrong"]["state"] == "wrong"
    assert {frozenset(server) for server in servers.values()} == {frozenset(plain)}


def test_servers_come_in_the_order_of_the_config(terminal: Terminal) -> None:
    terminal.configure(z=entry("slow_start", "--seconds", 0.3), a=entry("plain"))
    assert [*by_name(terminal.run("servers", "--json"))][:2] == ["z", "a"]


def test_the_time_is_all_that_the_server_needed(terminal: Terminal) -> None:
    terminal.configure(slow=entry("slow_start", "--seconds", 0.4))
    assert by_name(terminal.run("servers", "--json"))["slow"]["seconds"] > 0.4


def test_more_servers_than_start_at_a_time_all_connect(terminal: Terminal) -> None:
    terminal.configure(**{f"s{number}": entry("plain") for number in range(7)})
    servers = by_name(terminal.run("servers", "--json"))
    assert [servers[f"s{number}"]["state"] for number in range(7)] == ["connected"] * 7


def test_without_a_config_it_says_what_to_do_first(terminal: Terminal) -> None:
    done = terminal.run("servers")
    assert done.code == 0
    assert "calculator" in done.out
    assert str(terminal.config) in done.err
    assert '"mcpServers"' in done.err
    assert not terminal.config.exists()


def test_on_a_terminal_states_have_colours_unless_somebody_objects(terminal: Terminal) -> None:
    terminal.configure(plain=entry("plain"))
    code, shown = terminal.watch("servers")
    assert code == 0
    assert "\x1b[32mconnected" in shown
    terminal.environment["NO_COLOR"] = "1"
    _, shown = terminal.watch("servers")
    assert "connected" in shown
    assert "\x1b[32m" not in shown


def test_a_long_error_is_cut_to_the_width_of_the_terminal_and_told_whole_below(
    terminal: Terminal,
) -> None:
    terminal.configure(missing={"command": "no-such-program-" * 8})
    _, shown = terminal.watch("servers")
    assert "…" in shown
    assert "no-such-program-" * 8 in shown.replace("\r\n", "")


def test_what_a_server_writes_cannot_reach_the_terminal(terminal: Terminal) -> None:
    script = "import sys; sys.stderr.write('\\x1b[2J\\x07bell'); sys.exit(1)"
    terminal.configure(evil={"command": "python3", "args": ["-c", script]})
    done = terminal.run("servers")
    assert "bell" in done.err
    assert "\x1b" not in done.out + done.err
    assert "\x07" not in done.out + done.err


def test_a_file_with_a_wrong_server_is_not_said_to_have_none(terminal: Terminal) -> None:
    terminal.configure(wrong={"command": 3})
    assert "No servers yet" not in terminal.run("servers").err
    terminal.configure()
    assert "No servers yet" in terminal.run("servers").err
