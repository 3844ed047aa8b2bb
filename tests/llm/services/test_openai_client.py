"""The client of OpenAI, and what its errors mean."""

from __future__ import annotations

import openai

from desktop.llm.services.openai_client import OpenAIClient

CLIENT = OpenAIClient("x", "X", "http://127.0.0.1:1/v1")


async def test_the_client_does_not_try_again_by_itself() -> None:
    client = CLIENT.connect("sk-1")
    assert client.max_retries == 0
    assert str(client.base_url) == "http://127.0.0.1:1/v1/"
    await client.close()


def test_an_error_that_is_not_of_the_sdk_is_none() -> None:
    assert CLIENT.fault(ValueError("x")) is None
    found = CLIENT.fault(openai.OpenAIError("no"))
    assert found
    assert found.kind == "provider"
