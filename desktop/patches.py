"""The eleven places where the app changes what other people's libraries do, and why.

Each patch names the versions it was written for, touches as little as it can, and leaves a library
that looks different as it is: then something is slower or stricter, and nothing breaks. An update
of a library outside of `TESTED` fails a test here, so that somebody looks. Imports none of the
libraries by being imported. Must not hold anything but patches.
"""

from __future__ import annotations

import logging
import sys
import types
from contextlib import contextmanager
from contextvars import ContextVar
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import MappingProxyType, ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, MutableSequence, Sequence
    from contextlib import AbstractContextManager

TESTED: Final = {"mcp": ("2.3",), "PySide6-Essentials": ("6.11", "6.12"), "jsonschema": ("4.26",)}
"""The distributions and their versions, major and minor, for which the patches were written."""

logger = logging.getLogger(__name__)

# --- mcp: import what a client needs, and no sooner than it is needed -----------------------------


def import_mcp_lightly() -> None:
    """See to it that `mcp` and `mcp_types` are imported lightly, by whoever imports them first.

    `import mcp` brings the whole server along, with starlette, uvicorn and the rest, for a client
    that talks to a server in its own process; nothing here does. It builds five hundred models of
    pydantic, of which a call uses sixty, and half of them for a generation of the protocol that
    the server does not speak. Without all that it takes half the time, and the app 15 MB less.
    A package that cannot be imported so is imported whole; what was left out can still be imported
    afterwards.
    """
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


# --- mcp: import the client without the server ----------------------------------------------------


class _Placeholder:
    """Stands for every class of the server: no object is an instance of it."""

    def __class_getitem__(cls, _: Any) -> type[_Placeholder]:
        return cls


class _PlaceholderModule(ModuleType):
    """A module of the server from which any name can be imported."""

    __path__: MutableSequence[str] = []  # noqa: RUF012 - as a package has it

    def __getattr__(self, name: str) -> type[_Placeholder]:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Placeholder


class _ServerFinder(MetaPathFinder, Loader):
    """Finds a placeholder for each module of the server."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return ModuleSpec(fullname, self, is_package=True) if _is_server(fullname) else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _PlaceholderModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """There is nothing to execute."""


_SERVER = "mcp.server"


@contextmanager
def _without_server() -> Generator[None]:
    finder = _ServerFinder()
    sys.meta_path.insert(0, finder)
    try:
        with _built_on_first_use():
            yield
    finally:
        sys.meta_path.remove(finder)
        _forget_modules(_is_server)  # whoever imports the server afterwards gets the real one


def _is_server(module: str) -> bool:
    return module == _SERVER or module.startswith(f"{_SERVER}.")


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
    "mcp": _without_server,
    "mcp_types": _never_rebuilt,
    "mcp_types.methods": _generations_later,
    **{f"mcp_types.{name}": _built_on_first_use for name in _GENERATIONS},
}

# --- mcp: keep results that break their output schema ---------------------------------------------


class _HasSession(Protocol):
    """The SDK's `Client`, which this module must not import."""

    @property
    def session(self) -> Any: ...


def keep_invalid_results(client: _HasSession) -> None:
    """Make an open SDK client return results that do not fit the tool's `outputSchema`.

    The SDK's own check raises and the content is lost; it has no limits, and lists all tools anew
    for a tool it does not know. `ToolExecutor` checks the output instead, and the result keeps its
    content. All else of the SDK's `call_tool` stays as it is.
    """
    client.session.validate_tool_result = _accept_result


async def _accept_result(name: str, result: object) -> None:
    """In place of `ClientSession.validate_tool_result`."""


# --- mcp: a limit and progress for every request --------------------------------------------------


request_options: Final[ContextVar[Mapping[str, Any]]] = ContextVar(
    "request_options", default=MappingProxyType({})
)
"""What the SDK is to be told of the request that is being sent; nothing outside of one."""


def add_request_options(client: _HasSession) -> None:
    """Make an open SDK client send each request with what `request_options` holds at that moment.

    They are arguments of the session's own `send_request`. The SDK's verbs but for `call_tool` pass
    none on: a read or a prompt could neither tell of its progress nor take longer than a connect.
    """
    send = client.session.send_request

    def send_request(request: Any, result_type: Any, **given: Any) -> Any:
        return send(request, result_type, **{**request_options.get(), **given})

    client.session.send_request = send_request


# --- mcp: another log level in an open session ----------------------------------------------------


def change_log_level(client: _HasSession, level: str | None) -> bool:
    """Ask for log messages of this level with each request of an open client (2026-07-28).

    The SDK writes the level into its requests as it was when the session was opened.

    Returns:
        Whether the SDK took it; if not, it is asked for from the next session on.
    """
    session = client.session
    if not hasattr(session, "_log_level") or session.discover_result is None:
        return False
    session._log_level = level
    session.adopt(session.discover_result)
    return True


# --- mcp: let what its models refuse be repaired --------------------------------------------------


class _Overlay:
    """An object of the SDK, some of whose functions are replaced."""

    def __init__(self, inner: object, **replaced: object) -> None:
        self._inner = inner
        self.__dict__.update(replaced)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


