"""Turns whatever the SDK raises into one sentence a person can act on.

The SDK wraps errors of a connect in nested exception groups and says "Connection closed" where the
server wrote its reason to stderr. Must not decide what happens next.
"""

from __future__ import annotations

import errno
import re
from typing import TYPE_CHECKING, Final, cast

import httpx2
from mcp_types import (
    CONNECTION_CLOSED,
    REQUEST_TIMEOUT,
)
from pydantic import ValidationError

from desktop.base.did_you_mean import nearest_names
from desktop.base.errors import DesktopError, NextStep, ServerError, ServerTimeoutError
from desktop.base.later_patterns import compile_later
from desktop.base.translatable import join_and, join_list, join_texts, translatable
from desktop.config.containers import may_touch
from desktop.config.spellings import mirror_variable
from desktop.processes.package_runners import find_runner
from desktop.servers.limits_reached import limit_remedy, limit_words, reached_limit
from desktop.servers.refusals import refusals_in
from desktop.servers.sdk import InputRequiredRoundsExceededError, MCPError
from desktop.servers.transport.http_refusal import HttpRefusal, refusal_of

if TYPE_CHECKING:
    from desktop.config.models import ServerConfig
    from desktop.servers.state import Challenge
    from desktop.servers.transport.stderr_log import StderrLog
    from desktop.servers.transport.stdio_transport import ServerTransport

LOOK_AT_STDERR = translatable("Check its command and arguments, and its output.")
EDIT = (NextStep("edit"),)
_VARIABLE = compile_later(r"(?<![A-Za-z0-9_])(?!ERR_)[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?![A-Za-z0-9_])")
_IS_MISSING = compile_later(
    r"\b(?:not set|unset|required|undefined|must be set|not provided|not defined"
    r"|missing|please set|is empty)\b",
    re.IGNORECASE,
)
_MAX_SEARCHED = 500
"""Characters of a line in which the name of a variable is looked for."""
_GONE = {
    (CONNECTION_CLOSED, "Connection closed"),
    (CONNECTION_CLOSED, "SSE stream ended without a response"),
    (CONNECTION_CLOSED, "SSE stream ended and reconnection attempts were exhausted"),
}
"""What the SDK says itself when a connection ended."""
_OWN_TIMEOUT = compile_later(r"Request '[^']*' timed out")
"""What the SDK says itself; servers use the same code for errors of their own."""


def _http():
    """The words for failures of HTTP; they bring the HTTP client, and most runs need none."""
    from desktop.servers.transport import http_error_messages

    return http_error_messages


def leaves(error: BaseException) -> list[BaseException]:
    """The exceptions at the bottom of nested groups, in order."""
    if isinstance(error, BaseExceptionGroup):
        group = cast("BaseExceptionGroup[BaseException]", error)
        return [leaf for exception in group.exceptions for leaf in leaves(exception)]
    return [error]


# --- known causes -----------------------------------------------------------------------------

