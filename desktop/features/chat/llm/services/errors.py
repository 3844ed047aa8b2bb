"""What an error of a provider means, from status, body and headers: its kind, and whether to retry.

Its words are found by one function, wherever a provider puts them: in a refusal, in a document that
came with status 200, in an event.

Its codes count before its status: no balance comes as a rate limit or as a wrong key, too long as a
wrong request. Each row of that table has where it is documented, or was reported, and when it was
read.

Pure. What a provider wrote is data: shortened, on one line, without control characters or secrets.
"""

from __future__ import annotations

import json
import math
import re
import time
from email.utils import mktime_tz, parsedate_tz
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias
from urllib.parse import urlsplit

from desktop.base.later_patterns import compile_later
from desktop.base.loopback import is_this_machine
from desktop.base.refusal_words import find_words
from desktop.base.translatable import map_values, translatable
from desktop.features.models.json_values import as_count, as_object, as_objects, as_text, plain_text
from desktop.features.models.model_facts import ModelFacts, named_limit
from desktop.redaction.policy import redact_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.features.chat.llm.completion import Failure

_MAX_LENGTH: Final = 500
TRY_AGAIN: Final = translatable("Try again, or choose another model.")
CHECK_ADDRESS: Final = translatable("Check the address of the provider.")
_STATUS_BY_TYPE: Final = {
    "authentication_error": 401,
    "permission_error": 403,
    "billing_error": 402,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "insufficient_quota": 429,
    "invalid_request_error": 400,
    "overloaded_error": 529,
    "timeout_error": 504,
    "api_error": 500,
    "server_error": 500,
    "internal_server_error": 500,
    "exceed_context_size_error": 400,
    "INVALID_ARGUMENT": 400,
    "RESOURCE_EXHAUSTED": 429,
    "INTERNAL": 500,
    "UNAVAILABLE": 503,
}
"""Errors that come inside a stream have no status of their own."""
_TOO_LONG: Final = compile_later(
    r"context_length_exceeded|prompt is too long|exceed\w* (the |this )?(model'?s? )?"
    r"(max\w* )?(available )?(context|number of tokens|token)|context (window|length|size|limit)"
    r"|input is too long|too many input tokens|maximum context length",
    re.IGNORECASE,
)
_THINKING: Final = compile_later(
    r"signature\W{1,3}in\W{1,3}thinking|thinking.{0,80}(different conversation|cannot be modified)"
    r"|thought.signature is not valid|invalid_encrypted_content",
    re.IGNORECASE,
)
"""Of a provider that does not take thinking back; from the messages of Anthropic ("Preserved
thinking"), Gemini and OpenAI, read 2026-11-27."""
_NO_PICTURES: Final = compile_later(
    r"image input is not supported|mmproj"
    r"|(doesn't|don't|does not|do not|not) support (image|vision)"
    r"|no endpoints found that support image|image_url.{0,60}(not supported|only supported|unknown)"
    r"|unknown variant .{0,3}image_url|(not|is not) a? ?(multimodal|vision) model"
    r"|at most 0 image",
    re.IGNORECASE,
)
"""llama-server, Ollama, OpenRouter, DeepSeek, vLLM, as they say it (seen, or in their issues)."""
_REFUSALS: Final = {400, 404, 415, 422, 500}
_LENGTHS: Final = {400, 422, 500}
_UNKNOWN_FIELD: Final = compile_later(
    r"not permitted|extra_forbidden|extra inputs|unsupported|unrecognized"
    r"|unknown (field|name|param)",
    re.IGNORECASE,
)
_WRONG_KEY: Final = compile_later(
    r"API_KEY_INVALID|api key not valid|api key expired", re.IGNORECASE
)
_ANSWERS: Final = frozenset((
    "choices", "type", "candidates", "content", "output", "usage", "usageMetadata",
    "promptFeedback", "modelVersion",
))  # fmt: skip
"""What a part of an answer has; an object without any that has words is an error."""
_REFUSED, _FAULT = 400, 500
_LONG: Final = 90.0
"""Seconds that nobody waits for a provider by doing nothing."""
_LAST_STATUS: Final = 599
_DELAY: Final = compile_later(r"(\d+(?:\.\d+)?)s")


NOTHING_TOLD: Final = ModelFacts()


