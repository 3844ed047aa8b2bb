"""`doctor` goes the way to a server at a URL, step by step, and stops where it cannot go on."""

from __future__ import annotations

import time
from email.utils import formatdate
from typing import TYPE_CHECKING

import pytest

from desktop.cli.address_diagnosis import look_at_address
from desktop.cli.doctor_report import DoctorReport
from desktop.config.models import ServerConfig
from tests.builtin_servers.web.tls import PUBLIC, server_context
from tests.http_stub import TEXT, Answer, serving
from tests.oauth_stub import Authorization

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.cli.doctor_report import DoctorFinding


@pytest.fixture(autouse=True)
def direct(monkeypatch: pytest.MonkeyPatch) -> None:
    """No proxy of whoever runs this."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


async def examined(config: ServerConfig) -> tuple[bool, list[DoctorFinding]]:
    report = DoctorReport(config.name)
    return await look_at_address(config, report), report.findings


def config(url: str) -> ServerConfig:
    return ServerConfig.checked(name="web", transport="http", url=url)


def verdicts(findings: list[DoctorFinding]) -> list[tuple[str, str]]:
    return [(finding.check, finding.verdict) for finding in findings]


async def test_a_way_that_leads_there_is_told_with_the_time_of_each_step() -> None:
    async with serving() as stub:
        leads, findings = await examined(stub.config())
        assert leads
        assert verdicts(findings) == [
            *(("address", "note"), ("name", "ok"), ("connect", "ok"), ("http", "ok")),
        ]
        assert all(finding.text.endswith(" ms)") for finding in findings[1:])
        assert all("authorization" not in request.headers for request in stub.seen)


async def test_a_name_that_nobody_has_ends_it() -> None:
    leads, findings = await examined(config("http://nobody.invalid/mcp"))
    assert not leads
    assert verdicts(findings)[1:] == [("name", "failed")]
    assert "nobody.invalid was not found" in findings[1].text
    assert "spelling" in findings[1].advice


async def test_a_port_that_nobody_listens_at_ends_it() -> None:
    leads, findings = await examined(config("http://127.0.0.1:9/mcp"))
    assert not leads
    assert verdicts(findings)[1:] == [("name", "ok"), ("connect", "failed")]


async def test_a_certificate_that_is_not_trusted_ends_it_and_says_what_to_do(
    tmp_path: Path,
) -> None:
    context, file = server_context(tmp_path)
    async with serving(tls=context) as stub:
        leads, findings = await examined(stub.config())
        assert not leads
        assert verdicts(findings)[2:] == [("connect", "ok"), ("tls", "failed")]
        assert '"tls": {"ca": …}' in findings[-1].advice
        _, findings = await examined(stub.config(tls={"ca": str(file)}))
        assert "the host name of the certificate" in findings[-1].advice
        assert PUBLIC not in findings[-1].text


@pytest.mark.parametrize(
    ("target", "verdict"),
    [("/other", "note"), ("https://else.example/mcp?token=canary", "warning")],
)
async def test_a_redirect_is_told_and_whether_it_is_followed(target: str, verdict: str) -> None:
    async with serving() as stub:
        stub.refuse = lambda _: Answer(307, b"", TEXT, {"location": target})
        _, findings = await examined(stub.config())
        (found,) = [finding for finding in findings if finding.check == "redirect"]
        assert found.verdict == verdict
        assert "canary" not in found.text + found.advice


@pytest.mark.parametrize(
    ("seconds", "verdict"), [(10, "ok"), (4_000, "warning"), (-4_000, "warning")]
)
async def test_a_clock_that_is_wrong_is_said(seconds: int, verdict: str) -> None:
    async with serving() as stub:
        date = formatdate(time.time() - seconds, usegmt=True)
        stub.refuse = lambda _: Answer(405, b"", TEXT, {"date": date})
        _, findings = await examined(stub.config())
        (found,) = [finding for finding in findings if finding.check == "clock"]
        assert found.verdict == verdict
        assert ("ahead of" if seconds > 0 else "behind") in found.text


async def test_the_documents_of_a_sign_in_are_told_each() -> None:
    async with serving() as stub:
        guarded = Authorization(stub)
        guarded.give_codes()
        _, findings = await examined(stub.config())
        found = [finding.text for finding in findings if finding.check in {"resource", "sign-in"}]
        assert found[0] == "wanted"
        assert "/.well-known/oauth-protected-resource/mcp: 200 (" in found[1]
        assert "/.well-known/oauth-authorization-server: 200 (" in found[2]
        assert "with a browser, with a code on another device, the app registers" in found[3]


async def test_documents_elsewhere_are_asked_for_over_tls_alone() -> None:
    async with serving() as stub:
        guarded = Authorization(stub)
        guarded.challenge = 'Bearer resource_metadata="http://else.invalid/metadata"'
        guarded.resource["authorization_servers"] = ["http://else.invalid"]
        _, findings = await examined(stub.config())
        said = [finding.text for finding in findings if "else.invalid" in finding.text]
        assert said
        assert all(text.endswith("not encrypted, skipped") for text in said)


async def test_a_proxy_is_named_without_its_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://user:canary@127.0.0.1:9")
    leads, findings = await examined(config("http://server.example/mcp"))
    assert not leads
    assert verdicts(findings)[1:] == [("proxy", "note"), ("http", "failed")]
    assert "canary" not in " ".join(finding.text for finding in findings)