_IS_AT: Final = compile_later(
    r"https?://(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]|\*)(?::\d{1,5})?[^\s'\"),\]]{0,200}"
    r"|\b(?:listening|running|started|serving)\b.{0,40}\bport:? \d{2,5}",
    re.IGNORECASE,
)
_OLD_NODE: Final = compile_later(
    r"EBADENGINE|Unsupported engine|requires Node(?:\.js)?\b"
    r"|Node(?:\.js)? (?:version )?v?[\d.]+ is (?:not supported|too old)"
    r"|No such built-in module: node:|ERR_UNKNOWN_BUILTIN_MODULE"
    r"|SyntaxError: Unexpected token '[?.]|(?:ReferenceError: (?:fetch|File|WebSocket|Headers)|"
    r"crypto|CustomEvent) is not defined|does not provide an export named",
)
_OLD_SDK: Final = compile_later(
    r"No module named 'mcp\.(?:server\.fastmcp|types|shared\.\w+|client\.\w+)"
    r"|cannot import name '\w+' from 'mcp(?:\.\w+)*'|module 'mcp(?:\.\w+)*' has no attribute"
    r"|'(?:Server|FastMCP|MCPServer|LowLevelServer)' object has no attribute",
)
_NOT_FETCHED: Final = compile_later(
    r"npm (?:error|ERR!) .{0,200}(?:ETIMEDOUT|ECONNRESET|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|"
    r"ERR_SOCKET_TIMEOUT|FETCH_ERROR|CERT_HAS_EXPIRED)"
    r"|Failed to (?:fetch|download)[: `]|error sending request for url|operation timed out"
    r"|(?:ReadTimeoutError|ConnectTimeoutError|NewConnectionError).{0,80}(?:pypi|pythonhosted)"
)
_NO_KEY: Final = compile_later(
    r"npm (?:error|ERR!) (?:code E40[13]\b|404 {1,3}'@)|\b401 Unauthorized\b"
)
"""A registry that wants a key; npm's own says of a private package that there is none."""
_END: Final = r"[^\n]{0,120}"
_SHUT: Final = compile_later(
    r"(?:EACCES|EROFS|ENOENT|Permission denied|Read-only file system"
    rf"|No such file or directory){_END}"
)
"""What a program says that met the walls of a sandbox, or something of that kind."""
_NO_NETWORK: Final = compile_later(
    r"(?:ENETUNREACH|EAI_AGAIN|getaddrinfo|Network is unreachable"
    rf"|failure in name resolution|Name or service not known){_END}"
)
"""The same of one that has no network."""
_MAX_LINES_SEARCHED: Final = 50
_MAX_NOISE: Final = 120
_MAX_REFUSALS: Final = 3


def _hidden_key(config: ServerConfig, output: StderrLog) -> str:
    """What to do where a registry wants a key, which its sandbox hides; empty where none does."""
    if not config.sandbox.is_on or not _NO_KEY.search(output.tail(_MAX_LINES_SEARCHED)):
        return ""
    return translatable(
        "If its package is private: its sandbox hides the key of your registry. Name its file, "
        'such as ~/.npmrc, under "read".'
    )


def _refused(config: ServerConfig, text: str) -> str:
    """What its sandbox seems to have refused."""
    if refused := refusals_in(text.splitlines(), config.sandbox):
        return join_list([each.words for each in refused[:_MAX_REFUSALS]])
    shut = _SHUT.search(text)
    if shut is None and not config.sandbox.has_network:
        shut = _NO_NETWORK.search(text)
    return shut[0] if shut is not None else ""


def known_cause(config: ServerConfig, output: StderrLog) -> str:
    """What to do about a start that fails as many do; empty where it is none of those."""
    written = output.tail(_MAX_LINES_SEARCHED).splitlines()
    text = "\n".join(line[:_MAX_SEARCHED] for line in written)
    program = re.sub(r"\.(exe|cmd)$", "", re.split(r"[/\\]", config.command)[-1].lower())
    if config.sandbox.is_on and (said := _refused(config, text)):
        return translatable(
            "Its sandbox may be too tight for it ({said}): change what it may touch in its form, "
            'or "sandbox" in the config.',
            said=said,
        )
    if "Ok to proceed?" in text or "Need to install the following packages" in text:
        return translatable('npx waits for a yes: put "-y" first in its "args".')
    if program in {"docker", "podman", "nerdctl"} and (said := _container_cause(config, text)):
        return said
    if (mirror := mirror_variable(config.command)) and _NOT_FETCHED.search(text):
        return translatable(
            "Its package could not be fetched: check the network and the proxy, or name a mirror "
            'of the registry in its "env" ({variable}).',
            variable=mirror,
        )
    if _OLD_SDK.search(text):
        return _old_sdk_remedy(config, program)
    if _OLD_NODE.search(text):
        return translatable(
            "Its Node.js is too old for it: install a newer one (node --version says which it is), "
            "or give the full path of a newer npx or node as the command."
        )
    if (found := _IS_AT.search(text)) is not None:
        return translatable(
            "It speaks HTTP ({where}), not over its input and output: start it yourself and add it "
            'by its address ("url"), or give it the option for stdio.',
            where=found[0],
        )
    if config.sandbox.is_on:
        return translatable(
            "It ran in a sandbox and may touch {places}: if it needs more, change that in its form"
            ', or "sandbox" in the config.',
            places=may_touch(config, config.sandbox),
        )
    return ""


