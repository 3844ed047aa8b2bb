"""Damage of the file with the token; who may have it is tried where it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.base.errors import DesktopError
from desktop.features.gateway.token import read_token
from tests.attacks.test_damage import Own, silent_damages

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.base.damaged_files import Damages
    from tests.conftest import ExpectedLogs


def _token(path: Path, damages: Damages) -> object:
    said: list[str] = []
    try:
        return read_token(path.parent, say=said.append)
    except DesktopError as error:
        said.append(str(error))
    finally:
        if said:
            damages.found[path] = said[0]
    return None


TOKEN = Own("gateway.token", lambda path: read_token(path.parent), _token, lambda path: None)


def test_damage_of_the_token_is_said_and_its_bytes_are_kept(
    tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs.allow("is damaged|cannot be written")
    assert silent_damages(TOKEN, tmp_path) == []
