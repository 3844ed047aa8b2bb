"""The rules of the project that no linter knows; the layers are in pyproject.toml."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.source_trees import ROOT, texts, trees

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

MODULE_LINES, FUNCTION_LINES = 700, 60
COLOURS_AND_FONTS = {"QColor", "QFont"}
FEATURES = ROOT / "desktop" / "features"
THEME = ("desktop/gui/theme.py", "desktop/gui/theme/")
IN_WINDOW = re.compile(r"desktop/(gui/|app\.|features/\w+/gui/)")


def calls(file: str) -> Iterator[tuple[str, ast.Call]]:
    """Each call with the last part of what is called: `exec` for `dialog.exec()`."""
    for node in ast.walk(trees()[file]):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute):
                yield node.func.attr, node
            elif isinstance(node.func, ast.Name):
                yield node.func.id, node


def places(files: Iterable[str], wrong: Callable[[str, ast.Call], bool]) -> list[str]:
    return [f"{file}:{call.lineno}" for file in files for n, call in calls(file) if wrong(n, call)]


def window_sources() -> list[str]:
    """Where Qt may be imported, but for the one place that names colours, sizes and fonts."""
    return [file for file in texts() if IN_WINDOW.match(file) and not file.startswith(THEME)]


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    code = "import importlinter.cli as c; raise SystemExit(c.lint_imports(no_cache=True))"
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={"PYTHONPATH": str(folder), "PYTHONUTF8": "1", "COLUMNS": "200"},
        timeout=50,
        check=False,
    )


def test_layers_import_only_from_below() -> None:
    done = lint_imports(ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_layer_contracts_catch_what_they_forbid(tmp_path: Path) -> None:
    planted = {
        "desktop/config/planted.py": "from desktop.servers import state",
        "desktop/servers/planted.py": "from desktop.tools import registry",
        "desktop/tools/planted.py": "import PySide6.QtCore",
        "desktop/processes/planted.py": "import mcp.client",
        "desktop/gui/planted.py": "from desktop.features.planted import core",
        "desktop/features/planted/__init__.py": "",
        "desktop/features/planted/core.py": "import PySide6.QtCore",
        "desktop/features/another/__init__.py": "",
        "desktop/features/another/sideways.py": "from desktop.features.planted import core",
        "desktop/features/gateway/planted.py": "import mcp.server",
        "builtin_servers/planted.py": "import desktop.base.paths",
    }
    for package in ("desktop", "builtin_servers"):
        shutil.copytree(ROOT / package, tmp_path / package)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for feature in ("planted", "another"):
        (tmp_path / "desktop" / "features" / feature).mkdir()
    for file, text in planted.items():
        (tmp_path / file).write_text(text, encoding="utf-8")
    said = lint_imports(tmp_path).stdout
    for line in (
        "desktop.config.planted -> desktop.servers.state",
        "desktop.servers.planted -> desktop.tools.registry",
        "desktop.tools.planted -> PySide6",
        "desktop.processes.planted -> mcp",
        "desktop.gui.planted -> desktop.features.planted.core",
        "desktop.features.planted.core -> PySide6",
        "desktop.features.another.sideways -> desktop.features.planted.core",
        "desktop.features.gateway.planted -> mcp",
        "builtin_servers.planted -> desktop.base.paths",
    ):
        assert line in said, said


def test_nothing_opens_a_modal_loop() -> None:
    """Under qasync `exec()` in a task stops every other task and loses some for good: open()."""
    assert places(texts(), lambda name, _: name in {"exec", "exec_"}) == []


def holds_a_parent(name: str, call: ast.Call) -> bool:
    """A function made on the spot as a dialog's slot may hold the parent of the dialog."""
    if name != "connect" or not ast.unparse(call.func).startswith("dialog."):
        return False
    slot = call.args[0]
    is_weak = isinstance(slot, ast.Call) and ast.unparse(slot.func) == "bridge.if_alive"
    return not is_weak and not isinstance(slot, ast.Attribute)


def test_no_dialog_keeps_its_parent_alive() -> None:
    assert places(window_sources(), holds_a_parent) == []


@pytest.mark.parametrize(
    ("slot", "wrong"),
    [
        ("lambda: self.remove(name)", True),
        ("save", True),
        ("partial(self.remove, name)", True),
        ("self.remove", False),
        ("bridge.if_alive(self, lambda page: page.remove(name))", False),
    ],
)
def test_a_slot_that_may_keep_a_parent_alive_is_told_from_others(slot: str, wrong: bool) -> None:
    call = ast.parse(f"dialog.accepted.connect({slot})", mode="eval").body
    assert isinstance(call, ast.Call)
    assert holds_a_parent("connect", call) is wrong


THREADS_OF_THEIR_OWN = (
    "desktop/cli/",  # without Qt
    "desktop/features/sandbox/gate.py",  # a process of its own
    "desktop/config/keyring_access.py",  # an executor, for the loop
    "desktop/gui/event_loop.py",
    "desktop/values/packed_json.py",  # is waited for, with nothing but a text
    "desktop/processes/posix.py",  # holds a process
)


def test_a_thread_is_given_its_work_by_the_loop_alone() -> None:
    """A thread lets go of it late; the window's loop sees to it that no widget ends there."""
    files = [
        file
        for file in texts()
        if file.startswith("desktop/") and not file.startswith(THREADS_OF_THEIR_OWN)
    ]
    starts = {"Thread", "QThread", "start_new_thread", "submit", "wrap_future"}
    assert places(files, lambda name, _: name in starts) == []


