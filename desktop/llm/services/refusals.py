"""What a provider's own words and codes mean, where its HTTP status says another thing.

No balance comes as a rate limit or a wrong key, too long as a wrong request, and MiniMax refuses
with status 200. Each row has where it is documented, or was reported, and when that was read. Pure.
"""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias

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
_TABLE: Final[tuple[tuple[Meaning, re.Pattern[str]], ...]] = tuple(
    (meaning, re.compile(words, re.IGNORECASE)) for meaning, words in _WORDS
)


def meaning_of(details: str) -> Meaning | None:
    """What a refusal means by its own words; None where they say no more than its status.

    Args: details: the error as JSON, or its text.
    """
    return next((meaning for meaning, words in _TABLE if words.search(details)), None)
