from __future__ import annotations

import shlex

import pytest
from msgspec.structs import replace

from builtin_servers.catalog import CATALOG
from builtin_servers.launch import make_server
from desktop.config.builtin_settings import (
    BuiltinSettings,
    has_settings,
    lacks_place,
    place_kind,
)
from desktop.config.models import ServerConfig


@pytest.mark.parametrize(
    ("name", "arguments", "meant", "written"),
    [
        ("filesystem", "/a /b", {"places": ("/a", "/b"), "writes": True}, "/a /b"),
        ("filesystem", "/a --read-only", {"places": ("/a",)}, "--read-only /a"),
        ("filesystem", "-- -odd", {"places": ("-odd",), "writes": True}, "-- -odd"),
        ("sqlite", "--write a.db", {"places": ("a.db",), "writes": True}, "--write a.db"),
        ("memory", "--file m.json", {"places": ("m.json",)}, "--file=m.json"),
        ("memory", "", {}, ""),
        (
            "shell",
            "--limit 5 --cwd=/a",
            {"places": ("/a",), "others": ("--limit", "5")},
            "--limit 5 --cwd=/a",
        ),
        (
            "fetch",
            "--allow-host a.org,b.org --user-agent me --ignore-robots-txt --allow-private",
            {
                "hosts": ("a.org", "b.org"),
                "reaches_private": True,
                "others": ("--user-agent", "me", "--ignore-robots-txt"),
            },
            "--user-agent me --ignore-robots-txt --allow-host=a.org,b.org --allow-private",
        ),
        ("calculator", "--what ever", {"others": ("--what", "ever")}, "--what ever"),
        ("sqlite", "--newer a.db", {"places": ("a.db",), "others": ("--newer",)}, "--newer a.db"),
    ],
)
def test_arguments_are_read_and_written_back(
    name: str, arguments: str, meant: dict[str, object], written: str
) -> None:
    settings = BuiltinSettings.read(name, shlex.split(arguments))
    assert settings == replace(BuiltinSettings(name), **meant)  # type: ignore[arg-type]
    assert settings.arguments == tuple(shlex.split(written))
    assert BuiltinSettings.read(name, settings.arguments) == settings


def test_every_built_in_server_takes_what_is_written_for_it(tmp_path: object) -> None:
    for name in CATALOG:
        place = {"folders": str(tmp_path), "folder": str(tmp_path)}
        kind = place_kind(name)
        places = (place.get(kind, f"{tmp_path}/x.db"),) if kind else ()
        settings = BuiltinSettings(name, places, writes=True, hosts=("a.org",))
        assert make_server(name, settings.arguments).name == name


@pytest.mark.parametrize(
    ("builtin", "args", "roots", "lacks"),
    [
        ("filesystem", (), (), True),
        ("filesystem", ("--read-only",), (), True),
        ("filesystem", ("/a",), (), False),
        ("filesystem", (), ("/a",), False),
        ("sqlite", ("--write",), (), True),
        ("memory", (), (), False),
        ("", (), (), False),
    ],
)
def test_what_can_use_nothing_is_known(
    builtin: str, args: tuple[str, ...], roots: tuple[str, ...], lacks: bool
) -> None:
    command = "" if builtin else "x"
    config = ServerConfig(name="a", builtin=builtin, command=command, args=args, roots=roots)
    assert lacks_place(config) == lacks
    assert has_settings(config) == bool(builtin)
    assert not has_settings(config.changed(source="environment"))
