import dataclasses

import pytest

from desktop.tools.definition import ToolDefinition


def test_a_tool_is_known_by_its_server_and_name() -> None:
    assert ToolDefinition("files", "fs:read").key == "files:fs:read"


def test_a_person_reads_the_title_or_else_the_name() -> None:
    assert ToolDefinition("files", "read", title="Read a file").label == "Read a file"
    assert ToolDefinition("files", "read").label == "read"


def test_a_definition_cannot_be_changed() -> None:
    definition = ToolDefinition("files", "read")
    with pytest.raises(dataclasses.FrozenInstanceError):
        definition.name = "write"  # type: ignore[misc]  # that it cannot is what is tested


def test_definitions_do_not_share_their_empty_schema() -> None:
    first, second = ToolDefinition("files", "read"), ToolDefinition("files", "write")
    assert first.input_schema is not second.input_schema
