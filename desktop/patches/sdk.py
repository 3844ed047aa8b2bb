"""Where the app changes what the SDK, sse-starlette and jsonschema do, and why."""

from __future__ import annotations

import logging
from contextvars import ContextVar
from importlib import import_module
from types import MappingProxyType, SimpleNamespace
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

logger = logging.getLogger(__name__)

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


def forget_output_schemas(client: _HasSession) -> None:
    """Drop what the check above would need: the SDK keeps the output schema of each tool."""
    kept = getattr(client.session, "_tool_output_schemas", None)
    if isinstance(kept, dict):
        cast("dict[str, Any]", kept).clear()


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
    requests: Callable[[Any], object],
) -> None:
    """Put our own functions around those with which the SDK's client reads what servers send.

    Its models refuse a list of 100 tools for one that is wrong in one place, and the SDK has no
    place to look at it before. Each argument gets the SDK's function and returns what is to be
    called instead: `validate_server_result`, `parse_server_notification`, `parse_server_request`
    (all of `mcp_types.methods`).
    """
    session = cast("Any", import_module("mcp.client.session"))
    try:
        methods = session._methods  # the module in which the client looks them up
        replaced = {
            "validate_server_result": results(_validating_alone(methods)),
            "parse_server_notification": notifications(methods.parse_server_notification),
            "parse_server_request": requests(methods.parse_server_request),
        }
    except AttributeError as error:
        logger.debug("the SDK reads its messages differently: %r; nothing is repaired", error)
        return
    session._methods = _Overlay(methods, **replaced)


def replace_http_checks(messages: Callable[[Any], object]) -> None:
    """The same for whole messages of HTTP and SSE: `validate_json` of `jsonrpc_message_adapter`."""
    names = ("mcp.client.streamable_http", "mcp.client.sse")
    http, sse = cast("tuple[Any, Any]", tuple(map(import_module, names)))
    try:
        adapter, kept = http.jsonrpc_message_adapter, sse.types
        overlay = _Overlay(adapter, validate_json=messages(adapter.validate_json))
    except AttributeError as error:
        logger.debug("the SDK reads HTTP differently: %r; nothing is repaired", error)
        return
    http.jsonrpc_message_adapter = overlay
    sse.types = _Overlay(kept, jsonrpc_message_adapter=overlay)


def _validating_alone(methods: Any) -> Any:
    """The SDK's `validate_server_result`, without what it does to each result that is valid.

    It writes it out and drops what it wrote, which of tools takes ten times as long as to validate.
    """
    if any(not hasattr(methods, name) for name in ("_adapter", "_check_known_version")):
        return methods.validate_server_result

    def validate(method: str, version: str, data: Mapping[str, Any], /) -> None:
        methods._check_known_version(version)
        model = methods.SERVER_RESULTS[method, version]
        methods._adapter(model).validate_python(data, by_name=False)

    return validate


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


# --- mcp: signing in ------------------------------------------------------------------------------


def token_endpoint_of(provider: object) -> str:
    """Where a sign-in of the SDK asks for tokens; it has no public way to say so."""
    return cast("Any", provider)._get_token_endpoint()


def log_no_sign_in() -> None:
    """Keep the SDK from logging each failure with its traceback: a server's words, a token perhaps.

    A filter: the setup of logging from a config enables again what was disabled.
    """
    logging.getLogger("mcp.client.auth.oauth2").addFilter(_is_never_logged)


def _is_never_logged(_: logging.LogRecord) -> bool:
    return False


# --- mcp: sessions that close ---------------------------------------------------------------------


def log_no_closed_session() -> None:
    """Keep the SDK from logging a message that comes while its session closes: that is no fault."""
    logging.getLogger("mcp.client.streamable_http").addFilter(_is_fault)


def _is_fault(record: logging.LogRecord) -> bool:
    error = record.exc_info[1] if record.exc_info else None
    return type(error).__name__ not in _CLOSED


_CLOSED: Final = frozenset({"BrokenResourceError", "ClosedResourceError"})
"""anyio's: the message has nobody to go to."""


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


def http_sessions_of(manager: object) -> list[Any]:
    """The transports of all its sessions: ended before it, they answer nobody and hold up nothing.

    The SDK's own end waits a second for each answer to an open call, which nobody takes any more.
    """
    return list(getattr(manager, "_server_instances", {}).values())


# --- sse-starlette: no task that outlives what it is for ------------------------------------------


def look_for_no_shutdown() -> bool:
    """Make streams of this thread's loop start no task that looks twice a second for its end.

    It looks for the signal handler of a uvicorn that runs the process, which is not ours, and goes
    on for as long as the loop runs: in the window, long after the last client.

    Returns:
        Whether the library is as it was known.
    """
    module = import_module("sse_starlette.sse")
    state = getattr(module, "_get_shutdown_state", SimpleNamespace)()
    if not hasattr(state, "watcher_started"):
        logger.debug("sse-starlette looks for the end of the process in a way not known here")
        return False
    state.watcher_started = True
    return True


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
