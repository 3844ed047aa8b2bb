"""A feature is a room: without its folder, its tests and its registering lines all else works.

That nothing names it is asked of each feature. A copy of the project in which they were deleted by
hand, so to speak, is made for all of them at once, and for each alone by the exhaustive tests.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.patience import LIMIT
from tests.test_architecture import REGISTERING, going_with, lint_imports

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
FEATURES = sorted(file.parent.name for file in ROOT.glob("desktop/features/*/__init__.py"))
WINDOW, LAUNCH, COMMANDS, LIBRARY = map(Path, REGISTERING)
COPIED = ("desktop", "builtin_servers", "tests", "docs", "resources", "pyproject.toml")
IMPORT_ALL = """
import sys
from importlib import import_module
from pathlib import Path

for file in sorted(Path("desktop").rglob("*.py")):
    if sys.platform not in file.stem and file.stem not in {"windows", "macos"}:
        import_module(".".join(file.with_suffix("").parts).removesuffix(".__init__"))
from desktop.cli.commands import COMMANDS, command_module
for name in COMMANDS:
    import_module(command_module(name))
from desktop.features.window import features
print(len(list(features())))
"""
FEW = (
    "tests/cli/test_commands.py",
    "tests/gui/servers/test_server_dialog.py",
    "tests/gui/servers/test_welcome_view.py",
    "tests/gui/settings",
    "tests/gui/test_page_factory.py",
    "tests/gui/tools/test_result_area.py",
)
"""Tests of half a minute that come to wherever a feature joins the app."""
MANY = (
    "tests/cli/test_main.py",
    "tests/config",
    "tests/features",
    "tests/gui/servers",
    "tests/gui/test_accessibility.py",
    "tests/gui/test_shortcuts.py",
    "tests/gui/tools",
    "tests/tools",
)
LOST_WITH = {
    "attach": ("tests/features/gateway/cli/test_serve_roots.py",),
    "catalogue": ("tests/attacks/test_imports.py",),
    "chat": (
        "tests/benchmarks/bench_chats.py",
        "tests/benchmarks/bench_session.py",
        "tests/features/client_profiles/test_ask_as.py",
        "tests/features/mcp_apps/gui/in_chat/conftest.py",
        "tests/features/mcp_apps/gui/in_chat/test_app_card.py",
        "tests/features/mcp_apps/gui/in_chat/test_app_contexts.py",
        "tests/gui/test_canaries.py",
    ),
    "evals": ("tests/benchmarks/bench_evals.py",),
    "gateway": ("tests/attacks/test_gateway_http.py",),
    "models": (
        "tests/benchmarks/bench_formats.py",
        "tests/fuzz/__main__.py",
        "tests/fuzz/corpus.py",
        "tests/fuzz/seeds.py",
        "tests/fuzz/targets.py",
        "tests/fuzz/test_corpus.py",
        "tests/fuzz/worker.py",
        "tests/packaging/test_action.py",
    ),
    "recordings": ("tests/features/evals/cli/test_recordings.py",),
    "sandbox": ("tests/benchmarks/bench_sandbox.py",),
    "saved_calls": (
        "tests/attacks/test_writers.py",
        "tests/benchmarks/bench_saved_calls.py",
    ),
    "tasks": ("tests/features/attach/test_held_tasks.py",),
}
"""Tests of many files at once, that of a feature among them: they would have to lose that part."""


EVERY = "every"
"""Stands for all features at once."""


def _gone(feature: str) -> set[str]:
    return set(FEATURES) if feature == EVERY else going_with(feature)


@pytest.fixture(
    scope="module",
    params=[EVERY, *(pytest.param(each, marks=pytest.mark.exhaustive) for each in FEATURES)],
)
def feature(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def copy(feature: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project without the feature."""
    copy = tmp_path_factory.mktemp(f"without_{feature}")
    for file in _files():
        (copy / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / file, copy / file)
    _bring_compiled(copy)
    gone = _gone(feature)
    for each in gone:
        shutil.rmtree(copy / "desktop" / "features" / each)
        shutil.rmtree(copy / "tests" / "features" / each, ignore_errors=True)
        for file in LOST_WITH.get(each, ()):
            (copy / file).unlink(missing_ok=True)
    for file in (WINDOW, LAUNCH, COMMANDS, LIBRARY):
        (copy / file).write_text(_without(file, gone), encoding="utf-8")
    return copy


