"""What sessions are made of: what all of one app share, and what one of them is opened with.

Values alone. Must import nothing that a session needs to run: every run of the app builds a
`SessionContext`, most never open a session.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.base.paths import Paths
    from desktop.config.models import AppSettings, ServerConfig
    from desktop.features.chat.agent.compaction import Shortened
    from desktop.features.chat.agent.kept_tools import KeptTools
    from desktop.features.chat.agent.message_tree import MessageTree
    from desktop.features.chat.agent.session_info import Builtin, SessionInfo
    from desktop.features.chat.llm.completion import CompletionService
    from desktop.servers.context import ConnectionContext
    from desktop.servers.service import McpService
    from desktop.tools.approvals import ApprovalPrompter, Approvals
    from desktop.tools.executor import ToolExecutor
    from desktop.tools.registry import ToolRegistry
    from desktop.tools.result_spill import ResultSpill
    from desktop.tools.validation.rules import Rules


class SessionContext(Struct, frozen=True):
    """What all sessions of one app share.

    `paths` says where sessions are kept, `approvals` what the person decided about tools. `builtin`
    gives the config of a built-in server, or raises `UsageError`. `record` has the calls of a
    session's executor recorded and returns what ends it. `spill` is where large results go.
    `settings` are those of the app as they are.
    """

    service: McpService
    surroundings: ConnectionContext
    rules: Rules
    paths: Paths
    approvals: Approvals
    builtin: Callable[[Builtin], ServerConfig]
    record: Callable[[ToolExecutor, ToolRegistry], Callable[[], None]] | None = None
    spill: ResultSpill | None = None
    settings: Callable[[], AppSettings] | None = None


class SessionRequest(Struct, frozen=True):
    """The session that is to be opened; `stored` where its file is there and is gone on with."""

    about: SessionInfo
    service: CompletionService
    prompter: ApprovalPrompter
    tree: MessageTree | None = None
    kept: KeptTools | None = None
    shortened: Shortened | None = None
    stored: bool = False
