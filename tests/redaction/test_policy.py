"""One policy for everybody who shows, stores or hands on names and values."""

from __future__ import annotations

import time

import pytest

from desktop.redaction.policy import (
    PLACEHOLDER,
    find_secret_values,
    is_secret_name,
    is_secret_schema,
    is_secret_value,
    is_worth_hiding,
    redact_text,
    split_words,
)

SECRET = "s3cr3t-v4lue"

# Name; hidden from who looks at it, as an argument of a tool, from servers that inherit it.
NAMES = """
password               yes yes yes
dbPassword             yes yes yes
PGPASSWORD             yes yes yes
MYSQL_PWD              yes yes yes
passwords              yes yes yes
passwd                 yes yes yes
passcode               yes yes yes
bearer                 yes yes yes
jwt                    yes yes yes
otp                    yes yes yes
apikeys                yes yes yes
credential             yes yes yes
cookies                yes yes yes
secrets                yes yes yes
passphrase             yes yes yes
password2              yes yes yes
passwordConfirmation   yes yes yes
password_value         yes yes yes
password_text          yes yes yes
secret_string          yes yes yes
passwordConfirm        yes yes yes
password_repeat        yes yes yes
password_again         yes yes yes
secret_hex             yes yes yes
secret_base64          yes yes yes
credentials_pem        yes yes yes
secret                 yes yes yes
client_secret          yes yes yes
clientsecret           yes yes yes
token                  yes yes yes
GITHUB_TOKEN           yes yes yes
github_token           yes yes yes
accessToken            yes yes yes
authtoken              yes yes yes
HF_TOKENS              yes yes yes
apiKey                 yes yes yes
API Key                yes yes yes
X-API-Key              yes yes yes
APIKey                 yes yes yes
OPENAI_API_KEY         yes yes yes
client_key             yes yes yes
private_key            yes yes yes
secretKey              yes yes yes
SIGNING_KEY            yes yes yes
credentials            yes yes yes
cookie                 yes yes yes
dsn                    yes yes yes
Authorization          yes yes yes
githubPat              yes yes yes
SMTP_PASS              yes yes yes
REDISCLI_AUTH          yes yes yes
npm_config__auth       yes yes yes
SLACK_WEBHOOK_URL      yes no  yes
auth                   yes yes no
pin                    yes yes no
private                yes yes no
signature              yes yes no
auth_mode              yes no  no
oauth                  yes no  no
authentication         yes no  no
session                yes no  no
sessions               yes no  no
sessionid              yes no  no
sessid                 yes no  no
session_id             yes no  no
Mcp-Session-Id         yes no  no
sig                    yes no  no
key                    yes no  yes
issue_key              yes no  yes
sslkey                 yes yes yes
token_url              yes no  yes
secret_name            yes no  yes
password_hint          yes no  yes
AWS_PROFILE            no  no  yes
PWD                    yes yes no
SSH_AUTH_SOCK          yes no  no
XDG_SESSION_ID         yes no  no
DBUS_SESSION_BUS_ADDRESS yes no no
XAUTHORITY             no  no  no
KEYBOARD               no  no  no
monkey                 no  no  no
hotkeys                no  no  no
keyboard               no  no  no
keywords               no  no  no
author                 no  no  no
author_name            no  no  no
tokens                 no  no  no
max_tokens             no  no  no
maxTokens              no  no  no
TOKENIZERS_PARALLELISM no  no  no
tokenizer              no  no  no
token_count            no  no  no
token_count_total      no  no  no
pass_count             yes no  no
progressToken          no  no  no
page_token             no  no  no
nextPageToken          no  no  no
primaryKey             no  no  no
PUBLIC_KEY             no  no  no
secretary              no  no  no
passwordless           no  no  no
pass                   yes yes no
KeyError               no  no  no
key_errors             no  no  no
token_exception        no  no  no
secret_warning         no  no  no
auth_error             no  no  no
compass                no  no  no
pattern                no  no  no
PATH                   no  no  no
LOG_LEVEL              no  no  no
COMPATIBLE             no  no  no
HOME                   no  no  no
"""


@pytest.mark.parametrize("line", NAMES.strip().splitlines())
def test_what_a_name_means_for_each_user(line: str) -> None:
    name, *users = line.rsplit(maxsplit=3)
    shown, argument, inherited = (user == "yes" for user in users)
    assert is_secret_name(name) is shown
    assert (redact_text(f"{name}=s3cr3tValue") != f"{name}=s3cr3tValue") is shown or " " in name
    assert is_secret_name(name, "argument") is argument
    assert is_secret_name(name, "inherited") is inherited


