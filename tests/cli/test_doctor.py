from __future__ import annotations

from typing import TYPE_CHECKING

from tests.cli.terminal import entry

if TYPE_CHECKING:
    from tests.cli.terminal import Terminal


def test_when_all_is_well_it_says_so_and_is_0(terminal: Terminal) -> None:
    terminal.configure(plain=entry("plain"), off=entry("exits_at_start", enabled=False))
    done = terminal.run("doctor")
    assert done.code == 0
    assert "All is well." in done.out
    assert "off" not in done.out.split()[2:3]
    assert "14 tools" in done.out


def test_a_server_that_fails_is_3_with_what_it_said_and_what_to_do(terminal: Terminal) -> None:
    terminal.configure(plain=entry("plain"), dead=entry("exits_at_start"))
    done = terminal.run("doctor")
    assert done.code == 3
    assert "exited with code 3" in done.out
    assert "error: API_KEY is not set" in done.out
    assert "to do" in done.out
    assert "1 of 2 servers do not work: dead." in done.out


def test_one_server_alone_is_examined_also_when_it_is_off(terminal: Terminal) -> None:
    terminal.configure(off=entry("plain", enabled=False), dead=entry("exits_at_start"))
    done = terminal.run("doctor", "off", "--json")
    assert done.code == 0
    document = done.document
    assert document["ok"] is True
    assert [(one["name"], one["enabled"]) for one in document["servers"]] == [("off", False)]


def test_a_wrong_entry_is_examined_without_starting_anything(terminal: Terminal) -> None:
    terminal.configure(wrong={"command": "x", "args": "one text"}, plain=entry("plain"))
    for args in (["doctor"], ["doctor", "wrong"]):
        done = terminal.run(*args, "--json")
        assert done.code == 3
        (wrong,) = [one for one in done.document["servers"] if one["name"] == "wrong"]
        assert wrong["checks"][0]["check"] == "config"
        assert '"args" must be a list' in wrong["checks"][0]["text"]
        assert wrong["advice"]


def test_an_unknown_server_is_2(terminal: Terminal) -> None:
    terminal.configure(plain=entry("plain"))
    done = terminal.run("doctor", "nobody", "--json")
    assert done.code == 2
    assert "There is no server 'nobody'" in done.document["error"]["message"]


def test_without_servers_there_is_nothing_to_examine(terminal: Terminal) -> None:
    done = terminal.run("doctor")
    assert done.code == 0
    assert "(not there yet)" in done.out
    assert "nothing to examine" in done.out
