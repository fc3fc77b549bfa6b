"""Texts in pieces: nothing is lost, nothing is added, whatever overlaps."""

from hypothesis import given, settings
from hypothesis import strategies as st

from citeval_assets.playbooks.report import Evidence, Finding
from citeval_assets.playbooks.vocabulary import FindingUnit
from citeval_assets.text.spans import Span
from citeval_assets.web.charts import difference_histogram
from citeval_assets.web.diffing import difference
from citeval_assets.web.marks import cut, marks_of, source_view, with_markers
from citeval_assets.web.tones import Tone, finding_tone


def finding(start: int | None, end: int | None, label: str = "supported", weight: float = 1.0):
    return Finding(
        unit=FindingUnit.CLAIM, unit_number=0, text="", label=label, weight=weight,
        char_start=start, char_end=end,
    )  # fmt: skip


SPANS = st.lists(st.tuples(st.integers(-3, 40), st.integers(-3, 40)), max_size=8)


@settings(max_examples=60)
@given(st.text(max_size=35), SPANS)
def test_the_pieces_of_a_text_are_the_text(text: str, spans: list[tuple[int, int]]) -> None:
    marks = marks_of([finding(*span) for span in spans], len(text))
    pieces = cut(text, marks)
    assert "".join(piece.text for piece in pieces) == text
    assert all(piece.mark is None or 0 <= piece.mark.start < piece.mark.end for piece in pieces)


@settings(max_examples=60)
@given(st.text(min_size=1, max_size=60), SPANS)
def test_the_pieces_of_a_source_are_the_source(text: str, spans: list[tuple[int, int]]) -> None:
    evidence = [
        Evidence(source_id="1", char_start=a, char_end=b, text="") for a, b in spans if a < b
    ]
    assert "".join(piece.text for piece in source_view(text, evidence).pieces) == text


def test_findings_about_one_stretch_share_a_mark_in_the_worst_tone() -> None:
    found = marks_of([finding(0, 5), finding(0, 5, "contradicted", 0.0), finding(6, 9)], 9)
    assert [(mark.tone, mark.findings) for mark in found] == [
        (Tone.BAD, (0, 1)),
        (Tone.GOOD, (2,)),
    ]


def test_where_marks_overlap_the_shortest_counts() -> None:
    pieces = cut("abcdef", marks_of([finding(0, 6), finding(2, 4)], 6))
    assert [(p.text, p.mark.findings if p.mark else None) for p in pieces] == [
        ("ab", (0,)), ("cd", (1,)), ("ef", (0,)),
    ]  # fmt: skip


def test_a_mark_is_drawn_out_over_the_markers_behind_it_and_no_further() -> None:
    text = "One [1][2]. Two [3] stands."
    marks = marks_of([finding(0, 3), finding(12, 15)], len(text))
    markers = [Span(4, 7), Span(7, 10), Span(16, 19)]
    assert [text[m.start : m.end] for m in with_markers(text, marks, markers)] == [
        "One [1][2].", "Two [3]",
    ]  # fmt: skip


def test_of_a_long_source_what_surrounds_the_span_is_shown() -> None:
    text = "a" * 30_000 + "HERE" + "b" * 30_000
    view = source_view(
        text, [Evidence(source_id="1", char_start=30_000, char_end=30_004, text="HERE")]
    )
    assert [piece.text for piece in view.pieces if piece.match] == ["HERE"]
    shown = sum(len(piece.text) for piece in view.pieces)
    assert view.cut_before + shown + view.cut_after == len(text) and shown < 13_000


def test_partial_support_is_never_shown_as_bad_or_good() -> None:
    assert finding_tone("partially_supported", 0.0) is Tone.PART
    assert finding_tone("fully_supported", 1.0) is Tone.GOOD
    assert finding_tone("non_asserting", None) is Tone.NONE


@settings(max_examples=60)
@given(st.text("ab .\n", max_size=60), st.text("ab .\n", max_size=60))
def test_both_texts_of_a_difference_stay_whole(before: str, after: str) -> None:
    found = difference(before, after)
    assert "".join(part.text for part in found.before) == before
    assert "".join(part.text for part in found.after) == after
    assert found.same is (before == after)


def test_a_changed_word_is_marked_alone() -> None:
    found = difference("The ferry runs from April on.", "The ferry runs from May on.")
    assert [part.text for part in found.before if part.changed] == ["April "]
    assert [part.text for part in found.after if part.changed] == ["May "]


def test_texts_too_long_to_compare_are_shown_unmarked() -> None:
    found = difference("a " * 5_000, "b " * 5_000)
    assert not found.compared and not any(part.changed for part in found.before)


def test_equal_scores_have_a_bar_of_their_own() -> None:
    bars = [
        bar for bar in difference_histogram([0.0, 0.0, -1.0, 1.0, -0.001, 0.1]).bins if bar.count
    ]
    assert [(bar.count, bar.tone) for bar in bars] == [
        (1, "bad"), (1, "bad"), (2, "none"), (1, "good"), (1, "good"),
    ]  # fmt: skip
