"""What is imported lightly is the same afterwards, and what is left for later comes when used."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from desktop.import_patches import is_traced
from tests.test_patches import run

_TRACED = """
import sys
from contextlib import contextmanager
import desktop.core
from desktop.import_patches import is_traced
from mcp.shared import _otel, jsonrpc_dispatcher
print([name for name in sys.modules if name.startswith("opentelemetry")], is_traced())

def send(kind):
    with _otel.otel_span("one", kind=kind.CLIENT, attributes={"a": "b"}) as span:
        span.set_attributes({"c": "d"})
        span.set_status(jsonrpc_dispatcher.StatusCode.ERROR, "words")
        meta = {}
        _otel.inject_trace_context(meta)
        return meta

print(send(jsonrpc_dispatcher.SpanKind), "opentelemetry.trace" in sys.modules)
"""


def test_opentelemetry_is_not_imported_until_somebody_traces() -> None:
    code = f"""{_TRACED}
from opentelemetry import trace
class Recorded(trace.NonRecordingSpan):
    def set_attributes(self, attributes): print(attributes)
    def set_status(self, code, words=None): print(code is trace.StatusCode.ERROR, words)
class Tracer(trace.NoOpTracer):
    @contextmanager
    def start_as_current_span(self, name, **given):
        print(name, given["kind"] is trace.SpanKind.CLIENT, given["attributes"])
        context = trace.SpanContext(1, 2, False, trace.TraceFlags(1))
        with trace.use_span(Recorded(context)) as span:
            yield span
class Provider(trace.NoOpTracerProvider):
    def get_tracer(self, *args, **kwargs): return Tracer()
trace.set_tracer_provider(Provider())
print(is_traced(), send(trace.SpanKind) == send(jsonrpc_dispatcher.SpanKind))
print("traceparent" in send(trace.SpanKind))
"""
    said = ["one True {'a': 'b'}", "{'c': 'd'}", "True words"]
    expected = ["[] False", "{} False", *said, *said, "True True", *said, "True"]
    assert run(code) == expected


def test_a_trace_context_of_a_client_is_read_as_ever() -> None:
    code = """
import desktop.core
from mcp.shared._otel import extract_trace_context
from opentelemetry import trace
parent = f"00-{17:032x}-{18:016x}-01"
context = extract_trace_context({"traceparent": parent})
print(trace.get_current_span(context).get_span_context().trace_id)
print(extract_trace_context({"traceparent": "odd"}), extract_trace_context(None))
"""
    assert run(code) == ["17", "None None"]


def test_whoever_is_asked_for_by_the_environment_to_trace_has_the_real_interface() -> None:
    code = """
import os, sys
os.environ["OTEL_PYTHON_TRACER_PROVIDER"] = "default_tracer_provider"
import desktop.core
from mcp.shared import _otel
from opentelemetry.trace import get_tracer
print(_otel.get_tracer is get_tracer)
"""
    assert run(code) == ["True"]


def test_an_sdk_that_traces_in_another_way_is_imported_whole() -> None:
    code = """
from desktop import import_patches
names = import_patches._make_stand_ins
import_patches._make_stand_ins = lambda: {"opentelemetry": names()["opentelemetry"],
                                          "opentelemetry.trace": type(import_patches)("odd")}
import desktop.core
from mcp.shared import _otel, jsonrpc_dispatcher
print(jsonrpc_dispatcher.SpanKind.__module__, _otel.SpanKind is jsonrpc_dispatcher.SpanKind)
"""
    assert run(code) == ["opentelemetry.trace True"]


def test_modules_that_are_rarely_used_are_executed_when_they_are() -> None:
    code = """
