"""The app passes the client scenarios of the official suite."""

from __future__ import annotations

import pytest

from tests.conformance.client_scenarios import SCENARIOS, SKILLS, run
from tests.conformance.suite import Suite, find_suite

pytestmark = pytest.mark.real_servers


@pytest.fixture(scope="module")
def suite() -> Suite:
    found = find_suite()
    if found is None:
        pytest.skip("the suite is not installed: make conformance")
    return found


async def test_the_suite_has_no_other_scenario(suite: Suite) -> None:
    listed = await suite.scenarios("client")
    applicable = {name for name in listed if not name.startswith(SKILLS)}
    assert applicable == set(SCENARIOS)


@pytest.mark.parametrize("scenario", SCENARIOS)
async def test_every_check_of_a_scenario_is_passed(suite: Suite, scenario: str) -> None:
    outcome = await run(suite, scenario)
    assert outcome.failed == ()
    assert outcome.passed > 0