def _old_sdk_remedy(config: ServerConfig, program: str) -> str:
    """A server that does not pin the SDK gets the newest one, each time it is fetched."""
    runner = find_runner((program, *config.args)) if program == "uvx" else None
    if runner is None:
        return translatable(
            "It was written for an older version of the MCP SDK than it got: install that beside "
            "it (pip install 'mcp<2'), or ask its author to pin the version."
        )
    return translatable(
        "It was written for an older version of the MCP SDK than it got: put {option} first in its "
        "\"args\", so that they are uvx --with 'mcp<2' {package}, or ask its author to pin the "
        "version.",
        option='"--with", "mcp<2"',
        package=runner.package,
    )


_NO_DAEMON: Final = compile_later(
    r"cannot connect to the docker daemon|docker daemon is not running|failed to connect to the"
    r" docker api|error during connect|cannot connect to podman",
    re.IGNORECASE,
)
_ENGINE: Final = compile_later(
    r"required: *\{[^}]{0,80}node: *['\"](?P<required>[^'\"]{1,60})['\"].{0,200}?"
    r"current: *\{[^}]{0,40}node: *['\"]v?(?P<current>[\w.-]{1,40})['\"]",
    re.DOTALL,
)
_NOT_ON_NPM: Final = compile_later(
    r"404 +'(?P<name>(?:@[\w.~-]+/)?[\w.~-]+?)(?:@[^']{0,80})?' is not in this registry"
)
_NOT_ON_PYPI: Final = compile_later(
    r"\b(?P<name>[\w.-]+) was not found in the package registry"
    r"|No matching distribution found for (?P<other>[\w.-]+)"
)
_PACKAGES: Final = (
    *(f"@modelcontextprotocol/server-{name}" for name in (
        "everything", "filesystem", "memory", "sequential-thinking", "github", "gitlab", "slack",
        "postgres", "puppeteer", "brave-search", "google-maps", "gdrive", "redis",
    )),
    *(f"mcp-server-{name}" for name in ("fetch", "git", "time", "sqlite", "kubernetes", "qdrant")),
    "@playwright/mcp", "@upstash/context7-mcp", "chrome-devtools-mcp", "firecrawl-mcp",
    "@notionhq/notion-mcp-server", "figma-developer-mcp", "mcp-remote", "mcp-proxy", "awslabs",
    "arxiv-mcp-server", "duckduckgo-mcp-server", "excel-mcp-server", "@sentry/mcp-server",
)  # fmt: skip
"""Names of packages that people mistype; nothing is looked up for a name that is wrong."""


def named_cause(output: StderrLog) -> tuple[str, str]:
    """Why a server that ended could not run, in place of its last words, and what to do.

    Both are empty where its words are none that many servers end with.
    """
    written = output.tail(_MAX_LINES_SEARCHED).splitlines()
    lines = (re.sub(r"^npm \S+ (?:EBADENGINE )?", "", line[:_MAX_SEARCHED]) for line in written)
    text = "\n".join(lines)
    if _NO_DAEMON.search(text):
        return translatable("Docker is not running"), translatable("Start it, then restart.")
    if (engine := _ENGINE.search(text)) is not None:
        least = re.fullmatch(r">= *v?([\w.-]+)", engine["required"])
        if least is None:
            return translatable(
                "it needs Node.js {wanted}, and this is {current}",
                wanted=engine["required"],
                current=engine["current"],
            ), ""
        return translatable(
            "it needs Node.js {least} or newer, and this is {current}",
            least=least[1],
            current=engine["current"],
        ), ""
    for pattern, place in ((_NOT_ON_NPM, "npm"), (_NOT_ON_PYPI, "PyPI")):
        if (found := pattern.search(text)) is not None:
            return _no_package(next(filter(None, found.groups())), place)
    return "", ""


def _no_package(name: str, place: str) -> tuple[str, str]:
    near = nearest_names(name, _PACKAGES, 1)
    return (
        translatable("the package {name} does not exist on {place}", name=name, place=place),
        translatable("Did you mean {name}?", name=near[0])
        if near and near[0] != name
        else translatable("Check its spelling."),
    )


