from __future__ import annotations

import pytest

from desktop.features.models.model_facts import documented


@pytest.mark.parametrize(
    ("model", "tokens"),
    [
        ("claude-sonnet-4-5", 200_000),
        ("gpt-5-mini", 400_000),
        ("gpt-4.1-nano", 1_047_576),
        ("gpt-4o-mini", 128_000),
        ("openai/gpt-4o", 128_000),
        ("gpt-4", 8_192),
        ("gpt-4-0613", 8_192),
        ("o3-mini", 200_000),
        ("o1-preview", 128_000),
        ("models/gemini-2.5-pro", 1_048_576),
        ("gemini-1.5-pro-002", 2_097_152),
        ("deepseek-chat", 1_000_000),
        ("qwen3-max", 262_144),
        ("qwen3-coder-plus", 1_000_000),
        ("qwen-plus-latest", 131_072),
        ("kimi-k2.6", 262_144),
        ("moonshotai/Kimi-K2-Instruct", 131_072),
        ("glm-4.6", 200_000),
        ("doubao-seed-1-6-251015", 256_000),
        ("MiniMax-M2", 204_800),
        ("Pro/deepseek-ai/DeepSeek-V3.2", 131_072),
        ("Qwen/Qwen3-235B-A22B-Instruct-2507", 262_144),
        ("llama3.1", 0),
        ("deepseek-r1:8b", 0),
        ("", 0),
        ("o3x", 0),
    ],
)
def test_a_window_is_known_by_the_name_of_the_model(model: str, tokens: int) -> None:
    assert documented(model).window == tokens
