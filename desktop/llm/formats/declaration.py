"""One tool as one provider is told of it, and what was done for that. Holds; decides nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop.llm.formats.api_format import ApiFormat
    from desktop.llm.formats.report import Change
    from desktop.tool_types import JsonObject


class Verdict(StrEnum):
    """Whether a tool goes to a provider as its server meant it.

    `OK`: it means what the server said (titles may be gone, references replaced). `REPAIRED`: it
    would have been refused or misread, so something was renamed, added or loosened. `REJECTED`:
    it is not sent, for the reason that is given.
    """

    OK = "ok"
    REPAIRED = "repaired"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Declaration:
    """`body` is the exact JSON of this tool in a request, empty where it is rejected.

    It is shared between requests and must not be changed. `renamed_properties` gives the server's
    name of each parameter that is renamed; `tokens` is an estimate (see `tokens.py`).
    """

    key: str
    wire_name: str
    api_format: ApiFormat
    verdict: Verdict
    body: JsonObject = field(default_factory=dict[str, object])
    changes: tuple[Change, ...] = ()
    reason: str = ""
    renamed_properties: dict[str, str] = field(default_factory=dict[str, str])
    tokens: int = 0