import sys
from desktop.import_patches import import_standard_library_lightly
from desktop.later_imports import is_executed
import_standard_library_lightly()
import asyncio, logging.handlers, shutil
names = ("asyncio.sslproto", "bz2", "lzma", "pickle", "ssl")
print([name for name in names if is_executed(sys.modules[name])])
import ssl, pickle
print(isinstance(ssl.create_default_context(), ssl.SSLContext), pickle.loads(pickle.dumps(3)))
print(asyncio.sslproto.SSLAgainErrors[0] is ssl.SSLWantReadError)
print([name for name in names if not is_executed(sys.modules[name])], ssl.__spec__.loader.name)
"""
    assert run(code) == ["[]", "True 3", "True", "['bz2', 'lzma'] ssl"]


def test_pydantic_is_the_same_without_what_only_type_checkers_look_at() -> None:
    code = """
import sys
{}
import pydantic, typing, typing_extensions
from pydantic_core import core_schema
from pydantic import BaseModel, EmailStr, TypeAdapter
print("importlib.metadata" in sys.modules)
print(typing.TypedDict.__module__, typing_extensions.TypedDict.__module__)
class Shape(typing_extensions.TypedDict, total=False):
    name: typing_extensions.Required[str]
class Model(BaseModel):
    number: int
    shape: Shape | None = None
print(Model(number="3", shape={{"name": "a"}}), Model.model_json_schema())
print(core_schema.int_schema(ge=3), core_schema.CoreConfig(title="a"))
print(TypeAdapter(Shape).validate_python({{"name": "b"}}))
try:
    class Mail(BaseModel):
        address: EmailStr
    print(Mail(address="a@b.org"))
except ImportError as error:
    print(error)
"""
    light = run(code.format("import desktop.config"))
    plain = run(code.format(""))
    assert (light[0], plain[0]) == ("False", "True")
    assert light[1:] == plain[1:]


@pytest.mark.skipif(sys.platform != "linux", reason="others tell it without reading much")
def test_time_zones_are_found_without_reading_how_python_was_built() -> None:
    code = """
{0}
import sys, pydantic.types
print(any(name.startswith("_sysconfigdata") for name in sys.modules))
import sysconfig, zoneinfo
print(zoneinfo.TZPATH, ":".join(zoneinfo.TZPATH) == sysconfig.get_config_var("TZPATH"))
"""
    light = run(code.format("import desktop.config"))
    plain = run(code.format("import pydantic._internal._validators"))
    assert (light[0], plain[0]) == ("False", "True")
    assert light[1:] == plain[1:]
    assert light[1].endswith("True")


def test_threads_that_use_a_module_at_once_wait_until_it_is_executed() -> None:
    code = """
import desktop.core
import httpx2
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
barrier = Barrier(4)
def use(_):
    barrier.wait()
    return httpx2.StreamError
with ThreadPoolExecutor(4) as pool:
    print(len(set(pool.map(use, range(4)))))
print(hasattr(httpx2, "nothing_of_this_name"))
"""
    assert run(code) == ["1", "False"]


def test_tls_is_imported_when_a_connection_wants_it() -> None:
    code = """
import sys
from desktop.import_patches import import_standard_library_lightly
import_standard_library_lightly()
import desktop.core, anyio
from desktop.later_imports import is_executed
async def connect():
    print(is_executed(sys.modules["ssl"]), "anyio.streams.tls" in sys.modules)
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    port = listener.extra(anyio.abc.SocketAttribute.local_port)
    async with anyio.create_task_group() as tasks:
        async def hang_up():
            async with await listener.listeners[0].accept() as client:
                await client.receive()
        tasks.start_soon(hang_up)
        try:
            await anyio.connect_tcp("127.0.0.1", port, tls=True)
        except (anyio.BrokenResourceError, sys.modules["ssl"].SSLError) as error:
            print("not answered in TLS")
    target = anyio.as_connectable(("127.0.0.1", port), tls=True)
    from anyio.streams.tls import TLSConnectable
    print(type(target) is TLSConnectable)
anyio.run(connect)
"""
    assert run(code) == ["False False", "not answered in TLS", "True"]


def test_an_interface_that_another_thread_is_just_importing_traces_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("opentelemetry.trace", "opentelemetry.context"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    assert not is_traced()
