"""Whatever is raised becomes one sentence that names the server and says what to do."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

import httpx2
import pytest
from mcp import MCPError
from pydantic import TypeAdapter, ValidationError

from desktop.base.errors import ConfigError, NextStep, ServerError
from desktop.config.models import ServerConfig
from desktop.servers import error_messages
from desktop.servers.transport.stderr_log import StderrLog

if TYPE_CHECKING:
    from pathlib import Path


class FakeLink:
    """A link in the state that a test gives it."""

    exit_code = None
    lost_keeper = False
    transport = None
    is_closed_on_purpose = False
    program = ""

    def __init__(self, *, pid: int | None = None, lost: str = "", url: str = "") -> None:
        self.pid = pid
        self.lost = lost
        self.url = url
        self.is_sse = False
        self.is_closed = bool(lost)


def said(*lines: str) -> StderrLog:
    output = StderrLog()
    output.add(*lines)
    return output


def grouped(error: Exception) -> BaseException:
    return ExceptionGroup("outer", [ExceptionGroup("inner", [error])])


def connect(error: Exception, link: FakeLink | None = None, *lines: str) -> str:
    known: error_messages.ServerTransport | None = link  # type: ignore[assignment]
    return str(error_messages.connect_failure("web", grouped(error), known, said(*lines)))


CLOSED = MCPError(-32000, "Connection closed")


def test_nested_groups_are_flattened_in_order() -> None:
    first, second = ValueError("1"), KeyError("2")
    group = ExceptionGroup("a", [ExceptionGroup("b", [first]), second])
    assert error_messages.leaves(group) == [first, second]


def test_an_exit_says_more_than_a_closed_connection() -> None:
    text = connect(CLOSED, FakeLink(pid=1, lost="exited with code 3"), "no key", "")
    assert text.startswith("web exited with code 3: no key\n")


def test_an_error_of_our_own_is_kept_and_named() -> None:
    text = connect(ConfigError("KEY is not set", remedy="Set KEY."))
    assert text == "web: KEY is not set\nSet KEY."
    assert connect(ServerError("web", "not found")) == "not found"


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (httpx2.ConnectError(""), "nothing answers at its address (connection refused)"),
        (httpx2.ReadError(""), "the connection to its address broke (ReadError)"),
        (OSError(13, "Permission denied"), "it cannot be started: Permission denied"),
        (MCPError(-32001, "Request 'tools/call' timed out"), "no answer in time"),
        (MCPError(-32001, "Unauthorized: bad key"), "Unauthorized: bad key (code -32001)"),
        (MCPError(-32603, "y" * 9000), "y (code -32603)"),
        (RuntimeError(), "RuntimeError"),
    ],
)
def test_each_cause_has_its_words(error: Exception, words: str) -> None:
    text = connect(error)
    assert text.startswith("web: ")
    assert words in text
    assert len(text) < 1000


def test_an_answer_that_breaks_the_protocol_says_where() -> None:
    try:
        TypeAdapter(dict[str, int]).validate_python({"a": "secret"})
    except ValidationError as error:
        kind, words = error_messages.call_failure(error)
        assert kind == "ValidationError"
        assert words.startswith("the answer violates the protocol: a: ")
        assert "secret" not in words.removeprefix("the answer violates the protocol: a: ")


@pytest.mark.parametrize(
    ("error", "gone"),
    [
        (CLOSED, True),
        (grouped(httpx2.ReadError("")), True),
        (MCPError(-32000, "rate limit of the server"), False),
        (MCPError(-32000, "SSE stream failed: event too large"), False),
        (ValueError(), False),
    ],
)
def test_only_the_words_of_the_sdk_mean_a_lost_connection(error: Exception, gone: bool) -> None:
    assert error_messages.is_lost(error) is gone


def test_a_timeout_shows_what_the_server_wrote_last() -> None:
    text = str(error_messages.connect_timeout("web", 1.5, said("loading the model", *"abcdef")))
    assert "web did not answer within 1.5 s.\nLast output:\nb\nc\nd\ne\nf" in text
    assert "connectTimeout" in text


def test_a_timeout_names_what_came_in_place_of_messages() -> None:
    output = said("loading")
    output.add_noise("Serving on port 3000")
    error = error_messages.connect_timeout("web", 1.5, output)
    assert "stdout" in error.remedy
    assert "“Serving on port 3000”" in error.remedy
    output.begin()
    assert "connectTimeout" in error_messages.connect_timeout("web", 1.5, output).remedy


@pytest.mark.parametrize(
    ("command", "variable"),
    [
        ("npx", "NPM_CONFIG_REGISTRY"),
        ("/opt/bin/pnpm", "NPM_CONFIG_REGISTRY"),
        ("C:\\uv\\uvx.exe", "UV_DEFAULT_INDEX"),
        ("pipx", "PIP_INDEX_URL"),
        ("node", ""),
    ],
)
def test_a_start_that_fetches_a_package_too_slowly_names_the_mirror(
    command: str, variable: str
) -> None:
    config = ServerConfig(name="s", command=command, args=("x",))
    remedy = error_messages.connect_timeout("s", 30, said(), config).remedy
    assert "connectTimeout" in remedy
    assert ("mirror" in remedy) == bool(variable)
    assert variable in remedy


def test_a_lost_remote_server_is_not_looked_for_in_a_log() -> None:
    assert "URL" in str(error_messages.lost("web", "closed", said(), remote=True))
    assert "and its output" in str(error_messages.lost("web", "closed", said()))


NPM = """\
npm error code E404
npm error 404 Not Found - GET https://registry.npmjs.org/@x%2fnope - Not found
npm error 404
npm error 404  '@x/nope@*' is not in this registry.
npm error 404
npm error 404 Note that you can also install from a
npm error 404 tarball, folder, http url, or git folder.
npm error A complete log of this run can be found in: /root/.npm/_logs/debug-0.log"""
UV = """\
  \u00d7 No solution found when resolving tool dependencies:
  \u2570\u2500\u25b6 Because mcp-server-nope was not found in the package registry and you require
      mcp-server-nope, we can conclude that your requirements are unsatisfiable."""


@pytest.mark.parametrize(
    ("wrote", "headline"),
    [
        (NPM, "the package @x/nope does not exist on npm"),
        (NPM.replace("error", "ERR!"), "the package @x/nope does not exist on npm"),
        (UV, "the package mcp-server-nope does not exist on PyPI"),
        ("starting\nTypeError: no\nmore\nand more", "TypeError: no"),
        ("loading\nlicence is gone", "licence is gone"),
        (
            "npm warn x\nnpm error could not determine executable to run\n"
            "npm error A complete log of this run can be found in: /x.log",
            "npm error could not determine executable to run",
        ),
    ],
)
def test_the_first_error_is_the_headline(wrote: str, headline: str) -> None:
    error = error_messages.lost("web", "exited with code 1", said(*wrote.splitlines()))
    assert str(error.args[0]).startswith(f"web exited with code 1: {headline}")
    others = [line for line in wrote.splitlines() if line != headline]
    assert others[0] in error.output or others[-1] in error.output
    assert headline not in error.output
    assert str(error).index(headline) < str(error).index("Last output:")


def test_without_a_word_there_is_no_headline() -> None:
    assert error_messages.lost("web", "exited with code 1", said()).args[0].endswith("code 1.")


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("API_KEY is not set", "API_KEY"),
        ("Error: GITHUB_TOKEN environment variable is required", "GITHUB_TOKEN"),
        ("Please set BRAVE_API_KEY", "BRAVE_API_KEY"),
        ("Missing env: SLACK_BOT_TOKEN", "SLACK_BOT_TOKEN"),
        ("ERR_MODULE_NOT_FOUND", None),
        ("using API_KEY of the file", None),
        ("API is not set", None),
        ("x" * 600 + " API_KEY is not set", None),
    ],
)
def test_a_variable_that_a_server_lacks_is_known(line: str, name: str | None) -> None:
    steps = error_messages.lost("web", "exited with code 1", said(line)).steps
    assert steps[-1] == NextStep("edit")
    assert steps[:-1] == ((NextStep("set_variable", name),) if name else ())
    assert error_messages.lost("web", "closed", said(line), remote=True).steps == steps[-1:]


STDIO = ServerConfig(name="s", command="npx", args=("x",))
UVX = ServerConfig(name="s", command="/usr/bin/uvx", args=("mcp-foo", "--dir", "x"))
ZOD = """\
ZodError: [
  {
    "code": "invalid_type",
    "expected": "string",
    "received": "undefined",
    "path": [
      "NOTION_TOKEN"
    ],
    "message": "Required"
  },
  { "expected": "string", "code": "invalid_type", "path": [ "PORT" ],
    "message": "Invalid input: expected string, received undefined" }
]"""


@pytest.mark.parametrize(
    ("config", "line", "words"),
    [
        (STDIO, "Ok to proceed? (y) ", 'npx waits for a yes: put "-y"'),
        (STDIO, "npm WARN EBADENGINE Unsupported engine {", "Node.js is too old"),
        (STDIO, "SyntaxError: Unexpected token '?'", "Node.js is too old"),
        (STDIO, "Server listening on port 3000", 'add it by its address ("url")'),
        (STDIO, "INFO: running on http://127.0.0.1:8000", "(http://127.0.0.1:8000)"),
        (STDIO, "ModuleNotFoundError: No module named 'mcp.server.fastmcp'", "install 'mcp<2'"),
        (UVX, "ModuleNotFoundError: No module named 'mcp.server.fastmcp'", "'mcp<2' mcp-foo,"),
        (
            UVX.changed(args=("--from", "foo-server", "foo")),
            "ImportError: cannot import name 'McpError' from 'mcp'",
            "uvx --with 'mcp<2' foo-server,",
        ),
        (UVX, "AttributeError: 'Server' object has no attribute 'list_tools'", '"--with", "mcp<2"'),
        (STDIO, "npm error code ETIMEDOUT", '"env" (NPM_CONFIG_REGISTRY)'),
        (STDIO, "npm ERR! network request to https://x failed, reason: ECONNRESET", "a mirror"),
        (UVX, "error: Failed to fetch: `https://pypi.org/simple/x/`", '"env" (UV_DEFAULT_INDEX)'),
        (UVX, "  Caused by: operation timed out", "check the network and the proxy"),
        (STDIO.changed(command="node"), "npm error code ETIMEDOUT", ""),
        (STDIO.changed(command="/usr/bin/docker", args=("run", "x")), "", '"-i"'),
        (
            STDIO.changed(command="docker", args=("run", "-i", "x")),
            "docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock.",
            "Start docker itself",
        ),
        (STDIO.changed(command="docker", args=("run", "-it", "x")), "", ""),
        (STDIO.changed(command="docker", args=("exec", "x")), "", ""),
        (STDIO, "see https://example.com:8000/docs", ""),
    ],
)
def test_a_cause_that_is_known_is_named_with_what_to_do(
    config: ServerConfig, line: str, words: str
) -> None:
    told = error_messages.known_cause(config, said(*([line] if line else [])))
    assert words in told
    assert bool(words) == bool(told)


@pytest.mark.parametrize(
    ("lines", "names"),
    [
        (["Error: API_KEY is required"], ["API_KEY"]),
        (["A_KEY and B_KEY must be set"], ["A_KEY", "B_KEY"]),
        (
            [
                "pydantic_core.ValidationError: 2 validation errors for Settings",
                "api_key",
                "  Field required [type=missing, input_value={}, input_type=dict]",
                "db.url",
                "  Field required [type=missing, input_value={}, input_type=dict]",
            ],
            ["API_KEY", "DB__URL"],
        ),
        (["A_KEY is set"], []),
        (["KeyError: 'WORKSPACE_ID'"], ["WORKSPACE_ID"]),
        (["KeyError: 'name'", "KeyError: 'a b'"], []),
        (ZOD.splitlines(), ["NOTION_TOKEN", "PORT"]),
        (
            [
                "Missing environment variables:",
                "    A_KEY: the key",
                "  - B_URL",
                "C_D: no",
            ],
            ["A_KEY", "B_URL", "C_D"],
        ),
        (["Missing environment variables:", "", "see the docs", "  A_KEY"], []),
    ],
)
def test_each_variable_that_a_server_lacks_is_named(lines: list[str], names: list[str]) -> None:
    error = error_messages.lost("s", "exited with code 1", said(*lines), config=STDIO)
    assert [step.subject for step in error.steps if step.kind == "set_variable"] == names
    assert all(name in error.remedy for name in names)


def test_of_two_settings_that_lack_both_are_shown() -> None:
    wrote = """\
