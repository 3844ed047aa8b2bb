"""Imports the SDK's client without the SDK's server.

`import mcp` brings its whole server along, with starlette, uvicorn and the rest, for a client that
talks to a server in its own process; nothing here does. Without it the import takes a quarter less
time, and the app 15 MB less memory. An SDK that cannot be imported so is imported whole;
`mcp.server` can be imported afterwards as ever. Must not import the SDK by being imported.
"""

from __future__ import annotations

import logging
import sys
from contextlib import contextmanager
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, MutableSequence, Sequence

SERVER = "mcp.server"
logger = logging.getLogger(__name__)


class _Nobody:
    """Stands for every class of the server: no object is one of it."""

    def __class_getitem__(cls, _: Any) -> type[_Nobody]:
        return cls


class _Empty(ModuleType):
    """A module of the server of which anything can be imported."""

    __path__: MutableSequence[str] = []  # noqa: RUF012 - as a package has it

    def __getattr__(self, name: str) -> type[_Nobody]:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Nobody


class _LeftOut(MetaPathFinder, Loader):
    """Finds an empty module for each of the server's."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return ModuleSpec(fullname, self, is_package=True) if _is_server(fullname) else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _Empty(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """There is nothing in it."""


def import_client() -> None:
    """Import `mcp`, unless it is there already: without its server, else whole."""
    if "mcp" in sys.modules:
        return
    try:
        with _without_server():
            import_module("mcp")
    except Exception as error:  # noqa: BLE001 - it may miss its server in any way
        logger.debug("the SDK is imported with its server: %r", error)
        _forget(lambda name: name == "mcp" or name.startswith("mcp."))
        import_module("mcp")


@contextmanager
def _without_server() -> Generator[None]:
    finder = _LeftOut()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        _forget(_is_server)


def _is_server(module: str) -> bool:
    return module == SERVER or module.startswith(f"{SERVER}.")


def _forget(is_meant: Callable[[str], bool]) -> None:
    for name in filter(is_meant, list(sys.modules)):
        del sys.modules[name]
