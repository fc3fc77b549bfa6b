"""Which sentence a citation belongs to, and what holds no claims."""

import pytest

from citeval_assets.text.annotations import Annotation, annotated_sentence, claim_text
from citeval_assets.text.markers import attach_citations, scan_citations
from citeval_assets.text.references import claim_sentences, reference_spans
from citeval_assets.text.sentences import split_sentences

IDS = ["1", "2", "3", "4"]


def attached(text: str) -> list[tuple[str, list[str]]]:
    sentences = claim_sentences(text)
    held = attach_citations(sentences, scan_citations(text, IDS))
    return [
        (sentence.text, [citation.raw_id for citation in citations])
        for sentence, citations in zip(sentences, held, strict=True)
    ]


def test_marks_behind_the_stop_belong_before_it() -> None:
    assert [ids for _, ids in attached("Oak is hard. [1] Pine is soft.[2][3] Balsa floats.")] == [
        ["1"],
        ["2", "3"],
        [],
    ]


def test_equal_sentences_are_told_apart_by_position() -> None:
    found = attached("The tide rose [1]. Then it fell. The tide rose [2].")
    assert [ids for _, ids in found] == [["1"], [], ["2"]]


def test_a_mark_that_opens_a_line_belongs_to_the_sentence_behind_it() -> None:
    assert attached("[1] Oak is hard.\n[2] Pine is soft.") == [
        ("[1] Oak is hard.", ["1"]),
        ("[2] Pine is soft.", ["2"]),
    ]


def test_a_paragraph_of_marks_belongs_to_the_sentence_before() -> None:
    found = attached("Oak is hard.\n\n[1] [2]\n\n[3]\n\nPine is soft.")
    assert [ids for _, ids in found] == [["1", "2", "3"], [], [], []]


def test_marks_before_all_sentences_belong_to_the_first() -> None:
    assert [ids for _, ids in attached("[1]\n\n[2]\n\nOak is hard [3].")] == [
        [],
        [],
        ["1", "2", "3"],
    ]


def test_no_sentence_holds_nothing() -> None:
    assert attach_citations((), scan_citations("[1]", IDS)) == ()


@pytest.mark.parametrize(
    "text",
    [
        "Heat varies [1].\nCoal abounds [2].\n\n## Sources\n1. Heat book\n2. Coal book",
        "Heat varies [1].\nCoal abounds [2].\n\n### **References:**\n[1] Heat\n\n[2] Coal [2]",
        "Heat varies [1].\nCoal abounds [2].\n\n**Sources:**\n- [1] Heat book\n- [2] Coal book",
        "Heat varies [1].\nCoal abounds [2].\n\nQuellen:\n1. Wärme\n2. Kohle",
        "Heat varies [1].\nCoal abounds [2].\n\n[1] Heat book, 1999\n[2] Coal book",
        "Heat varies [1].\nCoal abounds [2].\n\n[1]: Heat book\n[2]: https://a.example",
        "Heat varies [^1].\nCoal abounds [^2].\n\n[^1]: Heat book.\n  It is old [3].\n[^2]: Coal",
    ],
)
def test_reference_lists_make_no_claims_and_no_citations(text: str) -> None:
    assert [ids for _, ids in attached(text)] == [["1"], ["2"]]


@pytest.mark.parametrize(
    "text",
    [
        "Sources of heat vary [1].\nReferences to coal abound [2].",
        "Sources:\n- The sun is hot [1].\n- Coal burns [2].",
        "Notes on trees:\nOak is hard [1].\nPine is soft [2].",
        "[1] Oak is hard.\n[2] Pine is soft.",
    ],
)
def test_sentences_that_only_look_like_a_reference_list_are_claims(text: str) -> None:
    assert sum(len(ids) for _, ids in attached(text)) == 2


def test_text_behind_a_reference_list_counts_again() -> None:
    text = "# Trees\nOak [1].\n## Sources\n1. Book [2]\n## More\nPine [3]."
    assert [ids for _, ids in attached(text) if ids] == [["1"], ["3"]]


def test_prose_that_cites_under_a_source_heading_is_still_a_claim() -> None:
    text = "Oak is hard [1].\n\n## Sources\n1. Wood book\n\nAll was checked in May [2]."
    assert [ids for _, ids in attached(text) if ids] == [["1"], ["2"]]


def test_a_line_behind_a_footnote_is_no_part_of_it_unless_indented() -> None:
    text = "Oak [^1].\n\n[^1]: Wood book\nPine is soft [2]."
    assert [ids for _, ids in attached(text)] == [["1"], ["2"]]


def test_code_holds_no_sentence_to_judge() -> None:
    text = "Run it [1]:\n```py\nprint('x. Y')\n```\nDone [2]."
    assert [sentence for sentence, _ in attached(text)] == ["Run it [1]:", "Done [2]."]


def test_uniformly_indented_text_is_no_code() -> None:
    assert reference_spans("    Oak is hard [1].\n    Pine is soft [2].") == ()


def test_a_list_item_continued_over_a_blank_line_is_no_code() -> None:
    text = "1. Oak\n\n    is hard [1].\n\nPine [2]."
    assert len(scan_citations(text, IDS).citations) == 2


def test_a_stray_back_tick_opens_no_code() -> None:
    assert len(scan_citations("It`s hard [1]. He said `so' [2].", IDS).citations) == 2


def test_a_providers_offsets_that_cover_the_link_mean_the_sentence_before() -> None:
    text = "Maple syrup is boiled sap. ([site](https://a.example/sap)) It is sweet."
    sentences = split_sentences(text)
    index = annotated_sentence(text, sentences, Annotation(27, 58, "1"))
    assert index == 0
    assert claim_text(sentences[0].text) == "Maple syrup is boiled sap."


def test_a_providers_offsets_that_cover_words_mean_their_sentence() -> None:
    text = "Maple syrup is sap. It is sweet."
    sentences = split_sentences(text)
    assert annotated_sentence(text, sentences, Annotation(20, 32, "1")) == 1
    assert annotated_sentence("", (), Annotation(0, 0, "1")) is None


def test_the_head_of_a_table_claims_nothing_unless_it_cites():
    rows = "| season | trips |\n|---|---|\n| summer | four [1] |"
    assert [s.text for s in claim_sentences(rows)] == ["| summer | four [1] |"]
    cited = rows.replace("trips", "trips [1]")
    assert next(s.text for s in claim_sentences(cited)) == "| season | trips [1] |"
    assert len(claim_sentences("| season | trips |\n| summer | four [1] |")) == 2
