"""Reasoning traces: their steps, and their sentences numbered step by step."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from citeval_assets.text.code_blocks import block_code
from citeval_assets.text.lines import Line, lines_of
from citeval_assets.text.sentences import Sentence, split_sentences
from citeval_assets.text.spans import Span, SpanSet

_STEP_WORD = r"(?:step|schritt|étape|etape|paso|passo|шаг|stap|krok|adım|ステップ|步骤|步驟|단계)"
_STEP_PART = re.compile(
    rf"(?:[*_#>\-]{{0,6}}[ \t]{{0,3}}){_STEP_WORD}\s{{0,3}}#?\d{{1,3}}[*_]{{0,3}}\s{{0,2}}"
    r"(?:[:：.)\-–—]|\n|$)|第[\d一二三四五六七八九十]{1,3}步\s{0,2}[:：,，]?",
    re.IGNORECASE,
)
_BEFORE_STEP = re.compile(r"(?:^|[\n\r.!?…:;。！？\])\"”*_>])[ \t]*$")


@dataclass(frozen=True, slots=True)
class Trace:
    """A reasoning trace: its whole text and its steps, which do not overlap."""

    text: str
    steps: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class TraceSentence:
    """One sentence of a trace and the 0-based index of the step that holds it."""

    start: int
    end: int
    text: str
    step_index: int

    @property
    def span(self) -> Span:
        """Where the sentence stands in the trace's text."""
        return Span(self.start, self.end)


def read_trace(trace: str | Sequence[str]) -> Trace:
    """Read a trace given as a text or as a list of steps.

    The items of a list are the steps; joined by line breaks they are the text. In a text the
    parts "Step 1:", "Step 2:" are the steps; else its numbered and bulleted lines with the
    sentences that stand beside them; else its sentences.
    """
    if isinstance(trace, str):
        return Trace(trace, tuple(_steps_of(trace)))
    steps: list[Sentence] = []
    position = 0
    for item in trace:
        steps.append(Sentence(position, position + len(item), item))
        position += len(item) + 1
    return Trace("\n".join(trace), tuple(steps))


def trace_sentences(trace: Trace) -> tuple[TraceSentence, ...]:
    """Return the sentences of all steps in text order; none crosses a step's border."""
    return tuple(
        TraceSentence(step.start + sentence.start, step.start + sentence.end, sentence.text, index)
        for index, step in enumerate(trace.steps)
        for sentence in split_sentences(step.text)
    )


def _steps_of(text: str) -> Iterator[Sentence]:
    starts = _step_parts(text)
    if starts:
        yield from _parts(text, starts)
        return
    lines = lines_of(text)
    code = SpanSet(block_code(lines))
    items = [line for line in lines if line.item_mark and line.start not in code]
    if not items:
        yield from split_sentences(text)
        return
    yield from _listed(text, lines, {line.start for line in items})


def _step_parts(text: str) -> list[int]:
    """Return where "Step n:" parts begin; they stand at a line's or a sentence's start."""
    starts: list[int] = []
    for match in _STEP_PART.finditer(text):
        if _BEFORE_STEP.search(text[max(0, match.start() - 20) : match.start()]):
            starts.append(match.start())
    return starts


def _parts(text: str, starts: Sequence[int]) -> Iterator[Sentence]:
    yield from _shifted_sentences(text, 0, starts[0])
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        yield from _trimmed(text, start, end)


def _listed(text: str, lines: Sequence[Line], items: set[int]) -> Iterator[Sentence]:
    """Yield list items as steps, with their continuation lines; other text by sentences."""
    start = 0
    in_item = False
    blank_before = False
    for line in lines:
        if line.start in items:
            yield from _flush(text, start, line.start, in_item)
            start, in_item = line.start, True
        elif in_item and not line.blank and blank_before and line.indent < 2:
            yield from _flush(text, start, line.start, True)
            start, in_item = line.start, False
        blank_before = line.blank
    yield from _flush(text, start, len(text), in_item)


def _flush(text: str, start: int, end: int, in_item: bool) -> Iterator[Sentence]:
    if in_item:
        yield from _trimmed(text, start, end)
    else:
        yield from _shifted_sentences(text, start, end)


def _shifted_sentences(text: str, start: int, end: int) -> Iterator[Sentence]:
    for sentence in split_sentences(text[start:end]):
        yield Sentence(start + sentence.start, start + sentence.end, sentence.text)


def _trimmed(text: str, start: int, end: int) -> Iterator[Sentence]:
    part = text[start:end]
    lead = len(part) - len(part.lstrip())
    body = part.strip()
    if body:
        yield Sentence(start + lead, start + lead + len(body), body)
