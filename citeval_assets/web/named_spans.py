"""Where the judge points in its own words: passages it quotes while it explains a finding.

A report records a span only where a check in code found one. A judge that explains itself by
quoting names a place all the same; it is shown as named by the judge, never as evidence.
"""

from collections.abc import Iterator, Sequence

from citeval_assets.playbooks.report import Evidence, Finding
from citeval_assets.text.quotes import FoldedText, find_quote, quoted_spans
from citeval_assets.web.subject import ShownSource

NAMED = "named"
"""How such a span is told from those that checks found."""


def named_spans(finding: Finding, sources: Sequence[ShownSource]) -> tuple[Evidence, ...]:
    """Return the passages of ``sources`` that the explanation of ``finding`` quotes."""
    quotes = [span.of(finding.explanation) for span in quoted_spans(finding.explanation)]
    if not quotes:
        return ()
    return tuple(spot for source in sources for spot in _named_in(source, quotes))


def _named_in(source: ShownSource, quotes: Sequence[str]) -> Iterator[Evidence]:
    folded = FoldedText.of(source.text)
    for quote in quotes:
        for span in find_quote(quote, folded, with_nearest=False).spans:
            yield Evidence(
                source_id=source.id,
                char_start=span.start,
                char_end=span.end,
                text=span.of(source.text),
                match=NAMED,
            )
