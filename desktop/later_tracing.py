"""OpenTelemetry for the SDK, which makes a span of each request: imported when somebody traces.

Hardly anybody traces an app, and each start would pay for its interface. Whoever does, before or
later, has the real one. Imports neither the SDK nor OpenTelemetry.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, nullcontext
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Generator
    from contextlib import AbstractContextManager

_TRACER: Final = "opentelemetry.trace"
_CONTEXT: Final = "opentelemetry.context"
_ASKED_BY: Final = "OTEL_PYTHON_TRACER_PROVIDER"
"""The variable by which its interface itself looks for who traces."""


def is_traced() -> bool:
    """Whether somebody wants spans of this process, or something is to be told to servers.

    Nobody can without having imported the interface.
    """
    # What another thread is just importing has not all of its names: nobody traces with that yet.
    if getattr(sys.modules.get(_TRACER), "_TRACER_PROVIDER", None) is not None:
        return True
    find_current = getattr(sys.modules.get(_CONTEXT), "get_current", None)
    return find_current is not None and bool(find_current())


@contextmanager
def traced_later() -> Generator[None]:
    """For the SDK's dispatcher, which makes a span of each request, traced or not."""
    if _TRACER in sys.modules or _ASKED_BY in os.environ:
        yield
        return
    stand_ins = make_stand_ins()
    sys.modules.update(stand_ins)
    try:
        yield
    finally:  # whoever traces gets the real ones
        for name in stand_ins:
            del sys.modules[name]


class _Placeholder:
    """Stands for a class that annotations name: no object is an instance of it."""


def make_stand_ins() -> dict[str, ModuleType]:
    names: dict[str, dict[str, object]] = {
        "opentelemetry": {"__path__": []},
        _CONTEXT: {"Context": _Placeholder},
        "opentelemetry.propagate": {"extract": _extract, "inject": _inject},
        _TRACER: {
            "SpanKind": _Words("SpanKind"),
            "StatusCode": _Words("StatusCode"),
            "get_current_span": _find_span,
            "get_tracer": _Tracer,
            "__path__": [],
        },
        "opentelemetry.trace.span": {"Span": _Placeholder},
    }
    stand_ins = {name: ModuleType(name) for name in names}
    for name, module in stand_ins.items():
        vars(module).update(names[name])
    return stand_ins


def _inject(carrier: Any) -> None:
    if is_traced():
        import_module("opentelemetry.propagate").inject(carrier)


def _extract(carrier: Any) -> Any:
    return import_module("opentelemetry.propagate").extract(carrier)


def _find_span(context: Any) -> Any:
    return import_module(_TRACER).get_current_span(context)


class _Words:
    """An enumeration: its real members where it is imported by now, else their names."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, word: str) -> object:
        real = getattr(sys.modules.get(_TRACER), self._name, None)
        return word if real is None else getattr(real, word)


class _Tracer:
    """Makes real spans as soon as somebody traces."""

    def __init__(self, name: str) -> None:
        self._name = name

    def start_as_current_span(self, name: str, **given: Any) -> AbstractContextManager[Any]:
        if not is_traced():
            return nullcontext(_UntracedSpan())
        tracer = import_module(_TRACER).get_tracer(self._name)
        return tracer.start_as_current_span(name, **given)


class _UntracedSpan:
    def set_attributes(self, attributes: object) -> None: ...
    def set_status(self, *given: object) -> None: ...
