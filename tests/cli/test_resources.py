from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.base.errors import UsageError
from desktop.cli.resources import save_contents, to_mcp
from desktop.values.resource_types import Resource, ResourceAnnotations, ResourceTemplate
from desktop.values.tool_types import Content
from tests.cli.terminal import entry

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.terminal import Terminal

RICH = "test://rich"


@pytest.fixture
def offers(terminal: Terminal) -> Terminal:
    terminal.configure(offers=entry("offers", era="legacy"))
    return terminal


def test_a_resource_comes_out_as_the_protocol_writes_it() -> None:
    annotations = ResourceAnnotations(("user",), 0.0, "2026-01-01")
    resource = Resource(
        "s", "a:b", "n", "T", "D", "text/plain", 0, annotations, ({"src": "data:,"},), {"k": 1}
    )
    assert to_mcp(resource) == {
        "uri": "a:b",
        "name": "n",
        "title": "T",
        "description": "D",
        "mimeType": "text/plain",
        "size": 0,
        "annotations": {"audience": ["user"], "priority": 0.0, "lastModified": "2026-01-01"},
        "icons": [{"src": "data:,"}],
        "_meta": {"k": 1},
    }
    assert to_mcp(ResourceTemplate("s", "a:{b}", "n")) == {"uriTemplate": "a:{b}", "name": "n"}


def test_the_table_has_resources_and_templates_of_all_servers(terminal: Terminal) -> None:
    terminal.configure(
        one=entry("offers", era="legacy"), two=entry("plain"), dead=entry("exits_at_start")
    )
    done = terminal.run("resources")
    assert done.code == 0
    rows = [line.split()[:2] for line in done.out.splitlines()]
    assert rows == [
        ["SERVER", "URI"],
        ["one", "test://rich"],
        ["one", "test://blob"],
        ["one", "test://item/{id}{?lang}"],
    ]
    assert "exited with code 3" in done.err


def test_the_document_has_everything_that_was_declared(offers: Terminal) -> None:
    document = offers.run("resources", "--json").document
    rich, blob = document["resources"]
    assert (rich["server"], rich["annotations"]["priority"], rich["size"]) == ("offers", 0.5, 6)
    assert blob == {"server": "offers", "uri": "test://blob", "name": "blob"}
    assert [one["uriTemplate"] for one in document["templates"]] == ["test://item/{id}{?lang}"]
    assert document["failed"] == {}


def test_text_is_printed_and_bytes_are_told_of(offers: Terminal) -> None:
    done = offers.run("resources", "--read", RICH)
    assert (done.code, done.out) == (0, f"text of {RICH}\n")
    done = offers.run("resources", "--read", "test://blob")
    assert (done.code, done.out) == (0, "")
    assert "test://blob: image/png, 6 bytes; --output FILE" in done.err


def test_no_terminal_obeys_a_resource(terminal: Terminal) -> None:
    terminal.configure(offers=entry("offers", era="legacy"))
    done = terminal.run("resources", "--read", "test://escape")
    assert (done.code, done.out) == (0, "red[31m\n")


def test_what_was_read_is_written_to_a_new_file(offers: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "out.png"
    done = offers.run("resources", "--read", "test://blob", "--output", str(file), "--json")
    assert done.code == 0
    assert file.read_bytes() == b"\x89PNG\r\n"
    assert done.document["saved"] == [str(file)]
    assert done.document["contents"] == [
        {"type": "resource", "mimeType": "image/png", "uri": "test://blob", "bytes": 6}
    ]
    done = offers.run("resources", "--read", RICH, "--output", str(file))
    assert done.code == 2
    assert file.read_bytes() == b"\x89PNG\r\n"


def test_further_parts_are_written_beside_the_first(tmp_path: Path) -> None:
    parts = (Content("resource", text="a"), Content("resource", data=b"b"))
    saved = save_contents(parts, tmp_path / "x")
    assert [file.read_bytes() for file in saved] == [b"a", b"b"]
    with pytest.raises(UsageError, match="cannot be written"):
        save_contents(parts, tmp_path / "x")


def test_a_template_is_expanded_and_read(offers: Terminal) -> None:
    done = offers.run("resources", "--template", "item", "id=1", "lang=de")
    assert (done.code, done.out) == (0, "text of test://item/1?lang=de\n")
    done = offers.run("resources", "--template", "item", "idd=1", "--json")
    assert done.code == 2
    assert "has no variable 'idd'" in done.document["error"]["message"]
    done = offers.run("resources", "--template", "nothing")
    assert done.code == 2
    assert "Available: offers: test://item/{id}{?lang}." in done.err


def test_what_the_server_refuses_ends_with_one(offers: Terminal) -> None:
    done = offers.run("resources", "--read", "test://nowhere")
    assert done.code == 1
    assert "offers, test://nowhere: Resource not found" in done.err


def test_one_of_two_servers_has_to_be_named_for_what_nobody_lists(terminal: Terminal) -> None:
    terminal.configure(one=entry("offers", era="legacy"), two=entry("offers", era="legacy"))
    done = terminal.run("resources", "--read", "test://nowhere")
    assert done.code == 2
    assert "No server lists test://nowhere.\nChoose one with --server: one, two." in done.err
    done = terminal.run("resources", "--read", RICH, "--server", "two", "--json")
    assert (done.code, done.document["server"]) == (0, "two")


def test_a_server_that_is_not_there_ends_with_three(terminal: Terminal) -> None:
    terminal.configure(dead=entry("exits_at_start"))
    assert terminal.run("resources").code == 3
    assert terminal.run("resources", "--read", RICH).code == 3


@pytest.mark.parametrize(
    "words",
    [
        ["--read", "a:b", "--template", "t"],
        ["id=1"],
        ["--output", "x"],
        ["--read", "a:b", "--timeout", "0"],
        ["--server", "nobody"],
    ],
)
def test_what_does_not_fit_together_starts_nothing(offers: Terminal, words: list[str]) -> None:
    done = offers.run("resources", *words)
    assert done.code == 2
    assert offers.server_log("offers") == ""
