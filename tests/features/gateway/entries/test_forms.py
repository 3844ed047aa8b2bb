"""What is written into other apps starts this installation tomorrow, too."""

from __future__ import annotations

import pytest

from desktop.base.errors import ConfigError
from desktop.base.paths import app_command
from desktop.features.gateway.entries.forms import GatewayCommand, lasting_command


@pytest.mark.parametrize(
    ("executable", "command"),
    [
        ("/home/me/.cache/uv/archive-v0/Xy12/bin/python", ("uvx", "mcp-desktop")),
        ("/var/cache/uv/environments-v2/mcp-desktop-1/bin/python3", ("uvx", "mcp-desktop")),
        (r"C:\Users\me\AppData\Local\uv\cache\archive-v0\Xy\python.exe", ("uvx", "mcp-desktop")),
        ("/home/me/.local/pipx/.cache/ab12/bin/python", ("pipx", "run", "mcp-desktop")),
        ("/home/me/.cache/pipx/ab12/bin/python", ("pipx", "run", "mcp-desktop")),
    ],
)
def test_the_cache_of_a_runner_is_never_written_down(
    executable: str, command: tuple[str, ...]
) -> None:
    assert lasting_command(executable) == command


@pytest.mark.parametrize(
    "executable",
    [
        "/home/me/.local/pipx/venvs/mcp-desktop/bin/python",
        "/home/me/uv/tools/x/bin/python",
        "python",
    ],
)
def test_what_is_installed_is_started_where_it_is(executable: str) -> None:
    assert lasting_command(executable) == tuple(app_command())


def test_a_copy_that_macos_made_for_one_run_is_refused_with_the_remedy() -> None:
    program = "/private/var/folders/x/T/AppTranslocation/1A-2B/d/mcp-desktop.app/Contents/MacOS/x"
    with pytest.raises(ConfigError, match="gone after a restart") as caught:
        GatewayCommand((program,)).require_lasting()
    assert "Applications" in str(caught.value.remedy)
