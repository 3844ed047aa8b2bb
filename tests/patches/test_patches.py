"""Each patch does what it is for, and leaves a library alone that looks different."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from mcp.client.session import ClientSession

from desktop.patches.sdk import connection_of, http_session_of, keep_invalid_results
from desktop.patches.table import PATCHES
from tests.live_servers import connected, stdio

ROOT = Path(__file__).parents[2]
TESTED = {patch.distribution: patch.versions for patch in PATCHES}


@pytest.mark.parametrize("distribution", TESTED)
def test_the_libraries_are_of_the_versions_that_the_patches_were_tested_with(
    distribution: str,
) -> None:
    found = platform.python_version() if distribution == "python" else version(distribution)
    assert ".".join(found.split(".")[:2]) in TESTED[distribution]


def run(code: str, *folders: Path) -> list[str]:
    path = os.pathsep.join(map(str, (*folders, ROOT)))
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    ).stdout.splitlines()


def test_the_client_is_imported_without_the_server() -> None:
    code = """
import sys
from desktop.patches.imports import import_mcp_lightly
import_mcp_lightly()
import mcp
print(mcp.Client.__module__)
print([name for name in sys.modules if name.startswith(("mcp.server", "starlette", "uvicorn"))])
"""
    assert run(code) == ["mcp.client.client", "[]"]


def test_the_server_can_be_imported_afterwards() -> None:
    code = """
from desktop.patches.imports import import_mcp_lightly
import_mcp_lightly()
import mcp.server
from mcp.server.stdio import stdio_server
print(mcp.server.Server("any").name, stdio_server.__name__)
"""
    assert run(code) == ["any stdio_server"]


def test_an_sdk_that_is_there_already_is_left_as_it_is() -> None:
    code = """
import mcp
from mcp.server import Server
from desktop.patches.imports import import_mcp_lightly
import_mcp_lightly()
import sys
print(sys.modules["mcp"] is mcp, sys.modules["mcp.server"].Server is Server)
"""
    assert run(code) == ["True True"]


def test_an_sdk_that_needs_its_server_is_imported_whole(tmp_path: Path) -> None:
    package = tmp_path / "mcp"
    (package / "server").mkdir(parents=True)
    (package / "server" / "__init__.py").write_text("LIMIT = 4\n")
    (package / "client.py").write_text("from mcp.server import LIMIT\nDOUBLE = LIMIT * 2\n")
    (package / "__init__.py").write_text("from mcp.client import DOUBLE\n")
    code = """
from desktop.patches.imports import import_mcp_lightly
import_mcp_lightly()
import mcp
print(mcp.DOUBLE)
"""
    assert run(code, tmp_path) == ["8"]


def test_types_that_cannot_be_imported_lightly_are_imported_whole(tmp_path: Path) -> None:
    package = tmp_path / "mcp_types"
    package.mkdir()
    (package / "__init__.py").write_text("KINDS = 2\n")
    (package / "_v2025_11_25.py").write_text("LIMIT = 4\n")
    (package / "_v2026_07_28.py").write_text("LIMIT = 5\n")
    (package / "methods.py").write_text(
        "import mcp_types._v2025_11_25 as one, mcp_types._v2026_07_28 as two\n"
        "SUM = one.LIMIT + two.LIMIT\n"
    )
    code = """
from desktop.patches.imports import import_mcp_lightly
import_mcp_lightly()
import mcp_types
from mcp_types import methods
print(mcp_types.KINDS, methods.SUM)
"""
    assert run(code, tmp_path) == ["2 9"]


def test_no_model_is_built_before_it_is_used_nor_made_before_its_generation_is_spoken() -> None:
    code = """
import sys
import desktop.servers.sdk
import mcp_types
from mcp.client import session
from pydantic import BaseModel
models = [each for each in vars(mcp_types).values() if isinstance(each, type)]
models = [each for each in models if issubclass(each, BaseModel)]
built = [each.__name__ for each in models if each.__pydantic_complete__]
print(len(models) > 150, len(built) < 10, mcp_types.server_result_adapter.pydantic_complete)
print([name for name in sys.modules if name.startswith("mcp_types._v")])
print(BaseModel.model_config)
mcp_types.methods.validate_server_result("ping", "2025-06-18", {})
print([name for name in sys.modules if name.startswith("mcp_types._v")])
session._later_revision_fields("tools/list", "2025-06-18")
print([name for name in sys.modules if name.startswith("mcp_types._v")])
"""
    only = "['mcp_types._v2025_11_25']"
    assert run(code) == ["True True False", "[]", "{}", only, only]


def test_the_tables_of_the_sdk_have_what_they_have_without_the_patch() -> None:
    code = """