Traceback (most recent call last):
  File "/x/pydantic_settings/main.py", line 194, in __init__
    super().__init__(
pydantic_core._pydantic_core.ValidationError: 2 validation errors for Settings
jira_url
  Field required [type=missing, input_value={}, input_type=dict]
    For further information visit https://errors.pydantic.dev/2.11/v/missing
api_token
  Field required [type=missing, input_value={}, input_type=dict]
    For further information visit https://errors.pydantic.dev/2.11/v/missing"""
    error = error_messages.lost("s", "exited with code 1", said(*wrote.splitlines()), config=STDIO)
    assert "2 validation errors for Settings" in str(error.args[0])
    assert "jira_url" in error.output
    assert "api_token" in error.output


@pytest.mark.parametrize(
    ("content", "code", "words"),
    [
        (b"#!/no/such/program\n", errno.ENOENT, "interpreter /no/such/program, which is not there"),
        (b"#!/usr/bin/python3\r\nprint()", errno.ENOENT, "end as on Windows"),
        (b"exec x\n", errno.ENOEXEC, "has no first line (#!)"),
        (b"", errno.ENOEXEC, "is empty"),
        (b"MZ\x90", errno.ENOEXEC, "a program for Windows"),
        (b"\x7fELF", errno.ENOEXEC, "another kind of machine"),
        (b"\xcf\xfa\xed\xfe", errno.ENOEXEC, "a program for macOS"),
        (b"#!/bin/sh\n", errno.ENOMEM, ""),
    ],
)
def test_why_a_file_that_is_there_cannot_be_started(
    tmp_path: Path, content: bytes, code: int, words: str
) -> None:
    file = tmp_path / "server"
    file.write_bytes(content)
    told, _ = error_messages.why_not_started(str(file), OSError(code, "refused"))
    assert words in told
    assert bool(words) == bool(told)
    assert error_messages.why_not_started(str(tmp_path / "none"), OSError(code, "x")) == ("", "")


def test_of_exceptions_that_led_to_each_other_the_last_is_the_reason() -> None:
    output = said(
        "Traceback (most recent call last):",
        '  File "a.py", line 1, in <module>',
        "KeyError: 'a'",
        "During handling of the above exception, another exception occurred:",
        "Traceback (most recent call last):",
        '  File "a.py", line 3, in <module>',
        "RuntimeError: the folder is not there",
        "goodbye",
    )
    assert output.headline() == "RuntimeError: the folder is not there"


ENGINE = """\
npm warn EBADENGINE Unsupported engine {
npm warn EBADENGINE   package: 'x@1.0.0',
npm warn EBADENGINE   required: { node: '>=22.18.1' },
npm warn EBADENGINE   current: { node: 'v20.20.2', npm: '10.8.2' }
npm warn EBADENGINE }
TypeError: Promise.try is not a function"""
DOCKER = """\
docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock.
Run 'docker run --help' for more information"""


@pytest.mark.parametrize(
    ("written", "headline", "remedy"),
    [
        (DOCKER, "Docker is not running", "Start it, then restart."),
        (ENGINE, "it needs Node.js 22.18.1 or newer, and this is 20.20.2", "Node.js is too old"),
        (
            NPM.replace("@x/nope", "@modelcontextprotocol/server-evrything"),
            "the package @modelcontextprotocol/server-evrything does not exist on npm",
            "Did you mean @modelcontextprotocol/server-everything?",
        ),
        (NPM, "the package @x/nope does not exist on npm", "Check its spelling."),
        (UV, "the package mcp-server-nope does not exist on PyPI", ""),
    ],
)
def test_the_headline_names_the_cause_and_not_the_last_line(
    written: str, headline: str, remedy: str
) -> None:
    error = error_messages.lost(
        "x", "exited with code 1", said(*written.splitlines()), config=STDIO
    )
    assert str(error.args[0]) == f"x exited with code 1: {headline}"
    assert remedy in error.remedy


def test_a_package_that_only_a_registrys_key_opens_is_said_to_be_hidden_by_the_sandbox() -> None:
    for sandbox, is_hidden in (("folders", True), ("off", False)):
        config = STDIO.changed(sandbox=sandbox)
        error = error_messages.lost("x", "exited", said(*NPM.splitlines()), config=config)
        assert "Check its spelling." in error.remedy
        assert ("~/.npmrc" in error.remedy) is is_hidden
