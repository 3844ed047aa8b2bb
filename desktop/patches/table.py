"""Each patch: whose code it changes, for which versions, what it gains, and when it was measured.

An update of a library beyond its versions fails a test, so that somebody looks. A patch that gains
less than a twentieth of a figure in `docs/performance.md` goes. Milliseconds are processor time of
a cold `call` where nothing else is said, with the patch against without it, by turns.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Patch(NamedTuple):
    """`name` is its function in `module`; `versions` are major and minor."""

    module: str
    name: str
    distribution: str
    versions: tuple[str, ...]
    gain: str
    measured: str


_PYTHON: Final = ("python", ("3.11", "3.12", "3.13"))
_MCP: Final = ("mcp", ("2.3",))
_ANYIO: Final = ("anyio", ("4.16",))
_SSE: Final = ("sse-starlette", ("3.7",))
_JSONSCHEMA: Final = ("jsonschema", ("4.26",))
_QT: Final = ("PySide6-Essentials", ("6.11", "6.12"))

PATCHES: Final = (
    Patch("imports", "import_standard_library_lightly", *_PYTHON, "12 to 30 ms, 4.9 MB", "2026-11"),
    # These two and the line above are one: none of them saves anything without the others.
    Patch("imports", "_without_openssl", *_PYTHON, "5 to 34 ms, 3.5 MB", "2026-11"),
    Patch("imports", "_tls_later", *_ANYIO, "4.1 MB", "2026-11"),
    Patch("imports", "import_mcp_lightly", *_MCP, "httpx2 later: 4 to 57 ms, 3.1 MB", "2026-11"),
    Patch("imports", "_without_server", *_MCP, "166 to 203 ms, 26 MB", "2026-11"),
    # Models on first use, and those of a generation when it is spoken.
    Patch("imports", "_built_on_first_use", *_MCP, "47 to 98 ms, 2.8 MB", "2026-11"),
    Patch("imports", "_never_rebuilt", *_MCP, "with the line above", "2026-11"),
    Patch("imports", "_generations_later", *_MCP, "with the lines above", "2026-11"),
    Patch("qt", "skip_feature_search", *_QT, "169 ms, 18 MB until the window is ready", "2026-11"),
    Patch("qt", "import_qt_lightly", *_QT, "19 ms to the first frame, 36 to ready", "2026-11"),
    Patch("sdk", "keep_invalid_results", *_MCP, "results that break their schema are shown", ""),
    Patch("sdk", "forget_output_schemas", *_MCP, "memory of output schemas nobody reads", ""),
    Patch("sdk", "add_request_options", *_MCP, "a limit and progress for every request", ""),
    Patch("sdk", "change_log_level", *_MCP, "another log level in an open session", ""),
    Patch("sdk", "replace_model_checks", *_MCP, "what servers do wrong is repaired", ""),
    Patch("sdk", "replace_http_checks", *_MCP, "the same over HTTP", ""),
    Patch("sdk", "know_later_fields", *_MCP, "models of one generation less", "2026-11"),
    Patch("sdk", "shorten_discovery", *_MCP, "3 s instead of 10 for a silent server", ""),
    Patch("sdk", "token_endpoint_of", *_MCP, "a token can be renewed and revoked", ""),
    Patch("sdk", "log_no_sign_in", *_MCP, "no token in the log", ""),
    Patch("sdk", "log_no_closed_session", *_MCP, "no fault in the log where none is", ""),
    Patch("sdk", "connection_of", *_MCP, "clients of the gateway hear of changes", ""),
    Patch("sdk", "http_session_of", *_MCP, "the session of a client that is gone ends", ""),
    Patch("sdk", "http_sessions_of", *_MCP, "the gateway ends without waiting", ""),
    Patch("sdk", "look_for_no_shutdown", *_SSE, "two wake-ups a second of the idle window", ""),
    Patch("sdk", "bound_unevaluated_patterns", *_JSONSCHEMA, "a stranger's pattern is bounded", ""),
)
