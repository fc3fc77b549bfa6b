"""Keeping secrets out of everything that is stored, logged or shown.

A secret is removed by its value, in every spelling it is likely to come back in, and by its
shape, for keys nobody told us about. What a provider says about a failure is never trusted:
several repeat the key they were given.
"""

import base64
import html
import json
import logging
import re
from collections.abc import Iterable, Iterator
from urllib.parse import quote, quote_plus

PLACEHOLDER = "[redacted]"
MIN_SECRET_LENGTH = 6
"""Shorter values (``none``, ``EMPTY``) hide nothing, and removing them would shred the text."""
_MIN_FRAGMENT = 8

_NAME = (
    r"(?:proxy-)?authorization|[\w-]{0,40}?api[_-]?key"
    r"|[\w-]{0,40}?subscription-key|(?:client|app)[_-]?secret|secret[_-]?(?:access[_-]?)?key"
    r"|(?:access|refresh|auth|session|security)[_-]?token|password|passwd"
)
_SHAPES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.ASCII | flags), replacement)
    for pattern, replacement, flags in (
        # Private keys, whole.
        (
            r"(-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----)[A-Za-z0-9+/=\s\\,:]+"
            r"(?:-----END [A-Z ]{0,20}PRIVATE KEY-----)?",
            rf"\1{PLACEHOLDER}",
            0,
        ),
        # Headers and settings, in any dump: name, a separator, the value.
        (
            rf"(?<![\w-])((?:{_NAME})\\?[\"']?\s{{0,8}}[:=]\s{{0,8}}\\?[\"']?"
            r"(?:(?:Bearer|Basic|Token|ApiKey)\s{1,8})?+)(?!\[redacted\])[^\s\"'\\,;&<>(){}\[\]]{4,}",
            rf"\1{PLACEHOLDER}",
            re.IGNORECASE,
        ),
        (
            r"(?<![\w-])((?:set-)?cookie\\?[\"']?\s{0,8}[:=]\s{0,8}\\?[\"']?)[\w.-]{1,100}=[^\r\n\"'\\]+",
            rf"\1{PLACEHOLDER}",
            re.IGNORECASE,
        ),
        (r"\b(Bearer\s{1,8})[A-Za-z0-9._~+/=*-]{8,}", rf"\1{PLACEHOLDER}", re.IGNORECASE),
        (
            r"([?&](?:key|token|sig|signature|auth|code|x-amz-[a-z-]{1,30})=)[^&\s\"'<>#]{4,}",
            rf"\1{PLACEHOLDER}",
            re.IGNORECASE,
        ),
        (r"(\bAPI key provided: ?)[^\s\"']+", rf"\1{PLACEHOLDER}", re.IGNORECASE),
        # A password within an address.
        (r"(://[^/\s:@]{0,100}:)[^/\s@]{1,200}(?=@)", rf"\1{PLACEHOLDER}", 0),
        # Keys that name their kind.
        (
            r"(?<![\w-])(?:sk-(?=[\w*-]*[0-9*])[\w*-]{12,}"
            r"|(?:xai-|pplx-|nvapi-|gsk_|hf_|r8_|lsv2_|jina_|tgp_)[\w-]{20,})",
            PLACEHOLDER,
            0,
        ),
        (r"(?<![\w-])(?:AKIA|ASIA|AROA|AIDA)[0-9A-Z]{16}(?!\w)", PLACEHOLDER, 0),
        (r"(?<![\w-])AIza[\w-]{30,}", PLACEHOLDER, 0),
        (r"(?<![\w-])ya29\.[\w.-]{10,}", PLACEHOLDER, 0),
        (r"(?<![\w-])(?:gh[pousr]|github_pat|glpat|xox[abeprs])[-_][\w-]{10,}", PLACEHOLDER, 0),
        (r"(?<![\w.-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{4,}", PLACEHOLDER, 0),
    )
)


class Redactor:
    """Removes known secrets by value, and unknown ones by shape."""

    def __init__(self, secrets: Iterable[str] = ()):
        """Prepare for these secret values. Empty and very short ones are passed over."""
        spellings: set[str] = set()
        for secret in secrets:
            value = secret.strip()
            if len(value) >= MIN_SECRET_LENGTH:
                spellings.update(_spellings(value))
        # The longest first, so that nothing is left of a spelling that holds another.
        ordered = sorted(spellings, key=lambda text: (-len(text), text))
        self._spellings = tuple(ordered)
        self._values = re.compile("|".join(map(re.escape, ordered))) if ordered else None

    def __repr__(self) -> str:
        return "Redactor(...)"

    def clean(self, text: str) -> str:
        """Return ``text`` without known secrets and without what looks like one."""
        text = self.clean_known(text)
        for shape, replacement in _SHAPES:
            text = shape.sub(replacement, text)
        return text

    def clean_known(self, text: str) -> str:
        """Return ``text`` without known secrets; what only looks like one stays.

        For texts under judgement, which may rightly speak of keys.
        """
        if self._values is None or not any(spelling in text for spelling in self._spellings):
            return text
        return self._values.sub(PLACEHOLDER, text)


class RedactingFormatter(logging.Formatter):
    """Formats log records as ``inner`` does and cleans the result, tracebacks included."""

    def __init__(self, redactor: Redactor, inner: logging.Formatter | None = None):
        super().__init__()
        self._redactor = redactor
        self._inner = inner or logging.Formatter()

    def format(self, record: logging.LogRecord) -> str:
        """Return the cleaned line."""
        return self._redactor.clean(self._inner.format(record))


def _spellings(secret: str) -> Iterator[str]:
    """Return how a secret may be written: plain, for URLs, JSON and HTML, in base64 and hex."""
    yield secret
    raw = secret.encode("utf-8", "surrogatepass")
    for encoded in (quote(raw, safe=""), quote(raw), quote_plus(raw)):
        yield encoded
        yield re.sub("%[0-9A-F]{2}", lambda found: found.group().lower(), encoded)
    yield "".join(f"%{byte:02X}" for byte in raw)
    yield "".join(f"%{byte:02x}" for byte in raw)
    for ascii_only in (True, False):
        once = json.dumps(secret, ensure_ascii=ascii_only)[1:-1]
        yield once
        yield once.replace("/", "\\/")
        yield json.dumps(once, ensure_ascii=ascii_only)[1:-1]
    yield repr(secret)[1:-1]
    yield html.escape(secret)
    yield raw.hex()
    yield raw.hex().upper()
    yield from _base64_spellings(raw)


def _base64_spellings(raw: bytes) -> Iterator[str]:
    """Return base64 forms, also of the secret in the middle of something longer.

    What stands before shifts the groups of three bytes, so there are three alignments; of each,
    the digits that depend on the secret alone are taken.
    """
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        whole = encode(raw).decode("ascii")
        yield whole
        yield whole.rstrip("=")
        for shift in range(3):
            digits = encode(b"\0" * shift + raw).decode("ascii")
            first = -(-shift * 8 // 6)
            fragment = digits[first : (shift + len(raw)) * 8 // 6]
            if len(fragment) >= _MIN_FRAGMENT:
                yield fragment