def test_a_long_name_is_judged_by_its_end() -> None:
    assert is_secret_name("x" * 10_000 + "_password")
    assert is_secret_name("token_" + "x" * 194)
    assert not is_secret_name("token_" + "x" * 195)


def test_names_are_read_in_every_spelling() -> None:
    names = ("apiKey", "api-key", "API Key", "api.key", "API_KEY", "APIKey2")
    assert {tuple(split_words(name)) for name in names} == {("api", "key")}


def test_a_schema_can_say_so_itself() -> None:
    assert is_secret_schema({"type": "string", "writeOnly": True})
    assert is_secret_schema({"type": "string", "format": "password"})
    assert not is_secret_schema({"type": "string", "format": "email", "writeOnly": "yes"})


@pytest.mark.parametrize(
    "text",
    ["Bearer abcdefghij", "ghp_0123456789abcdefghij", "sk-proj-0123456789abc",
     "AKIAIOSFODNN7EXAMPLE", "hf_abcdefghijklm",
     " eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc", "-----BEGIN RSA PRIVATE KEY-----\nMIIE"],
)  # fmt: skip
def test_values_in_the_form_of_keys_are_known(text: str) -> None:
    assert is_secret_value(text)


@pytest.mark.parametrize(
    "text", ["bearer of news", "sk-short", "hello", "", "basic ideas", "task-force-headquarters"]
)
def test_other_values_are_not(text: str) -> None:
    assert not is_secret_value(text)


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("error: token=s3cr3tValue", "s3cr3tValue"),
        ("GET https://host/x?access_token=value failed", "value"),
        ("url=https://host/?a=1&api_key=value&b=2", "value"),
        ("postgres://me:p@ss@host/db", "p@ss"),
        ("dump me:hunter22@db.example.org", "hunter22"),
        ("Authorization: Bearer s3cr3tValue", "s3cr3tValue"),
        ('{"api_key": "s3cr3tValue"}', "s3cr3tValue"),
        (r'"{\"password\": \"s3cr3tValue\"}"', "s3cr3tValue"),
    ],
)
def test_credentials_within_a_text_that_is_kept_are_found(text: str, secret: str) -> None:
    assert find_secret_values(text) == [secret]


@pytest.mark.parametrize(
    "text",
    ["token = next(tokens)", "password: string", "https://me@host/x", "page_token=abc12345",
     "token=all_of_them", "token=12345678",
     "key=issue-1234", "the token is 1234 long", "time: 12:30:45"],
)  # fmt: skip
def test_a_program_or_prose_that_is_kept_has_no_credentials(text: str) -> None:
    assert find_secret_values(text) == []


def test_a_secret_is_found_beside_the_signs_of_all_others() -> None:
    signs = "sk- gh glpat- xox AKIA AIza hf_ npm_ eyJ -----BEGIN "
    secret = "ghp_" + "a1B2" * 9
    assert secret in find_secret_values(f"{signs} {secret}")


@pytest.mark.parametrize(
    "secret",
    ["sk-0123456789", *(f"gh{kind}_0123456789" for kind in "pousr"), "github_pat_0123456789",
     "glpat-0123456789", *(f"xox{kind}-0123456789" for kind in "abeprs"), "AKIAIOSFODNN7EXAMPLE",
     "AIza0123456789", "hf_0123456789", "npm_0123456789", "eyJhbGciOiJI.eyJzdWIiOiIx.abc",
     "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----"],
)  # fmt: skip
def test_each_form_of_a_key_is_found_where_nothing_else_is(secret: str) -> None:
    assert redact_text(f"a {secret} b") == f"a {PLACEHOLDER} b"
    assert find_secret_values(f"a {secret} b") == [secret]


def test_keys_within_a_text_are_found_alone() -> None:
    pem = "-----BEGIN EC PRIVATE KEY-----\nMHcC-AQ\n-----END EC PRIVATE KEY-----"
    assert find_secret_values(f"use ghp_0123456789 and {pem} there") == ["ghp_0123456789", pem]


