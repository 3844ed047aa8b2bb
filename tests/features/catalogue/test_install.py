"""What an entry of the registry becomes here, by the kinds of packages and addresses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from desktop.base.errors import ConfigError
from desktop.config.imports.server_json import read_ways
from desktop.features.catalogue.install import (
    answers_from,
    form_value,
    input_schema,
    reason_not_installable,
    recover_answers,
    suggest_name,
)
from desktop.tools.validation import validate
from tests.features.catalogue.registry_stub import recorded

if TYPE_CHECKING:
    from desktop.config.imports.server_json import Way
    from desktop.features.catalogue.catalogue import Catalogue
    from desktop.features.catalogue.entry import CatalogueEntry
    from desktop.features.catalogue.install import Installation


def entry_of(name: str) -> CatalogueEntry:
    from desktop.features.catalogue.entry import read_entry

    found = next(item for item in recorded() if item["server"]["name"] == name)
    entry = read_entry(found)
    assert entry is not None
    return entry


WEATHER = entry_of("com.example.weather/mcp")
FILES = entry_of("io.github.modelcontextprotocol/filesystem")
TIME = entry_of("io.github.modelcontextprotocol/time")


def words(plan: Installation) -> str:
    return " ".join((plan.config.command, *plan.config.args))


def package(**changes: Any) -> Way:
    fields = {"registryType": "npm", "identifier": "@x/y", "version": "1.0.0", **changes}
    (way,) = read_ways({"packages": [fields]})
    return way


def test_an_npm_package_runs_in_its_exact_version_and_is_switched_off(
    catalogue: Catalogue,
) -> None:
    plan = catalogue.plan(FILES, FILES.ways[0], {"allowed_dirs": ["/a", "/b c"]})
    package = "@modelcontextprotocol/server-filesystem@2025.7.1"
    assert plan.config.command == "npx"
    assert plan.config.args == ("-y", package, "/a", "/b c")
    assert plan.config.env == {"LOG_LEVEL": "info"}
    assert not plan.config.enabled
    assert plan.config.catalogue["version"] == "2025.7.1"
    assert plan.unanswered == ()
    assert plan.details[0].value == f"npx -y {package} /a '/b c'"


def test_a_pypi_package_runs_by_uvx_and_an_optional_argument_is_left_out(
    catalogue: Catalogue,
) -> None:
    way = TIME.ways[0]
    assert words(catalogue.plan(TIME, way, {})) == "uvx mcp-server-time@2025.9.25"
    plan = catalogue.plan(TIME, way, {"local-timezone": "Asia/Tokyo"})
    assert plan.config.args[1:] == ("--local-timezone", "Asia/Tokyo")


def test_a_container_gets_its_variables_and_options_before_the_image(catalogue: Catalogue) -> None:
    answers = {"WEATHER_API_KEY": "k-12345", "source_path": "/data"}
    plan = catalogue.plan(WEATHER, WEATHER.ways[1], answers)
    assert words(plan) == (
        "docker run -i --rm --mount type=bind,src=/data,dst=/data -e WEATHER_API_KEY "
        "docker.io/example/weather-mcp:1.2.0"
    )


def test_an_address_gets_its_variables_and_headers(catalogue: Catalogue) -> None:
    plan = catalogue.plan(WEATHER, WEATHER.ways[2], {"tenant": "acme", "token": "tok-123456"})
    assert plan.config.transport == "http"
    assert plan.config.url == "https://acme.weather.example.com/mcp"
    name = plan.secrets[0].name
    assert plan.config.headers == {"Authorization": f"Bearer ${{keyring:{name}}}"}
    assert [secret.value for secret in plan.secrets] == ["tok-123456"]


def test_a_secret_goes_to_the_keyring_and_is_nowhere_in_what_is_shown(catalogue: Catalogue) -> None:
    plan = catalogue.plan(WEATHER, WEATHER.ways[0], {"WEATHER_API_KEY": "k-secret-1"})
    assert plan.config.env["WEATHER_API_KEY"] == "${keyring:weather.WEATHER_API_KEY}"
    assert [(secret.name, secret.value) for secret in plan.secrets] == [
        ("weather.WEATHER_API_KEY", "k-secret-1")
    ]
    assert "k-secret-1" not in repr(plan)
    assert [warning.kind for warning in plan.warnings] == []


def test_what_is_required_and_has_no_answer_is_named(catalogue: Catalogue) -> None:
    plan = catalogue.plan(WEATHER, WEATHER.ways[0], {"WEATHER_API_KEY": ""})
    assert [asked.key for asked in plan.unanswered] == ["WEATHER_API_KEY"]


def test_a_flag_stands_alone_and_only_when_it_is_wanted(catalogue: Catalogue) -> None:
    way = WEATHER.ways[0]
    key = {"WEATHER_API_KEY": "k"}
    assert "--verbose" not in words(catalogue.plan(WEATHER, way, key | {"verbose": "false"}))
    assert words(catalogue.plan(WEATHER, way, key | {"verbose": "true"})).endswith("--verbose")


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ({"WEATHER_UNITS": "kelvin"}, "must be one of celsius, fahrenheit"),
        ({"NOT_ASKED": "x"}, "does not ask for"),
    ],
)
def test_an_answer_that_does_not_fit_is_refused(
    catalogue: Catalogue, answers: dict[str, str], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        catalogue.plan(WEATHER, WEATHER.ways[0], answers)


@pytest.mark.parametrize(
    ("way", "reason"),
    [
        (package(registryType="mcpb", identifier="https://x.example/a.mcpb"), "has no hash"),
        (package(registryType="cargo"), "“cargo”"),
        (package(registryType=""), "“?”"),
        (package(transport={"type": "streamable-http"}), "serves an address"),
        (package(runtimeHint="bash"), "run by “bash”"),
        (package(registryBaseUrl="https://npm.evil.example"), "comes from https://npm.evil"),
        (package(identifier="--registry=https://evil.example"), "no proper name"),
        (package(identifier="github:evil/x"), "no proper name"),
        (package(identifier="https://evil.example/x.tgz"), "no proper name"),
        (package(identifier="../x"), "no proper name"),
        (package(version="1 --registry=x"), "no proper name"),
        (package(registryType="pypi", identifier="git+https://evil.example/x"), "no proper name"),
        (package(registryType="oci", identifier="-v /:/host evil"), "no proper name"),
        (
            package(packageArguments=[{"type": "positional", "value": "${AWS_SECRET_ACCESS_KEY}"}]),
            "variables of this computer",
        ),
        (
            package(environmentVariables=[{"name": "A", "default": "${keyring:github.TOKEN}"}]),
            "variables of this computer",
        ),
    ],
)
def test_what_cannot_be_run_here_says_why(catalogue: Catalogue, way: Way, reason: str) -> None:
    assert reason in reason_not_installable(way)
    with pytest.raises(ConfigError, match="Cannot be added here"):
        catalogue.plan(FILES, way, {})


def test_every_recorded_way_that_can_be_run_has_no_reason() -> None:
    usable = [entry.label for entry in (FILES, TIME, WEATHER) for way in entry.ways
              if not reason_not_installable(way)]  # fmt: skip
    assert usable == ["Filesystem", "Time", *["Weather of Example"] * 3]


def test_the_form_asks_for_what_the_way_asks_and_gives_its_answers_back() -> None:
    schema = input_schema(WEATHER.ways[0])
    assert schema["required"] == ["WEATHER_API_KEY"]
    assert schema["properties"]["WEATHER_API_KEY"]["format"] == "password"
    assert schema["properties"]["WEATHER_UNITS"]["enum"] == ["celsius", "fahrenheit"]
    assert schema["properties"]["verbose"] == {
        "type": "boolean",
        "description": "Write each request",
    }
    value = {"WEATHER_API_KEY": "k", "verbose": True}
    answers = answers_from(value)
    assert answers == {"WEATHER_API_KEY": "k", "verbose": "true"}
    assert form_value(WEATHER.ways[0], answers) == value
    assert [issue.path for issue in validate(schema, {})] == [("WEATHER_API_KEY",)]


def test_a_repeated_argument_is_a_list_of_folders() -> None:
    schema = input_schema(FILES.ways[0])
    field = schema["properties"]["allowed_dirs"]
    assert (field["type"], field["minItems"]) == ("array", 1)
    assert field["items"]["format"] == "directory-path"


@pytest.mark.parametrize(
    ("way", "answers"),
    [
        (FILES.ways[0], {"allowed_dirs": ["/a", "/b c"], "LOG_LEVEL": "debug"}),
        (TIME.ways[0], {"local-timezone": "Asia/Tokyo"}),
        (TIME.ways[0], {}),
        (
            WEATHER.ways[0],
            {"WEATHER_UNITS": "celsius", "region": "eu", "verbose": "true"},
        ),
        (WEATHER.ways[1], {"source_path": "/data"}),
        (WEATHER.ways[2], {"tenant": "acme"}),
    ],
)
def test_the_answers_are_found_again_in_the_server_that_they_made(
    catalogue: Catalogue, way: Way, answers: dict[str, Any]
) -> None:
    config = catalogue.plan(FILES, way, answers).config
    found = recover_answers(way, config)
    secrets = {asked.key for asked in way.inputs if asked.is_secret}
    assert {key: found[key] for key in found if key not in secrets} == answers


def test_hostile_arguments_are_recovered_in_no_time(catalogue: Catalogue) -> None:
    many: list[dict[str, Any]] = [
        {"type": "positional", "valueHint": f"v{n}", "isRepeated": True, "value": "{a}{b}{c}",
         "variables": {"a": {}, "b": {}, "c": {}}}
        for n in range(30)
    ]  # fmt: skip
    way = package(packageArguments=many)
    config = catalogue.plan(FILES, package(), {}).config
    hostile = config.changed(args=("-y", "@x/y@1.0.0", *["a" * 300] * 30))
    assert recover_answers(way, hostile)


def test_a_server_called_mcp_gets_the_name_of_its_publisher() -> None:
    assert suggest_name(WEATHER, ()) == "weather"
    assert suggest_name(FILES, {"filesystem"}) == "filesystem-modelcontextprotocol"