from mcp_types import methods
for name in sorted(filter(str.isupper, vars(methods))):
    table = getattr(methods, name)
    for key in table if hasattr(table, "items") else ():
        row = table[key]
        print(name, key, getattr(row, "__qualname__", row))
for part in ("_v2025_11_25", "_v2026_07_28"):
    __import__(f"mcp_types.{part}")
    print(len(vars(__import__("mcp_types"))[part].__dict__))
"""
    lightly = "from desktop.patches.imports import import_mcp_lightly as go; go()\n" + code
    plain = run(code)
    assert len(plain) > 100
    assert run(lightly) == plain


def test_what_later_generations_added_is_what_the_sdk_finds_itself() -> None:
    code = """
from mcp.client import session
from mcp_types import methods
{}
for method, version in methods.SERVER_RESULTS:
    print(method, version, sorted(session._later_revision_fields(method, version)))
"""
    patch = "from desktop.patches.sdk import know_later_fields; know_later_fields()"
    plain = run(code.format(""))
    assert len(plain) > 40
    assert run(code.format(patch)) == plain


async def test_a_result_that_breaks_its_output_schema_keeps_its_content() -> None:
    assert hasattr(ClientSession, "validate_tool_result")
    session = SimpleNamespace()
    client: Any = SimpleNamespace(session=session)
    keep_invalid_results(client)
    assert await session.validate_tool_result("tool", object()) is None
    async with connected(stdio("plain")) as connection:
        result = await connection.call_tool("broken_structured", {})
    assert result.structured == {"city": "Paris", "degrees": "warm"}


def test_the_newer_greeting_is_waited_for_as_long_as_said() -> None:
    code = """
import desktop.servers.sdk
from mcp.client import session
print(session.DISCOVER_TIMEOUT_SECONDS)
"""
    assert run(code) == ["3.0"]


def test_an_sdk_that_reads_its_messages_differently_is_left_as_it_is() -> None:
    code = """
from mcp.client import session, streamable_http
from desktop.patches.sdk import replace_http_checks, replace_model_checks
before = session._methods = object()
replace_model_checks(print, print, print)
print(session._methods is before)
del streamable_http.jsonrpc_message_adapter
replace_http_checks(print)
print(hasattr(streamable_http, "jsonrpc_message_adapter"))
"""
    assert run(code)[-2:] == ["True", "False"]


def test_the_http_client_is_not_executed_before_it_is_used_and_then_is_the_real_one() -> None:
    code = """
import sys
import desktop.core
from desktop.patches.later_imports import is_executed
print(is_executed(sys.modules["httpx2"]), "mcp.client.streamable_http" in sys.modules)
from desktop.servers.transport.http_transport import HttpTransport, streamable_http_client
import httpx2, mcp.client.session_group, inspect
print(is_executed(httpx2), issubclass(httpx2.ConnectError, httpx2.TransportError))
print(inspect.isfunction(inspect.unwrap(streamable_http_client)))
print(isinstance(mcp.client.session_group.ClientSessionGroup, type), httpx2.__version__ != "")
"""
    assert run(code) == ["False False", "True True", "True", "True True"]


_ASKED = """
from PySide6.QtWidgets import QLabel, QWidget
from PySide6.support.signature import get_signature
print(get_signature(QWidget.resize))
print(repr(QWidget.resize.__doc__))
try:
    QLabel.tr(3, 4)
except TypeError as error:
    print(repr(str(error)))
"""


def test_qt_is_imported_without_what_only_signatures_need_and_has_them_when_asked() -> None:
    code = """
