"""The one policy on secrets: which names hold them, what they look like, what replaces them.

Command lines, messages, history, transcripts, log, crash reports, exports and the environment of
servers all use it. It judges by the text alone, so it cannot recognise a secret under a harmless
name. In doubt it hides. Pure, text to text; must not import anything of the project, because the
log is configured before the rest.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, cast

from desktop.base.later_patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Mapping

PLACEHOLDER: Final = "‹redacted›"
"""What replaces a secret, wherever it was.

Earlier versions wrote ••••••, •••• and [redacted] to files. Nothing looks for any of them: a record
says itself where something was hidden.
"""

NameUse: TypeAlias = Literal["shown", "argument", "inherited"]
"""What follows from a name; each use pays another price for hiding too much.

`shown`: a value is given to a program or passes on a wire, and is only hidden from who looks at it.
Hiding costs nothing but a detail, so every word counts, wherever in the name it is.
`argument`: a tool's author chose the name. Hiding makes a password field of it and keeps the call
from being run again, so the word has to be the name's last, and ordinary words such as `key` and
`session` count only with a word that makes a credential of them (`client_key`, not `issue_key`).
`inherited`: a variable of the person's environment. Hiding withholds it from servers, which need
`SSH_AUTH_SOCK` and `XDG_SESSION_ID`: words count that name the secret itself, not its surroundings.
"""

_ALL_USES: Final = frozenset[NameUse](("shown", "argument", "inherited"))
_WORDS: Final[dict[str, frozenset[NameUse]]] = {
    **dict.fromkeys(
        ("passcode", "pwd", "pw", "dsn", "authorization", "bearer", "jwt", "otp", "pat"), _ALL_USES
    ),
    # Sockets, buses and displays of a desktop have such names, too.
    **dict.fromkeys(("auth", "private", "signature"), frozenset(("shown", "argument"))),
    # `PIN` in the environment may be one of a board.
    "pin": frozenset(("shown", "argument")),
    # Who knows the address of a webhook may post to it; as an argument it is only where to post.
    **dict.fromkeys(("webhook", "webhooks"), frozenset(("shown", "inherited"))),
    # Ordinary in a tool's parameters: a row's key, a browser's session.
    **dict.fromkeys(
        ("oauth", "authentication", "session", "sessions", "sessionid", "sessid", "sig"),
        frozenset(("shown",)),
    ),
}  # fmt: skip
"""Words of a name that make its value a secret, and for which use; others are known by endings."""
_ENDINGS: Final = compile_later(
    r"(passw(or[dt]s?|d)|passphrase|secrets?|token|api_?keys?|credentials?|cookies?)$"
)
"""How a word ends that makes every value a secret: `token`, `PGPASSWORD`, `authtoken`."""
_KEYS: Final = compile_later(
    r"(^|_)\w*(api|app|application|private|secret|access|client|signing|signature|encryption"
    r"|decryption|auth|master|licen[cs]e|ssh|gpg|pgp|account|subscription|consumer|deploy|hmac"
    r"|admin|root|shared|symmetric|webhook|service|server|bot|openai|anthropic|gemini|stripe"
    r"|ssl|tls)_?keys?$"
)
"""Kinds of keys that are always credentials."""
_ANY_KEY: Final = compile_later(r"key(s|file|path|id)?$")
_CREDENTIAL_TOKENS: Final = compile_later(
    r"(^|_)(access|auth|bearer|refresh|api|bot|personal|session|client|service|deploy"
    r"|github|gitlab|slack|hf|npm)_?tokens$"
)
"""Several tokens are a count, `max_tokens`, unless they are said to let somebody in."""
_HARMLESS: Final = compile_later(
    # English words, and keys of a table.
    r"(^|_)(mon|don|tur|hot|soft|joc|hoc|whis|mic|lac|les|less)keys?$"
    r"|(^|_)(primary|foreign|public|sort|partition)_?keys?$"
    # Tokens of paging, of progress and of language models.
    r"|(page|next|prev|previous|continuation|continue|progress|cursor|resume|offset|skip|sync"
    r"|change|start|end|stop|eos|bos|pad|unk|mask|sep|cls|special)_?token$"
    r"|(^|_)token_(counts?|limit|usage|budget|length|size|type)$"
)
"""Ends of a name that make its last word harmless after all."""
_MESSAGES: Final = frozenset(("error", "errors", "exception", "warning"))
"""Words after which a name stands before a message: `KeyError: 'name'`, `auth_error: ...`."""
_TAILS: Final = frozenset(
    (
        "value",
        "text",
        "string",
        "confirm",
        "confirmation",
        "repeat",
        "again",
        "hex",
        "base",  # base64: words come without the digits at their ends
        "pem",
    )
)
"""Words after which an argument's name still means the secret itself: `password_confirmation`."""
_FAMILIES: Final = ("aws_",)
"""Variables that choose an account, if not by a secret: withheld from servers as one."""
_WORKING_FOLDERS: Final = frozenset(("PWD", "OLDPWD"))
_MAX_NAME: Final = 200


