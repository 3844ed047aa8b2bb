"""One member is put into a text or taken out; every other character stays."""

from __future__ import annotations

import pytest

from desktop.config.document import parse
from desktop.features.gateway.entries.entry_text import drop_from_json, put_in_json

PATH = ("mcpServers", "ours")
ENTRY = {"command": "app", "args": ["serve"]}

COMMENTED = """\
// of a person
{
    "theme": "dark", // kept
    "mcpServers": {
        /* the first */ "files": { "command": "npx",   "args": [ 1.50, "ours" ] }, // {"ours": 1}
        "last": {"command": "x"} // behind it
        // the end
    },
}
"""
TEXTS = [
    COMMENTED,
    COMMENTED.replace('"x"} //', '"x"}, //'),
    COMMENTED.replace("\n", "\r\n"),
    COMMENTED.replace("    ", "\t"),
    '{"mcpServers": {"a": {"command": "x"}}, "b": [1, {"mcpServers": {"ours": 2}}]}',
    '{"mcpServers": {"a": {"command": "x"},}}',
    '{"mcpServers":{}}',
    '{\n  "mcpServers": {\n  }\n}\n',
    '{\n  "mcpServers": { /* none */ }\n}\n',
    '{\n  "x": {"mcpServers": 1}, "mcpServers": {"\\u006furs2": {}}\n}',
]


@pytest.mark.parametrize("text", TEXTS)
def test_what_was_put_in_is_there_and_goes_without_a_trace(text: str) -> None:
    changed = put_in_json(text, PATH, ENTRY)
    expected = parse(text.encode(), "it").data
    expected["mcpServers"]["ours"] = ENTRY
    assert parse(changed.encode(), "it").data == expected
    again = drop_from_json(changed, PATH)
    squeezed = [
        each.translate({ord(letter): None for letter in " \t\r\n"}) for each in (again, text)
    ]
    assert squeezed[0] == squeezed[1]


@pytest.mark.parametrize("text", TEXTS[:6])
def test_the_text_is_the_same_to_the_last_space_where_there_were_servers(text: str) -> None:
    assert drop_from_json(put_in_json(text, PATH, ENTRY), PATH) == text


def test_the_new_member_is_written_as_its_neighbours_are() -> None:
    assert put_in_json(COMMENTED, PATH, ENTRY) == COMMENTED.replace(
        '"x"} // behind it\n        // the end\n',
        '"x"}, // behind it\n        // the end\n'
        '        "ours": {\n            "command": "app",\n            "args": [\n'
        '                "serve"\n            ]\n        }\n',
    )


def test_an_entry_that_is_there_is_replaced_in_its_place() -> None:
    text = '{\n  "mcpServers": {\n    "ours": {"old": [1, 2]}, // ours\n    "b": {}\n  }\n}\n'
    changed = put_in_json(text, PATH, {"new": "}"})
    assert changed == text.replace('{"old": [1, 2]}', '{\n      "new": "}"\n    }')


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ('{"mcpServers": {"ours": 1, "b": 2}}', '{"mcpServers": { "b": 2}}'),
        ('{"mcpServers": {"a": 1, "ours": 1, "b": 2}}', '{"mcpServers": {"a": 1, "b": 2}}'),
        ('{"mcpServers": {"a": 1, "ours": 1}}', '{"mcpServers": {"a": 1}}'),
        ('{"mcpServers": {"a": 1, "ours": [1, {}], }}', '{"mcpServers": {"a": 1, }}'),
        ('{"mcpServers": {\n  "ours": 1\n}}', '{"mcpServers": {}}'),
        ('{"mcpServers": {"a": {"ours": 1}}}', '{"mcpServers": {"a": {"ours": 1}}}'),
        ('{"mcpServers": 5}', '{"mcpServers": 5}'),
    ],
)
def test_a_member_goes_with_its_comma(text: str, left: str) -> None:
    assert drop_from_json(text, PATH) == left


@pytest.mark.parametrize("text", ["", "{}", "{ }\n", "{\n}\n", '{"a": 1}', '{\n  "a": 1\n}\n'])
def test_what_leads_to_the_member_is_made(text: str) -> None:
    changed = put_in_json(text, PATH, ENTRY)
    expected = parse(text.encode() or b"{}", "it").data | {"mcpServers": {"ours": ENTRY}}
    assert parse(changed.encode(), "it").data == expected
