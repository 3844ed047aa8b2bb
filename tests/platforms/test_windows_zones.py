"""The server time as on Windows: without site-packages or a zone database, zones by other names."""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

HERE = Path(__file__).parent
_EMULATED = """
import sys
sys.path[:0] = {path!r}
import os, select, subprocess, zoneinfo
sys.platform = "win32"
zoneinfo.reset_tzpath(())
from builtin_servers import clock
clock.__file__ = {file!r}
clock.reach_packages.__defaults__ = ({executable!r},)
server = clock.make_server({arguments!r})
from builtin_servers.framework.tool import CallContext
reply = server.tools["get_current_time"].handler(CallContext({{}}, print))
print(reply.text)
"""


def time_on_windows(
    tmp_path: Path, zone: str, *arguments: str, packages: bool = True
) -> subprocess.CompletedProcess[str]:
    """The local time that the server tells; `packages`: whether the app brought them."""
    scripts = tmp_path / "venv" / "Scripts"
    (tmp_path / "venv" / "Lib").mkdir(parents=True)
    scripts.mkdir()
    if packages:
        (tmp_path / "venv/Lib/site-packages").symlink_to(sysconfig.get_path("purelib"))
    program = _EMULATED.format(
        path=[str(HERE), str(HERE.parents[1])],
        file=str(tmp_path / "builtin_servers" / "clock.py"),
        executable=str(scripts / "python.exe"),
        arguments=list(arguments),
    )
    return subprocess.run(
        [sys.executable, "-I", "-S", "-c", program],
        env={"FAKE_WINDOWS_ZONE": zone},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("windows", "zone"),
    [("China Standard Time", "Asia/Shanghai"), ("W. Europe Standard Time", "Europe/Berlin")],
)
def test_the_local_zone_of_windows_is_known_by_its_iana_name(
    tmp_path: Path, windows: str, zone: str
) -> None:
    done = time_on_windows(tmp_path, windows)
    assert json.loads(done.stdout)["timezone"] == zone, done.stderr


def test_a_zone_of_the_command_line_is_found_in_the_database_that_the_app_brings(
    tmp_path: Path,
) -> None:
    done = time_on_windows(tmp_path, "", "--local-timezone", "Asia/Tokyo")
    assert json.loads(done.stdout)["datetime"].endswith("+09:00"), done.stderr


def test_without_the_packages_it_is_utc(tmp_path: Path) -> None:
    done = time_on_windows(tmp_path, "China Standard Time", packages=False)
    assert json.loads(done.stdout)["timezone"] == "UTC", done.stderr
