from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.tools.executor import ToolExecutor
from desktop.tools.registry import ToolRegistry

if TYPE_CHECKING:
    from desktop.gui.tools.interfaces import ToolCatalog, ToolRunner


def test_the_core_fits_the_ports() -> None:
    registry = ToolRegistry()
    source: ToolCatalog = registry  # the type checker is the test
    runner: ToolRunner = ToolExecutor(registry)
    assert source.all() == ()
    assert runner.check("nothing:here", {}).issues == ()