class ProviderError(Exception):
    """Why there is no answer. `is_transient`: the same request may succeed later.

    `retry_after` is the number of seconds that the server wants to be left alone, if it says so.
    `facts` are what it tells of the model: its window, that it sees no pictures.
    """

    def __init__(
        self,
        kind: Failure,
        message: str,
        remedy: str = "",
        is_transient: bool = False,
        retry_after: float | None = None,
        *,
        facts: ModelFacts = NOTHING_TOLD,
    ) -> None:
        super().__init__(message)
        self.kind: Failure = kind
        self.message = message
        self.remedy = remedy
        self.is_transient = is_transient
        self.retry_after = retry_after
        self.facts = facts


Meaning: TypeAlias = Literal["credit", "quota", "context", "content", "key", "rate", "overloaded"]
"""No balance; a plan's limit, which says when it ends; too long; a content check; and as HTTP."""

_WORDS: Final[tuple[tuple[Meaning, str], ...]] = (
    # OpenAI, Anthropic, Gemini: their error guides, 2026-11-25.
    ("credit", r"insufficient_quota|credit balance|billing_hard_limit"),
    # DeepSeek, api-docs.deepseek.com/quick_start/error_codes, 2026-11-27 (402); SiliconFlow 30001,
    # 火山方舟 AccountOverdueError: as reported (reviews of 2026-11-25); Baidu, cloud.baidu.com.
    ("credit", r"insufficient.{0,3}balance|balance is insufficient|AccountOverdue|余额不足|欠费"),
    # DashScope, help.aliyun.com/zh/model-studio/error-code, from reports of 2026-11-25.
    (
        "credit",
        r"Arrearage|AllocationQuota\.FreeTierOnly|free tier of the model has been exhausted",
    ),
    # 智谱, docs.bigmodel.cn/cn/api/api-code, 2026-11-27.
    ("credit", r'"code":\s*"?(1113|1309)\b'),
    ("quota", r'"code":\s*"?(1304|1308|1310)\b'),
    ("context", r'"code":\s*"?1261\b|Prompt 超长'),
    ("content", r'"code":\s*"?1301\b'),
    ("rate", r'"code":\s*"?(1302|1303)\b'),
    ("overloaded", r'"code":\s*"?(1305|1312)\b'),
    # Kimi, platform.kimi.com/docs/api/errors, 2026-11-27.
    ("credit", r"exceeded_current_quota"),
    ("content", r"content_filter|considered high risk"),
    ("context", r"exceeded model token limit|input token length too long"),
    # DashScope: as reported on 2026-11-25; Baidu, cloud.baidu.com/doc/qianfan-api, 2026-11-11.
    ("context", r"Range of input length should be|tokens_too_long|characters_too_long"),
    # DeepSeek; DashScope; 火山方舟: as reported on 2026-11-25.
    ("content", r"Content Exists Risk|data_?inspection_?failed|SensitiveContentDetected"),
    # MiniMax, platform.minimaxi.com/docs/api-reference/errorcode, 2026-11-27.
    ("rate", r'"status_code":\s*1002\b'),
    ("key", r'"status_code":\s*(1004|2049)\b'),
    ("credit", r'"status_code":\s*1008\b'),
    ("content", r'"status_code":\s*(1026|1027)\b'),
    ("context", r'"status_code":\s*1039\b'),
    ("overloaded", r'"status_code":\s*(1000|1001|1024|1033)\b'),
)
_NOT_THERE: Final = {404, 405}
"""Of a path that the server does not have, or has for something else."""
_TABLE: Final[tuple[tuple[Meaning, re.Pattern[str]], ...]] = tuple(
    (meaning, compile_later(words, re.IGNORECASE)) for meaning, words in _WORDS
)


def meaning_of(details: str) -> Meaning | None:
    """What a refusal means by its own words; None where they say no more than its status.

    Args: details: the error as JSON, or its text.
    """
    return next((meaning for meaning, words in _TABLE if words.search(details)), None)


def http_error(
    label: str, status: int, body: object = None, headers: Mapping[str, str] | None = None
) -> ProviderError:
    """The error of an answer with an error status, or of an error inside a stream (status 0).

    Args:
        label: what the provider is called in the sentence.
        status: of HTTP; below 300 it is taken from the type that the body names.
        body: the error as JSON of whichever provider, or its text.
        headers: for `Retry-After`, `retry-after-ms` and `x-should-retry`; names in lower case.
    """
    if as_text(as_object(body).get("jsonrpc")):
        return rejected_answer(label, translatable("a message of JSON-RPC, as MCP servers send it"))
    error = _error_object(body)
    words = find_words(body)
    if status < 300:
        # One of no known kind is a refusal where it has words: the same is not sent again.
        status = _status_in(error) or (_REFUSED if words else _FAULT)
    details = json.dumps(error, default=str)[:20_000] if error else as_text(body)[:20_000]
    return _classify(
        label, status, shorten(words) or f"HTTP status {status}", details, headers or {}
    )


