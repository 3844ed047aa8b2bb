from __future__ import annotations

import os
from pathlib import Path

from desktop.config.imports.variables import Variables, variable_name

HOME = Path("/home/me")


def filled(text: str, file: str = "/src/app/.vscode/mcp.json", **inputs: object) -> object:
    return Variables(Path(file), HOME, dict(inputs)).fill({"cwd": text})["cwd"]


def test_places_of_the_other_client_become_paths() -> None:
    assert filled("${userHome}/x") == "/home/me/x"
    assert filled("${workspaceFolder}/x") == "/src/app/x"
    assert filled("${workspaceFolderBasename}") == "app"
    assert filled("a${/}b${pathSeparator}") == f"a{os.sep}b{os.sep}"
    assert filled("${__dirname}/x", "/bundle/manifest.json") == "/bundle/x"


def test_outside_of_a_project_the_folder_is_not_guessed() -> None:
    assert filled("${workspaceFolder}", "/home/me/.cursor/mcp.json") == "${workspaceFolder}"
    assert filled("${workspaceFolder}", "/anywhere/mcp.json") == "${workspaceFolder}"


def test_what_is_asked_for_becomes_a_variable_with_its_description() -> None:
    asked = {"api-key": {"description": "Key of X", "password": True, "default": "never"}}
    variables = Variables(None, HOME, dict(asked))
    entry = variables.fill({"env": {"K": "${input:api-key}"}, "other": "${input:api-key}"})
    assert entry == {"env": {"K": "${API_KEY}"}, "other": "${input:api-key}"}
    (finding,) = variables.findings
    assert (finding.kind, finding.place) == ("input", "env.K")
    assert (finding.subject, finding.detail) == ("API_KEY", "Key of X")


def test_a_default_that_is_no_secret_is_kept() -> None:
    assert filled("${input:region}", region={"default": "eu"}) == "${REGION:-eu}"
    assert filled("${user_config.n}", n={"default": 3}) == "${N:-3}"


def test_a_list_of_folders_becomes_several_arguments() -> None:
    inputs = {"dirs": {"multiple": True, "default": ["/a", "${userHome}/b"]}}
    entry = Variables(None, HOME, dict(inputs)).fill({"args": ["x", "${user_config.dirs}"]})
    assert entry["args"] == ["x", "/a", "/home/me/b"]


def test_names_of_variables_are_made_of_anything() -> None:
    assert variable_name("api-key") == "API_KEY"
    assert variable_name("9 lives") == "_9_LIVES"
    assert variable_name("密钥") == "VALUE"