import sys
from desktop.patches.qt import import_qt_lightly
finders = list(sys.meta_path)
import_qt_lightly()
print(type(sys.meta_path) is list and sys.meta_path == finders)
from PySide6.support.signature import layout, lib, parser
from desktop.patches.later_imports import is_executed
print(any(map(is_executed, (layout, parser, lib.pyi_generator))))
print("argparse" in sys.modules)
"""
    light = run(f"{code}{_ASKED}")
    assert light[:3] == ["True", "False", "False"]
    assert light[3:] == run(_ASKED)
    assert "resize" in light[4]


def test_docstrings_of_python_itself_bring_nothing_of_qt_and_those_of_qt_are_whole() -> None:
    """pydantic asks for one of `object` as it is imported, each time that the app starts."""
    asked = """
print(repr(object.__new__.__doc__), repr(str.join.__doc__))
from PySide6.QtWidgets import QWidget
print(repr(QWidget.__init__.__doc__), repr(QWidget.show.__doc__))
"""
    code = """
import sys
from desktop.patches.later_imports import is_executed
from desktop.patches.qt import import_qt_lightly
import_qt_lightly()
import desktop.core
print(is_executed(sys.modules["shibokensupport.signature.mapping"]))
"""
    light = run(f"{code}{asked}")
    assert light[0] == "False"
    assert light[1:] == run(f"import PySide6.QtCore{asked}")
    assert "parent: " in light[2]


def test_a_pyside_that_keeps_its_support_elsewhere_is_imported_as_it_is() -> None:
    code = """
from desktop.patches import qt as patches
patches._SIGNATURES = frozenset()
patches.import_qt_lightly()
"""
    assert run(f"{code}{_ASKED}") == run(_ASKED)


def test_modules_are_imported_without_their_source_being_read() -> None:
    code = """
import inspect
from PySide6.QtWidgets import QWidget
from desktop.patches.qt import skip_feature_search
print(skip_feature_search())
inspect.getsource = print  # whoever reads a source is seen
from xml.etree import ElementTree
import json
print(json.dumps(ElementTree.fromstring("<a/>").tag), QWidget.__name__)
"""
    assert run(code) == ["True", '"a" QWidget']


def test_a_pyside_without_the_search_is_left_alone() -> None:
    code = """
import sys
import PySide6.QtCore
sys.modules["shibokensupport.feature"] = None
from desktop.patches.qt import skip_feature_search
print(skip_feature_search())
"""
    assert run(code) == ["False"]


def test_jsonschema_that_tries_patterns_in_another_way_is_left_alone() -> None:
    code = """
import jsonschema._utils
from desktop.patches.sdk import bound_unevaluated_patterns
del jsonschema._utils.re
print(bound_unevaluated_patterns(lambda pattern, text: True))
from jsonschema import _legacy_keywords
import re
print(_legacy_keywords.re is re)
"""
    assert run(code) == ["False", "True"]


def test_the_sdks_server_keeps_what_is_taken_from_it() -> None:
    """The gateway needs both; where the SDK calls them otherwise, this is the place to mend."""
    from mcp.server.lowlevel import Server
    from mcp.server.session import ServerSession
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

    manager = StreamableHTTPSessionManager(Server("s"))
    assert "_server_instances" in vars(manager)
    session = SimpleNamespace(terminate=None)
    vars(manager)["_server_instances"]["one"] = session
    assert http_session_of(manager, "one") is session
    assert http_session_of(manager, "other") is None
    assert http_session_of(object(), "one") is None
    connection: Any = SimpleNamespace(protocol_version="2025-06-18")
    requests: Any = SimpleNamespace()
    assert connection_of(ServerSession(requests, connection)) is connection


def test_a_stream_over_http_starts_no_task_that_outlives_it() -> None:
    code = (
        "import asyncio\n"
        "from sse_starlette.sse import EventSourceResponse\n"
        "from desktop.patches import sdk as patches\n"
        "async def one():\n"
        "    yield {'data': 'x'}\n"
        "async def receive():\n"
        "    await asyncio.Event().wait()\n"
        "async def send(message): pass\n"
        "async def stream():\n"
        "    scope = {'type': 'http', 'method': 'GET', 'headers': []}\n"
        "    await EventSourceResponse(one())(scope, receive, send)\n"
        "    print(len(asyncio.all_tasks()) - 1)\n"
        "asyncio.run(stream())\n"
        "print(patches.look_for_no_shutdown())\n"
        "asyncio.run(stream())\n"
    )
    assert run(code) == ["1", "True", "0"]
