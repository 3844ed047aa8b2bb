"""What an idle window does not need is not in its memory; a page brings what it needs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.server_commands import command

if TYPE_CHECKING:
    from typing import Any

ROOT = Path(__file__).parent.parent.parent
HEAVY = (
    "desktop.gui.form.schema_form",
    "desktop.gui.results.result_view",
    "desktop.gui.tools.page",
    "desktop.tools.validation.validator",
    "http.client",
    "jsonschema",
)
CODE = """
import asyncio, json, sys
from pathlib import Path
from desktop import app
from desktop.base.paths import Paths
from desktop.cli.commands import ATTACH

folder, heavy = Path(sys.argv[1]), json.loads(sys.argv[2])
joins = (".gui", ".gui.early", ".gui.feature", ".gui.keys")
works = tuple(name.rpartition(".")[0] for name in ATTACH)  # while nobody is at the window
works += (".".join(("desktop", "features", "models")),)  # the page in sight says what tools cost
is_later = lambda name: name.startswith("desktop.features.") and name.count(".") > 2
found = lambda: [
    name
    for name in sys.modules
    if name in heavy
    or is_later(name) and not name.startswith(works) and not name.endswith(joins)
]

async def look(window, core):
    print(json.dumps(found()))
    window.window.show_page("tools")
    async with asyncio.timeout(40):
        while "desktop.tools.validation.validator" not in sys.modules:
            await asyncio.sleep(0.01)
    print(json.dumps(found()))
    window.quit()

sys.exit(app._run(Paths(folder / "mcp.json", folder / "data"), look))
"""

WITHOUT_SERVERS = """
import sys
from pathlib import Path
from desktop import app
from desktop.base.paths import Paths

folder = Path(sys.argv[1])

async def look(window, core):
    print([name for name in sys.modules if name.startswith("mcp_types._v")])
    window.quit()

sys.exit(app._run(Paths(folder / "mcp.json", folder / "data"), look))
"""


def test_the_first_server_that_is_switched_on_finds_the_models_that_it_speaks(
    tmp_path: Path,
) -> None:
    """Else the window stands still while they are imported."""
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_SERVERS, str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout == "['mcp_types._v2025_11_25']\n", done.stderr


@pytest.mark.parametrize("is_second_run", [False, True])
def test_forms_results_and_validation_come_with_their_page(
    tmp_path: Path, is_second_run: bool
) -> None:
    """And a feature when it is used: the modules that join the window bring none of it."""
    program, args = command("plain")
    servers: dict[str, Any] = {"plain": {"command": program, "args": args}}
    (tmp_path / "mcp.json").write_text(json.dumps({"mcpServers": servers}), encoding="utf-8")
    for _ in range(1 + is_second_run):
        (tmp_path / "data" / "window.ini").unlink(missing_ok=True)  # begins on the page Servers
        done = subprocess.run(
            [sys.executable, "-c", CODE, str(tmp_path), json.dumps(HEAVY)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    idle, with_tools = map(json.loads, done.stdout.splitlines())  # pyright: ignore[reportPossiblyUnboundVariable] at least one run
    assert idle == []
    assert {"desktop.gui.tools.page", "desktop.tools.validation.validator"} <= set(with_tools)
