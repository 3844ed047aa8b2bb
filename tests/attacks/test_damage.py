"""Whatever happens to a file that is read back: nothing is lost in silence, and no start fails.

Each kind of file is damaged in 200 ways, the same ones in each run. Either all is read as before,
or a sentence says what is wrong and the damaged bytes are still there, after the next write, too.
Of files that people edit, what is JSON still is what they wrote: it is read as it stands.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from desktop.base.damaged_files import Damages, OwnFile, sealed
from desktop.base.errors import DesktopError
from desktop.config.models import ServerConfig
from desktop.config.secret_store import SecretStore
from desktop.config.store import ConfigStore
from desktop.config.trust import TrustFile
from desktop.gui.last_known.snapshot import KnownContent, read_snapshot, stamp_of, write_snapshot
from desktop.gui.window_state import WindowState
from desktop.processes.identity import current_scope
from desktop.processes.ledger import read_ledger
from desktop.processes.orphan_cleanup import OrphanCleanup
from desktop.servers.context import ProtocolEraCache
from desktop.tools.approvals import Approvals

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import ExpectedLogs

SEEDS = 200
HUGE = 50_000_000
SERVERS = [
    ServerConfig(name=f"server {n}", transport="stdio", command="uvx", args=(f"a{n}",))
    for n in range(6)
]


# --- damages ----------------------------------------------------------------------------------


def _flipped(chance: random.Random, content: bytes) -> bytes:
    changed = bytearray(content)
    for _ in range(chance.choice((1, 1, 3, 30))):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def _overwritten(chance: random.Random, content: bytes, filler: bytes) -> bytes:
    start = chance.randrange(len(content))
    length = chance.randrange(1, len(content) - start + 1)
    return content[:start] + filler * length + content[start + length :]


def _cut(chance: random.Random, content: bytes) -> bytes:
    return content[: chance.randrange(len(content))]


def _swapped(chance: random.Random, content: bytes) -> bytes:
    size = max(1, len(content) // 4)
    blocks = [content[at : at + size] for at in range(0, len(content), size)]
    chance.shuffle(blocks)
    return b"".join(blocks)


def _doubled(chance: random.Random, content: bytes) -> bytes:
    at = chance.randrange(len(content))
    return content[:at] + content


def _odd_shape(chance: random.Random, _: bytes) -> bytes:
    shapes = (
        b"[]",
        b"{}",
        b"null",
        b'"text"',
        b"1e999",
        b"9" * 10_000,
        b'{"version": ' + b"9" * 5_000 + b"}",
        b'{"version": "1"}',
        b"[" * 10_000,
        b'{"a":' * 10_000,
        b'{"version": 1, "tools": [], "configs": 3, "names": {}, "legacy": 0}',
        b"\xff\xfe",
        b"\n\n\n",
    )
    return chance.choice(shapes)


def _in_another_encoding(chance: random.Random, content: bytes) -> bytes:
    return content.decode().encode(chance.choice(("utf-16", "utf-32", "utf-8-sig", "cp037")))


WAYS: tuple[Callable[[random.Random, bytes], bytes], ...] = (
    _flipped,
    _flipped,
    _flipped,
    partial(_overwritten, filler=b"\0"),
    partial(_overwritten, filler=b"0"),
    _cut,
    _cut,
    _swapped,
    _doubled,
    _odd_shape,
    _odd_shape,
    _in_another_encoding,
)


def damage(seed: int, path: Path) -> bytes | None:
    """Damage the file; returns its bytes then, None where something else is in its place."""
    content = path.read_bytes()
    path.unlink()
    if seed == 0:
        path.write_bytes(b"")
        return b""
    if seed == 1:
        path.mkdir()
        (path / "inside").write_bytes(b"kept")
        return None
    if seed == 2:
        path.write_bytes(content)
        os.truncate(path, HUGE)
        return content
    chance = random.Random(seed)
    changed = WAYS[seed % len(WAYS)](chance, content)
    path.write_bytes(changed)
    return changed


def is_kept(folder: Path, content: bytes | None, size: int) -> bool:
    """Whether the damaged bytes are still somewhere below."""
    for path in folder.rglob("*"):
        if content is None:
            if path.name == "inside":
                return True
        elif path.is_file() and path.stat().st_size == size:
            with path.open("rb") as file:
                if file.read(len(content)) == content:
                    return True
    return False


# --- the app's own files ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Own:
    """A file that the app alone writes.

    `make` writes it; `read` reads it as a start does, and `write` changes it as the app would then.
    """

    name: str
    make: Callable[[Path], object]
    read: Callable[[Path, Damages], object]
    write: Callable[[Path], object]


def _trusted(path: Path, damages: Damages) -> object:
    trust = TrustFile(path, path.parents[1] / "mcp.json", damages)
    trust.read()
    return [trust.judge(config) for config in SERVERS]


def _trust(path: Path) -> None:
    trust = TrustFile(path, path.parents[1] / "mcp.json")
    trust.read()
    trust.put(SERVERS)


def _decide(path: Path) -> None:
    async def decide() -> None:
        approvals = Approvals(path)
        await approvals.set_rule("files:read", "always")
        await approvals.set_rule("files:delete", "never")

    asyncio.run(decide())


def _eras(path: Path, damages: Damages) -> object:
    eras = ProtocolEraCache(path, damages)
    return [eras.mode(config) for config in SERVERS]


def _remember_eras(path: Path) -> None:
    eras = ProtocolEraCache(path)
    for config in SERVERS[:4]:
        eras.remember_legacy(config)


def _content(path: Path) -> KnownContent:
    return KnownContent(1.5, stamp_of(path.with_name("mcp.json")), (), (), (), 7)


def _window(path: Path, damages: Damages) -> object:
    state = WindowState(path, damages)
    names = sorted(state.settings.allKeys())
    return [(name, str(state.settings.value(name))) for name in names]


def _arrange_window(path: Path) -> None:
    state = WindowState(path)
    state.page, state.scheme = "tools", "dark"
    state.settings.setValue("tools/favourites", json.dumps(["a:b", "c:ü"]))
    state.settings.setValue("chat/drafts/new", "a question\nof two lines")
    state.save()


def _ledger(path: Path) -> None:
    lines: list[dict[str, Any]] = [
        {"place": dict(zip(("host", "boot", "namespace"), _scope(), strict=True))}
    ]
    for number in range(3):
        process = {"pid": 4194301 + number, "start": "1"}
        entry = {"owner": f"server {number}", "marker": f"{number}" * 32, "group": 0}
        lines.append({"added": {"process": process, **entry}})
    path.write_text("\n".join(json.dumps(sealed(line)) for line in lines) + "\n")


def _scope() -> tuple[str, str, str]:
    here = current_scope()
    return here.host, here.boot, here.namespace


def _swept(path: Path, damages: Damages) -> object:
    try:
        entries = read_ledger(path).entries
    except OSError:
        entries = ()
    sweep = OrphanCleanup(path.parent, damages)
    asyncio.run(sweep.run())
    if sweep.problem:
        damages.found[path] = sweep.problem
    return entries


OWN = [
    Own("trust.json", _trust, _trusted, _trust),
    Own("approvals.json", _decide, lambda path, told: Approvals(path, told).all(), _decide),
    Own(
        "secrets.json",
        lambda path: OwnFile(path, "names", list, "").write({"names": ["A", "B_TOKEN", "C"]}),
        lambda path, told: SecretStore(path, told).names(),
        lambda path: OwnFile(path, "names", list, "").write({"names": ["A"]}),
    ),
    Own("eras.json", _remember_eras, _eras, _remember_eras),
    Own(
        "window.content.json",
        lambda path: write_snapshot(path, _content(path)),
        lambda path, told: read_snapshot(path, path.with_name("mcp.json"), told),
        lambda path: write_snapshot(path, _content(path)),
    ),
    Own("window.ini", _arrange_window, _window, _arrange_window),
    Own("4194305-1.jsonl", _ledger, _swept, lambda path: None),
]


@pytest.mark.parametrize("kind", OWN, ids=lambda kind: kind.name)
def test_damage_of_a_file_of_the_app_s_own_is_said_and_its_bytes_are_kept(
    kind: Own, tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs.allow("is damaged|cannot be written|is not remembered|is not kept")
    assert silent_damages(kind, tmp_path) == []


def silent_damages(kind: Own, tmp_path: Path) -> list[int]:
    """The seeds of damages that nothing is said about, or after which the bytes are gone."""
    first = tmp_path / "first" / kind.name
    first.parent.mkdir()
    kind.make(first)
    intact = first.read_bytes()
    before = kind.read(first, Damages())
    silent: list[int] = []
    for seed in range(SEEDS):
        path = tmp_path / str(seed) / kind.name
        path.parent.mkdir()
        path.write_bytes(intact)
        content = damage(seed, path)
        size = path.stat().st_size
        damages = Damages()
        found = kind.read(path, damages)
        if found == before and content != b"" and not damages.found:
            continue
        with suppress(DesktopError):  # said to who wants to write
            kind.write(path)
        if not (damages.found and is_kept(path.parent, content, size)):
            silent.append(seed)
    return silent


# --- files of people --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Persons:
    """A file that people write: `read` returns what it says as JSON, or raises with a sentence.

    `write` is a change that a person makes in the app meanwhile.
    """

    name: str
    content: Any
    read: Callable[[Path], object]
    write: Callable[[Path], object]


def _config(path: Path) -> object:
    store = ConfigStore(path, {})
    store.load()
    if store.error is not None:
        raise store.error
    if wrong := [*store.problems.values(), *store.notices]:
        raise wrong[0]
    return {name: config.command for name, config in store.servers.items()}


def _switch(path: Path) -> None:
    store = ConfigStore(path, {})
    store.load()
    for name in list(store.servers):
        store.set_enabled(name, enabled=False)
    store.update_settings(theme="dark")


CONFIG = {"mcpServers": {config.name: {"command": config.command} for config in SERVERS}}


def _is_json(content: bytes) -> bool:
    try:
        json.loads(content)
    except (ValueError, RecursionError):
        return False
    return True


def test_damage_of_the_config_is_said_and_the_file_is_left_as_it_is(tmp_path: Path) -> None:
    kind = Persons("mcp.json", CONFIG, _config, _switch)
    assert unsaid_damages(kind, tmp_path) == []


def unsaid_damages(kind: Persons, tmp_path: Path) -> list[int]:
    """The seeds of the damages of a file that people write that were not said, or lost bytes."""
    first = tmp_path / "first" / kind.name
    first.parent.mkdir()
    first.write_text(json.dumps(kind.content, indent=2))
    intact = first.read_bytes()
    wrong: list[int] = []
    for seed in range(SEEDS):
        path = tmp_path / str(seed) / kind.name
        path.parent.mkdir()
        path.write_bytes(intact)
        content = damage(seed, path)
        size = path.stat().st_size
        is_said = False
        try:
            kind.read(path)
        except DesktopError:
            is_said = True
        if content is not None and _is_json(content):
            continue
        with suppress(DesktopError):
            kind.write(path)
        if content != b"" and not (is_said and is_kept(path.parent, content, size)):
            wrong.append(seed)
    return wrong
