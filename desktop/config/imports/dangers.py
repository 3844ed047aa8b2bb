"""What in a server's entry could do harm, or gives something of this machine away.

Judges by names and words alone, so it can miss what is hidden well: whoever asks for a yes shows
all of the entry beside it (`launch_details`). Must not look up or reach any address.
"""

from __future__ import annotations

import ipaddress
import re
from functools import cache
from pathlib import PureWindowsPath
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from desktop.base.later_patterns import compile_later
from desktop.base.loopback import is_this_machine
from desktop.config.imports.container_dangers import container_dangers
from desktop.config.imports.warnings import ImportWarning
from desktop.config.providers import ProviderSettings
from desktop.config.variables import references_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from publicsuffixlist import PublicSuffixList

    from desktop.config.imports.warnings import Kind
    from desktop.config.launch_details import Launched
    from desktop.config.models import ServerConfig

_SHELLS: Final = frozenset(
    ("sh", "bash", "dash", "zsh", "ksh", "ash", "fish", "csh", "tcsh", "cmd", "powershell", "pwsh")
)
_INTERPRETERS: Final = compile_later(
    r"python[\d.]*|pypy\d*|node|nodejs|bun|deno|perl|ruby|php|lua|osascript|tclsh"
)
_CODE_OPTION: Final = compile_later(
    r"(?:-[A-Za-z]*[cepr]|--eval|--print|eval|/[ck]|-(?:enc|encodedcommand|command))", re.IGNORECASE
)
"""Options whose word is a program: `-c`, `-lc`, `-e`, `--eval`, `/c`, `-EncodedCommand`."""
_DOWNLOAD: Final = compile_later(
    r"\|\s*(?:sudo\s+)?(?:[\w./-]*/)?(?:ba|da|z|k|a|fi|c|tc)?sh\b"
    r"|\|\s*(?:sudo\s+)?(?:python|node|perl|ruby|iex)"
    r"|\b(?:curl|wget|iwr|irm|iex|invoke-(?:webrequest|restmethod|expression)|bitsadmin|certutil)\b",
    re.IGNORECASE,
)
_LOADS_CODE: Final = compile_later(
    r"(?:LD|DYLD)_\w+|PYTHON\w*|PERL5?\w*|RUBY(?:OPT|LIB)|GEM_\w+|NODE_(?:OPTIONS|PATH)|DENO_\w+"
    r"|BUN_\w+|_?JAVA\w*OPTIONS|JDK_\w+|CLASSPATH|DOTNET_\w+|BASH_\w+|ENV|SHELL|SHELLOPTS|PS4|IFS"
    r"|PROMPT_COMMAND|PATH|PATHEXT|COMSPEC|GIT_\w+|EDITOR|VISUAL|PAGER|BROWSER|\w*_?ASKPASS"
    r"|OPENSSL_CONF|GCONV_PATH|PHP\w*|LUA_\w+|\w*_PRELOAD"
)
_PACKAGES: Final = compile_later(
    r"\w*REGISTRY\w*|\w*INDEX(?:_URL)?|PIP_\w+|UV_\w+|NPM_CONFIG_\w+|YARN_\w+|PNPM_\w+|CARGO_\w+"
    r"|GO(?:PROXY|FLAGS|PRIVATE|NOSUMDB)|DOCKER_\w+"
)
_NETWORK: Final = compile_later(
    r"(?:\w*_)?PROXY|SSL_CERT_\w+|NODE_EXTRA_CA_CERTS|NODE_TLS_\w+|REQUESTS_CA_BUNDLE"
    r"|CURL_CA_BUNDLE|SSLKEYLOGFILE"
)
_ASSIGNED: Final = compile_later(r"(?:-{1,2}[\w-]+=)?(?P<name>[A-Za-z_]\w*)=")
_OTHER_INDEX: Final = compile_later(
    r"--?(?:(?:extra-|default-)?index(?:-url)?|registry|find-links|source)(?:=.*)?"
    r"|--(?:\w+:)?registry(?:=.*)?"
)


def _flags(text: str) -> frozenset[str]:
    return frozenset(text.split())