def _files() -> Iterator[str]:
    """What is or will be in git; the translations are not, but the window has them."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *COPIED],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=LIMIT,
        check=True,
    ).stdout
    yield from (file for file in listed.split("\0") if file and (ROOT / file).is_file())


def _bring_compiled(copy: Path) -> None:
    """What was compiled of the project, by links: a copy with the same times need not do it again.

    Python and pytest put a new file in the place of such a one, and never write into it.
    """
    for folder in [each for top in COPIED for each in (ROOT / top).rglob("__pycache__")]:
        target = copy / folder.relative_to(ROOT)
        if target.parent.is_dir():
            target.mkdir()
            for file in folder.glob("*.pyc"):
                with suppress(OSError):  # on another disk, or just replaced
                    os.link(file, target / file.name)


def _without(file: Path, gone: set[str]) -> str:
    """A file that registers features, without the lines of these."""
    dropped = _lines_naming(file, gone)
    if file == COMMANDS:
        dropped |= _lines_of_commands(gone)
    lines = (ROOT / file).read_text("utf-8").splitlines(keepends=True)
    return "".join(line for at, line in enumerate(lines, 1) if at not in dropped)


def _lines_naming(file: Path, gone: set[str]) -> set[int]:
    lines = (ROOT / file).read_text("utf-8").splitlines()
    named = tuple(f"desktop.features.{each}." for each in gone)
    return {at for at, line in enumerate(lines, 1) if any(name in line for name in named)}


def _lines_of_commands(gone: set[str]) -> set[int]:
    """The entries of `FEATURES` that say that they are of one of these."""
    found: set[int] = set()
    for node in ast.parse((ROOT / COMMANDS).read_text("utf-8")).body:
        if not isinstance(node, ast.Assign) or ast.unparse(node.targets[0]) != "FEATURES":
            continue
        assert isinstance(node.value, ast.Dict)
        for key, value in zip(node.value.keys, node.value.values, strict=True):
            assert key is not None
            if ast.literal_eval(value)[0] in gone:
                found |= {*range(key.lineno, (value.end_lineno or key.lineno) + 1)}
    return found


def _run(copy: Path, *words: str, limit: float) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words],
        cwd=copy,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={"PYTHONPATH": str(copy), "PYTHONUTF8": "1", "QT_QPA_PLATFORM": "offscreen"},
        timeout=limit,
        check=False,
    )


@cache
def _named() -> dict[Path, set[str]]:
    """What each file that may name a feature imports or names in full, wherever in it."""
    lost = (Path(file).stem for files in LOST_WITH.values() for file in files)
    words = re.compile("|".join(("features", *lost)))
    found: dict[Path, set[str]] = {}
    for folder in ("desktop", "builtin_servers", "tests"):
        for file in (ROOT / folder).rglob("*.py"):
            if words.search(text := file.read_text("utf-8")):
                found[file.relative_to(ROOT)] = set(filter(_is_there, _names(text)))
    return found


def _names(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from re.findall(r"\b(?:desktop|tests)(?:\.\w+)+", node.value)


@cache
def _is_there(module: str) -> bool:
    place = ROOT.joinpath(*module.split("."))
    return place.is_dir() or place.with_suffix(".py").is_file()


@pytest.mark.parametrize("feature", FEATURES)
def test_nothing_that_is_left_names_what_is_gone(feature: str) -> None:
    gone = _gone(feature)
    rooms = tuple(f"{top}/features/{each}/" for top in ("desktop", "tests") for each in gone)
    lost = {file for each in gone for file in LOST_WITH.get(each, ())}
    prefixes = tuple(room.replace("/", ".") for room in rooms)
    modules = {file.removesuffix(".py").replace("/", ".") for file in lost}
    missing = [
        f"{place}: {module}"
        for place, named in _named().items()
        if not (name := place.as_posix()).startswith(rooms) and name not in lost
        for module in (_names(_without(place, gone)) if name in REGISTERING else named)
        if f"{module}.".startswith(prefixes) or module in modules
    ]
    assert missing == []


def test_every_module_can_be_imported_and_the_layers_hold(copy: Path, feature: str) -> None:
    done = _run(copy, "-c", IMPORT_ALL, limit=50)
    left = set(FEATURES) - _gone(feature)
    assert done.stdout == f"{sum(bool(_lines_naming(WINDOW, {each})) for each in left)}\n", (
        done.stderr
    )
    done = lint_imports(copy)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.exhaustive
@pytest.mark.timeout(960)
@pytest.mark.parametrize(("tests", "limit"), [(FEW, 300), (MANY, 900)], ids=["few", "many"])
def test_what_is_left_passes_its_tests(copy: Path, tests: tuple[str, ...], limit: float) -> None:
    chosen = ("-m", "not (exhaustive or soak)", "--ignore", "tests/features/test_delete.py")
    done = _run(
        copy, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *chosen, *tests, limit=limit
    )
    assert done.returncode == 0, done.stdout[-3000:]