def event_error(label: str, event: Mapping[str, Any], name: str = "") -> ProviderError | None:
    """The error that an event or a document is in place of an answer; None where it is none.

    Args: name: what the event is called.
    """
    is_said = bool(event.get("error")) or "error" in (name, event.get("object"))
    is_said = is_said or as_count(as_object(event.get("base_resp")).get("status_code")) > 0
    if not is_said and (event.keys() & _ANSWERS or not find_words(event)):
        return None
    return http_error(label, 0, event)


def _status_in(error: Mapping[str, Any]) -> int:
    """The status that an error names, as a number or by its kind; 0 where it names none."""
    for key in ("code", "status", "status_code", "type"):
        value = error.get(key)
        number = int(value) if isinstance(value, str) and value.isdecimal() else as_count(value)
        if _REFUSED <= number <= _LAST_STATUS:
            return number
        if isinstance(value, str) and value in _STATUS_BY_TYPE:
            return _STATUS_BY_TYPE[value]
    return 0


def _classify(
    label: str, status: int, said: str, details: str, headers: Mapping[str, str]
) -> ProviderError:
    after = read_retry_after(headers, details)
    meaning = meaning_of(details)
    if status in _REFUSALS and (adjusted := _about_model(status, said, details)) is not None:
        return adjusted
    if meaning in {"credit", "quota"} and not (status == 429 and after is not None):
        return _no_credit(label, said, is_over_soon=meaning == "quota")
    if meaning == "content":
        return ProviderError(
            "request",
            translatable(
                "The content check of {label} refused this: {said}", label=label, said=said
            ),
            translatable("Change the question or the tool result, or use another provider."),
        )
    if status == 413 or meaning == "context" or (status in _LENGTHS and _TOO_LONG.search(details)):
        return ProviderError(
            "context",
            translatable(
                "The conversation is too long for {label}: {said}", label=label, said=said
            ),
            translatable("Start a new conversation, or select fewer tools."),
            facts=ModelFacts(named_limit(f"{said} {details}")),
        )
    is_key = status in {401, 403} or (status == 400 and _WRONG_KEY.search(details))
    if is_key or meaning == "key":
        return ProviderError(
            "key",
            translatable("{label} did not accept the key: {said}", label=label, said=said),
            translatable("Check or replace the key."),
        )
    if status == 402:
        return _no_credit(label, said)
    if meaning == "rate":
        status = 429
    elif meaning == "overloaded":
        status = 503
    should = {"true": True, "false": False}.get(headers.get("x-should-retry", ""))
    return _by_status(label, status, said, after, should)


def _about_model(status: int, said: str, details: str) -> ProviderError | None:
    """A refusal that tells something of the model: the same is sent otherwise, once."""
    if _NO_PICTURES.search(details):
        return ProviderError(
            "request",
            translatable("This model does not see pictures: {said}", said=said),
            translatable("Choose another model, or ask without the picture."),
            facts=ModelFacts(sees=False),
        )
    if "reasoning_content" in details:
        is_wanted = not _UNKNOWN_FIELD.search(details)
        return ProviderError(
            "request",
            translatable("The model did not take back what it thought: {said}", said=said),
            translatable("Start a new conversation."),
            facts=ModelFacts(reasoning=is_wanted),
        )
    if status == 400 and _THINKING.search(details):
        message = translatable("The model did not take back what it thought: {said}", said=said)
        return ProviderError("thinking", message, translatable("Start a new conversation."))
    return None


def _no_credit(label: str, said: str, *, is_over_soon: bool = False) -> ProviderError:
    if is_over_soon:
        message = translatable(
            "The limit of your plan at {label} is used up: {said}", label=label, said=said
        )
        return ProviderError(
            "rate", message, translatable("Wait until it is renewed, or use another provider.")
        )
    message = translatable(
        "{label} reports no remaining credit for this key: {said}", label=label, said=said
    )
    return ProviderError(
        "rate", message, translatable("Check the plan and the balance of the account.")
    )


