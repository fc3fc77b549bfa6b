"""Parts of a text that make no claims: reference lists, footnote definitions, code."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from citeval_assets.text.code_blocks import code_spans
from citeval_assets.text.lines import Line, lines_of
from citeval_assets.text.sentences import Sentence, split_sentences
from citeval_assets.text.spans import Span, SpanSet, merged

_TITLE_WORDS = (
    r"(?:sources?|references?|bibliography|citations?|footnotes?|works cited|literature|"
    r"further reading|sources? cited|list of (?:sources|references)|references? list|quellen|"
    r"quellenverzeichnis|literatur(?:verzeichnis)?|quellenangaben|fußnoten|einzelnachweise|belege|"
    r"références|bibliographie|notes de bas de page|fuentes|referencias|bibliografía|fonti|"
    r"riferimenti|fontes|referências|источники|литература|список литературы|примечания|"
    r"参考文献|参考资料|来源|引用|出典|参考)"
)
_HEADING = re.compile(
    rf" {{0,3}}#{{1,6}}\s+[*_]*(?:\d+[.)]?\s+)?{_TITLE_WORDS}[*_]*\s*:?[*_]*\s*#*$", re.IGNORECASE
)
_TITLE_LINE = re.compile(
    rf"\s*(?:\*\*|__)?{_TITLE_WORDS}\s*[:：]?(?:\*\*|__)?\s*[:：]?$", re.IGNORECASE
)
_DEFINITION = re.compile(r" {0,3}\[\^?[^\[\]\n]{1,120}+\]:(?:\s|$)")
_FOOTNOTE_DEFINITION = re.compile(r" {0,3}\[\^[^\[\]\n]{1,120}+\]:")
_MARK_FIRST = re.compile(
    r"\s*(?:[-*+•]\s+)?(?:\*\*)?(?:\[\[?\^?(?P<bracket>[^\[\]\n]{1,80}+)\]\]?|"
    r"【(?P<lent>[^【】\n]{1,80}+)】"
    r"|(?P<sup>[⁰¹²³⁴⁵⁶⁷⁸⁹]+))(?:\*\*)?(?::|\.|\s|\()"
)
_ITEM = re.compile(r"\s*(?:[-*+•◦]\s+|\d{1,3}[.)]\s+)")
_ENDS_WITH_MARK = re.compile(r"\[[^\[\]\n]{1,60}\]\s*[.。]?\s*$")
_SUPERSCRIPTS = re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_INSIDE_BRACKETS = re.compile(r"[\[【]\^?([^\[\]【】\n]{1,80}+)[\]】]")
_RANGE = re.compile(r"(\d{1,6})\s*[-–—]\s*(\d{1,6})")
_ADDRESS = re.compile(r"https?://|www\.|doi[:.]", re.IGNORECASE)


@lru_cache(maxsize=8)
def reference_spans(text: str) -> tuple[Span, ...]:
    """Return the spans that hold reference lists, footnote definitions and code.

    No sentence in them is judged and no mark in them is a citation. A reference list starts
    at a Markdown heading such as ``## Sources`` and ends at the next heading of its rank,
    lines of prose that cite something left out; or it starts at a title line of its own
    ("Sources:") that only list items follow; or it is a closing block whose every line opens
    with a mark that the text before has cited.
    """
    lines = lines_of(text)
    spans = [*code_spans(text, lines), *_definitions(lines)]
    taken = SpanSet(spans)
    free = [line for line in lines if line.start not in taken or line.blank]
    spans.extend(_headed_lists(free))
    spans.extend(_titled_lists(free))
    spans.extend(_closing_list(text, free))
    return merged(span for span in spans if span.start < span.end)


@lru_cache(maxsize=16)
def claim_sentences(text: str) -> tuple[Sentence, ...]:
    """Return the sentences of ``text`` that stand outside reference lists and code blocks.

    The head row of a Markdown table names its columns and claims nothing, unless it cites.
    """
    spans = SpanSet(merged([*reference_spans(text), *_table_heads(text)]))
    return tuple(sentence for sentence in split_sentences(text) if not _swallowed(spans, sentence))


def _table_heads(text: str) -> list[Span]:
    """Head rows of Markdown tables: the row above a table's rule, where nothing is cited in it."""
    if "|" not in text:
        return []
    lines = lines_of(text)
    return [
        Span(head.start, head.end)
        for head, below in pairwise(lines)
        if head.table_row
        and below.table_row
        and below.rule
        and not _INSIDE_BRACKETS.search(head.text)
        and not _SUPERSCRIPTS.search(head.text)
    ]


