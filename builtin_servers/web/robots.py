"""Asks a site's robots.txt whether a page may be fetched for a model (RFC 9309)."""

from __future__ import annotations

from time import monotonic
from urllib.robotparser import RobotFileParser

from builtin_servers.call import ToolError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from builtin_servers.call import Call
    from builtin_servers.web.http import Browser
    from builtin_servers.web.urls import Url

_KEPT_FOR = 600.0
_MOST_SITES = 100
_LONGEST = 500_000
"""Bytes that are read of a robots.txt: RFC 9309, section 2.5."""


class Robots:
    """The rules of the sites met so far, kept for ten minutes."""

    def __init__(self, browser: Browser, agent: str) -> None:
        self._browser = browser
        self._agent = agent
        self._rules: dict[str, tuple[float, RobotFileParser]] = {}

    def check(self, url: Url, call: Call) -> None:
        """Raises `ToolError` where the site does not want it, or does not say."""
        if not self._rules_of(url, call).can_fetch(self._agent, str(url)):
            raise ToolError(
                f"{url.origin}/robots.txt does not allow fetching {str(url)[:300]} automatically. "
                "The person can open it in a browser, or start the server with "
                "--ignore-robots-txt"
            )

    def _rules_of(self, url: Url, call: Call) -> RobotFileParser:
        since, rules = self._rules.get(url.origin, (0.0, None))
        if rules is None or monotonic() - since > _KEPT_FOR:
            rules = self._ask(url, call)
            if len(self._rules) >= _MOST_SITES:
                self._rules.clear()
            self._rules[url.origin] = (monotonic(), rules)
        return rules

    def _ask(self, url: Url, call: Call) -> RobotFileParser:
        page = self._browser.get(f"{url.origin}/robots.txt", call)
        if page.status in (401, 403) or page.status >= 500:
            lines = ["User-agent: *", "Disallow: /"]
        elif page.status >= 400:
            lines = []
        else:
            lines = page.body[:_LONGEST].decode("utf-8", "replace").splitlines()
        rules = RobotFileParser()
        rules.parse(lines)
        return rules
