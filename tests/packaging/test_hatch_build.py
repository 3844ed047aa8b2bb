"""hatch, run on a small project that has our hook and our settings."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from resources.packaging import project

ROOT = Path(__file__).parents[2]
COPIED = (
    "pyproject.toml",
    "README.md",
    "LICENSE",
    "Makefile",
    "desktop/__init__.py",
    "desktop/py.typed",
    "builtin_servers/__init__.py",
    "builtin_servers/py.typed",
    "resources/icons/chat.svg",
    "resources/packaging/app_resources.py",
    "resources/packaging/hatch_build.py",
    "resources/packaging/project.py",
    "resources/screenshots/tools-light.png",
    "resources/translations/zh_CN.ts",
)
WHEEL = {
    "desktop/__init__.py",
    "desktop/py.typed",
    "desktop/_resources/icons/chat.svg",
    "desktop/_resources/translations/zh_CN.qm",
    "builtin_servers/__init__.py",
    "builtin_servers/py.typed",
}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    for name in COPIED:
        (tmp_path / "clone" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / "clone" / name)
    return tmp_path / "clone"


def hatch(folder: Path, code: str) -> str:
    """What it prints: in a process of its own, for it imports the hook of that very folder."""
    command = [sys.executable, "-P", "-c", f"from hatchling import build\n{code}"]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, timeout=50
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def wheel(folder: Path) -> Path:
    hatch(folder, "build.build_wheel('dist')")
    (made,) = (folder / "dist").glob("*.whl")
    return made


def metadata(folder: Path) -> bytes:
    hatch(folder, "build.prepare_metadata_for_build_wheel('.')")
    (made,) = folder.glob("*.dist-info/METADATA")
    text = made.read_bytes()
    shutil.rmtree(made.parent)
    return text


def test_the_wheel_of_a_clean_clone_holds_what_runs_and_nothing_else(checkout: Path) -> None:
    with zipfile.ZipFile(wheel(checkout)) as made:
        names = {name for name in made.namelist() if ".dist-info/" not in name}
        translation = made.read("desktop/_resources/translations/zh_CN.qm")
    assert names == WHEEL
    assert len(translation) > 100_000


def test_the_sdist_builds_the_same_wheel_without_the_compiler(
    checkout: Path, tmp_path: Path
) -> None:
    hatch(checkout, "build.build_sdist('dist')")
    (made,) = (checkout / "dist").glob("*.tar.gz")
    with tarfile.open(made) as packed:
        packed.extractall(tmp_path / "unpacked", filter="data")
    (unpacked,) = (tmp_path / "unpacked").iterdir()

    requires = hatch(unpacked, "print(build.get_requires_for_build_wheel())")

    assert requires == "[]\n"
    assert wheel(unpacked).read_bytes() == wheel(checkout).read_bytes()
    assert not (unpacked / "resources/screenshots").exists()


def test_the_page_of_the_package_leads_to_the_project_once_it_has_an_address(
    checkout: Path,
) -> None:
    settings = checkout / "pyproject.toml"
    assert b"\nProject-URL: " not in metadata(checkout)
    text = settings.read_text(encoding="utf-8")
    settings.write_text(project.with_repository(text, "https://example.org/a/b"), "utf-8")
    said = metadata(checkout)
    assert b"\nProject-URL: Issues, https://example.org/a/b/issues\n" in said
    assert b"](https://example.org/a/b/blob/main/docs/" in said
    assert b"](docs/" not in said


def test_the_compiler_is_fetched_in_the_version_that_the_app_itself_asks_for(
    checkout: Path,
) -> None:
    requires = hatch(checkout, "print(build.get_requires_for_build_wheel())")
    assert "pyside6-essentials<6.12,>=6.8; python_version < '3.12'" in requires
    assert "qasync" not in requires
