"""What holds for every text whatever: offsets, coverage, no exceptions."""

from hypothesis import given, settings
from hypothesis import strategies as st

from citeval_assets.text.abstention import abstains_first, is_abstention, says_not_in_sources
from citeval_assets.text.assertions import asserts
from citeval_assets.text.markers import (
    CitationState,
    attach_citations,
    scan_citations,
    without_citations,
)
from citeval_assets.text.numbers import numbers_in, single_quantity
from citeval_assets.text.quotes import quoted_spans
from citeval_assets.text.references import claim_sentences, reference_spans
from citeval_assets.text.screen import invisible_characters, suspicious_instructions, visible
from citeval_assets.text.sentences import split_sentences
from citeval_assets.text.spans import SpanSet
from citeval_assets.text.traces import read_trace, trace_sentences

PIECES = st.sampled_from(
    [
        *"[]()（）【】†^,;-–.!?:\"'“”‘’«»`*_#|>~$\\/ \n\t\r",
        "[1]",
        "[doc_2]",
        "[1, 3-5]",
        "(Source 2)",
        "【4:1†a.pdf】",
        "[1](https://a.example/x)",
        "[t](#doc_1)",
        "²",
        "m²",
        "[source]",
        "##1$$",
        "<sup>1</sup>",
        "\n\n",
        "\n- ",
        "\n1. ",
        "\n## Sources\n",
        "\n```\n",
        "    ",
        "\n[^1]: note",
        "\\[",
        "$$\n",
        "Step 1: ",
        "Dr. ",
        "z. B. ",
        "Oak is hard. ",
        "\u200b",
        "\u202e",
        "\u0301",
        "中国。",
        "🚀",
        "I don't know. ",
        "3.5 million",
        "\x00",
        "\ud800",
    ]
)
TEXTS = st.lists(PIECES | st.text(max_size=6), max_size=25).map("".join)
IDS = st.lists(
    st.sampled_from(
        ["1", "2", "3", "doc_1", "doc_2", "kb-1", "terms", "A", "guide.pdf", "4:1", ""]
    ),
    max_size=6,
    unique=True,
)


@given(TEXTS)
@settings(max_examples=400, deadline=None)
def test_sentences_are_ordered_slices_that_cover_every_letter(text: str) -> None:
    position = 0
    for sentence in split_sentences(text):
        assert sentence.text == text[sentence.start : sentence.end]
        assert sentence.text == sentence.text.strip() != ""
        assert not any(char.isalnum() for char in text[position : sentence.start])
        assert sentence.start >= position
        position = sentence.end
    assert not any(char.isalnum() for char in text[position:])


@given(TEXTS, IDS)
@settings(max_examples=500, deadline=None)
def test_markers_are_ordered_slices_and_citations_are_numbered(text: str, ids: list[str]) -> None:
    scan = scan_citations(text, ids, styles=["hash_dollar"])
    position = 0
    for marker in scan.marks:
        assert marker.text == text[marker.start : marker.end]
        assert marker.start >= position
        position = marker.end
    assert [citation.number for citation in scan.citations] == list(range(len(scan.citations)))
    starts = [citation.marker.start for citation in scan.citations]
    assert starts == sorted(starts)
    for citation in scan.citations:
        assert (citation.source_id in ids) == (citation.state is CitationState.RESOLVED)
        assert (citation.source_id is None) == (citation.state is not CitationState.RESOLVED)
    assert all(marker.ids for marker in scan.markers)
    assert set(scan.unresolved) <= {citation.raw_id for citation in scan.citations}


@given(TEXTS, IDS)
@settings(max_examples=300, deadline=None)
def test_every_citation_belongs_to_exactly_one_sentence(text: str, ids: list[str]) -> None:
    scan = scan_citations(text, ids)
    sentences = claim_sentences(text)
    attached = attach_citations(sentences, scan)
    assert len(attached) == len(sentences)
    flat = tuple(citation for held in attached for citation in held)
    assert flat == (scan.citations if sentences else ())


@given(TEXTS, IDS)
@settings(max_examples=300, deadline=None)
def test_taking_citations_out_keeps_all_other_letters(text: str, ids: list[str]) -> None:
    scan = scan_citations(text, ids)
    bare = without_citations(text, scan)
    left = list(text)
    for marker in scan.marks:
        kept = marker.label if marker.style == "anchor" and marker.label else ""
        left[marker.start : marker.end] = [kept] + [""] * (marker.end - marker.start - 1)
    assert "".join(bare.split()) == "".join("".join(left).split())


@given(TEXTS)
@settings(max_examples=200, deadline=None)
def test_no_citation_stands_in_code_or_reference_lists(text: str) -> None:
    protected = SpanSet(reference_spans(text))
    for marker in scan_citations(text, ["1", "2"]).marks:
        assert not protected.touches(marker.start, marker.end)


@given(st.one_of(TEXTS, st.lists(TEXTS, max_size=4)))
@settings(max_examples=300, deadline=None)
def test_steps_and_their_sentences_are_slices_of_the_trace(given_trace: str | list[str]) -> None:
    trace = read_trace(given_trace)
    position = 0
    for step in trace.steps:
        assert step.text == trace.text[step.start : step.end]
        assert step.start >= position
        position = step.end
    last = -1
    for sentence in trace_sentences(trace):
        step = trace.steps[sentence.step_index]
        assert step.start <= sentence.start < sentence.end <= step.end
        assert sentence.text == trace.text[sentence.start : sentence.end]
        assert sentence.step_index >= last
        last = sentence.step_index
    if isinstance(given_trace, str):
        covered = {at for step in trace.steps for at in range(step.start, step.end)}
        letters = {at for at, char in enumerate(trace.text) if char.isalnum()}
        assert letters <= covered


@given(TEXTS)
@settings(max_examples=300, deadline=None)
def test_every_reader_copes_with_every_text(text: str) -> None:
    for span in quoted_spans(text):
        assert 0 < span.start <= span.end < len(text)
    for suspicion in suspicious_instructions(text):
        assert 0 <= suspicion.start < suspicion.end <= len(text)
    for number in numbers_in(text):
        assert number.span.of(text)
    shown = {note.kind for note in invisible_characters(visible(text))}
    assert not shown & {"direction_controls", "tag_characters"}
    assert isinstance(is_abstention(text), bool)
    assert isinstance(abstains_first(text), bool)
    assert isinstance(says_not_in_sources(text), bool)
    assert isinstance(asserts(text, "What is it?"), bool)
    single_quantity(text)
