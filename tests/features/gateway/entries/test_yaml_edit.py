"""One member of a YAML file is put in and taken out; every other byte stays."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.config.yaml_text import read_yaml
from desktop.features.gateway.entries.entry_text import drop_from_yaml, put_in_yaml

ENTRY: dict[str, Any] = {
    "enabled": True,
    "type": "stdio",
    "cmd": "/opt/a b/app",
    "args": ["serve", "--client", "goose", "yes", "5", "# no comment", "ü: {", "", "on\ttab"],
    "timeout": 300,
}
PATH = ("extensions", "mcp-desktop")
FILES = {
    "block": (
        "# mine\nGOOSE_PROVIDER: anthropic  # and why\n\nextensions:\n  # the first\n  developer:\n"
        "    enabled: true\n    args: [a, b]  # two\n  fetch:\n    envs: {A: '1'}\n    args:\n"
        "    - x\n\n# the end\nGOOSE_MODEL: x\n"
    ),
    "last, and four spaces": (
        "a: 1\nextensions:\n    one:\n        text: |\n            a\n\n            b\n"
    ),
    "a folded text before another name": (
        "extensions:\n  one:\n    text: >-\n      a\n      b\nlater: 1\n"
    ),
    "no line end": "extensions:\n  one: {enabled: true}",
    "windows": "a: 1\r\nextensions:\r\n  one:\r\n    enabled: true  # on\r\nb: 2\r\n",
    "a byte order mark": "\ufeffextensions:\n  one:\n    enabled: true\n",
    "another alphabet": "名: 值\nextensions:\n  一:\n    enabled: true # 是\n",
    "a marker": "---\nextensions:\n  one:\n    enabled: true\n",
    "flow": 'a: 1\nextensions: {one: {enabled: true}, "two": {}}  # all\nb: 2\n',
    "flow over lines": "extensions: {\n  one: {enabled: true}\n  }\nb: 2\n",
    "quoted names": '"extensions":\n  "one": {enabled: true}\n',
}
"""Each has other members in the table, so that what was put in can be taken out without a trace."""
BARE = {
    "an empty file": "",
    "comments alone": "# nothing yet\n",
    "no such table": "a: 1\n# the end\n",
    "no such table, no line end": "a: 1",
    "an empty table": "a: 1\nextensions: {}  # none\nb: 2\n",
    "a name alone": "a: 1\nextensions:\n  # one: {}\nb: 2\n",
    "a name alone at the end": "extensions:",
    "empty braces in braces": "{a: 1, extensions: {}}  # none\n",
    "braces": "# all\n{}  # none\n",
    "null": "extensions: null # none\nb: 2\n",
}


def data(text: str) -> dict[str, Any]:
    return read_yaml(text.encode())


@pytest.mark.parametrize("name", FILES)
def test_what_was_put_in_is_read_and_taken_out_without_a_trace(name: str) -> None:
    text = FILES[name]
    put = put_in_yaml(text, PATH, ENTRY)
    wanted = data(text)
    wanted["extensions"]["mcp-desktop"] = ENTRY
    assert data(put) == wanted
    lines = put.splitlines()
    if "flow" not in name:
        assert [line for line in text.splitlines() if line not in lines] == []
    assert ("\r\n" in put, "\n" in put.replace("\r\n", "")) == ("\r\n" in text, "\r\n" not in text)
    assert drop_from_yaml(put, PATH) == (text if text.endswith("\n") else f"{text}\n")


@pytest.mark.parametrize("name", FILES)
def test_an_entry_is_replaced_in_its_place(name: str) -> None:
    put = put_in_yaml(FILES[name], PATH, {"enabled": False, "args": ["a"]})
    again = put_in_yaml(put, PATH, ENTRY)
    assert again == put_in_yaml(FILES[name], PATH, ENTRY)


@pytest.mark.parametrize("name", BARE)
def test_a_table_that_is_not_there_is_made_and_stays_a_table(name: str) -> None:
    text = BARE[name]
    put = put_in_yaml(text, PATH, ENTRY)
    assert data(put) == {**data(text), "extensions": {"mcp-desktop": ENTRY}}
    dropped = drop_from_yaml(put, PATH)
    assert data(dropped) == {**data(text), "extensions": {}}
    comments = [f"#{part}" for line in text.splitlines() for part in line.split("#")[1:]]
    assert [comment for comment in comments if comment not in dropped] == []
    assert put_in_yaml(dropped, PATH, ENTRY) == put


@pytest.mark.parametrize("text", [*FILES.values(), *BARE.values()])
def test_what_is_not_there_is_not_taken_out(text: str) -> None:
    assert drop_from_yaml(text, PATH) == text


def test_what_stands_around_an_entry_that_a_person_moved_stays() -> None:
    text = (
        "extensions:\n  mcp-desktop:\n    # its\n    cmd: x\n    args:\n    - serve\n\n"
        "  # of the next\n  other:\n    enabled: true\n"
    )
    rest = "extensions:\n\n  # of the next\n  other:\n    enabled: true\n"
    assert drop_from_yaml(text, PATH) == rest


def test_the_first_of_a_line_is_taken_out_with_its_comma() -> None:
    text = "extensions: {mcp-desktop: {cmd: x}, other: {enabled: true}}\n"
    assert drop_from_yaml(text, PATH) == "extensions: {other: {enabled: true}}\n"