def _swallowed(spans: SpanSet, sentence: Sentence) -> bool:
    span = spans.covering(sentence.start)
    return span is not None and span.end >= sentence.end


def _definitions(lines: Sequence[Line]) -> list[Span]:
    """Footnote definitions with their continuation lines, and link definitions."""
    spans: list[Span] = []
    open_note = False
    for line in lines:
        if _DEFINITION.match(line.text):
            open_note = _FOOTNOTE_DEFINITION.match(line.text) is not None
            spans.append(Span(line.start, line.end))
        elif open_note and not line.blank and line.indent >= 2:
            spans.append(Span(line.start, line.end))
        else:
            open_note = False
    return spans


def _rank(line: Line) -> int:
    stripped = line.text.lstrip()
    return len(stripped) - len(stripped.lstrip("#"))


def _headed_lists(lines: Sequence[Line]) -> list[Span]:
    spans: list[Span] = []
    rank = 0
    for line in lines:
        if rank and line.heading and _rank(line) <= rank:
            rank = 0
        if not rank and _HEADING.match(line.text):
            rank = _rank(line)
        if rank and (_is_entry(line) or _ITEM.match(line.text) or not _cites(line)):
            spans.append(Span(line.start, line.end))
    return spans


def _cites(line: Line) -> bool:
    """Whether a line reads like a claim: prose that ends with a citation mark."""
    return _ENDS_WITH_MARK.search(line.text) is not None


def _titled_lists(lines: Sequence[Line]) -> list[Span]:
    """Lists under a title line without a heading mark; a list of claims is none."""
    spans: list[Span] = []
    items: list[Line] | None = None
    title: Line | None = None

    def close() -> None:
        if title is not None and items:
            spans.append(Span(title.start, items[-1].end))

    for line in lines:
        if items is not None:
            if line.blank:
                continue
            if _is_entry(line):
                items.append(line)
                continue
            close()
            items, title = None, None
        if _TITLE_LINE.match(line.text):
            items, title = [], line
    close()
    return spans


def _is_entry(line: Line) -> bool:
    if _MARK_FIRST.match(line.text) or _ADDRESS.search(line.text):
        return True
    return _ITEM.match(line.text) is not None and not _cites(line)


def _closing_list(text: str, lines: Sequence[Line]) -> list[Span]:
    """A closing block of lines that each open with another mark cited before."""
    block: list[Line] = []
    labels: list[str] = []
    for line in reversed(lines):
        if line.blank and not block:
            continue
        match = _MARK_FIRST.match(line.text)
        if match is None:
            break
        block.append(line)
        labels.append(match["bracket"] or match["lent"] or match["sup"])
    if not block or len(set(labels)) < len(labels):
        return []
    start = block[-1].start
    before = text[:start]
    if not before.strip() or not _blank_or_rule_before(lines, block[-1]):
        return []
    cited = _labels_in(before)
    return [Span(start, block[0].end)] if cited.issuperset(labels) else []


def _blank_or_rule_before(lines: Sequence[Line], first: Line) -> bool:
    previous: Line | None = None
    for line in lines:
        if line.start >= first.start:
            break
        previous = line
    return previous is not None and (previous.blank or previous.rule)


def _labels_in(text: str) -> set[str]:
    """Return everything that marks of ``text`` might name, ranges expanded."""
    labels = set(_SUPERSCRIPTS.findall(text))
    for inside in _INSIDE_BRACKETS.findall(text):
        labels.add(inside)
        for item in re.split(r"[,;，；、]", inside):
            labels.add(item.strip(" ^"))
            if found := _RANGE.fullmatch(item.strip(" ^")):
                low, high = int(found[1]), int(found[2])
                labels.update(str(number) for number in range(low, min(high, low + 50) + 1))
    return labels
