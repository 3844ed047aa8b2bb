"""What pydantic finds is told in plain words, all of it at once, never with a value."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from desktop.config.models import AppSettings, ServerConfig
from desktop.config.wording import config_error


def test_all_findings_are_told_with_the_keys_as_spelled() -> None:
    with pytest.raises(ValidationError) as caught:
        ServerConfig.model_validate(
            {"name": "a", "type": "http", "url": "hunter2", "timeout": 9999, "env": {"A": 1}}
        )
    error = config_error(caught.value, {"url": "serverUrl"})
    assert error.args[0] == (
        '"env.A" must be text; "serverUrl" must start with http:// or https:// and name a host; '
        '"timeout" must be at most 3600'
    )
    assert error.remedy == "Times are in seconds here; some other clients write milliseconds."
    assert "hunter2" not in str(error)


@pytest.mark.parametrize("name", ["theme", "language"])
def test_a_choice_names_what_may_be_chosen(name: str) -> None:
    with pytest.raises(ValidationError) as caught:
        AppSettings.model_validate({name: 3})
    assert f"\"{name}\" must be one of 'system'" in str(config_error(caught.value))
