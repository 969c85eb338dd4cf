"""Keeping secrets and people's records out of the log: by the name of a value, and by its shape.

More people read a log than may read the records it mentions.  We cannot know what a library puts
into an error message, so every text passes through here before it is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import cast
from urllib.parse import unquote

HIDDEN = "***"
SHORTEST_SECRET = 6
"""Characters; a configured secret shorter than this would blank out ordinary words."""
LONGEST_TEXT = 8000
"""Characters of one value in a line; a traceback fits, a document does not."""

_SECRET_NAMES = (
    "token",
    "secret",
    "password",
    "passwd",
    "authorization",
    "cookie",
    "api_key",
    "apikey",
    "credential",
    "private_key",
)
_SHAPES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), instead)
    for pattern, instead in (
        # Our own tokens of every kind; names such as whence_app are shorter.
        (r"\bwhence_[A-Za-z0-9_-]{24,}", f"whence_{HIDDEN}"),
        # JSON Web Tokens (RFC 7519): base64url of `{"`, two dots.
        (r"\beyJ[\w-]{4,}\.[\w-]+\.[\w-]*", HIDDEN),
        # user:password@ in an address of any scheme.
        (r"(\b[a-z][a-z0-9+.-]*://[^\s:/@]*):[^\s@/]+@", rf"\1:{HIDDEN}@"),
        # libpq's key=value spelling.
        (r"(?i)\b(password\s*=\s*)('(?:[^'\\]|\\.)*'|[^\s&]+)", rf"\1{HIDDEN}"),
        (r"(?i)\b(bearer|basic)\s+[\w.~+/=|-]{6,}", rf"\1 {HIDDEN}"),
        (
            r"(?i)(authorization|cookie|x-api-key|api-key)(['\"]?\s*[:=]\s*)[^\r\n]+",
            rf"\1\2{HIDDEN}",
        ),
        # Links that carry a secret: sign-in, invitation, reset, OAuth.
        (
            r"(?i)([?&#](?:[a-z_]*token|code|key|secret|password|sig|signature)=)[^&\s'\"<>]+",
            rf"\1{HIDDEN}",
        ),
        # OpenAI, Anthropic (sk-, sk-ant-), Google, AWS and Amazon's refresh and access tokens.
        (r"\bsk-[A-Za-z0-9_-]{8,}", HIDDEN),
        (r"\bAIza[\w-]{20,}", HIDDEN),
        (r"\bAKIA[A-Z0-9]{12,}", HIDDEN),
        (r"\bAtz[ar]\|[\w+/=|-]+", HIDDEN),
        (r"\$argon2[a-z]*\$[^\s'\"]+", HIDDEN),
    )
)
_RECORDS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), instead)
    for pattern, instead in (
        # PostgreSQL quotes the failing row, or the key, in an error's DETAIL; CONTEXT quotes input.
        (r"(?m)^(DETAIL|CONTEXT|QUERY):.*$", rf"\1: {HIDDEN}"),
        (r"(?s)(invalid input syntax for [\w ]+): \".*?\"(?=\s*$|\n)", rf"\1: {HIDDEN}"),
        # Pydantic quotes what it refused.
        (r"(?s)input_value=.*?(, input_type=)", rf"input_value={HIDDEN}\1"),
    )
)
_FROM_ENVIRONMENT = re.compile(
    r"(WHENCE|OPENAI|ANTHROPIC|OLLAMA|PG|AWS)\w*(KEY|TOKEN|SECRET|PASSWORD)"
)
_hidden_values: list[str] = []


def hide(values: Iterable[str]) -> None:
    """Blank out exactly these texts in every line from now on: this process' configured secrets."""
    fresh = {value for value in values if len(value) >= SHORTEST_SECRET}
    # The longest first: one may be part of another.
    _hidden_values[:] = sorted(fresh.union(_hidden_values), key=len, reverse=True)


def configured_secrets(environment: Mapping[str, str]) -> list[str]:
    """Values of environment variables named key, token, secret or password, ours and providers'."""
    named = [value for name, value in environment.items() if _FROM_ENVIRONMENT.fullmatch(name)]
    _, _, rest = environment.get("WHENCE_DATABASE_URL", "").partition("://")
    password = rest.rpartition("@")[0].partition(":")[2]
    return [*named, password, unquote(password)]


def masked(text: str) -> str:
    """`text` without secrets and without quoted records, at most `LONGEST_TEXT` characters."""
    for value in _hidden_values:
        text = text.replace(value, HIDDEN)
    for shape, instead in (*_SHAPES, *_RECORDS):
        text = shape.sub(instead, text)
    if len(text) > LONGEST_TEXT:
        half = LONGEST_TEXT // 2
        return f"{text[:half]} ... {text[-half:]}"
    return text


def is_secret(name: str) -> bool:
    """Whether a value of this name is a secret, whatever it looks like."""
    lowered = name.lower().replace("-", "_")
    return any(part in lowered for part in _SECRET_NAMES)


def masked_value(name: str, value: object) -> object:
    """The value in a form that may be logged; numbers stay, also under names such as `tokens`."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if is_secret(name):
        return HIDDEN
    if isinstance(value, Mapping):
        mapping = cast("Mapping[object, object]", value)
        return {str(key): masked_value(str(key), item) for key, item in mapping.items()}
    if isinstance(value, Sequence | set | frozenset) and not isinstance(value, str | bytes):
        return [masked_value("", item) for item in cast("Iterable[object]", value)]
    return masked(value if isinstance(value, str) else str(value))
