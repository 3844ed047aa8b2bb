"""Modules that are executed when something in them is looked up first.

For libraries that a run may never need, and that others import at their top. Must not import
anything of the project.
"""

from __future__ import annotations

import sys
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, module_from_spec
from threading import RLock
from types import ModuleType
from typing import Any

_LOADER = "_later_loader"
_executing = RLock()


class LaterModule(ModuleType):
    """Stands in `sys.modules` from the import on; `execute_later` says how it gets its content."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or _LOADER not in vars(self):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        with _executing:
            if (loader := vars(self).pop(_LOADER, None)) is not None:
                self._execute(loader)
        return getattr(self, name)

    def _execute(self, loader: Loader) -> None:
        spec = self.__spec__
        places = spec.submodule_search_locations if spec is not None else None
        # PySide gives it another name once it is imported; its loader knows it by the first.
        self.__spec__ = ModuleSpec(self.__name__, loader, is_package=places is not None)
        self.__spec__.submodule_search_locations = places
        try:
            loader.exec_module(self)
        finally:
            self.__spec__ = spec


def execute_later(module: LaterModule, loader: Loader) -> None:
    """Have `loader` execute it when it is used."""
    vars(module)[_LOADER] = loader


def is_executed(module: ModuleType) -> bool:
    """Whether it has its content by now."""
    return _LOADER not in vars(module)


def import_later(name: str) -> bool:
    """Have a top-level module executed when it is used, whoever imports it; whether it is so."""
    if name in sys.modules or (spec := find_spec(name)) is None or spec.loader is None:
        return False
    loader, spec.loader = spec.loader, _Empty()
    module = module_from_spec(spec)
    spec.loader = loader
    if not isinstance(module, LaterModule):
        return False
    module.__loader__ = loader
    execute_later(module, loader)
    sys.modules[name] = module
    return True


class _Empty(Loader):
    """Makes the module, and leaves the rest to its own loader."""

    def create_module(self, spec: ModuleSpec) -> LaterModule:
        return LaterModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Later."""
