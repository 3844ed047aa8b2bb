"""Files and SQL statements that are small and would take very long."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from builtin_servers.framework.tool import CallContext, ToolCallError
from builtin_servers.sqlite_database import SqliteDatabase
from desktop.base.errors import ConfigError
from desktop.config.imports.file_formats import read_document
from tests.attacks.measure import processor_time
from tests.builtin_command import ignore

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    "text",
    ["[" * 60_000, "{a: " * 60_000, "- " * 60_000, "? " * 60_000, "[" * 60_000 + "]" * 60_000],
    ids=["lists", "maps", "block lists", "keys", "closed lists"],
)
def test_yaml_nested_very_deeply_is_refused_at_once(text: str, tmp_path: Path) -> None:
    file = tmp_path / "deep.yaml"
    file.write_text(text)
    with processor_time() as cost, pytest.raises(ConfigError, match="more than 200 levels"):
        read_document(file)
    assert cost.processor < 2


def test_a_megabyte_of_yaml_brackets_is_refused_in_bounded_time(tmp_path: Path) -> None:
    file = tmp_path / "wide.yaml"
    file.write_text("[" + "[]," * 340_000 + "]")
    with processor_time() as cost, pytest.raises(ConfigError, match="more than 100000 names"):
        read_document(file)
    assert cost.processor < 5


def test_a_statement_on_large_values_ends_at_its_limit(tmp_path: Path) -> None:
    database = SqliteDatabase(str(tmp_path / "a.db"), may_write=True, max_seconds=0.2)
    call = CallContext({}, ignore)
    database.write(call, "create table t (a)")
    rows = "with recursive t(n) as (select 1 union all select n + 1 from t where n < 9999)"
    statement = f"{rows} select max(instr(zeroblob(9000000 + n), x'01')) from t"
    with processor_time() as cost, pytest.raises(ToolCallError, match=r"limit of 0\.2 s"):
        database.read(call, statement)
    assert cost.processor < 2
