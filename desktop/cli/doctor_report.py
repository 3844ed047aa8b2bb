"""What `doctor` found out about one server: findings in their order, without its secrets.

Looks at nothing by itself and imports no SDK.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec import Struct, field

from desktop.redaction.redactor import Redaction

DoctorVerdict: TypeAlias = Literal["ok", "note", "warning", "failed"]


class DoctorFinding(Struct, frozen=True):
    """One thing that was looked at; `advice` says what to do about it, where there is something."""

    check: str
    verdict: DoctorVerdict
    text: str
    advice: str = ""


class DoctorReport(Struct):
    """All that was found out about one server, in the order it was looked at."""

    server: str
    enabled: bool = True
    redaction: Redaction = field(default_factory=Redaction)
    """Knows the secrets of the server: a report is made to be given to others."""
    findings: list[DoctorFinding] = field(default_factory=list[DoctorFinding])

    @property
    def is_well(self) -> bool:
        return all(finding.verdict != "failed" for finding in self.findings)

    @property
    def advice(self) -> list[str]:
        return list(dict.fromkeys(finding.advice for finding in self.findings if finding.advice))

    def add(
        self,
        check: str,
        verdict: DoctorVerdict,
        text: str,
        advice: str = "",
        *,
        is_ours: bool = False,
    ) -> None:
        """Add what was found; `is_ours` says that no word of it is a server's."""
        # Advice is ours, and may look like a secret: write ${MY_TOKEN:-default}.
        hide = self.redaction.known_text if is_ours else self.redaction.text
        text, advice = hide(str(text)), self.redaction.known_text(str(advice))
        self.findings.append(DoctorFinding(check, verdict, text, advice))

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.server,
            "enabled": self.enabled,
            "ok": self.is_well,
            "checks": [
                {"check": finding.check, "verdict": finding.verdict, "text": finding.text}
                for finding in self.findings
            ],
            "advice": self.advice,
        }
