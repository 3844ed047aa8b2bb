"""The usual folders are those that exist, with the Node.js that nvm would choose."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.servers.usual_folders import nvm_default, usual_folders

if TYPE_CHECKING:
    from pathlib import Path


def _install(home: Path, *versions: str, **aliases: str) -> Path:
    nvm = home / ".nvm"
    for version in versions:
        (nvm / "versions" / "node" / version / "bin").mkdir(parents=True)
    (nvm / "alias" / "lts").mkdir(parents=True)
    for name, meaning in aliases.items():
        (nvm / "alias" / name.replace("__", "/")).write_text(f"{meaning}\n", "utf-8")
    return nvm


def test_only_folders_that_exist_are_named(tmp_path: Path) -> None:
    (tmp_path / ".cargo" / "bin").mkdir(parents=True)
    _install(tmp_path, "v20.1.0")
    folders = list(usual_folders(tmp_path))
    node = tmp_path / ".nvm" / "versions" / "node" / "v20.1.0" / "bin"
    assert folders[:2] == [tmp_path / ".cargo" / "bin", node]
    assert all(folder.is_dir() for folder in folders)


@pytest.mark.parametrize(
    ("default", "chosen"),
    [
        ("20", "v20.10.0"),
        ("v18.2.0", "v18.2.0"),
        ("lts/*", "v18.2.0"),
        ("node", "v22.0.0"),
        ("2", "v22.0.0"),
    ],
)
def test_nvms_default_is_followed(tmp_path: Path, default: str, chosen: str) -> None:
    nvm = _install(
        tmp_path,
        "v20.9.0",
        "v20.10.0",
        "v18.2.0",
        "v22.0.0",
        default=default,
        **{"lts__*": "lts/old", "lts__old": "v18.2.0"},
    )
    assert nvm_default(nvm) == nvm / "versions" / "node" / chosen / "bin"


@pytest.mark.parametrize("default", ["../../secret", "/etc/passwd", "default", "a" * 5000, "\0"])
def test_a_foolish_alias_means_the_newest(tmp_path: Path, default: str) -> None:
    nvm = _install(tmp_path, "v20.0.0", "v9.0.0", default=default)
    assert nvm_default(nvm) == nvm / "versions" / "node" / "v20.0.0" / "bin"


def test_without_nvm_there_is_none(tmp_path: Path) -> None:
    assert nvm_default(tmp_path) is None
