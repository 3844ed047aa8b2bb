"""Each check passes what is good unchanged; what it refuses is tested through the models."""

from __future__ import annotations

import pytest

from desktop.config.checks import (
    check_environment,
    check_headers,
    check_name,
    check_text,
    check_url,
)


def test_good_values_pass_unchanged() -> None:
    assert check_name("my server") == "my server"
    assert check_text("a\nb\t${X} 时间") == "a\nb\t${X} 时间"
    assert check_environment({"A_b": "", "x.y": "a=b"}) == {"A_b": "", "x.y": "a=b"}
    assert check_headers({"X-A": "é"}) == {"X-A": "é"}


@pytest.mark.parametrize(
    "url",
    [
        "",
        "http://h",
        "https://user@h:8080/a?b=c#d",
        "http://[::1]:3000/mcp",
        "http://例え/",
        "${URL}",
    ],
)
def test_good_addresses_pass(url: str) -> None:
    assert check_url(url) == url


@pytest.mark.parametrize(
    "url", ["h", "//h", "http:/h", "HTTP//h", "javascript:1", "http://:80", "http://h\u2028"]
)
def test_bad_addresses_do_not(url: str) -> None:
    with pytest.raises(ValueError):
        check_url(url)
