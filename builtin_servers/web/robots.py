"""Checks a site's robots.txt before a page is fetched for a model (RFC 9309)."""

from __future__ import annotations

from time import monotonic
from urllib.robotparser import RobotFileParser

from builtin_servers.framework.tool import ToolCallError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from builtin_servers.framework.tool import CallContext
    from builtin_servers.web.http import HttpClient, Url

_MAX_AGE_SECONDS = 600.0
_MAX_SITES = 100
_MAX_BYTES = 500_000
"""Of a robots.txt; more is ignored (RFC 9309, section 2.5)."""


class RobotsRules:
    """The rules of sites that were visited, cached for ten minutes."""

    def __init__(self, client: HttpClient, agent: str) -> None:
        self._client = client
        self._agent = agent
        self._rules: dict[str, tuple[float, RobotFileParser]] = {}

    def check(self, url: Url, call: CallContext) -> None:
        """Raises `ToolCallError` if the site does not allow the page, or gives no answer."""
        if not self._find_rules(url, call).can_fetch(self._agent, str(url)):
            raise ToolCallError(
                f"{url.origin}/robots.txt does not allow fetching {str(url)[:300]} automatically. "
                "The person can open it in a browser, or start the server with "
                "--ignore-robots-txt"
            )

    def _find_rules(self, url: Url, call: CallContext) -> RobotFileParser:
        since, rules = self._rules.get(url.origin, (0.0, None))
        if rules is None or monotonic() - since > _MAX_AGE_SECONDS:
            rules = self._fetch_rules(url, call)
            if len(self._rules) >= _MAX_SITES:
                self._rules.clear()
            self._rules[url.origin] = (monotonic(), rules)
        return rules

    def _fetch_rules(self, url: Url, call: CallContext) -> RobotFileParser:
        page = self._client.get(f"{url.origin}/robots.txt", call)
        if page.status in (401, 403) or page.status >= 500:
            lines = ["User-agent: *", "Disallow: /"]
        elif page.status >= 400:
            lines = []
        else:
            lines = page.body[:_MAX_BYTES].decode("utf-8", "replace").splitlines()
        rules = RobotFileParser()
        rules.parse(lines)
        return rules
