"""Only the public internet is public, however an address is written or hidden."""

from __future__ import annotations

import pytest

from builtin_servers.call import ToolError
from builtin_servers.web.addresses import Addresses, is_public, resolve


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.255.255.254",
        "0.0.0.0",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "100.100.100.200",
        "168.63.129.16",
        "192.0.0.192",
        "198.18.0.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::ffff:127.0.0.1",
        "::ffff:169.254.169.254",
        "::127.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b:1::7f00:1",
        "2002:7f00:1::",
        "2002:c0a8:101::1",
        "2001:0:7f00:1::",
        "fc00::1",
        "fd00:ec2::254",
        "fe80::1",
        "fe80::1%eth0",
        "fec0::1",
        "ff02::1",
        "2001:db8::1",
        "not an address",
    ],
)
def test_what_is_not_public_is_not(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address", ["1.1.1.1", "93.184.215.14", "2606:4700::1111", "64:ff9b::101:101"]
)
def test_what_is_public_is(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "host", ["localhost", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "0", "::1"]
)
def test_other_ways_to_write_this_computer_are_refused(host: str) -> None:
    with pytest.raises(ToolError, match=r"private network|was not found"):
        Addresses().find(host, 80)


def test_a_name_with_one_private_address_is_refused() -> None:
    both = Addresses(resolve=lambda host, port: [(2, "1.1.1.1"), (2, "192.168.0.1")])
    with pytest.raises(ToolError, match=r"evil\.test is 192\.168\.0\.1"):
        both.find("evil.test", 80)


def test_a_private_address_may_be_allowed() -> None:
    private = Addresses(allow_private=True, resolve=lambda host, port: [(2, "10.0.0.1")])
    assert private.find("router", 80) == [(2, "10.0.0.1")]


def test_a_name_that_is_none_is_said() -> None:
    for host in ("x" * 300, "a..b", "no-such-host.invalid"):
        with pytest.raises(ToolError, match="was not found"):
            resolve(host, 80)