def _container_cause(config: ServerConfig, text: str) -> str:
    program = config.command
    if re.search(r"[Cc]annot connect to the Docker daemon|docker daemon is not running", text):
        return translatable("Start {program} itself, then restart the server.", program=program)
    options = [arg for arg in config.args[:_MAX_LINES_SEARCHED] if arg.startswith("-")]
    is_short = re.compile(r"-[a-zA-Z]*i[a-zA-Z]*").fullmatch
    if config.args[:1] != ("run",) or any(
        is_short(one) or one in {"--interactive", "--interactive=true"} for one in options
    ):
        return ""
    return translatable(
        '{program} run closes the input of the server without "-i": add it behind "run".',
        program=program,
    )


def missing_words(steps: tuple[NextStep, ...]) -> str:
    """What to do about variables that are missing; empty without one."""
    if not (names := [step.subject for step in steps if step.kind == "set_variable"]):
        return ""
    return translatable(
        'It lacks {names}: give it in "env", or set it and restart.', names=join_and(names)
    )


_MAGIC: Final = (
    (b"MZ", translatable("it is a program for Windows")),
    (b"\xcf\xfa\xed\xfe", translatable("it is a program for macOS")),
    (b"\xca\xfe\xba\xbe", translatable("it is a program for macOS")),
    (b"\x7fELF", translatable("it is a program for another kind of machine, or parts of it lack")),
)


def why_not_started(file: str, error: OSError) -> tuple[str, str]:
    """Why the system refused to start a file that is there, and what to do; both may be empty."""
    try:
        with open(file, "rb") as opened:
            begin = opened.read(512)
    except OSError:
        return "", ""
    if error.errno not in {errno.ENOENT, errno.ENOEXEC, errno.EACCES}:
        return "", ""
    line = begin.partition(b"\n")[0]
    if not begin:
        return translatable("{file} is empty", file=file), ""
    if line.startswith(b"#!"):
        if line.endswith(b"\r"):
            return (
                translatable("the lines of {file} end as on Windows (CR LF)", file=file),
                translatable("Save it with the line ends of Unix (LF)."),
            )
        program = line[2:].decode(errors="replace").split()[:1] or [""]
        return (
            translatable(
                "the first line of {file} names the interpreter {program}, which is not there",
                file=file,
                program=program[0],
            ),
            translatable("Install it, or correct the first line."),
        )
    for magic, words in _MAGIC:
        if begin.startswith(magic):
            return translatable("{file}: {words}", file=file, words=words), ""
    return (
        translatable("{file} has no first line (#!) that names its interpreter", file=file),
        translatable("Add one, such as #!/bin/sh, or give its interpreter as the command."),
    )


def connect_failure(
    server: str,
    error: BaseException,
    link: ServerTransport | None,
    output: StderrLog,
    config: ServerConfig | None = None,
) -> ServerError:
    """Why the server could not be connected, with its exit and its last stderr lines."""
    causes = leaves(error)
    known = next((cause for cause in causes if isinstance(cause, DesktopError)), None)
    if known is not None:
        return known if isinstance(known, ServerError) else _from_desktop(server, known)
    cause = next((cause for cause in causes if refusal_of(cause) is not None), causes[0])
    if link is not None and link.pid is not None and link.lost:
        return lost(server, link.lost, output, config=config, link=link)
    if isinstance(cause, OSError) and link is not None and link.program:
        words, remedy = why_not_started(link.program, cause)
        if words:
            reason = translatable("it cannot be started: {what}", what=words)
            return ServerError(
                server,
                translatable("{server}: {reason}", server=server, reason=reason),
                remedy=remedy or _remedy(cause),
                steps=EDIT,
            )
    url, is_sse = (link.url, link.is_sse) if link is not None else ("", False)
    explained = _http().explain(cause, url, is_sse=is_sse)
    if explained is None:
        remote = bool(url) and not isinstance(cause, OSError)
        remedy = _http().LOOK_AT_URL if remote else _remedy(cause)
    else:
        remedy = explained.remedy
    return ServerError(
        server,
        translatable("{server}: {reason}", server=server, reason=_words(cause, url)),
        remedy=remedy,
        steps=EDIT,
    )


def sign_in_wanted(server: str, challenge: Challenge) -> ServerError:
    """The server lets nobody in who is not signed in, or who may do too little."""
    if challenge.wants_more:
        words = translatable(
            "{server} needs more permissions ({status}).",
            server=server,
            status=challenge.status,
        )
    else:
        words = translatable(
            "{server} requires you to sign in ({status}).", server=server, status=challenge.status
        )
    return ServerError(
        server,
        words,
        remedy=translatable(
            "Sign in on the Servers page, or with mcp-desktop login {server}. "
            "Or add a token to its headers.",
            server=server,
        ),
    )