def _by_status(
    label: str, status: int, said: str, after: float | None, should: bool | None
) -> ProviderError:
    """What the status alone says. Args: should: whether the server wants it sent again."""
    if status == 429:
        remedy = translatable("Wait a little, or choose another model.")
        if after is not None and after > _LONG:
            again = time.strftime("%H:%M", time.localtime(time.time() + after))
            remedy = translatable(
                "It answers again in {minutes} minutes, at {time}. Or choose another model.",
                minutes=math.ceil(after / 60),
                time=again,
            )
        message = translatable("{label} rate limit reached: {said}", label=label, said=said)
        return ProviderError("rate", message, remedy, should is not False, after)
    if status in {503, 529}:
        message = translatable("{label} is overloaded: {said}", label=label, said=said)
        return ProviderError(
            "overloaded", message, translatable("Try again later."), should is not False, after
        )
    if status >= 500 or status in {408, 409}:
        message = translatable("{label} failed: {said}", label=label, said=said)
        return ProviderError(
            "provider", message, translatable("Try again later."), should is not False, after
        )
    remedy = ""
    if status in _NOT_THERE:
        remedy = translatable("Check the model and the address of the provider.")
    return ProviderError(
        "request",
        translatable("{label} refused the request: {said}", label=label, said=said),
        remedy,
        should is True,
        after,
    )


def connection_error(
    label: str, error: Exception, address: str = "", *, was_open: bool = False
) -> ProviderError:
    """The error of a connection that was not made, or broke.

    Args:
        label: what the provider is called in the sentence.
        error: what happened.
        address: of the server.
        was_open: whether something came of the answer.
    """
    cause = shorten(str(error)) or type(error).__name__
    if was_open:
        message = translatable("The connection to {label} broke off.", label=label)
        return ProviderError("connection", message, translatable("Try again."), is_transient=True)
    if address and is_this_machine(urlsplit(address).hostname or ""):
        message = translatable("Nothing listens at {address}.", address=address)
        remedy = translatable("Is the model's server running?")
        return ProviderError("connection", message, remedy, is_transient=True)
    if address:
        label = translatable("{label} ({address})", label=label, address=address)
    message = translatable(
        "{label} could not be reached, or the connection was lost: {cause}",
        label=label,
        cause=cause,
    )
    remedy = translatable("Check the network and the address of the provider.")
    return ProviderError("connection", message, remedy, is_transient=True)


def silence_error(label: str, seconds: float) -> ProviderError:
    """The error of a provider that sent no byte for too long."""
    message = translatable(
        "{label} sent nothing for {seconds:g} seconds.", label=label, seconds=seconds
    )
    return ProviderError("timeout", message, TRY_AGAIN)


def rejected_answer(label: str, why: str) -> ProviderError:
    """The error of an answer that is not one; `why` may be in the words of a stranger."""
    message = translatable(
        "{label} sent what is not an answer: {why}", label=label, why=map_values(why, shorten)
    )
    return ProviderError("provider", message, CHECK_ADDRESS)


def shorten(text: str) -> str:
    """What a provider wrote, as part of a sentence: one line, no control characters, no secret."""
    line = redact_text(" ".join(plain_text(text[: 4 * _MAX_LENGTH]).split()))
    return line if len(line) <= _MAX_LENGTH else line[: _MAX_LENGTH - 1] + "…"


def read_retry_after(headers: Mapping[str, str], details: str = "") -> float | None:
    """Seconds that a server wants to be left alone: from a header, or as Google does, the error."""
    for name, divisor in (("retry-after-ms", 1000), ("retry-after", 1)):
        if (seconds := _number(headers.get(name, ""))) is not None:
            return max(0.0, seconds / divisor)
    if (date := parsedate_tz(headers.get("retry-after", ""))) is not None:
        try:
            return max(0.0, mktime_tz(date) - time.time())
        except (ValueError, OverflowError):
            return None
    if "retryDelay" in details:
        found = _DELAY.search(details.partition("retryDelay")[2])
        return _number(found[1]) if found else None
    return None


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _error_object(body: object) -> dict[str, Any]:
    """The innermost `error` of a body; Google sends a list with one in streams."""
    found = next(iter(as_objects(body)), None) or as_object(body)
    return as_object(found.get("error")) or as_object(found.get("base_resp")) or found
