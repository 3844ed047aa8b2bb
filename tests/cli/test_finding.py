from __future__ import annotations

from desktop.cli.finding import DoctorReport


def test_a_server_is_well_until_something_failed() -> None:
    findings = DoctorReport("s")
    findings.add("config", "ok", "fine")
    findings.add("stdout", "warning", "noise", "Tell the author.")
    assert findings.is_well
    findings.add("start", "failed", "it died", "Look at it.")
    assert not findings.is_well


def test_advice_is_given_once_in_the_order_it_came_up() -> None:
    findings = DoctorReport("s", enabled=False)
    for advice in ("First.", "Second.", "First.", ""):
        findings.add("x", "warning", "text", advice)
    assert findings.advice == ["First.", "Second."]
    assert findings.to_json() == {
        "name": "s",
        "enabled": False,
        "ok": True,
        "checks": [{"check": "x", "verdict": "warning", "text": "text"}] * 4,
        "advice": ["First.", "Second."],
    }