_CONTAINER: Final = (
    _flags("-i --interactive -t --tty -it -ti --rm --init --read-only --privileged"),
    _flags(
        "-e --env -v --volume --mount --network --net --name --pid --ipc --uts --userns --cgroupns"
        " --cap-add --cap-drop --device --security-opt --volumes-from --group-add --runtime -p"
        " --publish -u --user -w --workdir -m --memory -l --label --cpus --platform --pull --tmpfs"
        " --add-host --pids-limit --shm-size --ulimit -h --hostname --stop-timeout"
    ),
)
_RUNNERS: Final[Mapping[str, tuple[frozenset[str], frozenset[str]]]] = {
    "npx": (_flags("-y --yes -q --quiet --silent --offline --prefer-offline"), frozenset()),
    "bunx": (_flags("--bun --silent --verbose -y --yes"), frozenset()),
    "uvx": (
        _flags("-q --quiet -v --verbose --isolated --offline --refresh -n --no-cache"),
        _flags("-p --python --prerelease --resolution --python-preference"),
    ),
    "dnx": (_flags("-y --yes --prerelease --allow-roll-forward"), _flags("--version --verbosity")),
    "docker": _CONTAINER,
    "podman": _CONTAINER,
}
"""What may stand before the package of a program that runs packages: alone, and with a value.

Nothing else is known not to bring other code; what a container is given is judged apart.
"""
_PLAIN_VALUE: Final = compile_later(r"[\w.+-]+")
_ALWAYS_YES: Final = frozenset(("-y", "--yes"))
_URL: Final = compile_later(r"(?:https?|wss?)://[^\s\"'`<>]+", re.IGNORECASE)
_DEFAULT: Final = compile_later(r"\$\{[^}:]*:-([^}]*)\}")
_LIKE_A_SUFFIX: Final = frozenset(("com", "org", "net", "io", "dev", "ai", "app", "co", "gov"))
"""Labels that belong at the end of a name: before it they pretend to be it."""


def dangers_of(config: Launched) -> Iterator[ImportWarning]:
    """What should be looked at, the worst first; of a provider who is sent everything."""
    if isinstance(config, ProviderSettings):
        yield ImportWarning("conversations", "baseUrl", host_of(config.base_url)[0] or "?")
        yield from address_dangers("baseUrl", config.base_url)
        return
    yield from container_dangers((config.command, *config.args))
    yield from _programs((config.command, *config.args))
    yield from _variables(config)
    yield from _options(config.args)
    words = (config.command, *config.args)
    for at in other_code(words):
        if not _OTHER_INDEX.fullmatch(words[at]):
            yield ImportWarning("other_code", f"args[{at - 1}]", words[at])
    yield from _addresses(config)
    yield from _given_away(config)


def registrable_domain(host: str) -> str:
    """The part of a host's name that somebody registered: `evil.example` of `a.evil.example`.

    Empty where there is none: a number, a name without dots, a public suffix itself.
    """
    return _suffixes().privatesuffix(host.rstrip(".").lower()) or ""


@cache
def _suffixes() -> PublicSuffixList:
    from publicsuffixlist import PublicSuffixList  # reads its list: only for servers at a URL

    return PublicSuffixList()


def _programs(words: tuple[str, ...]) -> Iterator[ImportWarning]:
    for at, word in enumerate(words):
        place = f"args[{at - 1}]" if at else "command"
        name = PureWindowsPath(word).name.lower().removesuffix(".exe")
        after = words[at + 1 :]
        if name in _SHELLS:
            has_code = bool(after) and _CODE_OPTION.fullmatch(after[0]) is not None
            if has_code or not at:
                yield ImportWarning("shell", place, name)
        elif _INTERPRETERS.fullmatch(name) and any(map(_CODE_OPTION.fullmatch, after[:3])):
            yield ImportWarning("shell", place, name)
        if at and (found := _DOWNLOAD.search(word)):
            yield ImportWarning("download", place, found[0].strip())


def _variables(config: ServerConfig) -> Iterator[ImportWarning]:
    for name in config.env:
        if kind := _kind_of(name):
            yield ImportWarning(kind, f"env.{name}", name)
    for at, word in enumerate(config.args):
        # `env LD_PRELOAD=x program`, `docker run -e NODE_OPTIONS=x`, `--env=PATH=x`
        assigned = _ASSIGNED.match(word)
        if assigned is not None and (kind := _kind_of(assigned["name"])):
            yield ImportWarning(kind, f"args[{at}]", assigned["name"])


def _kind_of(name: str) -> Kind | None:
    upper = name.upper()
    if _NETWORK.fullmatch(upper):
        return "network"
    if _PACKAGES.fullmatch(upper):
        return "packages"
    return "code" if _LOADS_CODE.fullmatch(upper) else None


def _options(arguments: tuple[str, ...]) -> Iterator[ImportWarning]:
    for at, word in enumerate(arguments):
        if _OTHER_INDEX.fullmatch(word):
            yield ImportWarning("packages", f"args[{at}]", word.partition("=")[0])


