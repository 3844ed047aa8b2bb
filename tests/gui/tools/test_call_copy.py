from __future__ import annotations

import json

import pytest

from desktop.config.models import ServerConfig
from desktop.gui.tools.call_copy import call_text
from tests.gui.tools.fakes import TEXT_SCHEMA, tool

ECHO = tool("one:echo", TEXT_SCHEMA)
COPIED_SERVER = ServerConfig(name="one", transport="stdio", command="server")


def test_each_form_is_what_its_reader_wants() -> None:
    arguments = {"text": "hi"}
    assert json.loads(call_text("arguments", ECHO, arguments, None)) == arguments
    assert json.loads(call_text("request", ECHO, arguments, None))["params"]["name"] == "echo"
    assert call_text("command", ECHO, arguments, None) == "mcp-desktop call one:echo text=hi"
    assert 'TOOL = "echo"' in call_text("python", ECHO, arguments, COPIED_SERVER)


def test_a_program_needs_to_know_the_server() -> None:
    with pytest.raises(ValueError, match="not in the config"):
        call_text("python", ECHO, {}, None)
