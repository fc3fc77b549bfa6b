"""Secrets in every spelling, keys nobody told us about, and text that only looks like one."""

import base64
import html
import json
import logging
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ledger.builders import failure, intent
from linear import assert_linear

from citeval_assets.ledger.store import Ledger
from citeval_assets.redaction import PLACEHOLDER, RedactingFormatter, Redactor

CANARY = "canary-secret-000222"
ODD = 'p@ss/"w\\ö rd+&<1>'

SPELLINGS = {
    "plain": lambda s: s,
    "url": lambda s: quote(s, safe=""),
    "url, slashes kept": quote,
    "url, lower case": lambda s: quote(s, safe="").lower() if s == CANARY else quote(s, safe=""),
    "form": quote_plus,
    "every byte in per cent": lambda s: "".join(f"%{b:02X}" for b in s.encode()),
    "json": lambda s: json.dumps(s)[1:-1],
    "json, not only ascii": lambda s: json.dumps(s, ensure_ascii=False)[1:-1],
    "json in json": lambda s: json.dumps(json.dumps(s))[1:-1],
    "repr": lambda s: repr(s)[1:-1],
    "html": html.escape,
    "hex": lambda s: s.encode().hex(),
    "hex, upper case": lambda s: s.encode().hex().upper(),
    "base64": lambda s: base64.b64encode(s.encode()).decode(),
    "base64 for urls": lambda s: base64.urlsafe_b64encode(s.encode()).decode(),
    "base64 without padding": lambda s: base64.b64encode(s.encode()).decode().rstrip("="),
}


@pytest.mark.parametrize("secret", [CANARY, ODD])
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_known_secret_is_removed_in_every_spelling(secret: str, spelling: str):
    written = SPELLINGS[spelling](secret)
    cleaned = Redactor([secret]).clean_known(f"before {written} after")
    assert written not in cleaned
    assert cleaned.startswith("before ")
    assert cleaned.endswith(" after")


@pytest.mark.parametrize("user", ["", "a", "ab", "abc", "somebody@example.org"])
def test_a_secret_inside_a_basic_authorisation_is_removed(user: str):
    written = base64.b64encode(f"{user}:{CANARY}".encode()).decode()
    cleaned = Redactor([CANARY]).clean_known(f"sent {written}.")
    assert PLACEHOLDER in cleaned
    assert CANARY[3:-3] not in decoded(cleaned)


