"""The page that a browser comes back to takes the one right answer, and nothing else."""

from __future__ import annotations

import asyncio

import httpx2
import pytest

from desktop.base.errors import DesktopError
from desktop.base.tasks import spawn
from desktop.servers.oauth.browser import loopback_browser
from tests.patience import LIMIT


async def get(url: str, **headers: str) -> tuple[int, str]:
    async with httpx2.AsyncClient() as client:
        answer = await client.get(url, headers=headers)
    return answer.status_code, answer.text


async def test_the_right_answer_is_taken_once_and_the_person_is_told() -> None:
    shown: list[str] = []
    async with loopback_browser(shown.append) as browser:
        visiting = spawn(browser.visit("https://a.example/?state=right"), "visit")
        await asyncio.sleep(0)
        back = browser.redirect_uri
        assert (await get(f"{back}?code=x&state=wrong"))[0] == 400
        assert (await get(f"{back}?code=x"))[0] == 400
        assert (await get(back.replace("/callback", "/")))[0] == 404
        assert (await get(f"{back}?code=x&state=right", Host="else.example"))[0] == 404
        assert not visiting.done()
        status, page = await get(f"{back}?code=x&state=right&iss=i")
        assert (status, "Signed in" in page) == (200, True)
        assert await asyncio.wait_for(visiting, LIMIT) == {
            "code": "x",
            "state": "right",
            "iss": "i",
        }
        assert (await get(f"{back}?code=y&state=right"))[0] == 409
    assert shown == ["https://a.example/?state=right"]


@pytest.mark.parametrize("state", ["&state=s", ""])
async def test_a_refusal_is_an_answer_too_and_may_lack_the_state(state: str) -> None:
    async with loopback_browser(lambda _: None) as browser:
        visiting = spawn(browser.visit("https://a.example/?state=s"), "visit")
        await asyncio.sleep(0)
        _, page = await get(f"{browser.redirect_uri}?error=access_denied{state}")
        assert "Not signed in" in page
        assert (await asyncio.wait_for(visiting, LIMIT))["error"] == "access_denied"


async def test_a_port_that_is_taken_is_said() -> None:
    async with loopback_browser() as browser:
        port = int(browser.redirect_uri.split(":")[2].partition("/")[0])
        with pytest.raises(DesktopError, match=f"Port {port} on this computer is in use"):
            async with loopback_browser(port=port):
                pass
