"""Marks that look like citations and are not counted: said out loud, so that none is missed."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

from citeval_assets.text.citation_ids import SourceIds
from citeval_assets.text.citation_model import Citation, CitationState, Marker
from citeval_assets.text.citation_styles import PassedOver
from citeval_assets.text.spans import SpanSet

_LOOKALIKES = (
    # Kind, what a text must hold one of to match, and the pattern.
    (
        "bold number",
        ("**",),
        re.compile(r"\*\*\s?[(\[]?\d{1,3}[)\]]?\s?\*\*(?=\s{0,3}(?:[.,;:!?。，；：！？]|\n|$))"),
    ),
    (
        "XML-like citation tag",
        ("<",),
        re.compile(r"</?(?:cite|citation|ref|source|co|doc)\b[^<>\n]{0,200}+>", re.IGNORECASE),
    ),
    (
        "chat citation token",
        ("\ue200",),
        re.compile("\ue200(?:file)?cite[^\ue201\n]{0,200}+\ue201"),
    ),
    (
        "circled number",
        tuple("①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳❶❷❸❹❺❻❼❽❾❿"),
        re.compile(r"(?<=[^\s])[①-⑳❶-❿](?=[\s.,;:!?。，；：！？]|$)"),
    ),
    (
        "bibliography key",
        ("@",),
        re.compile(r"\[-?@[\w:.#$%&+?~/-]{1,100}+[^\[\]\n]{0,200}+\]"),
    ),
)
_PROSE_WORDS = ("Source", "Document", "Passage", "Doc", "Quelle", "Dokument", "Fuente")
_IN_PROSE = re.compile(rf"\b(?=[SDPQF])(?:{'|'.join(_PROSE_WORDS)})\s{{1,2}}#?(\d{{1,4}})\b")
_IN_PARENTHESES = re.compile(r"\(([^()\[\]\n]{2,80}+)\)")
_TWO_DIGITS = re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹]{2,}")


def warnings_of(
    text: str,
    passed_over: Sequence[PassedOver],
    sources: SourceIds,
    protected: SpanSet,
    markers: Sequence[Marker],
    citations: Sequence[Citation],
) -> list[str]:
    """Return one line per kind of doubtful mark, with how many there are and the first."""
    counts: Counter[str] = Counter()
    first: dict[str, str] = {}
    starts = [marker.start for marker in markers]

    def note(kind: str, shown: str) -> None:
        counts[kind] += 1
        first.setdefault(kind, shown)

    def is_free(match: re.Match[str]) -> bool:
        """Whether a match stands outside the counted marks and the protected spans."""
        index = bisect_left(starts, match.end()) - 1
        taken = index >= 0 and markers[index].end > match.start()
        return not taken and not protected.touches(*match.span())

    for one in passed_over:
        note(one.kind, one.text)
    ascii_only = text.isascii()
    for kind, needs, pattern in _LOOKALIKES:
        if ascii_only and not needs[0].isascii():
            continue
        if not any(mark in text for mark in needs):
            continue
        for match in pattern.finditer(text):
            if is_free(match):
                note(kind, match.group())
    named_in_prose = any(word in text for word in _PROSE_WORDS)
    for match in _IN_PROSE.finditer(text) if named_in_prose else ():
        known = sources.number(match.group(1)).state is CitationState.RESOLVED
        if known and is_free(match):
            note("source named in running text", match.group())
    for match in _IN_PARENTHESES.finditer(text) if "(" in text else ():
        inside = match.group(1).strip()
        if inside.isdecimal() or inside.isalpha() or sources.own(inside) is None:
            continue
        if is_free(match):
            note("source id in parentheses", match.group())
    warnings = [
        f"{count} citation-like mark(s) not counted ({kind}), first: {first[kind][:80]!r}"
        for kind, count in counts.items()
    ]
    warnings.extend(_run_together(citations))
    for number, placed in sources.conflicts.items():
        warnings.append(
            f"[{number}] is read as the source id {number!r}, though position {number} is "
            f"source {placed!r}"
        )
    return warnings


def _run_together(citations: Sequence[Citation]) -> list[str]:
    """Warn of a superscript that no source bears and that may be two marks without a gap."""
    return [
        f"superscript {citation.marker.text!r} is read as one number; "
        "it may be several marks run together"
        for citation in citations
        if citation.state is CitationState.UNRESOLVED
        and citation.marker.style == "superscript"
        and _TWO_DIGITS.fullmatch(citation.marker.text)
    ]
