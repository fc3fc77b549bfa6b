"""From the neutral words of the text cases to this project's, and back.

Cases are told apart by what their input holds, never by their id, so that further cases of the
same form run as well.
"""

import gc
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from citeval_assets.playbooks.cases import TestCase
from citeval_assets.text.annotations import Annotation, annotated_sentence
from citeval_assets.text.markers import (
    Citation,
    CitationScan,
    CitationState,
    PatternTooSlow,
    attach_citations,
    scan_citations,
    without_citations,
)
from citeval_assets.text.quotes import FoldedText, QuoteMatch, find_quote
from citeval_assets.text.references import claim_sentences
from citeval_assets.text.screen import invisible_characters, suspicious_instructions, visible
from citeval_assets.text.sentences import Sentence, split_sentences

Input = Mapping[str, Any]


@dataclass(frozen=True)
class Timed:
    """What a call gave and how many seconds of processor time it took."""

    value: Any
    seconds: float


def timed(call: Callable[[], Any]) -> Timed:
    """Time a call as ``timeit`` does: without the collector, whose passes depend on the process."""
    collecting = gc.isenabled()
    gc.disable()
    started = time.process_time()
    try:
        value = call()
        return Timed(value, time.process_time() - started)
    finally:
        if collecting:
            gc.enable()


def source_ids_of(given: Input) -> list[str]:
    """Return the ids a text may cite; rows without one get theirs from the case model."""
    if "source_ids" in given:
        return [str(one) for one in given["source_ids"]]
    if "sources" in given:
        return [source.id for source in case_of(given["sources"]).sources]
    return ["1"] if "source" in given else []


def case_of(sources: Sequence[Any]) -> TestCase:
    """Return a test case with these sources.

    Raises:
        ValidationError: the project refuses the row.
    """
    rows = [
        {"text": row.get("text", f"text of row {number}"), **row} if isinstance(row, dict) else row
        for number, row in enumerate(sources)
    ]
    return TestCase.model_validate(
        {"test_case_id": "t", "system": "s", "question": "q?", "sources": rows}
    )


def load_error(sources: Sequence[Any]) -> str | None:
    """Return the project's message where it refuses these sources."""
    try:
        case_of(sources)
    except ValidationError as error:
        return str(error)
    return None


def text_of(given: Input) -> str:
    for key in ("text", "answer", "trace", "source"):
        if isinstance(given.get(key), str):
            return given[key]
    raise KeyError("text")


def scan(given: Input) -> CitationScan:
    return scan_citations(
        text_of(given),
        source_ids_of(given),
        styles=tuple(given.get("styles", ())),
        pattern=given.get("config", {}).get("extra_marker_pattern") or given.get("pattern"),
    )


def names(citation: Citation) -> set[str]:
    """Everything a citation may be called: as written, and by its source's id."""
    return {citation.raw_id, citation.source_id or citation.raw_id}


def markers_fit(found: CitationScan, wanted: Sequence[Sequence[Any]]) -> bool:
    """Whether the markers are these, each with its exact text and its ids in order."""
    if [marker.text for marker in found.markers] != [text for text, _ in wanted]:
        return False
    for marker, (_, ids) in zip(found.markers, wanted, strict=True):
        held = [
            one
            for one in found.citations
            if one.marker == marker and one.state is not CitationState.MALFORMED
        ]
        if len(held) != len(ids):
            return False
        if not all(str(one) in names(citation) for citation, one in zip(held, ids, strict=True)):
            return False
    return True


def claims_of(given: Input) -> list[tuple[str, list[Citation]]]:
    """Return the claims of a text without their marks, and the citations of each."""
    text = text_of(given)
    found = scan(given)
    sentences = claim_sentences(text)
    attached = attach_citations(sentences, found)
    return [
        (bare(sentence, found), list(citations))
        for sentence, citations in zip(sentences, attached, strict=True)
    ]


def bare(sentence: Sentence, found: CitationScan) -> str:
    inside = scan_citations(sentence.text, [name for c in found.citations for name in names(c)])
    return without_citations(sentence.text, inside).strip()


def claim_of_annotation(given: Input) -> str:
    annotation = given["annotations"][0]
    sentences = split_sentences(given["text"])
    index = annotated_sentence(
        given["text"],
        sentences,
        Annotation(annotation["start"], annotation["end"], str(annotation["source_id"])),
    )
    assert index is not None
    return sentences[index].text


def quote_pairs(given: Input) -> list[tuple[str, str]]:
    """Return every (quote, source) pair of an input, whatever its form."""
    if "pairs" in given and "source" in given:
        return [(pair[0], given["source"]) for pair in given["pairs"]]
    if "pairs" in given:
        return [(pair[0], pair[1]) for pair in given["pairs"]]
    if "quotes" in given:
        return [(quote, given["source"]) for quote in given["quotes"]]
    if "claims" in given:
        return [(claim["quote"], given["source"]) for claim in given["claims"]]
    if "sources" in given:
        return [(given["quote"], source["text"]) for source in given["sources"]]
    return [(given["quote"], given["source"])]


def match(quote: str, source: str, min_words: int = 0) -> QuoteMatch:
    return find_quote(quote, FoldedText.of(source), "normalised", min_words=min_words)


def kind_of(found: QuoteMatch) -> str:
    return str(found.kind)


def flags_of(given: Input) -> set[str]:
    """Return all that is said of the hidden characters of an input, and of planted orders."""
    texts = _strings(given)
    flags = {note.kind for text in texts for note in invisible_characters(text)}
    if any(suspicious_instructions(text) for text in texts):
        flags.add("injection_suspected")
    if "quote" in given or "quotes" in given:
        for quote, source in quote_pairs(given):
            flags.update(match(quote, source).flags)
    return flags


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        return [text for one in value.values() for text in _strings(one)]
    if isinstance(value, list):
        return [text for one in value for text in _strings(one)]
    return []


def read_everything(given: Input) -> CitationScan | str:
    """Do all that is done to a text before a judge sees it; returns the scan or the reason."""
    text = text_of(given)
    try:
        found = scan(given)
    except PatternTooSlow as slow:
        return str(slow)
    attach_citations(claim_sentences(text), found)
    visible(text)
    return found
