"""What becomes of one call, step by step: what the Activity page shows and history could store.

Holds; decides nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from desktop.tools.call import ToolCall
    from desktop.tools.issue import ValidationIssue
    from desktop.tools.result import ToolResult

Step: TypeAlias = Literal[
    "started",
    "found",
    "parsed",
    "validated",
    "refused",
    "asked",
    "approved",
    "denied",
    "waiting",
    "sent",
    "progress",
    "answered",
    "checked",
    "finished",
]
"""In the order they come; a call goes through some of them, and always ends with `finished`.

`found`: the tool is there. `parsed`: a model's text was read. `validated`: nothing forbids the
arguments; its issues are warnings. `refused`: nothing is sent. `asked`, then `approved` or
`denied`: an approver decided; changed arguments are validated once more. `waiting`: the server has
enough to do. `sent`, `progress` (`detail` says how far), `answered`. `checked`: the output was held
against the `outputSchema`.
"""


@dataclass(frozen=True, slots=True)
class CallStep:
    """One step of one call.

    `call` has the arguments as they are by then: read, and corrected by who approved. `elapsed` is
    in seconds since the call started; `issues` come with `validated`, `refused` and `checked`;
    `detail` is the reason of `refused` and `denied`; `result` comes with `finished` alone.
    """

    call: ToolCall
    step: Step
    elapsed: float
    detail: str = ""
    issues: tuple[ValidationIssue, ...] = ()
    result: ToolResult | None = None