def is_secret_name(name: str, use: NameUse = "shown") -> bool:
    """Whether a variable, header, option, member or argument of this name holds a secret."""
    return _is_secret_name(name[-_MAX_NAME:], use)


@lru_cache(maxsize=4096)
def _is_secret_name(name: str, use: NameUse) -> bool:
    if use == "inherited" and name.upper() in _WORKING_FOLDERS:
        return False
    words = split_words(name)
    if use == "argument":
        while len(words) > 1 and (words[-1] in _TAILS or not words[-1]):
            words.pop()
        return bool(words) and _is_secret_word(words[-1], "_".join(words), use)
    # REDISCLI_AUTH, but not SSH_AUTH_SOCK.
    is_auth = len(words) > 1 and words[-1] == "auth"
    if use == "inherited" and (is_auth or name.lower().startswith(_FAMILIES)):
        return True
    if words and words[-1] in _MESSAGES:
        return False
    return any(
        _is_secret_word(word, "_".join(words[: at + 1]), use)
        and not _HARMLESS.search("_".join(words[: at + 2]))
        for at, word in enumerate(words)
    )


def _is_secret_word(word: str, name: str, use: NameUse) -> bool:
    """Whether `word`, the last word of `name`, names a secret."""
    if _HARMLESS.search(name):
        return False
    if use in _WORDS.get(word, ()) or _ENDINGS.search(word) or _CREDENTIAL_TOKENS.search(name):
        return True
    if word == "pass" and (name != word or use != "inherited"):  # alone it may be what a test did
        return True
    if use == "argument":
        return _KEYS.search(name) is not None
    return _ANY_KEY.search(word) is not None


