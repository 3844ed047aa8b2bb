"""An order arrives as it was sent, whatever is in it; what no system would take is refused."""

from __future__ import annotations

import pytest

from desktop.processes import order


def test_an_order_arrives_as_it_was_sent() -> None:
    packed = order.pack("/tmp", ["prog", "", "a=b", "ü\n", "\udcff"], {"A": "1=2", "EMPTY": ""})
    assert order.unpack(packed) == (
        b"/tmp",
        [b"prog", b"", b"a=b", "ü\n".encode(), b"\xff"],
        {b"A": b"1=2", b"EMPTY": b""},
    )


def test_an_environment_may_be_empty_or_huge() -> None:
    assert order.unpack(order.pack("", ["prog"], {}))[2] == {}
    assert order.unpack(order.pack("", ["prog"], {"A": "x" * 500_000}))[2][b"A"] == b"x" * 500_000


@pytest.mark.parametrize(
    ("folder", "argv", "environment"),
    [
        ("a\0", ["prog"], {}),
        ("", ["prog\0"], {}),
        ("", ["prog"], {"A": "\0"}),
        ("", ["prog"], {"A=B": "c"}),
        ("", ["prog"], {"": "c"}),
    ],
)
def test_what_no_system_would_take_is_refused(
    folder: str, argv: list[str], environment: dict[str, str]
) -> None:
    with pytest.raises(ValueError):
        order.pack(folder, argv, environment)
