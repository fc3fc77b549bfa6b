"""An operator's own marker pattern, run under a time limit."""

from collections.abc import Iterator

import regex

from citeval_assets.text.citation_grammar import MarkReader, ReadMark
from citeval_assets.text.citation_ids import ReadId
from citeval_assets.text.citation_model import CitationState, PatternTooSlow
from citeval_assets.text.citation_styles import FoundMark

PATTERN_SECONDS = 0.75
"""How long one text may keep an operator's pattern busy."""

MAX_PATTERN_CHARS = 2_000


def check_pattern(pattern: str) -> "regex.Pattern[str]":
    """Compile an operator's pattern.

    Raises:
        ValueError: it is too long or no regular expression.
    """
    if len(pattern) > MAX_PATTERN_CHARS:
        raise ValueError(
            f"marker pattern of {len(pattern)} characters; at most {MAX_PATTERN_CHARS}"
        )
    try:
        return regex.compile(pattern)
    except regex.error as error:
        raise ValueError(f"marker pattern {pattern!r} is no regular expression: {error}") from None


def find_custom(text: str, pattern: str, reader: MarkReader) -> Iterator[FoundMark]:
    """Yield what ``pattern`` finds; a match that names nothing readable is malformed.

    Raises:
        PatternTooSlow: the time limit was reached.
        ValueError: ``pattern`` is no regular expression.
    """
    compiled = check_pattern(pattern)
    group = "id" if "id" in compiled.groupindex else min(compiled.groups, 1)
    found: list[FoundMark] = []
    try:
        for match in compiled.finditer(text, timeout=PATTERN_SECONDS):
            if match.start() == match.end():
                continue
            inside = (match.group(group) or "").strip()
            read = reader.read(inside, certain=True)
            if read is None:
                read = ReadMark((ReadId(match.group(), CitationState.MALFORMED),))
            found.append(FoundMark(match.start(), match.end(), "custom", read))
    except TimeoutError:
        raise PatternTooSlow(pattern, PATTERN_SECONDS) from None
    yield from found