def split_words(name: str) -> list[str]:
    """The words of a name in lower case, without digits at their ends: `apiKey2` as api, key."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name)
    return [word.rstrip("0123456789") for word in re.split(r"[\W_]+", spaced.lower()) if word]


def is_secret_schema(schema: Mapping[str, Any]) -> bool:
    """Whether the schema says so itself: `writeOnly`, or the format `password` (OpenAPI 3.1)."""
    return schema.get("writeOnly") is True or schema.get("format") == "password"


# Hostile text must take linear time: repetitions are possessive, and start at a word's edge only.
_SHAPES: Final = compile_later(
    r"(?<![\w-])(?:"
    r"(?:sk-|gh[pousr]_|github_pat_|glpat-|xox[abeprs]-)[\w-]{8,}+"
    r"|AKIA[0-9A-Z]{16}(?!\w)"
    r"|AIza[\w-]{8,}+"
    r"|(?:hf|npm)_[A-Za-z0-9]{8,}+"
    r"|eyJ[\w-]{8,}+\.eyJ[\w-]{8,}+\.[\w-]*+"
    r"|-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]*+(?:-(?!----)[^-]*+)*+"
    r"(?:-----END [A-Z ]{1,50}-----)?"
    r")"
)
_SHAPE_SIGNS: Final = (
    *("sk-", "gh", "github_", "glpat-", "xox", "AKIA", "AIza", "hf_", "npm_", "eyJ", "-----BEGIN "),
)
"""One of these is in every text that `_SHAPES` finds something in; looking for them is cheap."""
_SCHEME: Final = compile_later(r"(?i:bearer|basic)\s+[\w.~+/=-]{8,}")
_BEARER: Final = compile_later(r"(?i)\b(bearer\s++)[\w.~+/=-]{8,}+")
_USER_INFO: Final = compile_later(r"(?<=://)(?:[^/@\s\"'\\?#<>]*+@)++")
_NAME: Final = compile_later(
    r"(?<![\w.-])(?:(?P<name>[\w.-]{1,64}+)[\u200b-\u200f\u2060-\u2064\ufeff\xad]*+"
    r"\\*+[\"']?+\s*+(?:[:=]|%(?:25)?3[dD])\s*+"
    r"|(?P<option>--?[A-Za-z][\w-]{0,63}+)\s++)"
)
"""A name with a value behind it: `TOKEN=`, `"token": `, `--token `."""
_VALUE: Final = compile_later(
    r"(?P<quote>[\"'])(?P<quoted>(?:(?!(?P=quote))[^\\\n]|\\[^\n])++)"
    r"|(?P<escaped>\\++[\"'])(?P<inner>[^\"'\\\n]++)"
    # One letter is enough right behind `=`; prose has a colon and a word: "Key points: none".
    r"|(?P<scheme>(?i:bearer|basic)\s++)?"
    r"(?P<plain>(?<==)[^\s\"'\\&;]++|[^\s\"'\\,;&{}\[\]]{4,}+)"
)
_SIGN_IN_CODE: Final = compile_later(
    r"(?:(?<=[?&])code=|(?<![\w.-])code=(?=[^&\s]*+&))([^&\s\"'\\]{8,}+)"
)
"""An authorization code, on its way back to the app or in exchange for a token."""
_BARE_USER_INFO: Final = compile_later(
    r"(?<![\w.:/@+-])(?!(?:mailto|sips?|xmpp|acct|tel):)[\w.%+-]{1,64}+"
    r":(?P<password>[^\s:@/\"'\\]{3,64}+)"
    r"@(?=(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,}|localhost\b|\d{1,3}(?:\.\d{1,3}){3})"
)
"""User and password before a host, without a scheme: `user:password@db.example`."""
_PATHS_OF_ONE: Final = compile_later(
    r"://(?:[\w-]{1,63}\.){0,5}(?:modelscope\.(?:net|cn)|zapier\.com|composio\.dev|pipedream\.net"
    r"|klavis\.ai)(?::\d{1,5})?(?P<path>/[^\s\"'?#<>\\]*+)"
)
"""Services whose addresses are a person's credential: whoever has one is that person."""
_OF_ONE: Final = compile_later(r"(?<=/)(?=[^/]{0,500}\d)[\w~=+-]{12,500}+(?=/|$)")
_NEXT_WORD: Final = compile_later(r"(?P<plain>[^\s\"'\\-][^\s\"'\\]*+)")
_CREDENTIALS: Final = compile_later(
    r"(?i:\b(?:bearer|basic)\s++)(?P<scheme>[\w.~+/=-]{8,}+)"
    r"|(?<=://)(?:(?P<user>[^/@:\s\"'\\?#<>]*+)(?::(?P<password>[^/\s\"'\\?#<>]*))?)@(?=[^@/\s])"
    r"|(?<![\w.-])(?P<name>[\w.-]{1,64}+)[\u200b-\u200f\u2060-\u2064\ufeff\xad]*+"
    r"\\*+[\"']?+\s*+(?P<sign>[:=]|%(?:25)?3[dD])\s*+\\*+[\"']?+"
    r"(?P<value>[\w.~+/=%-]{4,1024}+)"
)
"""Credentials in a text that is kept to be used again; `_credential` judges the last kind."""
_NAME_SIGNS: Final = (
    *("pass", "secret", "credential", "cookie", "dsn", "auth", "bearer", "key", "token"),
    *("jwt", "otp", "pat", "private", "sig", "sess", "webhook", "pw", "pin"),
)
"""One of these is in every name that holds a secret: most lines of a log need no closer look."""
_LOGGER: Final = "desktop."
"""Begins the name of our loggers, `desktop.servers.session: started`, which name no secret."""
_MIN_SECRET: Final = 4
_NO_SECRETS: Final = frozenset(
    ("true", "false", "none", "null", "auto", "basic", "bearer", "default", "disabled", "enabled")
)


def is_secret_value(text: str) -> bool:
    """Whether the text has the form of a token or key that services hand out."""
    text = text.strip()
    return (_SHAPES.match(text) or _SCHEME.match(text)) is not None


