"""What `make mutants` tries faults in, and which tests have to notice them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Target:
    """Sources, as a pattern below the root, and the tests that are held to notice their faults.

    `apart` are sources that run in processes of their own, where nothing sees which test runs which
    line, each with the files whose tests are all run for it.
    """

    name: str
    sources: str
    tests: tuple[str, ...]
    apart: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    without: tuple[str, ...] = ()

    def modules(self, root: Path) -> list[str]:
        found = (file.relative_to(root).as_posix() for file in sorted(root.glob(self.sources)))
        return [module for module in found if module not in self.without]


TARGETS = (
    Target(
        "executor",
        "desktop/tools/executor.py",
        (
            "tests/tools/test_executor.py",
            "tests/tools/test_call_approval.py",
            "tests/tools/test_call_arguments.py",
            "tests/tools/test_call_steps.py",
            "tests/tools/test_calls_at_once.py",
            "tests/tools/test_cancelled_calls.py",
            "tests/tools/test_checked_calls.py",
            "tests/tools/test_output_check.py",
            "tests/tools/test_unchecked_calls.py",
        ),
    ),
    Target("registry", "desktop/tools/registry.py", ("tests/tools/test_registry.py",)),
    Target(
        "approvals",
        "desktop/tools/approval*.py",
        (
            "tests/tools/test_approval_policy.py",
            "tests/features/chat/agent/test_approval_questions.py",
            "tests/tools/test_approvals.py",
            "tests/tools/test_definition_changes.py",
        ),
    ),
    Target(
        "redaction",
        "desktop/redaction/*.py",
        (
            "tests/redaction",
            "tests/features/chat/agent/test_secrets.py",
            "tests/attacks/test_hidden_secrets.py",
            "tests/config/test_launch_details.py",
            "tests/history/test_serialization.py",
            "tests/servers/test_message_log.py",
        ),
    ),
    Target(
        "validation",
        "desktop/tools/validation/*.py",
        (
            "tests/tools/validation",
            "tests/tools/test_checked_calls.py",
            "tests/tools/test_unchecked_calls.py",
        ),
    ),
    Target(
        "processes",
        "desktop/processes/*.py",
        (
            "tests/processes",
            "tests/attacks/test_left_processes.py",
            "tests/cli/test_processes.py",
            "tests/features/sandbox/test_limits.py",
            "tests/servers/transport/test_stdio_transport.py",
        ),
        apart=dict.fromkeys(
            (
                "desktop/processes/guardian_process.py",
                "desktop/processes/guardian_protocol.py",
                "desktop/processes/keeper_process.py",
                "desktop/processes/subreaper.py",
            ),
            (
                "tests/processes/test_guardian_process.py",
                "tests/processes/test_guardian_protocol.py",
                "tests/processes/test_keeper_process.py",
                "tests/processes/test_linux_guardian.py",
                "tests/processes/test_linux_process.py",
            ),
        ),
        # Most of it runs on Windows and macOS alone.
        without=("desktop/processes/windows.py", "desktop/processes/macos.py"),
    ),
)
