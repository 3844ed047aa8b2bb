"""OpenTelemetry is not imported before somebody traces, and is the real one for whoever does."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

from desktop.later_tracing import is_traced
from tests.test_patches import run

if TYPE_CHECKING:
    import pytest

_TRACED = """
import sys
from contextlib import contextmanager
import desktop.core
from desktop.later_tracing import is_traced
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
from desktop import later_tracing
names = later_tracing.make_stand_ins
later_tracing.make_stand_ins = lambda: {"opentelemetry": names()["opentelemetry"],
                                        "opentelemetry.trace": type(later_tracing)("odd")}
import desktop.core
from mcp.shared import _otel, jsonrpc_dispatcher
print(jsonrpc_dispatcher.SpanKind.__module__, _otel.SpanKind is jsonrpc_dispatcher.SpanKind)
"""
    assert run(code) == ["opentelemetry.trace True"]


def test_an_interface_that_another_thread_is_just_importing_traces_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("opentelemetry.trace", "opentelemetry.context"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    assert not is_traced()
