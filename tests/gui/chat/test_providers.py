from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.config.providers import ProviderSettings
from desktop.errors import DesktopError
from desktop.gui.chat.providers import ModelProviders
from desktop.llm.formats import ApiFormat
from desktop.llm.keys import Keys
from tests.llm.keyring_backend import MemoryKeyring

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.core import Core

SERVER = ProviderSettings(name="local", kind="openai", base_url="http://localhost:1/v1")


@pytest.fixture
def providers(core: Core) -> ModelProviders:
    return ModelProviders(core.store, Keys({"ANTHROPIC_API_KEY": "from-outside"}))
