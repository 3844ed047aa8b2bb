"""URLs are what they seem, or refused."""

from __future__ import annotations

import pytest

from builtin_servers.call import ToolError
from builtin_servers.web.urls import read_url


@pytest.mark.parametrize(
    ("text", "host", "port", "target"),
    [
        ("http://a.test", "a.test", 80, "/"),
        ("https://A.test:8443/x?y=1#part", "a.test", 8443, "/x?y=1"),
        ("http://[::1]:80/", "::1", 80, "/"),
        ("http://bücher.test/ü?q=ä", "xn--bcher-kva.test", 80, "/%C3%BC?q=%C3%A4"),
        ("http://a.test/%41%zz", "a.test", 80, "/%41%zz"),
    ],
)
def test_a_url_is_taken_apart(text: str, host: str, port: int, target: str) -> None:
    url = read_url(text)
    assert (url.host, url.port, url.target) == (host, port, target)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("file:///etc/passwd", "Only http"),
        ("ftp://a.test/", "Only http"),
        ("gopher://a.test/", "Only http"),
        ("data:text/html,x", "Only http"),
        ("javascript:alert(1)", "Only http"),
        ("a.test", "Only http"),
        ("http://", "no host"),
        ("http:///x", "no host"),
        ("http://good.test@127.0.0.1/", "user name"),
        ("http://good.test:80@127.0.0.1/", "user name"),
        ("http://good.test\\@127.0.0.1/", "backslash"),
        ("http://good.test /x", "space"),
        ("http://good.test/\r\nX: y", "control"),
        ("http://a.test:99999/", "not a URL"),
        ("http://a.test:x/", "not a URL"),
        ("http://[::1/", "not a URL"),
        ("http://a.test/" + "x" * 9000, "more than"),
        ("http://ü..test/", "not a host"),
    ],
)
def test_what_is_none_or_pretends_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ToolError, match=reason):
        read_url(text)


def test_a_redirect_may_be_relative_but_not_to_another_scheme() -> None:
    url = read_url("https://a.test:444/x/y?z")
    assert str(url.join("../w")) == "https://a.test:444/w"
    assert str(url.join("//b.test/")) == "https://b.test/"
    with pytest.raises(ToolError, match="Only http"):
        url.join("file:///etc/passwd")
