from __future__ import annotations

import pytest

from desktop.config.models import ServerConfig
from desktop.errors import ConfigError
from desktop.gui.servers.field_errors import by_field

FIELDS = frozenset({"name", "command", "url", "timeout", "connect_timeout", "env"})


def test_each_sentence_goes_to_the_field_it_begins_with() -> None:
    with pytest.raises(ConfigError) as caught:
        ServerConfig.checked(
            name="", transport="stdio", command="x", timeout=0, connect_timeout=9999, env={"": "v"}
        )
    found, rest = by_field(caught.value, FIELDS)
    assert set(found) == {"name", "timeout", "connect_timeout", "env"}
    assert "seconds" in rest


def test_what_its_transport_needs_stands_at_that_field() -> None:
    with pytest.raises(ConfigError) as caught:
        ServerConfig.checked(name="a", transport="stdio")
    found, _ = by_field(caught.value, FIELDS)
    assert "command" in found


def test_what_concerns_no_field_is_said_of_the_whole() -> None:
    error = ConfigError("/a/b cannot be written: disk full", remedy="Free some space.")
    assert by_field(error, FIELDS) == ({}, "/a/b cannot be written: disk full\nFree some space.")
