"""What the app changes in how libraries are imported, so that a run starts sooner."""

from __future__ import annotations

import logging
import sys
import types
from contextlib import contextmanager
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, cast

from desktop.patches.later_imports import import_later

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, MutableSequence, Sequence
    from contextlib import AbstractContextManager
    from importlib.abc import Loader, MetaPathFinder
else:
    from desktop.patches.later_imports import Loader, MetaPathFinder

logger = logging.getLogger(__name__)

# --- the standard library: what others import at their top, and hardly ever use -------------------

_RARELY_USED: Final = (
    "asyncio.sslproto", "bz2", "calendar", "csv", "email.header", "lzma", "pickle", "random",
    "secrets", "ssl", "tempfile",
)  # fmt: skip
_OPENSSL: Final = "_hashlib"


def import_standard_library_lightly() -> None:
    """Have some modules executed when they are used.

    asyncio imports TLS, `shutil` two compressions, `logging.handlers` what it sends objects with,
    `importlib.metadata` what reads tables and mail. Hashes are Python's own. Call it before they
    are imported.
    """
    import_later(*_RARELY_USED)
    _put_around()


@contextmanager
def _without_openssl() -> Generator[None]:
    """For `hashlib` and `hmac`: 3.5 MB and some 3 ms, where Python has the usual hashes, too.

    Those are a few times slower on megabytes, which nothing here hashes while somebody waits. A
    connection that is encrypted brings the library all the same.
    """
    if _OPENSSL in sys.modules or not _has_own_hashes():
        yield
        return
    sys.modules[_OPENSSL] = cast("Any", None)  # so that its import fails
    try:
        yield
    finally:
        del sys.modules[_OPENSSL]


def _has_own_hashes() -> bool:
    """A Python may be built without, where a law asks for those of OpenSSL."""
    try:
        import_module("_sha2" if sys.version_info >= (3, 12) else "_sha256")
    except ImportError:
        return False
    return True


# --- anyio: TLS when a connection wants it --------------------------------------------------------

_TLS: Final = "anyio.streams.tls"


class _LaterClass:
    """A class of a module that is imported when the class is used: called, or asked for more."""

    def __init__(self, module: str, name: str) -> None:
        self._module, self._name = module, name

    def __call__(self, *args: Any, **given: Any) -> Any:
        return getattr(import_module(self._module), self._name)(*args, **given)

    def __getattr__(self, name: str) -> Any:
        return getattr(getattr(import_module(self._module), self._name), name)


@contextmanager
def _tls_later() -> Generator[None]:
    """For anyio's sockets, which every event loop of it imports."""
    if _TLS in sys.modules:
        yield
        return
    stand_in = ModuleType(_TLS)
    for name in ("TLSConnectable", "TLSStream"):
        vars(stand_in)[name] = _LaterClass(_TLS, name)
    sys.modules[_TLS] = stand_in
    try:
        yield
    finally:  # whoever imports it gets the real one
        del sys.modules[_TLS]
        vars(sys.modules["anyio.streams"]).pop("tls", None)


# --- mcp: import what a client needs, and no sooner than it is needed -----------------------------


def import_mcp_lightly() -> None:
    """See to it that `mcp` and `mcp_types` are imported lightly, by whoever imports them first.

    `import mcp` brings the whole server along, with starlette, uvicorn and the rest, for a client
    that talks to a server in its own process; nothing here does. It brings the HTTP client, which
    is executed when something of it is used: most servers are processes. It builds five hundred
    models of pydantic, of which a call uses sixty, and half of them for a generation of the
    protocol that the server does not speak. Without all that it takes half the time, and the app
    15 MB less.
    A package that cannot be imported so is imported whole; what was left out can still be imported
    afterwards.
    """
    import_later("httpx2")
    _put_around()


def _put_around() -> None:
    if not any(isinstance(finder, _LightImports) for finder in sys.meta_path):
        sys.meta_path.insert(0, _LightImports())


class _LightImports(MetaPathFinder):
    """Puts something around the execution of a few modules, wherever they are found."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        around = _AROUND.get(fullname)
        others = (finder for finder in sys.meta_path if finder is not self)
        found = (finder.find_spec(fullname, path, target) for finder in others if around)
        spec = next((spec for spec in found if spec is not None), None)
        if around is None or spec is None or spec.loader is None:
            return None
        spec.loader = _LightLoader(spec.loader, around)
        return spec


class _LightLoader(Loader):
    """A module's own loader, with something around the execution."""

    def __init__(self, inner: Loader, around: Callable[[], AbstractContextManager[None]]) -> None:
        self._inner, self._around = inner, around

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._inner.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        before = {**vars(module)}
        try:
            with self._around():
                self._inner.exec_module(module)
        except Exception as error:  # noqa: BLE001 - it may miss what is kept from it in any way
            logger.debug("%s is imported whole: %r", module.__name__, error)
            vars(module).clear()
            vars(module).update(before)
            _forget_modules(lambda name: name.startswith(f"{module.__name__}."))
            self._inner.exec_module(module)


# --- mcp: import the client without the server and HTTP -------------------------------------------