def other_code(words: Sequence[str], package: str = "") -> Iterator[int]:
    """The places of words by which a runner may run something else than its package.

    Args:
        words: the program, then its arguments.
        package: what has to be run; else the first word that is no option.
    """
    start = next((at for at, word in enumerate(words) if _stem(word) in _RUNNERS), None)
    if start is None:
        return
    alone, valued = _RUNNERS[_stem(words[start])]
    is_container = alone is _CONTAINER[0]
    at = start + 1
    if is_container:
        if words[at : at + 1] != ("run",):
            yield at if at < len(words) else start
            return
        at += 1
    while at < len(words) and words[at].startswith("-"):
        here, (name, equals, value) = at, words[at].partition("=")
        at += 1
        if name in valued and not equals:
            value, at = "".join(words[at : at + 1]), at + 1
        is_known = name in valued if equals or name in valued else name in alone
        is_known |= is_container and name in alone
        if not is_known or not (is_container or name in alone or _PLAIN_VALUE.fullmatch(value)):
            yield here
    is_other = bool(package) and words[at : at + 1] != (package,)
    # A yes to npx that stands behind a package is one for another package.
    is_hidden = not is_container and not _ALWAYS_YES.isdisjoint(words[at + 1 :])
    if at < len(words) and (is_other or is_hidden):
        yield at


def _stem(word: str) -> str:
    return PureWindowsPath(word).name.lower().removesuffix(".exe").removesuffix(".cmd")


def _addresses(config: ServerConfig) -> Iterator[ImportWarning]:
    if config.url:
        yield from address_dangers("url", config.url)
    for name in ("issuer", "idpTokenEndpoint", "clientMetadataUrl"):
        if address := config.oauth.get(name):
            yield from address_dangers(f"oauth.{name}", address)
    if config.tls.get("ca"):
        yield ImportWarning("network", "tls.ca", config.tls["ca"])
    for at, word in enumerate(config.args):
        for found in _URL.findall(word):
            yield from address_dangers(f"args[{at}]", found)


def address_dangers(place: str, url: str) -> Iterator[ImportWarning]:
    """To whom an address leads, and what may be wrong with it; nothing for this machine itself."""
    host, has_user = host_of(url)
    if host is None:
        if "${" not in url:
            yield ImportWarning("lookalike", place, url, "?")
        return
    if "${" in host or is_this_machine(host):
        return
    try:
        ipaddress.ip_address(host)
        owner = ""
    except ValueError:
        owner = registrable_domain(host)
    before = host.removesuffix(owner).split(".") if owner else []
    is_like = any(label in _LIKE_A_SUFFIX for label in before) or "xn--" in host
    if has_user or is_like or not host.isascii():
        yield ImportWarning("lookalike", place, host, owner or host)
    elif not owner:
        yield ImportWarning("number", place, host)
    elif owner != host:
        yield ImportWarning("host", place, host, owner)
    if url.lower().startswith(("http:", "ws:")):
        yield ImportWarning("plaintext", place, host)


def host_of(url: str) -> tuple[str | None, bool]:
    """The host, None where programs may read it differently; and whether a name is before it."""
    url = _DEFAULT.sub(r"\1", url)
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").rstrip(".")
    except ValueError:
        return None, False
    is_odd = "\\" in url or not all(map(str.isprintable, url)) or " " in url.strip()
    return (host if host and not is_odd else None), "@" in parts.netloc


def _given_away(config: ServerConfig) -> Iterator[ImportWarning]:
    if config.transport == "stdio":
        texts = [(f"args[{at}]", word) for at, word in enumerate(config.args)]
        texts += [(f"env.{name}", value) for name, value in config.env.items()]
        for place, text in texts:
            yield from (ImportWarning("gives", place, name) for name in references_in(text))
        return
    host, oauth = host_of(config.url)[0] or config.url, config.oauth
    texts = [("url", config.url, host)]
    texts += [(f"headers.{name}", value, host) for name, value in config.headers.items()]
    # Who signs in sends to the authorization server, which only the issuer says beforehand.
    issuer = host_of(oauth.get("issuer", ""))[0] or f"{host} → ?"
    first = host_of(oauth.get("idpTokenEndpoint", ""))[0] or issuer
    for name, value in oauth.items():
        receiver = first if name.startswith(("assertion", "idp")) else issuer
        texts.append((f"oauth.{name}", value, receiver))
    for place, text, receiver in texts:
        yield from (ImportWarning("sends", place, name, receiver) for name in references_in(text))
    if file := oauth.get("assertionFile"):
        yield ImportWarning("file", "oauth.assertionFile", file, first)
