"""Two runs that write at once, a full disk, files of a newer version: nothing is lost unsaid.

Real processes write real files.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from desktop.base.damaged_files import Damages, OwnFile
from desktop.base.errors import ConfigError
from desktop.features.saved_calls.saved_call import SavedCall
from desktop.features.saved_calls.saved_call_files import (
    CallFile,
    add_call,
    find_files,
    read_calls,
    write_calls,
)
from desktop.tools.approvals import Approvals
from tests.patience import LIMIT

if TYPE_CHECKING:
    from tests.conftest import ExpectedLogs

pytestmark = pytest.mark.skipif(os.name != "posix", reason="file-size limits and flock")
ROOT = Path(__file__).parents[2]
COUNT = 15

ADDING = """
import sys
from pathlib import Path
from desktop.features.saved_calls.saved_call import SavedCall
from desktop.features.saved_calls.saved_call_files import add_call
for n in range(int(sys.argv[2])):
    call = SavedCall(name="same name", tool="a:b", arguments={"by": sys.argv[3]})
    add_call(Path(sys.argv[1]), call)
"""

CHANGING = """
import asyncio, sys
from pathlib import Path
from desktop.features.saved_calls.saved_calls import SavedCalls
async def change():
    calls = SavedCalls(Path(sys.argv[1]))
    for n in range(int(sys.argv[2])):
        await calls.load()
        (entry,) = [e for e in calls.entries if e.call.name == sys.argv[3]]
        await calls.replace(entry, entry.call.model_copy(update={"arguments": {"n": n}}))
asyncio.run(change())
"""

SETTING = """
import sys
from pathlib import Path
from desktop.config.models import ServerConfig
from desktop.config.store import ConfigStore
store = ConfigStore(Path(sys.argv[1]), {})
store.load()
for n in range(int(sys.argv[2])):
    store.add_server(ServerConfig(name=f"{sys.argv[3]}{n}", transport="stdio", command="x"))
"""

FULL = """
import resource, sys
from pathlib import Path
from desktop.base.errors import DesktopError
{imports}
resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))
try:
    {act}
except DesktopError as error:
    print(error)
"""


def run_beside(code: str, path: Path) -> list[str]:
    """Two processes at once; what each wrote to stderr."""
    running = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(path), str(COUNT), name],
            cwd=ROOT,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in ("a", "b")
    ]
    return [process.communicate(timeout=60)[1] for process in running]


def test_calls_that_two_runs_save_under_one_name_are_all_there(tmp_path: Path) -> None:
    assert run_beside(ADDING, tmp_path / "calls") == ["", ""]
    found = [read_calls(path).calls[0] for path in find_files(tmp_path / "calls")]
    assert sorted(str(call.arguments["by"]) for call in found) == ["a"] * COUNT + ["b"] * COUNT


def test_of_one_file_two_runs_change_each_its_own_call(tmp_path: Path) -> None:
    both = tuple(SavedCall(name=name, tool="s:t") for name in ("a", "b"))
    file = CallFile(tmp_path / "both.json", both)
    write_calls(file)
    assert run_beside(CHANGING, tmp_path) == ["", ""]
    assert [call.arguments for call in read_calls(file.path).calls] == [{"n": COUNT - 1}] * 2


def test_servers_that_two_runs_add_are_all_there(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    assert run_beside(SETTING, path) == ["", ""]
    assert len(json.loads(path.read_bytes())["mcpServers"]) == 2 * COUNT


@pytest.mark.parametrize(
    ("name", "imports", "act"),
    [
        (
            "one.json",
            "from desktop.features.saved_calls.saved_call import SavedCall\n"
            "from desktop.features.saved_calls.saved_call_files import *",
            "replace_call(read_calls(Path(sys.argv[1])), 0, "
            "SavedCall(name='one', tool='a:b', arguments={'a': 'x' * 500}))",
        ),
        (
            "mcp.json",
            "from desktop.config.store import ConfigStore\n"
            "from desktop.config.models import ServerConfig",
            "s = ConfigStore(Path(sys.argv[1]), {}); s.load(); "
            "s.add_server(ServerConfig(name='x', transport='stdio', command='x' * 300))",
        ),
        (
            "approvals.json",
            "import asyncio\nfrom desktop.tools.approvals import Approvals",
            "asyncio.run(Approvals(Path(sys.argv[1])).set_rule('a:' + 'x' * 300, 'always'))",
        ),
    ],
)
def test_on_a_full_disk_the_file_stays_and_it_is_said(
    tmp_path: Path, name: str, imports: str, act: str
) -> None:
    path = tmp_path / name
    if name == "one.json":
        add_call(tmp_path, SavedCall(name="one", tool="a:b"))
    elif name == "mcp.json":
        path.write_text('{"mcpServers": {}}')
    else:
        asyncio.run(Approvals(path).set_rule("a:b", "never"))
    before = path.read_bytes()
    code = FULL.format(imports=imports, act=act)
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=True,
    )
    assert f"{path} cannot be written: File too large; nothing was changed" in done.stdout
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir() if each.name.startswith(".one")] == []


def test_a_file_of_a_newer_version_is_said_and_kept_before_it_is_written_over(
    tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("a newer version of the app has written it")
    path = tmp_path / "approvals.json"
    newer = b'{"version": 2, "decisions": [1, 2]}'
    path.write_bytes(newer)
    asyncio.run(Approvals(path).set_rule("a:b", "never"))
    (kept,) = tmp_path.glob("approvals.json.damaged-*")
    assert kept.read_bytes() == newer


def test_what_cannot_be_kept_beside_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 250)  # no longer name fits beside it
    path.write_bytes(b"{")
    damages = Damages()
    file = OwnFile(path, "names", list, "All is lost.", damages)
    with pytest.raises(ConfigError, match="It stays as it is: a copy cannot be kept beside it"):
        file.write({"names": []})
    assert path.read_bytes() == b"{"
    assert len(damages.found) == 1
