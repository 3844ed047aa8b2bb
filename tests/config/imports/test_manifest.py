from __future__ import annotations

from desktop.config.imports import manifest

NODE = {
    "manifest_version": "0.3",
    "name": "files",
    "server": {
        "type": "node",
        "entry_point": "server/index.js",
        "mcp_config": {
            "command": "node",
            "args": ["${__dirname}/server/index.js", "${user_config.folders}"],
            "env": {"KEY": "${user_config.api_key}"},
            "platform_overrides": {"win32": {"command": "node.exe"}},
        },
    },
    "user_config": {"api_key": {"type": "string", "title": "Key", "sensitive": True}},
}


def test_a_manifest_is_told_from_other_files() -> None:
    assert manifest.is_manifest(NODE)
    assert not manifest.is_manifest({"name": "x", "version": "1"})


def test_the_server_is_started_as_its_platform_needs() -> None:
    name, entry = manifest.entry(NODE, "linux")
    assert (name, entry["command"]) == ("files", "node")
    assert "platform_overrides" not in entry
    assert manifest.entry(NODE, "win32")[1]["command"] == "node.exe"
    assert "api_key" in manifest.inputs(NODE)


def test_a_uv_server_needs_no_command() -> None:
    data = {"dxt_version": "0.1", "server": {"type": "uv", "entry_point": "main.py"}}
    name, entry = manifest.entry(data)
    assert name == "server"
    assert entry["command"] == "uv"
    assert entry["args"][-1] == "${__dirname}/main.py"
