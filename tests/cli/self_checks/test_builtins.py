from __future__ import annotations

from typing import TYPE_CHECKING

from builtin_servers.catalog import CATALOG
from desktop.cli.self_checks.builtins import trials

if TYPE_CHECKING:
    from pathlib import Path


def test_each_built_in_server_is_asked_something(tmp_path: Path) -> None:
    assert list(trials(tmp_path / "new", "http://127.0.0.1:1")) == list(CATALOG)


def test_nothing_is_touched_outside_of_the_folder(tmp_path: Path) -> None:
    """What they answer is seen by `test_self_test`."""
    folder = tmp_path / "new"
    for trial in trials(folder, "http://127.0.0.1:1").values():
        paths = [one for one in trial.arguments if "/" in one]
        assert all(one.startswith(str(folder)) for one in paths)
