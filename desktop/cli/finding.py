"""What `doctor` found out about one server, as values. Holds; decides nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

Verdict: TypeAlias = Literal["ok", "note", "warning", "failed"]


@dataclass(frozen=True, slots=True)
class DoctorFinding:
    """One thing that was looked at; `advice` says what to do about it, where there is something."""

    check: str
    verdict: Verdict
    text: str
    advice: str = ""


@dataclass(slots=True)
class DoctorReport:
    """All that was found out about one server, in the order it was looked at."""

    server: str
    enabled: bool = True
    found: list[DoctorFinding] = field(default_factory=list[DoctorFinding])

    @property
    def is_well(self) -> bool:
        return all(one.verdict != "failed" for one in self.found)

    @property
    def advice(self) -> list[str]:
        return list(dict.fromkeys(one.advice for one in self.found if one.advice))

    def add(self, check: str, verdict: Verdict, text: str, advice: str = "") -> None:
        self.found.append(DoctorFinding(check, verdict, text, advice))

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.server,
            "enabled": self.enabled,
            "ok": self.is_well,
            "checks": [
                {"check": one.check, "verdict": one.verdict, "text": one.text} for one in self.found
            ],
            "advice": self.advice,
        }
