"""What a server in a sandbox was refused is found in its words, as programs of each kind say it."""

from __future__ import annotations

import pytest

from desktop.config.models import Sandbox
from desktop.servers.refusals import MAX_REFUSALS, REFUSED, Refusal, refusals_in

SHUT = Sandbox(preset="no-network")


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (f"{REFUSED}a.example.com", Refusal("host", "a.example.com")),
        (f"{REFUSED}a.example.com:8443", Refusal("host", "a.example.com:8443")),
        (f"{REFUSED}a.example.com: it is here", Refusal("host", "a.example.com", "it is here")),
        ("Error: getaddrinfo ENOTFOUND API.github.com", Refusal("host", "api.github.com")),
        ("getaddrinfo EAI_AGAIN api.github.com:443", Refusal("host", "api.github.com")),
        ("curl: (6) Could not resolve host: a.b.c", Refusal("host", "a.b.c")),
        ("HTTPSConnectionPool(host='pypi.org', port=443)", Refusal("host", "pypi.org")),
        ("dial tcp: lookup a.b on 127.0.0.1:53: no such host", Refusal("host", "a.b")),
        ("EACCES: permission denied, open '/srv/x'", Refusal("read", "/srv/x")),
        ("ENOENT: no such file or directory, scandir '/srv/x y'", Refusal("read", "/srv/x y")),
        ("EROFS: read-only file system, open '/srv/x'", Refusal("write", "/srv/x")),
        ("EACCES: permission denied, mkdir '/srv/x'", Refusal("write", "/srv/x")),
        ("[Errno 13] Permission denied: '/srv/x'", Refusal("read", "/srv/x")),
        ("OSError: [Errno 30] Read-only file system: '/srv/x'", Refusal("write", "/srv/x")),
        ("open /srv/x: permission denied", Refusal("read", "/srv/x")),
        ("mkdir /srv/x: read-only file system", Refusal("write", "/srv/x")),
    ],
)
def test_hosts_and_places_are_found_as_programs_name_them(line: str, found: Refusal) -> None:
    assert refusals_in([line, line], SHUT) == [found]


@pytest.mark.parametrize(
    "line",
    [
        *("", "ENOENT", "opened /srv/x", "EACCES: 'x'", f"{REFUSED}<b>x</b>", f"{REFUSED}a b"),
        *("ENOTFOUND localhost", "\0" * 5000, "EACCES '" * 500, "open /" + "a" * 5000),
    ],
)
def test_other_words_are_no_refusals(line: str) -> None:
    assert refusals_in([line], SHUT) == []


def test_outside_of_a_sandbox_nothing_was_refused_by_it() -> None:
    lines = ["EACCES: permission denied, open '/srv/x'"]
    assert refusals_in(lines, Sandbox(preset="off")) == []


def test_where_there_is_a_network_a_name_that_is_not_found_is_no_refusal() -> None:
    lines = ["getaddrinfo ENOTFOUND a.example.com"]
    assert refusals_in(lines, Sandbox(preset="folders")) == []
    assert refusals_in(lines, Sandbox(preset="folders", network=("b.example.com",))) == []


def test_of_many_the_latest_are_kept() -> None:
    found = refusals_in([f"ENOTFOUND a{n}.example.com" for n in range(100)], SHUT)
    assert len(found) == MAX_REFUSALS
    assert found[-1].subject == "a99.example.com"
