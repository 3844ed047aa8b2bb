"""How large an app is shown: what it asks for, what its page says, and what it is told."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import httpx2
import pytest

from desktop.features.mcp_apps.host_context import HostContext, Place
from tests import peers
from tests.features.mcp_apps.looking import Looking, looking, script, until
from tests.features.mcp_apps.test_channel import HELLO, READY, Page

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

CHANGED = "ui/notifications/host-context-changed"


def mode(wanted: object, number: int = 2) -> dict[str, Any]:
    method = "ui/request-display-mode"
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": {"mode": wanted}}


@pytest.fixture
async def person(tmp_path: Path) -> AsyncGenerator[Looking]:
    still = script("hostile_app", "--what", "still")
    async with looking(tmp_path, with_browser=False, hostile=still) as made:
        yield made


@pytest.fixture
async def page(person: Looking) -> AsyncGenerator[Page]:
    """Of an app that has said hello; what it was told is still to be heard."""
    view = await person.show("hostile:show")
    async with httpx2.AsyncClient(trust_env=False) as http:
        made = Page(view, http)
        await made.open()
        await made.say(HELLO, READY)
        await until(view, lambda: view.phase == "open")
        yield made


async def test_an_app_gets_the_mode_it_asks_for_and_else_keeps_the_one_it_has(page: Page) -> None:
    await page.say(mode("fullscreen", 2), mode("pip", 3), mode(["x"], 4), mode("inline", 5))
    heard = await page.hear(11)
    context = heard[0]["app"]["result"]["hostContext"]
    assert context["availableDisplayModes"] == ["inline", "fullscreen"]
    assert context["displayMode"] == "inline"
    answers = {
        one["app"]["id"]: one["app"]["result"]["mode"]
        for one in heard[1:]
        if "app" in one and "result" in one["app"]
    }
    assert answers == {2: "fullscreen", 3: "fullscreen", 4: "fullscreen", 5: "inline"}
    told = [one["app"]["params"] for one in heard if one.get("app", {}).get("method") == CHANGED]
    assert [one["displayMode"] for one in told] == ["fullscreen", "inline"]
    shown = [one["host"]["mode"] for one in heard if "host" in one]
    assert shown == ["fullscreen", "inline"]


async def test_an_app_is_told_of_another_size_and_another_look(person: Looking, page: Page) -> None:
    await page.say({"page": {"mode": "fullscreen", "width": 800, "height": 600}})
    person.apps.change_context(HostContext("dark"))
    size, look = (await page.hear(5))[3:]
    assert size["app"] == {
        "jsonrpc": "2.0",
        "method": CHANGED,
        "params": {
            "displayMode": "fullscreen",
            "containerDimensions": {"width": 800, "height": 600},
        },
    }
    assert page.view.mode == "fullscreen"
    assert look["app"]["method"] == CHANGED
    assert look["app"]["params"]["theme"] == "dark"


async def test_an_app_cannot_speak_as_the_page(page: Page) -> None:
    forged = {"page": {"mode": "fullscreen"}, "jsonrpc": "2.0"}
    await page.say(forged, json.dumps({"page": [1]}).encode())
    assert page.view.mode == "inline"


@pytest.mark.parametrize("pixels", [0, -1, 1e9, 20_001, "800", None, [], float("inf")])
def test_a_size_that_cannot_be_is_not_believed(pixels: object) -> None:
    place = Place("inline", 300, 200)
    assert place.taking({"mode": "window", "width": pixels, "height": pixels}) == place


@pytest.mark.real_servers
@peers.needs_playwright
@pytest.mark.timeout(120)
async def test_in_a_browser_the_page_keeps_its_header_and_a_way_back(tmp_path: Path) -> None:
    large = script("hostile_app", "--what", "large")
    async with looking(tmp_path, hostile=large) as person:
        view = await person.show("hostile:show")
        await person.browse("navigate", url=view.url)
        await until(view, lambda: view.mode == "fullscreen")
        sizes = await person.browse(
            "evaluate",
            function="() => [document.querySelector('iframe').clientWidth === innerWidth,"
            " document.querySelector('header').clientHeight > 20]",
        )
        assert "true,\n  true" in sizes
        await person.sees("Leave full view")
        await person.click("Leave full view")
        await until(view, lambda: view.mode == "inline")
        assert (await person.reported())["displayMode"] == "inline"
