"""The two places where the app changes what PySide6 does as it is imported, and why."""

from __future__ import annotations

import logging
import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from typing import TYPE_CHECKING, Any, Final, SupportsIndex

from desktop.patches.later_imports import LaterModule, execute_later

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.abc import Loader, MetaPathFinder
    from types import ModuleType
else:
    from desktop.patches.later_imports import Loader, MetaPathFinder

logger = logging.getLogger(__name__)

# --- PySide6: its signatures when somebody asks for one -------------------------------------------

_SUPPORT = "shibokensupport.signature"
_SIGNATURES: Final = frozenset(
    f"{_SUPPORT}.{name}"
    for name in (
        "errorhandler",
        "layout",
        "lib.enum_sig",
        "lib.pyi_generator",
        "mapping",
        "parser",
    )
)
"""Modules that its loader only passes on to: for docstrings, signatures and errors of calls."""


_DOCSTRINGS: Final = f"{_SUPPORT}.errorhandler"


def _docstring(function: Any) -> Any:
    """What PySide answers where a docstring of a function in C is asked for, be it Qt's or not.

    `functools.wraps` asks for that of `object.__new__` as pydantic is imported. Only a function of
    Qt has a signature that belongs into the docstring.
    """
    if not sys.modules[_SUPPORT].get_signature(function):
        return function.__doc__
    module = sys.modules[_DOCSTRINGS]
    _ = module.seterror_argument  # executes it
    return module.make_helptext(function)


class _SignaturesLater(MetaPathFinder, Loader):
    """In front of the finder of the modules that PySide carries along, as source in a ZIP file."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        is_there = fullname in _SIGNATURES and self._inner.find_spec(fullname, path) is not None
        return ModuleSpec(fullname, self) if is_there else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = LaterModule(spec.name)
        execute_later(module, self._inner)
        if spec.name == _DOCSTRINGS:
            vars(module)["make_helptext"] = _docstring  # the module's own takes its place
        return module

    def exec_module(self, module: ModuleType) -> None:
        """It is executed later."""


class _Finders(list[Any]):
    """`sys.meta_path` while PySide is imported: it puts a finder of its own in front."""

    def insert(self, index: SupportsIndex, finder: Any) -> None:
        super().insert(index, finder)
        if type(finder).__name__ == "EmbeddableZipImporter":
            super().insert(index, _SignaturesLater(finder))


def import_qt_lightly() -> None:
    """Import `PySide6.QtCore` without what it needs for docstrings, signatures and errors of calls.

    It compiles 2,000 lines of source for them at each start, a third of the time to a bare window.
    They are compiled when somebody asks for one. Call it before anything of PySide is imported.
    """
    finders = sys.meta_path
    sys.meta_path = _Finders(finders)
    try:
        import_module("PySide6.QtCore")
    finally:
        added = [finder for finder in sys.meta_path if finder not in finders]
        finders[:0] = [finder for finder in added if not isinstance(finder, _SignaturesLater)]
        sys.meta_path = finders


# --- PySide6: no search for `from __feature__ import` ---------------------------------------------

_FEATURE_MODULE = "shibokensupport.feature"
_FEATURE_SEARCH = "_mod_uses_pyside"


def skip_feature_search() -> bool:
    """Keep PySide from reading the source of every module that is imported after it.

    It looks for `from __feature__ import ...`, which nothing here uses; with the SDK's 600 modules
    that takes 0.12 s, a seventh of the time to the first tool. Call it before the imports that are
    to be spared.

    Returns:
        Whether there was a search to switch off.
    """
    try:
        import_module("PySide6.QtCore")  # brings what is switched off
        module = import_module(_FEATURE_MODULE)
    except ImportError:
        logger.debug("no %s: imports take a little longer", _FEATURE_MODULE)
        return False
    if not hasattr(module, _FEATURE_SEARCH):
        logger.debug("no %s in %s: imports take a little longer", _FEATURE_SEARCH, _FEATURE_MODULE)
        return False
    setattr(module, _FEATURE_SEARCH, _uses_no_feature)
    return True


def _uses_no_feature(_: object) -> bool:
    return False