class _Placeholder:
    """Stands for every name that is left out: no object is an instance of it."""

    def __class_getitem__(cls, _: Any) -> type[_Placeholder]:
        return cls


class _PlaceholderModule(ModuleType):
    """A module that is left out, from which any name can be imported."""

    __path__: MutableSequence[str] = []  # noqa: RUF012 - as a package has it

    def __getattr__(self, name: str) -> type[_Placeholder]:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Placeholder


class _ServerFinder(MetaPathFinder, Loader):
    """Finds a placeholder for each module that is left out."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return ModuleSpec(fullname, self, is_package=True) if _is_left_out(fullname) else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _PlaceholderModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """There is nothing to execute."""


_LEFT_OUT: Final = (
    "mcp.client.session_group",
    "mcp.client.streamable_http",
    "mcp.server",
    "mcp.shared.uri_template",
)
"""Modules, with those below them: the server, what brings the HTTP client, and what servers use."""


@contextmanager
def _without_server() -> Generator[None]:
    finder = _ServerFinder()
    sys.meta_path.insert(0, finder)
    try:
        with _built_on_first_use():
            yield
    finally:
        sys.meta_path.remove(finder)
        _forget_modules(_is_left_out)  # whoever imports one afterwards gets the real one


def _is_left_out(module: str) -> bool:
    return any(module == name or module.startswith(f"{name}.") for name in _LEFT_OUT)


def _forget_modules(matches: Callable[[str], bool]) -> None:
    for name in filter(matches, list(sys.modules)):
        del sys.modules[name]


# --- mcp: build its models when they are used first -----------------------------------------------


@contextmanager
def _built_on_first_use() -> Generator[None]:
    """Have pydantic build the models that are defined in the block when they are used first.

    pydantic's `defer_build` is meant for that; the SDK does not set it, and there is no place to
    set it for the adapters of all messages that there are, which build most of the models.
    """
    pydantic: Any = import_module("pydantic")
    model, adapter = pydantic.BaseModel, pydantic.TypeAdapter
    config, defers = model.model_config, cast("property", vars(adapter)["_defer_build"])
    model.model_config = {**config, "defer_build": True}
    adapter._defer_build = property(lambda _: True)
    try:
        yield
    finally:
        model.model_config, adapter._defer_build = config, defers


@contextmanager
def _never_rebuilt() -> Generator[None]:
    """As above, also where the module asks for it at its end: it is built all the same, later."""
    model: Any = import_module("pydantic").BaseModel
    rebuild = cast("Any", vars(model)["model_rebuild"])

    def only_for_use(cls: Any, **given: Any) -> Any:
        return rebuild.__get__(None, cls)(**given) if given else None

    model.model_rebuild = classmethod(only_for_use)
    try:
        with _built_on_first_use():
            yield
    finally:
        model.model_rebuild = rebuild


# --- mcp: import the models of a generation of the protocol when it is spoken ---------------------

_GENERATIONS: Final = ("_v2025_11_25", "_v2026_07_28")
"""Modules of `mcp_types`."""


class _Later:
    """Stands for a model of a generation until it is looked up."""

    def __init__(self, module: str, name: str) -> None:
        self._module, self._name = module, name

    def resolve(self) -> Any:
        """The model itself; imports its module."""
        return getattr(import_module(self._module), self._name)


class _Generation(ModuleType):
    """A module of a generation of which only the names are used yet."""

    def __getattr__(self, name: str) -> _Later:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Later(self.__name__, name)


class _ModelTable(dict[Any, Any]):
    """A table of the SDK, whose models are imported as they are looked up."""

    def __getitem__(self, key: Any) -> Any:
        row = super().__getitem__(key)
        if isinstance(row, _Later):
            row = self[key] = row.resolve()
        return row

    def get(self, key: Any, default: Any = None) -> Any:
        try:
            return self[key]
        except KeyError:
            return default


@contextmanager
def _generations_later() -> Generator[None]:
    """For `mcp_types.methods`, which has the models in tables, by method and version."""
    package: Any = sys.modules["mcp_types"]
    kept = {name: sys.modules.get(f"mcp_types.{name}") for name in _GENERATIONS}
    for name in _GENERATIONS:
        sys.modules[f"mcp_types.{name}"] = _Generation(f"mcp_types.{name}")
        setattr(package, name, sys.modules[f"mcp_types.{name}"])
    read_only = types.MappingProxyType
    types.MappingProxyType = _ModelTable  # pyright: ignore[reportAttributeAccessIssue]
    try:
        with _built_on_first_use():
            yield
    finally:
        types.MappingProxyType = read_only  # pyright: ignore[reportAttributeAccessIssue]
        for name, module in kept.items():  # whoever imports one gets the real one
            del sys.modules[f"mcp_types.{name}"]
            delattr(package, name)
            if module is not None:
                sys.modules[f"mcp_types.{name}"] = module
                setattr(package, name, module)


_AROUND: Final = {
    "hashlib": _without_openssl,
    "hmac": _without_openssl,
    "anyio._core._sockets": _tls_later,
    "mcp": _without_server,
    "mcp_types": _never_rebuilt,
    "mcp_types.methods": _generations_later,
    **{f"mcp_types.{name}": _built_on_first_use for name in _GENERATIONS},
}
