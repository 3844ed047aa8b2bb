"""The profile for macOS opens what it should and nothing else, read as its kernel reads it.

No Mac was there: the text is parsed, and judged by the rule that the last fitting line counts.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from desktop.features.sandbox import seatbelt
from desktop.features.sandbox.walls import Walls

if sys.platform == "win32":
    raise pytest.skip.Exception("paths as macOS has them", allow_module_level=True)

if TYPE_CHECKING:
    from collections.abc import Iterator

HOME = "/Users/me"
OWN, READ = Path(f"{HOME}/notes"), Path(f'{HOME}/a "quoted" \\folder')
OPERATIONS = {
    "file-ioctl", "file-read*", "file-read-metadata", "file-write*", "file-write-data",
    "ipc-posix-sem", "mach-lookup", "network-bind", "network-inbound", "network-outbound",
    "process-exec", "process-fork", "process-info*", "signal", "sysctl-read", "system-socket",
}  # fmt: skip
"""Those of macOS that a profile of ours may name."""


def walls(*, network: bool) -> Walls:
    home = Path("/Users/me/Library/Application Support/mcp-desktop/sandbox/x/home")
    return Walls((READ,), (OWN,), (), network, (), home, OWN)


def parsed(text: str) -> Iterator[Any]:
    """The lists of a profile, with strings as `str` and words as `tuple`s of one."""
    tokens = re.findall(r'[()]|"(?:[^"\\]|\\.)*"|[^\s()"]+', text, re.DOTALL)
    stack: list[list[Any]] = [[]]
    for token in tokens:
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        elif token[0] == '"':
            stack[-1].append(re.sub(r"\\(.)", r"\1", token[1:-1]))
        else:
            stack[-1].append((token,))
    assert len(stack) == 1
    return iter(stack[0])


def allows(text: str, operation: str, subject: str = "") -> bool:
    """Whether a program may do something: the last line that fits says it."""
    verdict = False
    for rule in parsed(text):
        verb, *rest = rule
        if verb == ("version",):
            continue
        names: list[str] = [word[0] for word in rest if isinstance(word, tuple)]
        filters: list[list[Any]] = [part for part in rest if not isinstance(part, tuple)]
        if names == ["default"]:
            verdict = verb == ("allow",)
            continue
        assert set(names) <= OPERATIONS, names
        is_named = any(re.fullmatch(re.escape(n).replace(r"\*", ".*"), operation) for n in names)
        if is_named and (not filters or any(fits(part, subject) for part in filters)):
            verdict = verb == ("allow",)
    return verdict


def fits(part: list[Any], subject: str) -> bool:
    match part:
        case [("literal",), name] | [("global-name",), name]:
            return bool(subject == name)
        case [("subpath",), str(name)]:
            return subject == name or subject.startswith(f"{name}/")
        case [("remote",) | ("local",), ("ip",), "*:*"]:
            return subject.startswith("ip ")
        case [("target",), ("same-sandbox",)]:
            return subject == "same-sandbox"
        case _:
            raise AssertionError(part)


@pytest.mark.parametrize("network", [True, False])
def test_it_opens_its_own_folders_and_the_system_and_nothing_else(network: bool) -> None:
    text = seatbelt.profile(walls(network=network))
    for place in (f"{OWN}/x", f"{READ}/x", "/usr/lib/libc.dylib", "/opt/homebrew/bin/node"):
        assert allows(text, "file-read-data", place), place
    for place in (f"{HOME}/.ssh/id_rsa", f"{OWN}x", "/Users/you/x", "/private/etc/master.passwd"):
        assert not allows(text, "file-read-data", place), place
        assert not allows(text, "file-write-data", place), place
    assert allows(text, "file-write-create", f"{OWN}/x")
    assert allows(text, "file-write-data", "/dev/null")
    for place in (f"{READ}/x", "/usr/x", "/private/tmp/x", f"{HOME}/.zshrc"):
        assert not allows(text, "file-write-create", place), place
    assert allows(text, "file-read-metadata", HOME)
    assert not allows(text, "file-read-metadata", f"{HOME}/.ssh")


@pytest.mark.parametrize("network", [True, False])
def test_the_network_is_open_or_shut_and_no_socket_of_a_file_is(network: bool) -> None:
    text = seatbelt.profile(walls(network=network))
    for operation in ("network-outbound", "network-bind", "network-inbound"):
        assert allows(text, operation, "ip example.com:443") is network
    assert allows(text, "network-outbound", "/private/var/run/mDNSResponder") is network
    for place in ("/private/var/run/docker.sock", f"{HOME}/.docker/run/docker.sock"):
        assert not allows(text, "network-outbound", place)


def test_nothing_is_started_outside_and_no_other_program_is_seen() -> None:
    text = seatbelt.profile(walls(network=True))
    assert allows(text, "signal", "same-sandbox")
    assert not allows(text, "signal", "others")
    for name in ("com.apple.coreservices.launchservicesd", "com.apple.securityd.xpc"):
        assert not allows(text, "mach-lookup", name)
    for operation in ("job-creation", "appleevent-send", "iokit-open", "process-info-pidinfo"):
        assert not allows(text, operation)


def test_its_home_is_its_own_and_no_variable_of_ours_is_lost() -> None:
    made = walls(network=False)
    words = seatbelt.wrap(made, HOME, ("/usr/bin/node", "x.js"), {"PYTHONPATH": "/x"}, ("TOKEN",))
    assert words[:2] == ["/usr/bin/sandbox-exec", "-p"]
    assert words[3:] == [
        *("/usr/bin/env", "-u", "TOKEN", f"HOME={made.home}", f"TMPDIR={made.home}"),
        *("PYTHONPATH=/x", "/usr/bin/node", "x.js"),
    ]