def is_worth_hiding(value: str) -> bool:
    """Whether a secret's value can be searched for: `true` or `1` is part of everything."""
    return len(value) >= _MIN_SECRET and value.lower() not in _NO_SECRETS


def redact_text(text: str) -> str:
    """An address, a command line or prose, JSON too, whole or cut, without what looks secret.

    By names (`TOKEN=`, `--token`, `"token":`), by place (`user:password@`) and by shape.
    """
    if "://" in text:
        text = _USER_INFO.sub(f"{PLACEHOLDER}@", text)
        for credential in _in_paths(text):
            text = text.replace(credential, PLACEHOLDER)
    if "@" in text or "code=" in text:
        text = _covered(_SIGN_IN_CODE, 1, _covered(_BARE_USER_INFO, 1, text))
    if any(sign in text for sign in _SHAPE_SIGNS):
        text = _SHAPES.sub(PLACEHOLDER, text)
    lowered = text.lower()
    if not any(sign in lowered for sign in _NAME_SIGNS):
        return text
    return _BEARER.sub(rf"\1{PLACEHOLDER}", _redact_named(text))


def _covered(pattern: re.Pattern[str], group: int, text: str) -> str:
    """`text` with what a group matched replaced."""
    return pattern.sub(lambda found: found[0].replace(found[group], PLACEHOLDER), text)


def _in_paths(text: str) -> list[str]:
    """The credentials in the paths of addresses that belong to one person."""
    paths = (found["path"] for found in _PATHS_OF_ONE.finditer(text))
    return [found[0] for path in paths for found in _OF_ONE.finditer(path)]


def find_secret_values(text: str) -> list[str]:
    """All tokens, keys and credentials in a text that otherwise must not change.

    Stricter than `redact_text`, as the text may be used again: a program's `token = next(tokens)`
    is no credential, `token=Zx81kL0q` is.
    """
    if is_secret_value(text):
        return [text]
    found = _SHAPES.findall(text) if any(sign in text for sign in _SHAPE_SIGNS) else []
    found += _SIGN_IN_CODE.findall(text) if "code=" in text else []
    found += _BARE_USER_INFO.findall(text) if "@" in text else []
    found += _in_paths(text) if "://" in text else []
    start = 0
    # By hand: behind a harmless name goes on what may be another one, `url=https://h/?token=`.
    while (match := _CREDENTIALS.search(text, start)) is not None:
        value = _credential(text, match)
        if value:
            found.append(value)
        start = match.end() if value or match["name"] is None else match.end("name")
    return found


def _credential(text: str, match: re.Match[str]) -> str:
    """The secret of a match of `_CREDENTIALS`; empty where it is none."""
    if match["scheme"] is not None:
        return match["scheme"]
    if match["name"] is None:
        return match["password"] or ""
    name, value = match["name"], match["value"]
    if match["sign"] == "=" and text[max(0, match.start() - 1) : match.start()] in {"?", "&"}:
        return value if is_secret_name(name) else ""
    is_random = re.search(r"\d", value) is not None and re.search(r"[A-Za-z]", value) is not None
    return value if is_random and len(value) >= 8 and is_secret_name(name, "argument") else ""


def _is_hidden(name: str, value: str) -> bool:
    """Whether a value counts behind a secret's name; a number of passes is what a test did."""
    is_count = name.lower() == "pass" and value.isdecimal()
    return not is_count and value.lower() not in _NO_SECRETS


def _redact_named(text: str) -> str:
    """The text with the values that follow names of secrets replaced."""
    parts: list[str] = []
    end = 0
    # By hand, as a substitution would skip the name in the value of another: `https://x?token=`.
    found = _NAME.search(text)
    while found is not None:
        at = found.end()
        name = found["name"] or found["option"]
        if not name.startswith(_LOGGER) and is_secret_name(name):
            value = (_NEXT_WORD if found["option"] else _VALUE).match(text, at)
            group = cast("str", value.lastgroup) if value is not None else ""
            if value is not None and _is_hidden(name, value[group]):
                parts += text[end : value.start(group)], PLACEHOLDER
                end = at = value.end()
        found = _NAME.search(text, at)
    return "".join((*parts, text[end:]))