def connect_timeout(
    server: str, seconds: float, output: StderrLog, config: ServerConfig | None = None
) -> ServerTimeoutError:
    """The server was started or reached but was not ready in time."""
    return ServerTimeoutError(
        server,
        translatable(
            "{server} did not answer within {seconds:g} s.", server=server, seconds=seconds
        ),
        remedy=(known_cause(config, output) if config is not None else "")
        or _noise_remedy(output)
        or _time_remedy(config.command if config is not None else ""),
        steps=EDIT,
        output=output.tail(),
    )


def _noise_remedy(output: StderrLog) -> str:
    if not (line := output.noise):
        return ""
    return translatable(
        "It wrote to stdout what is no message: “{line}”. Start it in the mode that speaks MCP "
        "over stdio; its logs belong to stderr.",
        line=line[:_MAX_NOISE],
    )


def _time_remedy(command: str) -> str:
    if not (mirror := mirror_variable(command)):
        return translatable(
            "If it is just slow to start, raise its time limit to connect (connectTimeout)."
        )
    return translatable(
        "If it is just slow to start, raise its time limit to connect (connectTimeout); if its "
        'package is fetched slowly, name a mirror of the registry in its "env" ({variable}).',
        variable=mirror,
    )


def lost(
    server: str,
    why: str,
    output: StderrLog,
    *,
    remote: bool = False,
    config: ServerConfig | None = None,
    link: ServerTransport | None = None,
) -> ServerError:
    """Why an established connection ended; `why` continues the sentence that its name begins."""
    if link is not None and link.lost_keeper:  # what it wrote last has nothing to do with that
        words = translatable("{server} {why}.", server=server, why=why)
        return ServerError(server, words, remedy=translatable("It is started again by itself."))
    if config is not None and (reached := reached_limit(config.limits, link, output)):
        words = limit_words(config.limits, reached)
        words = translatable("{server} {why}.", server=server, why=words)
        remedy = limit_remedy(reached)
        return ServerError(server, words, remedy=remedy, steps=EDIT, output=output.tail())
    cause, advice = ("", "") if remote else named_cause(output)
    headline, tail = cause or output.headline(), output.tail()
    words = (
        translatable("{server} {why}: {headline}", server=server, why=why, headline=headline)
        if headline
        else translatable("{server} {why}.", server=server, why=why)
    )
    variable = () if remote else missing_variables(output.tail(_MAX_LINES_SEARCHED))
    known = known_cause(config, output) if config is not None and not remote else ""
    if config is not None and (hidden := _hidden_key(config, output)):
        advice = join_texts(" ", advice, hidden) if advice else hidden
    return ServerError(
        server,
        words,
        remedy=_http().LOOK_AT_URL
        if remote
        else advice or known or missing_words(variable) or LOOK_AT_STDERR,
        steps=(*variable, *EDIT),
        output="\n".join(line for line in tail.splitlines() if " ".join(line.split()) != headline),
    )


_MAX_MISSING: Final = 5
_FIELD: Final = compile_later(r"[A-Za-z_][A-Za-z0-9_.]{0,100}")


_UNSET: Final = compile_later(r"KeyError: '([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)'")
"""How Python's `os.environ[...]` ends."""
_LISTED: Final = compile_later(r"\s*[-*•·]?\s*([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b")
"""A line below "Missing environment variables:"."""
_REQUIRED_BY_ZOD: Final = compile_later(
    r'"path":\s{0,40}\[\s{0,40}"([A-Z][A-Z0-9_]{1,100})"[\s\],]{0,80}'
    r'"message":\s{0,40}"(?:Required|Invalid input: expected \w+, received undefined)"'
)
"""An issue of zod as JSON; lines of brackets alone are not kept of what a server wrote."""