def test_no_folder_of_tests_names_plugins_for_all_of_them() -> None:
    """pytest refuses it, but only in a run of everything."""
    nested = [file for file in (ROOT / "tests").rglob("conftest.py") if file.parent.name != "tests"]
    assert [str(file) for file in nested if "pytest_plugins" in file.read_text("utf-8")] == []


def test_every_module_says_what_it_is_for() -> None:
    assert [file for file, tree in trees().items() if not ast.get_docstring(tree)] == []


def test_modules_are_small() -> None:
    tests = {str(file): file.read_text("utf-8") for file in (ROOT / "tests").rglob("*.py")}
    sizes = {file: len(text.splitlines()) for file, text in {**texts(), **tests}.items()}
    assert {file: size for file, size in sizes.items() if size > MODULE_LINES} == {}


def test_functions_are_small() -> None:
    long = [
        f"{file}:{node.lineno} {node.name}"
        for file, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or node.lineno) - node.lineno >= FUNCTION_LINES
    ]
    assert long == []


def is_literal(call: ast.Call) -> bool:
    """Built from values written there, `QColor("red")` or `QColor(Qt.red)`, not from a token."""
    return any(
        isinstance(argument, ast.Constant)
        or (isinstance(argument, ast.Attribute) and ast.unparse(argument).startswith("Qt."))
        for argument in call.args
    )


def styles(name: str, call: ast.Call) -> bool:
    return name == "setStyleSheet" or (name in COLOURS_AND_FONTS and is_literal(call))


def test_colours_and_fonts_are_in_the_theme_alone() -> None:
    assert places(window_sources(), styles) == []


DISTANCES = {
    "setContentsMargins", "setSpacing", "setHorizontalSpacing", "setVerticalSpacing", "addSpacing",
    "setFixedWidth", "setFixedHeight", "setFixedSize", "setMinimumWidth", "setMinimumHeight",
    "setMaximumWidth", "setMaximumHeight", "setIndentation", "setPointSize", "setPointSizeF",
    "setPixelSize",
}  # fmt: skip


def is_off_the_grid(name: str, call: ast.Call) -> bool:
    """A distance or a size written in pixels; none, and a line of one, need no token."""
    return name in DISTANCES and any(
        isinstance(argument, ast.Constant) and argument.value not in {0, 1}
        for argument in call.args
    )


def test_distances_and_text_sizes_are_those_of_the_theme() -> None:
    assert places(window_sources(), is_off_the_grid) == []


@pytest.mark.parametrize(
    ("code", "wrong"),
    [
        ("layout.setSpacing(6)", True),
        ("layout.setContentsMargins(0, 0, 9, 0)", True),
        ("font.setPointSize(9)", True),
        ("layout.setSpacing(space(2))", False),
        ("layout.setContentsMargins(0, 0, 0, 0)", False),
        ("panel.setContentsMargins(1, 1, 1, 1)", False),
    ],
)
def test_a_distance_in_pixels_is_told_from_one_of_the_grid(code: str, wrong: bool) -> None:
    call = ast.parse(code, mode="eval").body
    assert isinstance(call, ast.Call)
    assert isinstance(call.func, ast.Attribute)
    assert is_off_the_grid(call.func.attr, call) is wrong


@pytest.mark.parametrize(
    ("code", "wrong"),
    [
        ("widget.setStyleSheet(text)", True),
        ("QColor('#fff')", True),
        ("QColor(1, 2, 3)", True),
        ("QtGui.QColor(Qt.GlobalColor.red)", True),
        ("QFont('Arial', 9)", True),
        ("QColor(tokens.accent)", False),
        ("QFont(self.font())", False),
        ("QColor()", False),
    ],
)
def test_a_colour_written_in_place_is_told_from_a_token(code: str, wrong: bool) -> None:
    call = ast.parse(code, mode="eval").body
    assert isinstance(call, ast.Call)
    called = call.func.attr if isinstance(call.func, ast.Attribute) else ast.unparse(call.func)
    assert styles(called, call) is wrong


REGISTERING = (
    *("desktop/features/window.py", "desktop/features/launch.py"),
    "desktop/cli/commands.py",
    "desktop/__init__.py",
)


def features() -> list[str]:
    return sorted(file.parent.name for file in FEATURES.glob("*/__init__.py"))


def going_with(feature: str) -> set[str]:
    """The features that stand on this one, as the contract of their independence says, and it."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    going, found = {feature}, {feature}
    while found:
        under = "|".join(found)
        arrow = rf'"desktop\.features\.(\w+)\.\*\* -> desktop\.features\.(?:{under})\.\*\*"'
        found = {*re.findall(arrow, text)} - going
        going |= found
    return going


def test_nothing_names_a_feature_but_itself_and_the_lines_that_register_it() -> None:
    going = {
        feature: tuple(f"desktop/features/{each}/" for each in going_with(feature))
        for feature in features()
    }
    naming = {
        file
        for file, text in texts().items()
        for feature in set(re.findall(r"desktop\.features\.(\w+)", text)) & going.keys()
        if not file.startswith(going[feature])
    }
    assert naming <= set(REGISTERING)
