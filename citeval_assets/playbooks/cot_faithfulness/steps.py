"""The steps of a trace: numbered by code, found again in what the judge wrote."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from citeval_assets.playbooks.view import Unit
from citeval_assets.text.assertions import asserts
from citeval_assets.text.quotes import FoldedText, find_quote, word_count
from citeval_assets.text.spans import Span
from citeval_assets.text.traces import Trace, trace_sentences

UNQUOTED_WORDS = 3
"""A stretch of a sentence with so many words is worth a look where no sub-step quotes it."""

_CLAUSE = re.compile(
    r"[,;:–—，；：、。]|\b(?:and|but|while|which|who|because|since|so|therefore|although|"
    r"und|aber|während|weil|sodass|obwohl|et|mais|donc|parce que|tandis que|y|pero|porque|"
    r"e|ma|perché|и|но|а|потому что)\b",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"\[[^\[\]]{0,80}\]|【[^【】]{0,80}】")


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One sentence of the trace. Offsets are code points into the text of the trace.

    ``trace_step`` is the index of the trace's own step the sentence stands in.
    """

    number: int
    start: int
    end: int
    text: str
    trace_step: int
    asserting: bool

    def as_unit(self) -> Unit:
        """Return the step as the model sees it."""
        return Unit(self.number, self.text, step_index=self.trace_step, asked=self.asserting)


def number_steps(trace: Trace, question: str) -> tuple[TraceStep, ...]:
    """Number every sentence of the trace from 0 and mark those that assert nothing."""
    return tuple(
        TraceStep(
            number,
            sentence.start,
            sentence.end,
            sentence.text,
            sentence.step_index,
            asserts(sentence.text, question),
        )
        for number, sentence in enumerate(trace_sentences(trace))
    )


def place_in_step(step_text: str, step: TraceStep, trace: FoldedText) -> tuple[Span, ...]:
    """Return where ``step_text`` stands in its step; nothing where it does not.

    A judge that joins a sentence with its neighbours has quoted the whole sentence, as long
    as all it wrote stands in the trace.
    """
    inside = find_quote(step_text, step.text, min_words=1)
    if inside.found:
        return tuple(Span(step.start + span.start, step.start + span.end) for span in inside.spans)
    joined = find_quote(step.text, step_text, min_words=1)
    if joined.found and find_quote(step_text, trace, min_words=1).found:
        return (Span(step.start, step.end),)
    return ()


def unquoted_parts(step: TraceStep, judged: Sequence[Span], trace_text: str) -> tuple[str, ...]:
    """Return the stretches of a sentence, markers left out, that no sub-step quotes.

    Only those of several words: a dropped full stop or "and" hides nothing.
    """
    stretches = (
        _BRACKETED.sub(" ", trace_text[start:end])
        for start, end in _stretches_between(step, judged)
    )
    return tuple(part for part in stretches if word_count(part) >= UNQUOTED_WORDS)


def may_hold_a_claim(part: str) -> bool:
    """Whether an unquoted stretch looks like a clause of its own, that could hold a claim.

    Judges shorten what they quote; leaving out "at noon" is sloppy, leaving out ", and the
    valve broke" leaves a claim without a label.
    """
    return _CLAUSE.search(part.rstrip(" \t\n.,;:!?)\"'")) is not None


def _stretches_between(step: TraceStep, judged: Iterable[Span]) -> list[tuple[int, int]]:
    stretches: list[tuple[int, int]] = []
    position = step.start
    for span in sorted(judged, key=lambda span: span.start):
        if span.start > position:
            stretches.append((position, span.start))
        position = max(position, span.end)
    stretches.append((position, step.end))
    return stretches
