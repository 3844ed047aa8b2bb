"""Whether there is a keyring to keep keys in. Reads and writes no entry: it is the person's own."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from desktop.cli.self_checks.check import CheckSkippedError


async def find_backend(module: str = "keyring") -> str:
    """Name the keyring of this machine.

    Raises:
        CheckSkippedError: there is none; keys then come from the environment.
    """
    if find_spec(module) is None:
        raise CheckSkippedError("not there: this installation has no keyring module")
    backend = import_module(module).get_keyring()
    name = f"{type(backend).__module__}.{type(backend).__name__}"
    if getattr(backend, "priority", 0) <= 0:
        raise CheckSkippedError(f"not there: no keyring service answers ({name})")
    return name
