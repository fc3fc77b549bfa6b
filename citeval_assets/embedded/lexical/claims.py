"""Claims as they are written: framing taken off, and cut into the clauses they are made of."""

import re

from citeval_assets.text.markers import scan_citations, without_citations

_CONNECTIVE = re.compile(
    r"(?:furthermore|additionally|moreover|in addition|however|therefore|overall|thus|also|finally"
    r"|in conclusion|as a result|consequently|for example|for instance|similarly|hence|in summary"
    r"|first|second|third|lastly|rather|so|then|next)\s*,\s+",
    re.IGNORECASE,
)
_SOURCE_FRAME = re.compile(
    r"(?:based on|according to)\s+(?:the|these|this)?\s*"
    r"(?:given|provided|above|following|cited)?\s*"
    r"(?:contexts?|sources?|passages?|documents?|information|articles?|texts?|evidence)\b"
    r"[^,]{0,40},\s*",
    re.IGNORECASE,
)
_MONTHS = r"(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])"
_NUMBERED = re.compile(
    r"(?:(?:step|schritt|étape|etape|paso|passo|krok|шаг)\s*\d{1,3}\s*[:.)–—-]+\s*"
    rf"|\d{{1,2}}[.)]\s+(?!{_MONTHS}))",
    re.IGNORECASE,
)
"""What a list or a trace numbers its items with; a date such as "3. Mai" is none."""

_CLAUSE = re.compile(
    r",?\s+(?:and|but|which|who|while|because|as well as|whereas|although|after|before|when)\s+"
    r"|[;:()]\s*|,\s+",
    re.IGNORECASE,
)
_LEAST_WORDS = 3
MAX_CLAUSES = 12
"""Clauses of one claim that are looked at: a longer claim is no sentence."""


def bare_claim(text: str, source_ids: tuple[str, ...] = ()) -> str:
    """Return a claim without citation marks, "Step 2:", connectives, "according to the text"."""
    bare = without_citations(text, scan_citations(text, source_ids)).strip()
    for frame in (_NUMBERED, _CONNECTIVE, _SOURCE_FRAME, _CONNECTIVE):
        found = frame.match(bare)
        if found is not None and found.end() < len(bare):
            bare = bare[found.end() :]
    return bare


def clauses_of(claim: str) -> tuple[str, ...]:
    """Return the clauses of a claim, each of at least three words; short pieces join the next."""
    clauses: list[str] = []
    held = ""
    for piece in _CLAUSE.split(claim):
        held = f"{held} {piece}".strip()
        if len(held.split()) >= _LEAST_WORDS:
            clauses.append(held)
            held = ""
    if held and clauses:
        clauses[-1] = f"{clauses[-1]} {held}"
    elif held:
        clauses.append(held)
    return tuple(clauses[:MAX_CLAUSES])
