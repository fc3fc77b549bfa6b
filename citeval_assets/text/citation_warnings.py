"""Marks that look like citations and are not counted: said out loud, so that none is missed."""

import re
from collections import Counter
from collections.abc import Sequence

from citeval_assets.text.citation_ids import SourceIds
from citeval_assets.text.citation_styles import PassedOver
from citeval_assets.text.spans import Span, SpanSet

_LOOKALIKES = {
    "bold number": re.compile(
        r"\*\*\s?[(\[]?\d{1,3}[)\]]?\s?\*\*(?=\s{0,3}(?:[.,;:!?。，；：！？]|\n|$))"
    ),
    "XML-like citation tag": re.compile(
        r"</?(?:cite|citation|ref|source|co|doc)\b[^<>\n]{0,200}+>", re.IGNORECASE
    ),
    "bibliography key": re.compile(r"\[-?@[\w:.#$%&+?~/-]{1,100}+[^\[\]\n]{0,200}+\]"),
    "source named in running text": re.compile(
        r"\b(?:Source|Document|Passage|Doc|Quelle|Dokument|Fuente)\s{1,2}#?\d{1,4}\b"
    ),
}


def warnings_of(
    text: str,
    passed_over: Sequence[PassedOver],
    sources: SourceIds,
    protected: SpanSet,
    marks: Sequence[tuple[int, int]],
) -> list[str]:
    """Return one line per kind of uncounted mark, with how many there are and the first."""
    counts: Counter[str] = Counter()
    first: dict[str, str] = {}
    taken = SpanSet([Span(start, end) for start, end in marks])
    for one in passed_over:
        counts[one.kind] += 1
        first.setdefault(one.kind, one.text)
    for kind, pattern in _LOOKALIKES.items():
        for match in pattern.finditer(text):
            inside = taken.touches(match.start(), match.end())
            if not inside and not protected.touches(match.start(), match.end()):
                counts[kind] += 1
                first.setdefault(kind, match.group())
    warnings = [
        f"{count} citation-like mark(s) not counted ({kind}), first: {first[kind][:80]!r}"
        for kind, count in counts.items()
    ]
    for number, placed in sources.conflicts.items():
        warnings.append(
            f"[{number}] is read as the source id {number!r}, though position {number} is "
            f"source {placed!r}"
        )
    return warnings
