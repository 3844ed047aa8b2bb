"""Modules that are executed when something in them is looked up first.

For libraries that a run may never need, and that others import at their top. Must not import
anything of the project.
"""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from threading import RLock
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.abc import Loader, MetaPathFinder
else:  # `importlib.abc` brings what takes longer than all of this module; nobody needs its classes

    class Loader:  # noqa: D101
        pass

    class MetaPathFinder:  # noqa: D101
        pass


_LOADER = "later loader"  # no name that a module could have
_LOCK = "later lock"


class LaterModule(ModuleType):
    """Stands in `sys.modules` from the import on; `execute_later` says how it gets its content."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or _LOCK not in vars(self):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        # Whoever comes while another thread executes it waits. Each has a lock of its own: who
        # holds one goes on to import other modules, of which somebody else may be importing one.
        with vars(self)[_LOCK]:
            if (loader := vars(self).pop(_LOADER, None)) is not None:
                self._execute(loader)
        return ModuleType.__getattribute__(self, name)

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
    vars(module).update({_LOADER: loader, _LOCK: RLock()})


def is_executed(module: ModuleType) -> bool:
    """Whether it has its content by now."""
    return _LOADER not in vars(module)


def import_later(*names: str) -> None:
    """Have these modules executed when they are used, whoever imports them first from now on."""
    finder = next((each for each in sys.meta_path if isinstance(each, _LaterFinder)), None)
    if finder is None:
        finder = _LaterFinder()
        sys.meta_path.insert(0, finder)
    finder.names.update(names)


class _LaterFinder(MetaPathFinder):
    """Finds some modules as the other finders do, and has them executed later."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname not in self.names:
            return None
        others = (finder for finder in sys.meta_path if finder is not self)
        found = (finder.find_spec(fullname, path, target) for finder in others)
        spec = next((spec for spec in found if spec is not None), None)
        if spec is not None and spec.loader is not None:
            spec.loader = _LaterLoader(spec.loader)
        return spec


class _LaterLoader(Loader):
    """Makes the module, and leaves the rest to its own loader."""

    def __init__(self, inner: Loader) -> None:
        self._inner = inner

    def create_module(self, spec: ModuleSpec) -> LaterModule:
        return LaterModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        module.__loader__ = self._inner
        if module.__spec__ is not None:
            module.__spec__.loader = self._inner
        if isinstance(module, LaterModule):
            execute_later(module, self._inner)
