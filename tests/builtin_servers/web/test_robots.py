"""A site's wish is asked once and obeyed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from builtin_servers.framework.tool import CallContext, ToolCallError
from builtin_servers.web.http import HttpClient, parse_url
from builtin_servers.web.robots import RobotsRules
from tests.builtin_command import ignore
from tests.builtin_servers.web.site import OneIsPublic, Site, running

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def site() -> Iterator[Site]:
    with running() as site:
        yield site


def check(site: Site, *paths: str) -> list[bool]:
    robots = RobotsRules(HttpClient(OneIsPublic(), "tests"), "mcp-desktop")
    allowed: list[bool] = []
    for path in paths:
        try:
            robots.check(parse_url(site.url(path)), CallContext({}, ignore))
            allowed.append(True)
        except ToolCallError:
            allowed.append(False)
    return allowed


def test_the_rules_for_all_and_for_us_count_and_are_asked_once(site: Site) -> None:
    site.say("/robots.txt", "User-agent: *\nDisallow: /private\n")
    assert check(site, "/", "/private/x", "/public") == [True, False, True]
    assert site.paths == ["/robots.txt"]
    site.say("/robots.txt", "User-agent: mcp-desktop\nDisallow: /\n\nUser-agent: *\nAllow: /\n")
    assert check(site, "/") == [False]


@pytest.mark.parametrize(
    ("status", "allowed"), [(404, True), (410, True), (401, False), (403, False), (503, False)]
)
def test_without_rules_the_status_decides(site: Site, status: int, allowed: bool) -> None:
    site.say("/robots.txt", "User-agent: *\nDisallow: /\n", status=status)
    assert check(site, "/") == [allowed]


def test_garbage_allows(site: Site) -> None:
    site.say("/robots.txt", b"\xff\xfe\0 garbage : : \n" * 100)
    assert check(site, "/x") == [True]
