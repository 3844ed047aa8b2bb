"""A person signs in once; tokens are renewed without them; what does not fit is stopped."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from desktop.servers.oauth import sign_in
from desktop.servers.oauth.errors import SignInError
from desktop.servers.service import McpService
from tests.config.keyring_backend import BrokenKeyring, MemoryKeyring, use
from tests.http_stub import HTML, JSON, TEXT, Answer, serving
from tests.live_servers import ending, surroundings
from tests.oauth_stub import Authorization, Person

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from desktop.servers.connection import ServerConnection
    from desktop.servers.oauth.steps import SignInStep
    from tests.conftest import ExpectedLogs
    from tests.http_stub import Request

FORM = "application/x-www-form-urlencoded"
MAX_RENEWALS = 4
MAX_REQUESTS = 30


@pytest.fixture
def keyring(monkeypatch: pytest.MonkeyPatch) -> MemoryKeyring:
    made = MemoryKeyring()
    use(monkeypatch, made)
    return made


@pytest.fixture
async def guarded() -> AsyncGenerator[Authorization]:
    async with serving() as stub:
        yield Authorization(stub)


@pytest.fixture
async def service(guarded: Authorization, keyring: MemoryKeyring) -> AsyncGenerator[McpService]:
    async with ending(McpService(surroundings())) as made:
        made.add_server(guarded.stub.config())
        await made.connect_all()
        yield made


async def age(service: McpService, left: float = 30.0) -> None:
    """Let the token of the server end in so many seconds."""
    held = service.sign_ins.store.known("web")
    assert held is not None
    await service.sign_ins.store.keep("web", replace(held, expires_at=time.time() + left))


class Absent:
    """A browser whose person never comes back."""

    redirect_uri = "http://127.0.0.1:9/callback"

    async def visit(self, url: str) -> dict[str, str]:
        assert url
        return await asyncio.get_running_loop().create_future()


def forget(keyring: MemoryKeyring, service: str, username: str, password: str) -> None:
    """Keep nothing, as a keyring that only pretends to be one."""


async def signed_in(service: McpService, person: Person) -> ServerConnection:
    connection = service.connection("web")
    await service.sign_in("web", person)
    await connection.settle()
    return connection


async def test_a_server_that_wants_a_sign_in_says_so_and_asks_nobody(
    service: McpService, guarded: Authorization
) -> None:
    state = service.connection("web").state
    assert state.phase == "failed"
    assert "web requires you to sign in" in state.error
    assert state.challenge is not None
    assert state.challenge.header == guarded.challenge
    assert guarded.asked == []
    assert {request.path for request in guarded.stub.seen} == {"/mcp"}


async def test_after_a_sign_in_it_goes_on_by_itself(
    service: McpService, guarded: Authorization
) -> None:
    connection = await signed_in(service, Person(guarded))
    assert connection.is_connected
    assert connection.state.challenge is None
    (asked,) = guarded.asked
    assert asked["resource"] == f"{guarded.stub.address}/mcp"
    assert asked["code_challenge_method"] == "S256"
    assert guarded.forms[0]["client_id"] == "made-here"


async def test_scopes_of_the_config_are_asked_for_in_place_of_the_servers(
    service: McpService, guarded: Authorization
) -> None:
    guarded.challenge += ', scope="all"'
    oauth = {"scopes": "read write"}
    service.apply([guarded.stub.config(oauth=oauth)])
    await service.connection("web").settle()
    await signed_in(service, Person(guarded))
    assert guarded.asked[0]["scope"] == "read write"


async def test_the_next_run_is_signed_in_and_registers_nothing(
    service: McpService, guarded: Authorization
) -> None:
    await signed_in(service, Person(guarded))
    async with ending(McpService(surroundings())) as later:
        later.add_server(guarded.stub.config())
        await later.connect_all()
        assert later.connection("web").is_connected
    assert len(guarded.asked) == 1


async def test_a_token_that_is_refused_is_renewed_once_for_parallel_calls(
    service: McpService, guarded: Authorization
) -> None:
    connection = await signed_in(service, Person(guarded))
    guarded.tokens.clear()
    results = await asyncio.gather(*(connection.call_tool("echo", {}) for _ in range(5)))
    assert all(result.success for result in results)
    assert [form["grant_type"] for form in guarded.forms] == ["authorization_code", "refresh_token"]
    assert guarded.forms[1]["resource"] == f"{guarded.stub.address}/mcp"


async def test_a_token_is_renewed_before_it_ends(
    service: McpService, guarded: Authorization
) -> None:
    connection = await signed_in(service, Person(guarded))
    assert connection.is_connected
    await age(service)
    assert (await connection.call_tool("echo", {})).success
    refused = [request for request in guarded.stub.seen if request.path == "/mcp"]
    assert {form["grant_type"] for form in guarded.forms[1:]} == {"refresh_token"}
    assert sum("authorization" not in request.headers for request in refused) == 1


async def test_a_token_that_cannot_be_renewed_is_used_to_its_end(
    service: McpService, guarded: Authorization
) -> None:
    guarded.expires_in, guarded.can_be_renewed = 30, False
    connection = await signed_in(service, Person(guarded))
    assert connection.is_connected
    assert (await connection.call_tool("echo", {})).success


async def test_tokens_that_cannot_be_renewed_ask_for_a_sign_in_again(
    service: McpService, guarded: Authorization, expected_logs: ExpectedLogs
) -> None:
    connection = await signed_in(service, Person(guarded))
    guarded.tokens.clear()
    guarded.refreshes = False
    expected_logs.expect("its tokens were not renewed")
    expected_logs.allow("Session termination failed: 401")  # the farewell
    result = await connection.call_tool("echo", {})
    assert result.error is not None
    assert "or with mcp-desktop login web." in result.error.message
    assert connection.state.challenge is not None
    sent = [request for request in guarded.stub.seen if b"tools/call" in request.body]
    assert len(sent) == 2  # refused twice, and then given up


async def test_signing_out_revokes_and_forgets(
    service: McpService, guarded: Authorization, keyring: MemoryKeyring
) -> None:
    connection = await signed_in(service, Person(guarded))
    assert await service.sign_out("web")
    await connection.settle()
    assert guarded.revoked == ["canary-refresh-1"]
    assert keyring.kept == {}
    assert connection.state.challenge is not None


@pytest.mark.parametrize(
    ("back", "words"),
    [
        ({"state": "other"}, "State parameter mismatch"),
        ({"error": "access_denied", "error_description": "no, thanks"}, "no, thanks"),
        ({"code": ""}, "No authorization code received"),
        ({"iss": "https://else.example"}, "iss mismatch"),
    ],
)
async def test_a_wrong_way_back_is_said_and_nobody_is_signed_in(
    service: McpService, guarded: Authorization, back: dict[str, str], words: str
) -> None:
    with pytest.raises(SignInError, match=words) as caught:
        await service.sign_in("web", Person(guarded, **back))
    assert str(caught.value).startswith("web: ")
    assert guarded.forms == []
    assert not service.connection("web").is_connected


async def test_metadata_that_lead_elsewhere_are_said(
    service: McpService, guarded: Authorization
) -> None:
    guarded.metadata["issuer"] = "https://else.example"
    with pytest.raises(SignInError, match="issuer mismatch"):
        await service.sign_in("web", Person(guarded))
    guarded.resource["resource"] = "https://else.example/mcp"
    with pytest.raises(SignInError, match="does not match"):
        await service.sign_in("web", Person(guarded))
    assert guarded.asked == []


async def test_nothing_goes_over_plain_http_to_another_machine(
    service: McpService, guarded: Authorization
) -> None:
    guarded.metadata["authorization_endpoint"] = "http://else.example/authorize"
    with pytest.raises(SignInError, match="is not encrypted"):
        await service.sign_in("web", Person(guarded))
    guarded.metadata["registration_endpoint"] = "http://else.example/register"
    with pytest.raises(SignInError, match="is not encrypted"):
        await service.sign_in("web", Person(guarded))
    assert guarded.asked == []


async def test_a_server_that_registers_nobody_says_what_to_do(
    service: McpService, guarded: Authorization
) -> None:
    guarded.registers = False
    with pytest.raises(SignInError, match=r'refused to register this app(.|\n)*"clientId"'):
        await service.sign_in("web", Person(guarded))


async def test_who_does_not_come_back_is_waited_for_no_longer_than_said(
    service: McpService, guarded: Authorization, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sign_in, "PERSON_LIMIT", 0.05)
    with pytest.raises(SignInError, match=r"the time to sign in at 127\.0\.0\.1 ran out"):
        await service.sign_in("web", Absent())
    assert guarded.forms == []


async def test_a_token_that_is_refused_at_once_is_given_up(
    service: McpService, guarded: Authorization, expected_logs: ExpectedLogs
) -> None:
    expected_logs.allow("Session termination failed")
    guarded.accepts = False
    connection = await signed_in(service, Person(guarded))
    assert connection.state.phase == "failed"
    assert connection.state.challenge is not None
    grants = [form["grant_type"] for form in guarded.forms]
    assert grants[0] == "authorization_code"
    assert 1 < len(grants) <= MAX_RENEWALS


async def test_metadata_that_lead_in_a_circle_are_given_up(
    service: McpService, guarded: Authorization
) -> None:
    usual = guarded.answer

    def answer(request: Request) -> Answer | None:
        if "oauth-authorization-server" in request.path:
            return Answer(302, b"", TEXT, {"location": request.path})
        return usual(request)

    guarded.stub.refuse = answer
    guarded.registers = False
    with pytest.raises(SignInError):
        await service.sign_in("web", Person(guarded))
    assert len(guarded.stub.seen) < MAX_REQUESTS


async def test_a_token_does_not_follow_a_redirect_to_another_host(
    service: McpService, guarded: Authorization, expected_logs: ExpectedLogs
) -> None:
    expected_logs.allow("Session termination failed")
    expected_logs.expect("not followed; use that URL as the endpoint")
    connection = await signed_in(service, Person(guarded))
    usual = guarded.answer
    async with serving() as elsewhere:

        def answer(request: Request) -> Answer | None:
            if request.rpc == "tools/call":
                return Answer(307, b"", TEXT, {"location": f"{elsewhere.address}/mcp"})
            return usual(request)

        guarded.stub.refuse = answer
        result = await connection.call_tool("echo", {})
        assert not result.success
        assert elsewhere.seen == []


async def test_two_servers_of_one_authorization_server_have_tokens_of_their_own(
    service: McpService, guarded: Authorization
) -> None:
    service.add_server(guarded.stub.config(name="again"))
    await service.connect_all()
    await signed_in(service, Person(guarded))
    await service.sign_in("again", Person(guarded))
    await service.connection("again").settle()
    assert service.get_connected_servers() == ["web", "again"]
    held = [service.sign_ins.store.known(name) for name in ("web", "again")]
    assert len({each.access_token for each in held if each is not None}) == 2


async def test_a_keyring_that_fails_leaves_a_sign_in_for_this_run_and_tells_no_token(
    guarded: Authorization,
    monkeypatch: pytest.MonkeyPatch,
    expected_logs: ExpectedLogs,
    caplog: pytest.LogCaptureFixture,
) -> None:
    expected_logs.expect("sign-ins are kept for this run alone")
    use(monkeypatch, BrokenKeyring())
    async with ending(McpService(surroundings())) as service:
        service.add_server(guarded.stub.config())
        await service.connect_all()
        assert (await signed_in(service, Person(guarded))).is_connected
        assert service.sign_ins.store.problem
        assert "canary" not in service.sign_ins.store.problem + caplog.text


async def test_without_a_keyring_a_sign_in_is_for_this_run_and_that_is_said(
    guarded: Authorization, monkeypatch: pytest.MonkeyPatch, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("sign-ins are kept for this run alone")
    use(monkeypatch, MemoryKeyring())
    async with ending(McpService(surroundings())) as service:
        service.add_server(guarded.stub.config())
        await service.connect_all()
        monkeypatch.setattr(MemoryKeyring, "set_password", forget)
        connection = await signed_in(service, Person(guarded))
        assert connection.is_connected
        assert "no keyring" in service.sign_ins.store.problem


async def test_no_token_and_no_code_is_in_a_step_a_log_or_the_recorded_messages(
    service: McpService, guarded: Authorization, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    steps: list[SignInStep] = []
    await service.sign_in("web", Person(guarded), stepped=steps.append)
    await service.connection("web").settle()
    assert [step.kind for step in steps] == [
        *("challenge", "resource", "server", "register", "browser", "answer", "token"),
    ]
    assert "canary" not in "\n".join(map(repr, steps))
    assert "canary" not in caplog.text
    assert steps[-1].status == 200


REFRESHES: list[tuple[Answer, str]] = [
    (Answer(503, b"later", TEXT), "used"),
    (Answer(429, b"{}", headers={"retry-after": "5"}), "used"),
    (Answer(200, b"<html>maintenance</html>", HTML), "used"),
    (Answer(302, b"", TEXT, {"location": "/elsewhere"}), "used"),
    (Answer(400, b'{"error": "invalid_request"}'), "used"),
    (Answer(200, b"access_token=canary-new&token_type=bearer", FORM), "renewed"),
    (
        Answer(200, b'{"access_token": "canary-new", "expires_in": 3599.7, "scope": ["a"]}'),
        "renewed",
    ),
    (Answer(400, b'{"error": "invalid_grant"}'), "sign in"),
    (Answer(401, b'{"error": "invalid_client"}'), "sign in"),
    (Answer(200, b"error=unauthorized_client", FORM), "sign in"),
]


def refreshing(guarded: Authorization, given: Answer) -> None:
    """From now on answer each renewal so."""
    usual = guarded.answer

    def answer(request: Request) -> Answer | None:
        return given if b"grant_type=refresh_token" in request.body else usual(request)

    guarded.stub.refuse = answer
    guarded.tokens.append("canary-new")


@pytest.mark.parametrize(("given", "then"), REFRESHES)
async def test_only_a_refused_grant_or_client_asks_for_a_sign_in_again(
    service: McpService,
    guarded: Authorization,
    expected_logs: ExpectedLogs,
    given: Answer,
    then: str,
) -> None:
    expected_logs.allow("its tokens were not renewed")
    expected_logs.allow("Session termination failed")
    connection = await signed_in(service, Person(guarded))
    refreshing(guarded, given)
    await age(service)
    result = await connection.call_tool("echo", {})
    assert result.success == (then != "sign in")
    held = service.sign_ins.store.known("web")
    assert held is not None
    assert (held.access_token == "canary-new") == (then == "renewed")


async def test_a_token_that_ended_while_none_is_issued_says_so_and_is_tried_later(
    service: McpService, guarded: Authorization, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("its tokens were not renewed")
    expected_logs.allow("Session termination failed")
    expected_logs.allow("could not be renewed")
    connection = await signed_in(service, Person(guarded))
    refreshing(guarded, Answer(503, b"later", TEXT))
    guarded.tokens.clear()
    await age(service, -1.0)
    for _ in range(3):
        result = await connection.call_tool("echo", {})
        assert result.error is not None
        assert "its sign-in could not be renewed (127.0.0.1 answered 503)" in result.error.message
        assert "login" not in result.error.message
    asked = [each for each in guarded.stub.seen if b"grant_type=refresh_token" in each.body]
    assert len(asked) == 1


@pytest.mark.parametrize("seconds", [5, 60, 239])
async def test_a_short_token_is_not_renewed_as_soon_as_it_is_made(
    service: McpService, guarded: Authorization, seconds: int
) -> None:
    guarded.expires_in = seconds
    connection = await signed_in(service, Person(guarded))
    assert (await connection.call_tool("echo", {})).success
    assert len(guarded.forms) == 1


@pytest.mark.parametrize("slash", ["", "/"])
async def test_an_issuer_without_a_path_is_the_same_with_and_without_its_slash(
    service: McpService, guarded: Authorization, slash: str
) -> None:
    address = guarded.stub.address
    guarded.resource["authorization_servers"] = [address + slash]
    guarded.metadata["issuer"] = address + ("" if slash else "/")
    guarded.metadata["authorization_response_iss_parameter_supported"] = True
    published = guarded.metadata["issuer"]
    assert (await signed_in(service, Person(guarded, iss=published))).is_connected
    with pytest.raises(SignInError, match="iss mismatch"):  # RFC 9207, 2.4: nothing is normalised
        await service.sign_in("web", Person(guarded, iss=f"{published}/".replace("//", "/")))


async def test_an_issuer_with_a_path_has_to_be_the_very_same(
    service: McpService, guarded: Authorization
) -> None:
    guarded.metadata["issuer"] = f"{guarded.stub.address}/tenant"
    with pytest.raises(SignInError, match="issuer mismatch"):
        await service.sign_in("web", Person(guarded))


@pytest.mark.parametrize(
    ("document", "fields"),
    [
        ("metadata", {"service_documentation": "", "op_tos_uri": "terms.html"}),
        ("metadata", {"scopes_supported": "a b", "code_challenge_methods_supported": "S256"}),
        ("metadata", {"response_types_supported": None, "introspection_endpoint": 7}),
        ("metadata", {"ui_locales_supported": ["en", None, "de"]}),
        ("resource", {"jwks_uri": "", "scopes_supported": "a b"}),
        ("resource", {"resource": "api://made-up"}),
        ("resource", {"resource_name": ["The", "server"], "resource_policy_uri": "none"}),
    ],
)
async def test_one_odd_field_of_metadata_costs_that_field_alone(
    service: McpService, guarded: Authorization, document: str, fields: dict[str, object]
) -> None:
    getattr(guarded, document).update(fields)
    steps: list[SignInStep] = []
    await service.sign_in("web", Person(guarded), stepped=steps.append)
    assert guarded.forms[0]["client_id"] == "made-here"
    kind = "server" if document == "metadata" else "resource"
    step = next(each for each in steps if each.kind == kind)
    assert ("not used: " in step.received) == ("resource" not in fields)


async def test_an_authorization_server_as_text_is_a_list_of_one(
    service: McpService, guarded: Authorization
) -> None:
    guarded.resource["authorization_servers"] = guarded.stub.address
    assert (await signed_in(service, Person(guarded))).is_connected


@pytest.mark.parametrize(
    ("missing", "status"),
    [("oauth-authorization", 404), ("oauth-authorization", 500), (".well-known", 404)],
)
async def test_nothing_is_guessed_where_the_server_names_metadata_that_cannot_be_read(
    service: McpService, guarded: Authorization, missing: str, status: int
) -> None:
    usual = guarded.answer

    def answer(request: Request) -> Answer | None:
        return Answer(status) if missing in request.path else usual(request)

    guarded.stub.refuse = answer
    with pytest.raises(SignInError, match=rf"cannot be read \({status}\)") as raised:
        await service.sign_in("web", Person(guarded))
    assert "attack" not in str(raised.value)
    assert guarded.asked == []
    assert not [each for each in guarded.stub.seen if each.path in {"/register", "/token"}]


async def test_a_fault_of_the_server_is_told_as_a_fault(
    service: McpService, guarded: Authorization
) -> None:
    usual = guarded.answer
    guarded.stub.refuse = lambda each: Answer(502) if "well-known" in each.path else usual(each)
    with pytest.raises(SignInError, match=r"127\.0\.0\.1 answered 502(.|\n)*Try again later"):
        await service.sign_in("web", Person(guarded))


@pytest.mark.parametrize("body", [b"error=bad_code&error_description=It+is+expired.", b"{%s}"])
async def test_a_token_answer_is_read_as_a_form_or_json_and_refuses_in_its_words(
    service: McpService, guarded: Authorization, body: bytes
) -> None:
    told = b'{"error": "bad_code", "error_description": "It is expired."}'
    usual = guarded.answer
    given = Answer(200, told if b"%" in body else body, FORM if b"=" in body else JSON)
    guarded.stub.refuse = lambda each: given if each.path == "/token" else usual(each)
    with pytest.raises(SignInError, match=r"did not issue a token \(It is expired\.\)"):
        await service.sign_in("web", Person(guarded))
    asked = next(each for each in guarded.stub.seen if each.path == "/token")
    assert asked.headers["accept"] == "application/json"


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/.well-known/oauth-protected-resource/mcp", 302),
        ("/.well-known/oauth-authorization-server", 308),
        ("/register", 307),
        ("/token", 307),
    ],
)
async def test_a_redirect_on_the_same_host_is_followed(
    service: McpService, guarded: Authorization, path: str, status: int
) -> None:
    usual = guarded.answer

    def answer(request: Request) -> Answer | None:
        if request.path == path:
            return Answer(status, b"", TEXT, {"location": "/moved" + path})
        if request.path.startswith("/moved"):
            return usual(request._replace(path=request.path.removeprefix("/moved")))
        return usual(request)

    guarded.stub.refuse = answer
    assert (await signed_in(service, Person(guarded))).is_connected


async def test_localhost_is_the_way_back_where_the_address_is_refused(
    service: McpService, guarded: Authorization
) -> None:
    usual = guarded.answer

    def answer(request: Request) -> Answer | None:
        if request.path == "/register" and b"127.0.0.1:9" in request.body:
            return Answer(400, json.dumps({"error": "invalid_redirect_uri"}).encode())
        return usual(request)

    guarded.stub.refuse = answer
    await signed_in(service, Person(guarded))
    assert guarded.asked[0]["redirect_uri"] == "http://localhost:9/callback"
    assert guarded.forms[0]["redirect_uri"] == "http://localhost:9/callback"
    await service.sign_in("web", Person(guarded))
    assert guarded.asked[1]["redirect_uri"] == "http://localhost:9/callback"
    assert sum(each.path == "/register" for each in guarded.stub.seen) == 2  # not again


def refusing_calls(guarded: Authorization, status: int, challenge: str, good: str) -> None:
    """Let everybody in, and carry out calls of one token alone."""
    usual = guarded.answer

    def answer(request: Request) -> Answer | None:
        token = request.headers.get("authorization", "")
        if b"tools/call" in request.body and good not in token:
            return Answer(status, b"", TEXT, {"www-authenticate": challenge})
        return None if request.path == "/mcp" else usual(request)

    guarded.stub.refuse = answer


async def test_a_server_that_refuses_calls_alone_can_be_signed_in_to(
    guarded: Authorization, keyring: MemoryKeyring
) -> None:
    refusing_calls(guarded, 401, guarded.challenge, "canary-access")
    async with ending(McpService(surroundings())) as service:
        service.add_server(guarded.stub.config())
        await service.connect_all()
        assert await service.wants_sign_in("web")
        connection = await signed_in(service, Person(guarded))
        assert (await connection.call_tool("echo", {})).success
        assert not await service.wants_sign_in("web")


async def test_the_scope_that_a_call_wanted_is_asked_for_in_the_next_run(
    service: McpService, guarded: Authorization
) -> None:
    connection = await signed_in(service, Person(guarded))
    wanted = 'Bearer error="insufficient_scope", scope="read write"'
    refusing_calls(guarded, 403, wanted, "canary-access-2")
    assert not (await connection.call_tool("echo", {})).success
    async with ending(McpService(surroundings())) as later:
        later.add_server(guarded.stub.config())
        await later.connect_all()
        assert later.connection("web").is_connected
        assert await later.wants_sign_in("web")
        await signed_in(later, Person(guarded))
        assert set(guarded.asked[-1]["scope"].split()) == {"read", "write"}
        assert not await later.wants_sign_in("web")


@pytest.mark.parametrize("document", ["", "<html></html>", "[]", "{}"])
async def test_an_open_server_needs_no_sign_in(
    guarded: Authorization, keyring: MemoryKeyring, document: str
) -> None:
    guarded.stub.refuse = lambda each: (
        None if each.path == "/mcp" else Answer(200, document.encode())
    )
    async with ending(McpService(surroundings())) as service:
        service.add_server(guarded.stub.config())
        await service.connect_all()
        assert not await service.wants_sign_in("web")
