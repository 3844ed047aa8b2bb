"""Which servers must be greeted the old way is remembered by what they are, not by their name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.config.models import ServerConfig
from desktop.servers.eras import ProtocolEraCache

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import ExpectedLogs

ONE = ServerConfig(name="one", transport="stdio", command="uvx", args=("a",))


def test_what_was_learned_is_known_to_the_next_run(tmp_path: Path) -> None:
    file = tmp_path / "new" / "eras.json"
    ProtocolEraCache(file).remember_legacy(ONE)
    memory = ProtocolEraCache(file)
    assert memory.mode(ONE) == "legacy"
    assert memory.mode(ONE.changed(name="renamed")) == "legacy"
    assert memory.mode(ONE.changed(args=("b",))) == "auto"


def test_what_the_person_set_wins() -> None:
    memory = ProtocolEraCache()
    memory.remember_legacy(ONE)
    assert memory.mode(ONE.changed(era="2026-07-28")) == "2026-07-28"
    memory.remember_legacy(ONE.changed(era="2026-07-28", args=("b",)))
    assert memory.mode(ONE.changed(args=("b",))) == "auto"


@pytest.mark.parametrize("content", ["", "{}", "[1, null]", "[" * 100_000, "\x00", "nonsense"])
def test_a_broken_file_costs_one_slow_connect(tmp_path: Path, content: str) -> None:
    file = tmp_path / "eras.json"
    file.write_text(content, "utf-8")
    memory = ProtocolEraCache(file)
    assert memory.mode(ONE) == "auto"
    memory.remember_legacy(ONE)
    assert ProtocolEraCache(file).mode(ONE) == "legacy"


def test_a_file_that_cannot_be_written_is_reported_and_no_more(
    tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("generation is not remembered")
    (tmp_path / "file").write_text("", "utf-8")
    memory = ProtocolEraCache(tmp_path / "file" / "eras.json")
    memory.remember_legacy(ONE)
    assert memory.mode(ONE) == "legacy"


def test_the_file_holds_no_argument_of_a_server(tmp_path: Path) -> None:
    file = tmp_path / "eras.json"
    ProtocolEraCache(file).remember_legacy(ONE.changed(args=("--token=secret",)))
    assert "secret" not in file.read_text("utf-8")