@pytest.mark.parametrize(
    "text",
    [
        f"Authorization: Bearer {SECRET}",
        f"'authorization': 'Bearer {SECRET}'",
        f'{{"Authorization": "Basic {SECRET}"}}',
        f"bearer {SECRET}",
        f"token={SECRET}",
        f"GITHUB_TOKEN={SECRET}",
        f"MY_API_KEY: {SECRET}",
        f"apikey='{SECRET}'",
        f"X-Api-Key: {SECRET}",
        f"https://host/mcp?access_token={SECRET}&a=b",
        f"https://host/mcp?api_key={SECRET}",
        f"client_secret = {SECRET}",
        f"password:{SECRET}",
        f"passphrase={SECRET}",
        f"credentials: {SECRET}",
        f"Set-Cookie: {SECRET}",
        f"https://user:{SECRET}@host/mcp",
        f"https://user:p@{SECRET}@host/mcp",
        f"https://{SECRET}@host/mcp",
        f"me:{SECRET}@db.example",
        f"GET /callback?code={SECRET}0 failed",
        f"grant_type=authorization_code&code={SECRET}0&x=1",
        f"npx server --api-key {SECRET} --port 1",
        f'{{"access_token": "{SECRET}"}}',
        f'{{"password": "two words, {SECRET}"}}',
        f'{{"password": "a \\"quoted\\" {SECRET}"}}',
        rf'"{{\"access_token\": \"{SECRET}\"}}"',
        f"an sk-{SECRET}",
        f'{{"cut": 1, "password":"{SECRET}", "x": 1}}',
    ],
)
def test_what_looks_like_a_secret_is_taken_out_of_a_text(text: str) -> None:
    redacted = redact_text(f"before {text} after")
    assert SECRET not in redacted
    assert PLACEHOLDER in redacted
    assert redacted.startswith("before ")
    assert redacted.endswith(" after")
    assert redact_text(redacted) == redacted


@pytest.mark.parametrize(
    "text",
    [
        "server plain did not end within 5 s",
        "used 1234 tokens of 8000",
        "the token bucket is full",
        "http://127.0.0.1:8000/mcp answers 404",
        "The tool: reads a file. Key points: none. 12:30 a=1; see https://host/path?page=2",
        '{"auth": true, "token": null, "password": ""}',
        "KeyError: 'some_name'",
        "INFO desktop.servers.session: started plain",
        "mail me@host or http://host?mail=a@b",
    ],
)
def test_other_texts_are_left_alone(text: str) -> None:
    assert redact_text(text) == text


@pytest.mark.parametrize(
    "value",
    ["true", "false", "none", "null", "auto", "basic", "bearer", "default", "disabled", "Enabled"],
)
def test_a_setting_under_a_secret_name_is_no_secret(value: str) -> None:
    text = f"auth={value} and --token {value} there"
    assert redact_text(text) == text
    assert not is_worth_hiding(value)


def test_only_what_is_long_enough_to_be_searched_for_is() -> None:
    assert [is_worth_hiding(value) for value in ("abc", "abcd")] == [False, True]


def test_an_address_is_shown_without_its_secrets() -> None:
    shown = "https://‹redacted›@host/mcp?api_key=‹redacted›&page=2"
    assert redact_text("https://me:pw@host/mcp?api_key=1&page=2") == shown


@pytest.mark.parametrize(
    "text",
    [
        "a" * 300_000,
        "a " * 150_000,
        "token" + " " * 300_000,
        "\\" * 9_999,
        "://" * 100_000,
        "eyJ" * 100_000,
        "-----BEGIN PRIVATE KEY-----" * 10_000,
        'token="' * 40_000,
        "--token " * 40_000,
        "token=" * 50_000,
        "://a:" * 60_000,
        "?token=" * 40_000,
        "a=\\\\" * 50_000,
    ],
)
def test_hostile_text_takes_linear_time(text: str) -> None:
    began = time.process_time()
    redact_text(text)
    find_secret_values(text)
    assert time.process_time() - began < 5  # quadratic would take minutes


@pytest.mark.parametrize(
    ("url", "secret"),
    [
        ("https://mcp.api-inference.modelscope.net/e379dad7f02c4b/sse", "e379dad7f02c4b"),
        ("https://mcp.zapier.com/api/mcp/s/ZDk4YjQ0NzQtMGQ4Ny00/mcp", "ZDk4YjQ0NzQtMGQ4Ny00"),
        ("https://mcp.composio.dev/github/0f1e2d3c-aaaa-4bbb?x=1", "0f1e2d3c-aaaa-4bbb"),
        ("https://remote.mcp.pipedream.net/u-0123456789ab/slack", "u-0123456789ab"),
    ],
)
def test_an_address_that_belongs_to_one_person_is_a_secret(url: str, secret: str) -> None:
    assert find_secret_values(url) == [secret]
    assert secret not in redact_text(f"GET {url} 401")


@pytest.mark.parametrize(
    "url",
    [
        "https://api-inference.modelscope.cn/v1/chat/completions",
        "https://github.com/a/b/commit/e379dad7f02c4b0123456789abcdef",
        "https://mcp.zapier.com/api/mcp/servers-of-a-team",
        "https://zapier.com.example/0123456789abcdef",
    ],
)
def test_an_address_of_all_is_none(url: str) -> None:
    assert find_secret_values(url) == []
    assert redact_text(url) == url