def missing_variables(output: str) -> tuple[NextStep, ...]:
    """The variables that a server says it lacks.

    In one line, in a list, in the two of pydantic-settings, or in the JSON of zod.
    """
    names: dict[str, None] = dict.fromkeys(_REQUIRED_BY_ZOD.findall(output))
    lines = output.splitlines()
    is_list = False
    for line, following in zip(lines, [*lines[1:], ""], strict=False):
        if "Field required [type=missing" in following and _FIELD.fullmatch(line.strip()):
            names[line.strip().replace(".", "__").upper()] = None
        elif is_list and (listed := _LISTED.match(line)):
            names[listed[1]] = None
        elif found := _UNSET.fullmatch(line.strip()):
            names[found[1]] = None
        elif _IS_MISSING.search(line, 0, _MAX_SEARCHED):
            named = _VARIABLE.findall(line, 0, _MAX_SEARCHED)
            names |= dict.fromkeys(named)
            is_list = not named and line.rstrip().endswith(":")
        else:
            is_list = is_list and not line.strip()
    return tuple(NextStep("set_variable", name) for name in list(names)[:_MAX_MISSING])


def call_failure(error: BaseException) -> tuple[str, str]:
    """Type and message of a failed request on an open connection."""
    cause = leaves(error)[0]
    return type(cause).__name__, _words(cause)


def is_lost(error: BaseException) -> bool:
    """Whether the connection itself is gone.

    Servers use the SDK's code for it as well, for errors of their own: only its words tell.
    """
    return any(
        isinstance(leave, httpx2.TransportError)
        or (isinstance(leave, MCPError) and (leave.code, leave.message) in _GONE)
        for leave in leaves(error)
    )


def is_answer(error: BaseException) -> bool:
    """Whether a server answered with an error of its own; so it is there, and speaks."""
    causes = leaves(error)
    answers = [each for each in causes if isinstance(each, MCPError) and not _timed_out(each)]
    return bool(answers) and not is_lost(error)


def may_pass(error: BaseException) -> bool:
    """Whether a failed connect to a URL may succeed later without anybody's doing."""
    causes = leaves(error)
    if any(isinstance(cause, DesktopError) for cause in causes):
        return False
    if (refusal := refusal_in(error)) is not None:
        return refusal.may_pass
    return is_lost(error) or any(_timed_out(cause) for cause in causes)


def was_dropped(error: BaseException) -> bool:
    """Whether a connection over HTTP was made, and broke before an answer."""
    dropped = httpx2.RemoteProtocolError | httpx2.ReadError | httpx2.WriteError
    return any(isinstance(cause, dropped) for cause in leaves(error))


def refusal_in(error: BaseException) -> HttpRefusal | None:
    """The first refusal among the causes of an error."""
    return next((refusal for cause in leaves(error) if (refusal := refusal_of(cause))), None)


def _timed_out(cause: BaseException) -> bool:
    return (
        isinstance(cause, MCPError)
        and cause.code == REQUEST_TIMEOUT
        and _OWN_TIMEOUT.fullmatch(cause.message) is not None
    )


def _from_desktop(server: str, error: DesktopError) -> ServerError:
    return ServerError(
        server,
        translatable("{server}: {reason}", server=server, reason=error.args[0]),
        remedy=error.remedy,
        steps=(*error.steps, *(() if NextStep("edit") in error.steps else EDIT)),
    )


def _words(cause: BaseException, url: str = "") -> str:
    if (explained := _http().explain(cause, url)) is not None:
        return explained.words
    if isinstance(cause, MCPError):
        if _timed_out(cause):
            return translatable("no answer in time")
        message = _http().with_data(cause)
        if not message:
            return translatable("an error without a reason (code {code})", code=cause.code)
        return translatable("{message} (code {code})", message=message, code=cause.code)
    if isinstance(cause, ValidationError):
        first = cause.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        return translatable(
            "the answer violates the protocol: {where}: {first}", where=where, first=first["msg"]
        )
    if isinstance(cause, InputRequiredRoundsExceededError):
        return translatable("it sent more than {limit} requests of its own", limit=cause.max_rounds)
    if isinstance(cause, OSError):
        return translatable("it cannot be started: {what}", what=cause.strerror or cause)
    return _http().shorten(str(cause)) or type(cause).__name__


def _remedy(cause: BaseException) -> str:
    if isinstance(cause, httpx2.HTTPError | httpx2.InvalidURL):
        return _http().LOOK_AT_URL
    if isinstance(cause, OSError):
        return translatable("Check its command and its working directory.")
    return LOOK_AT_STDERR
