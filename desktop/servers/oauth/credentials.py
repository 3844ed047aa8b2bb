"""What a sign-in brought, and where it is kept: in the keyring of the desktop, by server.

Without a keyring it is kept in memory alone, for this run, and that is said. Never in a file, a log
or an error. Source: MCP specification, basic/authorization, token handling.
"""

from __future__ import annotations

import json
import logging
import time
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from desktop.config.keyring_access import (
    KeyringError,
    call_keyring,
    delete_from_keyring,
    no_keyring,
    read_keyring,
    write_keyring,
)

if TYPE_CHECKING:
    from typing import Self

logger = logging.getLogger(__name__)

SERVICE: Final = "mcp-desktop sign-ins"
PART_LENGTH: Final = 1_000
"""Characters of one entry: Windows keeps 1,280, and two tokens with their frame may take more."""
MAX_PARTS: Final = 64
EARLY: Final = 60.0
"""Seconds before its end that a token is renewed: it has to be valid when it arrives."""
EARLY_SHARE: Final = 0.25
"""Of its lifetime at most: one of a minute would end as it is made."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """The tokens of one server, and what renewing and giving them back takes.

    `url` is the server's; the tokens go to its origin alone. `expires_at` is in seconds since the
    epoch, None where the server did not say. `resource` is the resource indicator (RFC 8707) that
    they were asked with, empty where there was none. `is_registered`: the client was made for this
    app by the authorization server, and may be used for the next sign-in. `proof_key`: the tokens
    are bound to it, and each request has to prove it (RFC 9449); empty where they are not.
    `lifetime` is in seconds, 0 where the server did not say. `refusal` is the `WWW-Authenticate` of
    a message that these tokens were not enough for: what the next sign-in has to ask for.
    """

    url: str
    issuer: str
    client_id: str
    access_token: str = field(repr=False)
    refresh_token: str = field(default="", repr=False)
    expires_at: float | None = None
    scope: str = ""
    resource: str = ""
    token_endpoint: str = ""
    revocation_endpoint: str = ""
    client_secret: str = field(default="", repr=False)
    client_auth: str = "none"
    redirect_uri: str = ""
    is_registered: bool = False
    proof_key: str = field(default="", repr=False)
    lifetime: float = 0.0
    refusal: str = ""

    @property
    def is_expiring(self) -> bool:
        """Whether it has ended, or ends before it could arrive."""
        early = min(EARLY, self.lifetime * EARLY_SHARE) if self.lifetime else EARLY
        return self.expires_at is not None and time.time() > self.expires_at - early

    @property
    def has_ended(self) -> bool:
        return self.expires_at is not None and time.time() > self.expires_at

    @property
    def can_be_renewed(self) -> bool:
        return bool(self.refresh_token and self.token_endpoint)

    @property
    def secrets(self) -> frozenset[str]:
        """The values that must be in no record of any kind."""
        tokens = (self.access_token, self.refresh_token)
        return frozenset(filter(None, (*tokens, self.client_secret, self.proof_key)))

    def belongs_to(self, url: str) -> bool:
        """Whether they were given for this server: scheme, host and port are the same."""
        return origin(url) == origin(self.url)

    def to_text(self) -> str:
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def from_text(cls, text: str) -> Self | None:
        """None for what is no such thing, or of a version that had other fields."""
        try:
            fields: dict[str, Any] = json.loads(text)
            return cls(**fields)
        except (TypeError, ValueError):
            return None


def origin(url: str) -> tuple[str, str, int | None]:
    """Scheme, host and port of an address, the usual port of its scheme filled in."""
    parts = urlsplit(url)
    usual = {"https": 443, "http": 80}.get(parts.scheme)
    return parts.scheme, (parts.hostname or "").lower(), parts.port or usual


class CredentialStore:
    """Keeps the credentials of servers by their names.

    `problem` says why they are kept for this run alone; it is empty where the keyring has them.
    """

    def __init__(self) -> None:
        self.problem = ""
        self._known: dict[str, Credentials | None] = {}

    def known(self, server: str) -> Credentials | None:
        """What of a server has been read already; the keyring is not asked."""
        return self._known.get(server)

    async def load(self, server: str, *, afresh: bool = False) -> Credentials | None:
        """The credentials of a server. A keyring that does not answer has none, and says why.

        Args: afresh: read them anew: another process may have renewed them.
        """
        if server not in self._known or afresh:
            try:
                text = await call_keyring(lambda: _read(server))
            except KeyringError as error:
                self._note(error)
                return self._known.get(server)
            found = Credentials.from_text(text) if text else None
            if found is not None or not self.problem:
                self._known[server] = found
        return self._known.get(server)

    async def keep(self, server: str, credentials: Credentials) -> None:
        """Keep them; where the keyring does not, for this run alone."""
        self._known[server] = credentials
        try:
            await call_keyring(lambda: _write(server, credentials.to_text()))
            self.problem = ""
        except KeyringError as error:
            self._note(error)

    async def delete(self, server: str) -> None:
        """Forget them. Raises `KeyringError` where the keyring still has them."""
        self._known[server] = None
        await call_keyring(lambda: _delete(server))

    def _note(self, error: KeyringError) -> None:
        if not self.problem:
            logger.warning("sign-ins are kept for this run alone: %s", error.args[0])
        self.problem = str(error.args[0])  # its remedy is for keys of providers


def _read(server: str) -> str:
    parts: list[str] = []
    for number in range(MAX_PARTS):
        part = read_keyring(SERVICE, _entry(server, number))
        if part is None:
            break
        text, _, more = part[0].rpartition("\n")
        parts.append(text)
        if more != "+":
            return "".join(parts)
    return ""


def _write(server: str, text: str) -> None:
    parts = [text[at : at + PART_LENGTH] for at in range(0, len(text), PART_LENGTH)]
    for number, part in enumerate(parts):
        more = "+" if number < len(parts) - 1 else "."
        write_keyring(SERVICE, _entry(server, number), f"{part}\n{more}")
    if _read(server) != text:  # some only pretend to be a keyring
        raise no_keyring()
    for number in range(len(parts), MAX_PARTS):
        if read_keyring(SERVICE, _entry(server, number)) is None:
            break
        delete_from_keyring(SERVICE, _entry(server, number))


def _delete(server: str) -> None:
    for number in range(MAX_PARTS):
        if read_keyring(SERVICE, _entry(server, number)) is None:
            break
        delete_from_keyring(SERVICE, _entry(server, number))


def _entry(server: str, number: int) -> str:
    return server if number == 0 else f"{server}\n{number}"


NOBODY: Final = Credentials(url="", issuer="", client_id="", access_token="")
"""Stands for those of nobody, where a request was refused that had no token."""
