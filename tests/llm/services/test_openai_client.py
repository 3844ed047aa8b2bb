"""The client of OpenAI, and what its errors mean."""

from __future__ import annotations

import openai

from desktop.llm.services.openai_client import connect, fault


async def test_the_client_does_not_try_again_by_itself() -> None:
    client = connect("sk-1", "http://127.0.0.1:1/v1")
    assert client.max_retries == 0
    assert str(client.base_url) == "http://127.0.0.1:1/v1/"
    await client.close()


def test_an_error_that_is_not_of_the_sdk_is_none() -> None:
    assert fault(ValueError("x"), "x") is None
    found = fault(openai.OpenAIError("no"), "x")
    assert found
    assert found.kind == "provider"
