"""Adds messages to a transcript until it is killed, and says each number once it is written."""

from __future__ import annotations

import asyncio
import sys
from itertools import count
from pathlib import Path

from desktop.features.chat.agent.secrets import SessionSecrets
from desktop.features.chat.agent.transcript import Transcript
from desktop.features.models.messages import UserMessage
from desktop.tools.registry import ToolRegistry
from tests.features.chat.agent.test_session_info import ABOUT


async def main() -> None:
    secrets = SessionSecrets(ToolRegistry())
    transcript = Transcript(Path(sys.argv[1]), ABOUT, secrets, exists=False)
    for number in count():
        transcript.add(UserMessage(f"{number} " + "x" * 5000))
        await transcript.flush()
        sys.stdout.write(f"{number}\n")
        sys.stdout.flush()


asyncio.run(main())
