"""The documents of a sign-in as the SDK reads them: one odd field costs that field alone.

The SDK's models refuse the whole of a document for an optional field that nobody uses, and know no
token answers but JSON. What they would refuse is made to fit, or left out, before they see it; what
is required and not there stays missing. Source: RFC 6749, 5.1 and 5.2; RFC 7591, 8414, 9728.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl, urlsplit

import httpx2
from mcp.client.auth.utils import issuers_match
from mcp.shared.auth import (
    OAuthClientInformationFull,
    OAuthMetadata,
    OAuthToken,
    ProtectedResourceMetadata,
)
from pydantic import ValidationError

from desktop.values.json_schema import list_of, object_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import BaseModel
    from pydantic_core import ErrorDetails

    from desktop.servers.oauth.steps import StepKind

_MODELS: Final[Mapping[StepKind, type[BaseModel]]] = {
    "resource": ProtectedResourceMetadata,
    "server": OAuthMetadata,
    "register": OAuthClientInformationFull,
    "token": OAuthToken,
}
_MAX_ROUNDS: Final = 4
_REFUSED: Final = 400
_MAX_NUMBER: Final = 1e15
_FORM: Final = "application/x-www-form-urlencoded"


def readable(
    kind: StepKind, answer: httpx2.Response, url: str = "", issuer: str = ""
) -> tuple[httpx2.Response, list[str]]:
    """An answer as the SDK can read it, and the names of the fields that it could not.

    Args:
        kind: what was asked for.
        answer: read to its end.
        url: the MCP server's.
        issuer: the authorization server that its metadata named; empty where none did.
    """
    found, is_token = said(answer), kind == "token"
    if not found or not (answer.is_success or is_token) or kind not in {*_MODELS, "device"}:
        return answer, []
    status = answer.status_code
    if is_token and answer.is_success and "error" in found and "access_token" not in found:
        status = _REFUSED  # GitHub refuses with 200
    odd: list[str] = []
    if (model := _MODELS.get(kind)) is not None and status < _REFUSED:
        _mend_required(kind, found, url, issuer)
        found, odd = _fitted(model, found)
    return _with_content(answer, status, found), odd


def said(answer: httpx2.Response) -> dict[str, Any]:
    """The fields of an answer that is JSON or a form; none where it is neither."""
    with suppress(ValueError, RecursionError):
        return dict(object_of(json.loads(answer.content)))
    kind, text = answer.headers.get("content-type", ""), answer.text.strip()
    is_form = _FORM in kind or (text[:1].isalpha() and not set(text) & set("<{ \n"))
    return dict(parse_qsl(text)) if is_form else {}


def _with_content(answer: httpx2.Response, status: int, found: object) -> httpx2.Response:
    headers = {"content-type": "application/json"}
    if nonce := answer.headers.get("dpop-nonce"):
        headers["dpop-nonce"] = nonce
    content = json.dumps(found).encode()
    return httpx2.Response(status, headers=headers, content=content, request=answer.request)


def _mend_required(kind: StepKind, found: dict[str, Any], url: str, issuer: str) -> None:
    match kind:
        case "server":
            # RFC 3986, 6.2.3: without a path, it is the same with and without its slash.
            named = found.get("issuer")
            if issuer and isinstance(named, str) and issuers_match(named, issuer):
                found["issuer"] = issuer
        case "resource":
            resource, servers = found.get("resource"), found.get("authorization_servers")
            if isinstance(resource, str) and urlsplit(resource).scheme not in {"http", "https"}:
                found["resource"] = url  # the name of an API at its authorization server
            if isinstance(servers, str):
                found["authorization_servers"] = [servers]
        case "token":
            words = str(found.get("token_type") or "Bearer").split()
            if words and words[0].lower() in {"bearer", "dpop"}:
                found["token_type"] = words[0]
            seconds = found.get("expires_in")
            if isinstance(seconds, int | float) and seconds <= 0:
                del found["expires_in"]
        case _:
            pass


def _fitted(model: type[BaseModel], found: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    odd: dict[str, None] = {}
    for _ in range(_MAX_ROUNDS):
        try:
            model.model_validate(found)
        except ValidationError as error:
            wrong = [each for each in error.errors() if each["loc"] and each["loc"][0] in found]
            if not wrong:
                break
            # From the end, so that the numbers of a list's other items stay as they are.
            for each in reversed(wrong):
                odd[str(each["loc"][0])] = None
                _fit(found, each)
        else:
            break
    return found, list(odd)


def _fit(found: dict[str, Any], wrong: ErrorDetails) -> None:
    """Make one value fit, or leave it out."""
    name, kind = str(wrong["loc"][0]), wrong["type"]
    if name not in found:
        return
    value = found[name]
    item = wrong["loc"][1] if len(wrong["loc"]) > 1 else None
    items = list_of(value)
    if isinstance(item, int) and item < len(items):
        del items[item]
    elif kind == "list_type" and isinstance(value, str):
        found[name] = value.split()
    elif kind == "string_type" and isinstance(value, list):
        found[name] = " ".join(map(str, items))
    elif kind == "string_type" and isinstance(value, int | float):
        found[name] = str(value)
    elif kind.startswith("int_") and _is_finite(value):
        found[name] = int(float(value))
    else:
        del found[name]


def _is_finite(value: object) -> bool:
    try:
        return isinstance(value, str | int | float) and abs(float(value)) < _MAX_NUMBER
    except ValueError:
        return False
