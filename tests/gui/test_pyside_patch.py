"""PySide no longer reads sources at each import, and imports go on as before."""

from __future__ import annotations

import subprocess
import sys


def run(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout.strip()


def test_modules_are_imported_without_their_source_being_read() -> None:
    code = """
import inspect
from PySide6.QtWidgets import QWidget
from desktop.gui.pyside_patch import skip_feature_search
print(skip_feature_search())
inspect.getsource = None  # whoever reads a source now fails
from xml.etree import ElementTree
import json
print(json.dumps(ElementTree.fromstring("<a/>").tag), QWidget.__name__)
"""
    assert run(code).splitlines() == ["True", '"a" QWidget']


def test_a_pyside_without_the_search_is_left_alone() -> None:
    code = """
import sys
import PySide6.QtCore
sys.modules["shibokensupport.feature"] = None
from desktop.gui.pyside_patch import skip_feature_search
print(skip_feature_search())
"""
    assert run(code) == "False"
