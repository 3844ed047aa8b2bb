"""The official suite's client scenarios against the app's own core (`tests.conformance.client`).

Must not know what a scenario judges.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from tests.conformance.suite import judge

if TYPE_CHECKING:
    from tests.conformance.suite import Outcome, Suite

CLIENT: Final = f"{sys.executable} -m tests.conformance.client"
SKILLS: Final = "sep-2640-"
"""The beginning of those that ask nothing of a client without skills, as ours is."""
SCENARIOS: Final = (
    "initialize",
    "tools_call",
    "elicitation-sep1034-client-defaults",
    "sse-retry",
    "request-metadata",
    "sep-2322-client-request-state",
    "http-standard-headers",
    "http-custom-headers",
    "http-invalid-tool-headers",
    "json-schema-ref-no-deref",
    "json-schema-2020-12-preservation",
    *(
        f"auth/{name}"
        for name in (
            "metadata-default",
            "metadata-var1",
            "metadata-var2",
            "metadata-var3",
            "basic-cimd",
            "scope-from-www-authenticate",
            "scope-from-scopes-supported",
            "scope-omitted-when-undefined",
            "scope-step-up",
            "scope-retry-limit",
            "token-endpoint-auth-basic",
            "token-endpoint-auth-post",
            "token-endpoint-auth-none",
            "pre-registration",
            "2025-03-26-oauth-metadata-backcompat",
            "2025-03-26-oauth-endpoint-fallback",
            "resource-mismatch",
            "offline-access-scope",
            "offline-access-not-supported",
            "authorization-server-migration",
            "iss-supported",
            "iss-not-advertised",
            "iss-supported-missing",
            "iss-wrong-issuer",
            "iss-unexpected",
            "iss-normalized",
            "metadata-issuer-mismatch",
            "client-credentials-jwt",
            "client-credentials-basic",
            "enterprise-managed-authorization",
            "wif-jwt-bearer",
            "dpop",
            "dpop-nonce",
        )
    ),
)
"""All that the suite has, but for those of skills."""


async def run(suite: Suite, scenario: str) -> Outcome:
    """One scenario. Raises RuntimeError: it made no checks."""
    return judge(await suite.checks("client", "--command", CLIENT, "--scenario", scenario))


async def main(suite: Suite) -> int:
    """Print the table; how many checks failed."""
    listed = await suite.scenarios("client")
    print(f"{'client scenario':40} passed failed  beyond")
    failures = 0
    for name in listed:
        outcome = await run(suite, name)
        counts = f"{outcome.passed:6} {len(outcome.failed):6} {outcome.beyond:7}"
        print(f"{name:40} {counts}", flush=True)
        for words in outcome.failed:
            print(f"    {words}")
        failures += len(outcome.failed)
    return failures
