"""Data classes whose methods are compiled when they are looked up first.

The standard library writes up to six methods for each data class as text and compiles them at once:
a quarter of what all imports of a short run take, for methods of which most are never called. A
Python that makes them in another way keeps its own. Must not import anything of the project.
"""

from __future__ import annotations

from functools import partial, wraps
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def compile_methods_later() -> bool:
    """Have the methods of data classes that are made from now on compiled when they are used.

    Returns:
        Whether this Python makes them as 3.11 and 3.12 do, or as 3.13 does.
    """
    library: Any = import_module("dataclasses")  # its private parts are untyped
    create = getattr(library, "_create_fn", None)
    wrap = getattr(library, "_recursive_repr", None)
    builder = getattr(library, "_FuncBuilder", None)
    add = getattr(builder, "add_fns_to_class", None)
    if create is not None and wrap is not None:
        if not hasattr(create, "__wrapped__"):  # it was done before
            library._create_fn, library._recursive_repr = _later(create), _wrapping_later(wrap)
    elif builder is not None and add is not None:
        if not hasattr(add, "__wrapped__"):
            builder.add_fns_to_class = _adding_later(library, add)
    else:
        return False
    return True


class _LaterMethod:
    """Stands for a method in its class; the first look-up puts the method itself in its place."""

    __slots__ = ("__name__", "_make")

    def __init__(self, name: str, make: Callable[[], Any]) -> None:
        self.__name__, self._make = name, make

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        owner = type(instance) if owner is None else owner
        method = self.made()
        for cls in owner.__mro__:
            if vars(cls).get(self.__name__) is self:
                method.__qualname__ = f"{cls.__qualname__}.{self.__name__}"
                type.__setattr__(cls, self.__name__, method)
        return method.__get__(instance, owner)

    def made(self) -> Any:
        """The method, compiled now."""
        return self._make()


# --- Python 3.11 and 3.12 -------------------------------------------------------------------------


def _later(create: Callable[..., Any]) -> Callable[..., _LaterMethod]:
    @wraps(create)
    def create_later(name: str, *args: Any, **given: Any) -> _LaterMethod:
        return _LaterMethod(name, partial(create, name, *args, **given))

    return create_later


def _wrapping_later(wrap: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """For `__repr__`, which is written and then guarded against objects that contain themselves."""

    def wrap_later(method: Any) -> Any:
        if not isinstance(method, _LaterMethod):
            return wrap(method)
        return _LaterMethod("__repr__", lambda: wrap(method.made()))

    return wrap_later


# --- Python 3.13 ----------------------------------------------------------------------------------


def _adding_later(library: Any, add: Callable[[Any, type], None]) -> Callable[[Any, type], None]:
    """All methods of a class are in one text; here each has one of its own."""

    @wraps(add)
    def add_later(builder: Any, cls: type) -> None:
        for name, source in zip(builder.names, builder.src, strict=True):
            method = _LaterMethod(name, partial(_make_alone, add, builder, name, source))
            if builder.unconditional_adds.get(name, False):
                setattr(cls, name, method)
            elif library._set_new_attribute(cls, name, method) and (
                builder.overwrite_errors.get(name)
            ):
                add(builder, cls)  # says what is wrong

    return add_later


def _make_alone(add: Callable[[Any, type], None], builder: Any, name: str, source: str) -> Any:
    alone = type(builder)(builder.globals)
    alone.names, alone.src, alone.locals = [name], [source], builder.locals
    place = type("_Place", (), {})
    add(alone, place)
    return vars(place)[name]