def decoded(text: str) -> str:
    """Return what a reader could get out of the base64 left in a text, at any alignment."""
    digits = "".join(c for c in text.removeprefix("sent ") if c.isalnum() or c in "+/")
    readings = []
    for shift in range(4):
        rest = digits[shift:]
        rest = rest[: len(rest) // 4 * 4]
        readings.append(base64.b64decode(rest).decode("latin-1"))
    return " ".join(readings)


def test_all_occurrences_are_removed():
    assert Redactor([CANARY]).clean(f"{CANARY}{CANARY} and {CANARY}").count(PLACEHOLDER) == 3


def test_a_secret_that_holds_another_leaves_nothing():
    redactor = Redactor(["abcdef", "abcdefghij"])
    assert redactor.clean_known("x abcdefghij abcdef x") == f"x {PLACEHOLDER} {PLACEHOLDER} x"


@pytest.mark.parametrize("value", ["", "   ", "none", "EMPTY", "x"])
def test_values_too_short_to_hide_anything_are_left_alone(value: str):
    text = f"none of x is EMPTY   {value}"
    assert Redactor([value]).clean(text) == text


def test_blanks_around_a_value_are_no_part_of_it():
    assert CANARY not in Redactor([f"  {CANARY}\n"]).clean(f"key={CANARY}")


@given(st.text(min_size=6), st.text(), st.text())
def test_whatever_the_secret_it_is_gone(secret: str, before: str, after: str):
    value = secret.strip()
    cleaned = Redactor([secret]).clean_known(before + value + after)
    if len(value) >= 6 and value not in PLACEHOLDER:
        assert value not in cleaned.replace(PLACEHOLDER, "\0")


SHAPED = {
    "an OpenAI key": ("Incorrect API key provided: sk-proj-a1B2c3D4e5F6g7H8.", "a1B2c3D4e5"),
    "a key shown in part": ("Incorrect API key provided: sk-ab1***************9x2Z", "9x2Z"),
    "any key a provider repeats": ("Incorrect API key provided: my_own_form", "my_own_form"),
    "an Anthropic key": ("key sk-ant-api03-AAAAbbbb1111 refused", "AAAAbbbb1111"),
    "a Google key": ("AIzaSyA1234567890abcdefghijklmnopqrstu is disabled", "SyA1234567890"),
    "an AWS key": ("credential AKIAIOSFODNN7EXAMPLE/2026", "IOSFODNN7"),
    "a Groq key": ("gsk_abcdefghijklmnopqrstuvwxyz012345", "abcdefghijklm"),
    "a Hugging Face token": ("hf_abcdefghijklmnopqrstuvwxyz", "abcdefghijklm"),
    "a GitHub token": ("ghp_abcdefghijklmnopqrstuvwxyz012345", "abcdefghijklm"),
    "a web token": ("got eyJhbGciOiJI.eyJzdWIiOiIx.SflKxwRJSMeK", "SflKxwRJSMeK"),
    "a bearer header": ("Authorization: Bearer abc.DEF-123_456", "DEF-123"),
    "a bearer word": ("sent 'bearer abcdefgh12345'", "abcdefgh12345"),
    "a basic header": ("authorization: Basic dXNlcjpwYXNz", "dXNlcjpwYXNz"),
    "a header in a dict": ("{'x-api-key': 'abcd1234efgh'}", "abcd1234efgh"),
    "a header in JSON": ('{"X-Goog-Api-Key":"abcd1234efgh"}', "abcd1234efgh"),
    "a header in JSON in JSON": ('"{\\"api-key\\": \\"abcd1234efgh\\"}"', "abcd1234efgh"),
    "an Azure header": ("Ocp-Apim-Subscription-Key: 0123456789abcdef", "0123456789abcdef"),
    "a cookie": ("Set-Cookie: session=abcd1234; Path=/", "abcd1234"),
    "a setting": ("OPENAI_API_KEY=abcd1234efgh", "abcd1234efgh"),
    "a password": ("password = hunter2hunter", "hunter2hunter"),
    "a query": ("POST https://x.example/v1?key=abcd1234&alt=sse", "abcd1234"),
    "a query further on": ("GET /v1?alt=sse&sig=abcd1234%2B", "abcd1234"),
    "an address": ("postgresql+psycopg://user:hunter2@db.example/citeval", "hunter2"),
    "a private key": (
        "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg\nkqhkiG9w0BAQ==\n-----END PRIVATE KEY-----",
        "kqhkiG9w0BAQ",
    ),
    "a private key cut short": ("-----BEGIN RSA PRIVATE KEY-----\\nMIIEvQIBADANBg", "MIIEvQIBAD"),
}


@pytest.mark.parametrize("what", SHAPED)
def test_an_unknown_secret_is_known_by_its_shape(what: str):
    text, secret = SHAPED[what]
    cleaned = Redactor().clean(text)
    assert secret not in cleaned
    assert PLACEHOLDER in cleaned


@pytest.mark.parametrize("what", SHAPED)
def test_cleaning_twice_is_cleaning_once(what: str):
    cleaned = Redactor().clean(SHAPED[what][0])
    assert Redactor().clean(cleaned) == cleaned


def test_what_stands_around_a_secret_stays():
    said = "401 POST https://api.example/v1?key=abcd1234&alt=sse (x-api-key: abcd1234) for judge-a"
    assert Redactor().clean(said) == (
        f"401 POST https://api.example/v1?key={PLACEHOLDER}&alt=sse "
        f"(x-api-key: {PLACEHOLDER}) for judge-a"
    )


@pytest.mark.parametrize(
    "text",
    [
        "risk-assessment-2024-plan-with-12-steps",
        "The task-oriented desk-research-2024-summary",
        "Tokens used: prompt 1200, completion 80",
        "max_tokens=4000, token budget 8000",
        "the key idea: a password is reset by mail; the bearer of bad news",
        "models voyage-multilingual-2 and jina-embeddings-v3 answered",
        "see https://example.org/path?page=2&q=keys and mailto:a@b.example",
        "at 12:30 the author: Ada wrote to team@example.org",
        "sha256 3fa9b2c4d5e6f708192a3b4c5d6e7f80",
        "1. key-performance-indicator-2024",
        '{"verdict": "supported", "evidence_reference": "steps 0, 1"}',
    ],
)
def test_ordinary_text_is_left_alone(text: str):
    assert Redactor([CANARY]).clean(text) == text


def test_texts_under_judgement_keep_what_only_looks_like_a_secret():
    text = "The manual says: send Authorization: Bearer abcdefgh12345"
    assert Redactor([CANARY]).clean_known(f"{text} {CANARY}") == f"{text} {PLACEHOLDER}"


@pytest.mark.parametrize(
    "unit",
    ["sk-", "sk-1", "key_", "Bearer ", "api_key", "://", "://:", "eyJaaaaaaaaa.", "a-", "_", "x",
     "-----BEGIN PRIVATE KEY-----", "apikey: ", "authorization ", "?key=", "cookie: a=", "= "],
)  # fmt: skip
def test_hostile_text_is_cleaned_in_linear_time(unit: str):
    redactor = Redactor([CANARY])
    assert_linear(lambda size: redactor.clean(unit * (size // len(unit))), 200_000)


def test_a_redactor_does_not_show_what_it_hides():
    assert CANARY not in repr(Redactor([CANARY]))
    assert CANARY not in str(vars(Redactor([CANARY])).keys())


def test_log_lines_are_cleaned_with_their_tracebacks():
    lines: list[str] = []

    class Lines(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(self.format(record))

    handler = Lines()
    handler.setFormatter(RedactingFormatter(Redactor([CANARY])))
    log = logging.Logger("test")
    log.addHandler(handler)
    try:
        raise ValueError(f"refused {CANARY}")
    except ValueError:
        log.exception("headers %s", {"Authorization": f"Bearer {CANARY}"})
    assert "refused" in lines[0]
    assert "Traceback" in lines[0]
    assert CANARY not in lines[0]


def test_what_a_provider_repeats_reaches_no_byte_of_the_ledger(tmp_path: Path):
    said = f'401 {{"error": {{"message": "Incorrect API key provided: {CANARY}"}}}}'
    with Ledger.open(f"sqlite:///{tmp_path / 'ledger.db'}", redactor=Redactor([CANARY])) as ledger:
        ledger.add_intents([intent(1)])
        ledger.add_replies([failure(1, failure_detail=said, text=said, http_status=401)])
        files = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert b"Incorrect API key" in files
    assert CANARY.encode() not in files