def replace_model_checks(
    results: Callable[[Any], object],
    notifications: Callable[[Any], object],
    messages: Callable[[Any], object],
) -> None:
    """Put our own functions around those with which the SDK's client reads what servers send.

    Its models refuse a list of 100 tools for one that is wrong in one place, and the SDK has no
    place to look at it before. Each argument gets the SDK's function and returns what is to be
    called instead: `validate_server_result`, `parse_server_notification` (both of
    `mcp_types.methods`), and `validate_json` of `jsonrpc_message_adapter` (HTTP and SSE).
    """
    names = ("mcp.client.session", "mcp.client.streamable_http", "mcp.client.sse")
    session, http, sse = cast("tuple[Any, Any, Any]", tuple(map(import_module, names)))
    try:
        methods = session._methods  # the module in which the client looks them up
        replaced = {
            "validate_server_result": results(methods.validate_server_result),
            "parse_server_notification": notifications(methods.parse_server_notification),
        }
        adapter = http.jsonrpc_message_adapter
        overlay = _Overlay(adapter, validate_json=messages(adapter.validate_json))
    except AttributeError as error:
        logger.debug("the SDK reads its messages differently: %r; nothing is repaired", error)
        return
    session._methods = _Overlay(methods, **replaced)
    http.jsonrpc_message_adapter = overlay
    sse.types = _Overlay(sse.types, jsonrpc_message_adapter=overlay)


# --- mcp: know without its models what later generations added ------------------------------------

_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")
_LATER_FIELDS: Final[Mapping[str, frozenset[str]]] = {
    "completion/complete": frozenset({"resultType"}),
    "prompts/get": frozenset({"inputRequests", "requestState", "resultType"}),
    "prompts/list": frozenset({"cacheScope", "resultType", "ttlMs"}),
    "resources/list": frozenset({"cacheScope", "resultType", "ttlMs"}),
    "resources/read": frozenset(
        {"cacheScope", "inputRequests", "requestState", "resultType", "ttlMs"}
    ),
    "resources/templates/list": frozenset({"cacheScope", "resultType", "ttlMs"}),
    "tools/call": frozenset({"inputRequests", "requestState", "resultType"}),
    "tools/list": frozenset({"cacheScope", "resultType", "ttlMs"}),
}


def know_later_fields() -> None:
    """Tell the SDK what 2026-07-28 added to the results of older servers: it leaves that out.

    It finds out from the models of both generations, and so would import them for any server.
    """
    session: Any = import_module("mcp.client.session")
    versions: Any = import_module("mcp_types.version")
    find = getattr(session, "_later_revision_fields", None)
    if find is None or tuple(versions.KNOWN_PROTOCOL_VERSIONS) != _VERSIONS:
        logger.debug("the SDK knows other versions of the protocol: it looks for itself")
        return

    def known(method: str, version: str) -> frozenset[str]:
        if version not in _VERSIONS:
            return find(method, version)
        return _LATER_FIELDS.get(method, frozenset()) if version != _VERSIONS[-1] else frozenset()

    session._later_revision_fields = known


# --- mcp: wait less long for a server that does not know the newer greeting -----------------------

MAX_DISCOVER_WAIT: Final = 3.0
"""Seconds until a server that is silent to `server/discover` is greeted in the older way."""


def shorten_discovery() -> None:
    """Wait `MAX_DISCOVER_WAIT` for the answer to the newer greeting, where the SDK waits 10 s."""
    session: Any = import_module("mcp.client.session")
    if hasattr(session, "DISCOVER_TIMEOUT_SECONDS"):
        session.DISCOVER_TIMEOUT_SECONDS = MAX_DISCOVER_WAIT


# --- mcp: what its server keeps to itself ---------------------------------------------------------


def connection_of(session: object) -> Any:
    """What all requests of one client share, of a session of the SDK's server.

    It gives its handlers a new session for each request, and no public way from there to the
    connection, whose `exit_stack` ends with it.

    Raises:
        AttributeError: the SDK is another one; no client could be told of a change.
    """
    return cast("Any", session)._connection


def http_session_of(manager: object, session: str) -> Any:
    """The transport of a client's HTTP session, to be ended (`terminate`); None where it has none.

    The SDK ends a session when its client says so or nobody used it for long, and has no way to
    end that of a client which is gone.
    """
    return getattr(manager, "_server_instances", {}).get(session)


# --- jsonschema: patterns of `unevaluatedProperties` ----------------------------------------------

_WITH_PATTERNS = ("_utils", "_legacy_keywords")
"""The modules that look for evaluated properties; keywords themselves are replaced by name."""


def bound_unevaluated_patterns(search: Callable[[str, str], bool]) -> bool:
    """Make jsonschema try the patterns beside `unevaluatedProperties` by `search(pattern, text)`.

    It tries them by `re`, which a pattern of a stranger can keep busy for years.

    Returns:
        Whether both modules are as they were known; if not, the keyword must not be used.
    """
    modules = [import_module(f"jsonschema.{name}") for name in _WITH_PATTERNS]
    if any(not hasattr(getattr(module, "re", None), "search") for module in modules):
        logger.debug("jsonschema tries patterns in a way not known here")
        return False
    for module in modules:
        vars(module)["re"] = SimpleNamespace(search=search)
    return True


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
