"""Times in zones, zones by name, and what was probably meant."""

from __future__ import annotations

import sys
import zoneinfo
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from builtin_servers.clock import convert_between_zones, find_local_zone, find_zone, parse_time
from builtin_servers.framework.tool import ArgumentError, ToolCallError
from builtin_servers.launch import make_server
from tests.builtin_command import InProcess

if TYPE_CHECKING:
    from pathlib import Path

WINTER = datetime(2026, 1, 15, 12, tzinfo=UTC)
SUMMER = datetime(2026, 7, 15, 12, tzinfo=UTC)
CLOCKS_FORWARD = datetime(2026, 3, 29, 12, tzinfo=UTC)


def test_a_time_is_converted_with_its_day() -> None:
    assert convert_between_zones("Asia/Tokyo", "03:30", "America/New_York", WINTER) == {
        "source": {
            "timezone": "Asia/Tokyo",
            "datetime": "2026-01-15T03:30:00+09:00",
            "day_of_week": "Thursday",
            "is_dst": False,
        },
        "target": {
            "timezone": "America/New_York",
            "datetime": "2026-01-14T13:30:00-05:00",
            "day_of_week": "Wednesday",
            "is_dst": False,
        },
        "time_difference": "-14.0h",
    }


def test_summer_time_is_told() -> None:
    summer = convert_between_zones("UTC", "12:00", "Europe/Paris", SUMMER)
    assert summer["time_difference"] == "+2.0h"
    assert summer["target"] == {
        "timezone": "Europe/Paris",
        "datetime": "2026-07-15T14:00:00+02:00",
        "day_of_week": "Wednesday",
        "is_dst": True,
    }


@pytest.mark.parametrize(
    ("target", "difference"), [("Asia/Kathmandu", "+5.75h"), ("Asia/Kolkata", "+5.5h")]
)
def test_parts_of_an_hour_are_told(target: str, difference: str) -> None:
    assert convert_between_zones("UTC", "0:00", target, WINTER)["time_difference"] == difference


def test_a_time_that_the_clocks_skip_is_an_error() -> None:
    with pytest.raises(ToolCallError, match="does not exist on 2026-03-29 in Europe/Paris"):
        convert_between_zones("Europe/Paris", "02:30", "UTC", CLOCKS_FORWARD)


def test_a_time_that_comes_twice_is_its_first() -> None:
    back = datetime(2026, 10, 25, 12, tzinfo=UTC)
    found = convert_between_zones("Europe/Paris", "02:30", "UTC", back)
    assert found["time_difference"] == "-2.0h"


@pytest.mark.parametrize("text", ["0:00", "09:05", "23:59"])
def test_a_time_of_day_is_read(text: str) -> None:
    hour, minute = parse_time(text)
    assert f"{hour:02}:{minute:02}" == text.zfill(5)


@pytest.mark.parametrize(
    "text",
    ["", "24:00", "12:60", "12", "12:5", "1234", "-1:00", "12:00:00", "٣:٠٠", "²:00", "a:bc"],
)
def test_what_is_no_time_of_day_is_refused_with_the_form(text: str) -> None:
    with pytest.raises(ToolCallError, match="write HH:MM"):
        parse_time(text)


def test_a_zone_is_found_by_its_name() -> None:
    assert str(find_zone("Europe/Paris")) == "Europe/Paris"


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("europe/paris", "Europe/Paris"),
        ("Paris", "Europe/Paris"),
        ("new york", "America/New_York"),
        ("Europe/Pariss", "Europe/Paris"),
        ("Berlim", "Europe/Berlin"),
        ("utc ", "UTC"),
    ],
)
def test_an_unknown_zone_names_what_was_probably_meant(name: str, meant: str) -> None:
    with pytest.raises(ToolCallError, match=f"Did you mean .*{meant}"):
        find_zone(name)


@pytest.mark.parametrize("name", ["", "Europe", "../../etc/passwd", "/etc/localtime", "\0", "qqqq"])
def test_what_is_no_zone_at_all_is_refused(name: str) -> None:
    with pytest.raises(ToolCallError, match="There is no time zone"):
        find_zone(name)


def test_without_a_database_utc_is_known_and_the_others_say_why(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for package in ("tzdata", "tzdata.zoneinfo", "tzdata.zoneinfo.Europe"):
        monkeypatch.setitem(sys.modules, package, None)
    zoneinfo.reset_tzpath(())
    zoneinfo.ZoneInfo.clear_cache()
    try:
        assert find_zone("UTC").utcoffset(WINTER) == timedelta(0)
        with pytest.raises(ToolCallError, match="no time zone database: only UTC"):
            find_zone("Europe/Paris")
    finally:
        zoneinfo.reset_tzpath()


def test_a_long_name_is_clipped() -> None:
    with pytest.raises(ToolCallError) as caught:
        find_zone("x" * 100_000)
    assert len(str(caught.value)) < 300


# --- the zone that is meant where none is named -------------------------------------------------


def test_a_call_without_a_zone_means_the_one_the_server_was_started_with() -> None:
    tools = InProcess("time", "--local-timezone", "Asia/Tokyo")
    assert tools.structured("get_current_time")["timezone"] == "Asia/Tokyo"
    converted = tools.structured("convert_time", time="12:00", target_timezone="UTC")
    assert converted["source"]["timezone"] == "Asia/Tokyo"
    assert converted["time_difference"] == "-9.0h"
    properties = tools.server.tools["get_current_time"].input_schema["properties"]
    assert properties["timezone"]["default"] == "Asia/Tokyo"


def test_a_local_zone_that_does_not_exist_is_said_at_the_start() -> None:
    with pytest.raises(ArgumentError, match="Did you mean Asia/Tokyo"):
        make_server("time", ["--local-timezone", "asia/tokyo"])


def test_this_computers_zone_is_the_one_its_clock_is_set_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TZ", raising=False)
    link = tmp_path / "localtime"
    link.symlink_to("/usr/share/zoneinfo/Europe/Paris")
    assert find_local_zone(str(link)) == "Europe/Paris"
    assert find_local_zone(str(tmp_path / "none")) == "UTC"
    monkeypatch.setenv("TZ", "CET-1CEST")  # a rule, and no name
    assert find_local_zone(str(link)) == "Europe/Paris"
