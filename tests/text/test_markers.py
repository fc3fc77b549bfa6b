"""Citation markers: every form that counts, every form that does not, and what each one names."""

import pytest

from citeval_assets.text.markers import (
    CitationState,
    Numbering,
    PatternTooSlow,
    UnknownStyle,
    scan_citations,
    without_citations,
)

NUMBERS = ["1", "2", "3", "4", "5"]
DOCS = ["doc_1", "doc_2", "doc_3"]


def named(text: str, ids: list[str] | None = None) -> list[tuple[str, tuple[str, ...]]]:
    scan = scan_citations(text, NUMBERS if ids is None else ids)
    return [(marker.text, marker.ids) for marker in scan.markers]


@pytest.mark.parametrize(
    ("mark", "ids"),
    [
        ("[3]", "3"),
        ("[ 3 ]", "3"),
        ("[1, 3]", "1 3"),
        ("[1;3]", "1 3"),
        ("[1，3；4、5]", "1 3 4 5"),
        ("[2-4]", "2 3 4"),
        ("[2–4, 1]", "2 3 4 1"),
        ("[1, 2, 1]", "1 2"),
        ("[1, 2, and 3]", "1 2 3"),
        ("[1 & 2]", "1 2"),
        ("[[4]]", "4"),
        ("［2］", "2"),
        ("\\[2\\]", "2"),
        ("[**2**]", "2"),
        ("[\u200b2]", "2"),
        ("[^2]", "2"),
        ("[^1, ^2]", "1 2"),
        ("[Source 2]", "2"),
        ("[source: 2, 3]", "2 3"),
        ("[Sources 1, 2 and 3]", "1 2 3"),
        ("[Source 2: Leave policy]", "2"),
        ("[Source 1 (p. 3)]", "1"),
        ("[Document 3, page 4]", "3"),
        ("[3, p. 12]", "3"),
        ("[ID:1]", "1"),
        ("[Quelle 2]", "2"),
        ("[Fuente 1]", "1"),
        ("(Source 2)", "2"),
        ("(see Sources 1-3)", "1 2 3"),
        ("(Quelle: 3)", "3"),
        ("【4†source】", "4"),
        ("【2】", "2"),
        ("[1†a.pdf]", "1"),
        ("[[1]](https://a.example/x_(y))", "1"),
        ("[1](https://a.example 'title')", "1"),
        ("[text](#3)", "3"),
        ("[text](#source-3)", "3"),
        ("<sup>1</sup>", "1"),
        ("<sup>[2]</sup>", "2"),
    ],
)
def test_a_form_of_citation(mark: str, ids: str) -> None:
    text = f"Oak is hard {mark} and heavy."
    scan = scan_citations(text, NUMBERS)
    (marker,) = scan.markers
    assert marker.text == mark
    assert marker.span.of(text) == mark
    assert marker.ids == tuple(ids.split())
    assert all(citation.resolved for citation in scan.citations)
    assert scan.malformed == ()


@pytest.mark.parametrize(
    "text",
    [
        "He wrote [sic] and [km / h] and [...] and [x] and [ ] and [].",
        "- [x] done\n- [ ] open",
        "In [1998] and [1939–1945] and [2018, 2019] it rained.",
        "It cost [5,000] and [-1] and [1.5] and [12:30] and [1/2].",
        "In the range [0, 1], a 95% CI [1, 3], the interval [2, 5].",
        "Then x = rows[1] and arr[2] = 3, list.items[2].name, grid[i][0], my_list[1].",
        "Use `f(a[0], a[2])`, ``grid[i][1]`` and `h[^1]llo`.",
        "```py\nx = rows[1]\n```",
        "~~~\n[2]\n",
        "A fence never closed:\n```js\nlet q = t[2]",
        "Inline code never closed: `rows[1]",
        "As code:\n\n    grid[0][1] = 9\n",
        "See [the archive](https://a.example/rules), [2019](https://a.example), ![1](a.png).",
        "[contents](#introduction)",
        "[1]: https://a.example\n[^2]: Survey, p. 4\n  goes on [3]",
        "[Smith 2020], [Table 1], [Article 5], [source code], [the source].",
        "[T]he fee; /users/[id]/edit.",
        "5 m² and 10² and 5 km² and m² area, x² + y², R² = 0.9, (x+1)², E = mc², kg m⁻²",
        "Ca²⁺ and ¹⁴C dating and 10<sup>2</sup>",
        "Amber is **1**. It floats **(2)**. It took **3** years (1) at (2).",
        "The pattern [0-9] or [1-3]+ or [a-z] matches.",
        "<code>rows[1]</code> and \\(x[2]\\)",
        "(source) and (target), (id 4471), (Smith et al., 2020), 【注意】",
        "[context] and [evidence] and [excerpt]",
        "The minutes read [...truncated] at line two.",
    ],
)
def test_what_looks_like_a_citation_and_is_none(text: str) -> None:
    scan = scan_citations(text, NUMBERS)
    assert scan.citations == ()
    assert without_citations(text, scan) == text


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("Rust is iron oxide.² The plate covers 5 m².", ["²"]),
        ("He said so.¹,³ She did not.⁵", ["¹,³", "⁵"]),
        ("Proven¹⁻³ at last.", ["¹⁻³"]),
        ("It holds vitamin C² and zinc.", ["²"]),
    ],
)
def test_superscripts_are_citations_unless_they_are_exponents(text: str, marks: list[str]) -> None:
    assert [marker.text for marker in scan_citations(text, NUMBERS).markers] == marks


@pytest.mark.parametrize(
    "mark",
    [
        "[source]",
        "[citation needed]",
        "[ref]",
        "[Source: Wikipedia]",
        "[Source N]",
        "[doc_id]",
        "[Quelle fehlt]",
        "[source?]",
        "[null]",
        "[None]",
        "[n/a]",
        "[5-3]",
        "[1-100]",
        "[3-]",
        "[1–2–3]",
        "(citation needed)",
        "(Source: Wikipedia)",
        "【source】",
    ],
)
def test_a_citation_word_without_a_usable_id_is_malformed_and_counted(mark: str) -> None:
    scan = scan_citations(f"Salt melts ice {mark}.", NUMBERS)
    assert [marker.text for marker in scan.malformed] == [mark]
    assert scan.markers == ()
    assert [citation.state for citation in scan.citations] == [CitationState.MALFORMED]


def test_a_marker_with_a_broken_part_keeps_its_good_ones() -> None:
    scan = scan_citations("Tin [1, 5-3, 2].", NUMBERS)
    assert [c.state for c in scan.citations] == ["resolved", "malformed", "resolved"]
    assert scan.markers == scan.malformed
    assert scan.markers[0].ids == ("1", "2")


@pytest.mark.parametrize(
    "text",
    [
        "Oak is hard[1].Pine is soft.",
        "In France[1](see the note) it rains.",
        "Oak[1][source] grows.",
        "Oak [1]and pine.",
        "The gap between [1, 3] is wide.",
        "Is it so [1-3]? Yes.",
        "Wow![1] It burns.",
        "**[1]** and *[2]*",
        "[leave][1] is granted.",
    ],
)
def test_marks_in_careless_typing_are_still_counted(text: str) -> None:
    scan = scan_citations(text, NUMBERS)
    assert scan.markers
    assert scan.citations[0].source_id == "1"


def test_a_range_may_name_51_ids_and_no_more() -> None:
    ids = [str(number) for number in range(1, 101)]
    assert len(scan_citations("a [10-60].", ids).citations) == 51
    assert scan_citations("a [10-61].", ids).malformed


def test_ids_of_several_digits_are_read_whole() -> None:
    assert named("a [12] b [104].", ["1", "2", "12", "104"]) == [
        ("[12]", ("12",)),
        ("[104]", ("104",)),
    ]


def test_an_id_without_a_source_is_unresolved_and_stays_itself() -> None:
    scan = scan_citations("Wool [2]. Felt [9]. Silk [9].", ["1", "2", "3"])
    assert scan.unresolved == ("9",)
    assert [c.source_id for c in scan.citations] == ["2", None, None]


@pytest.mark.parametrize(
    ("mark", "source"),
    [
        ("[doc_2]", "doc_2"),
        ("[Doc 2]", "doc_2"),
        ("[DOC_2]", "doc_2"),
        ("[document 2]", "doc_2"),
        ("[doc2]", "doc_2"),
        ("[2]", "doc_2"),
        ("[Source 2]", "doc_2"),
        ("(doc_2)", "doc_2"),
        ("[doc_7]", None),
        ("[the table](#doc_2)", "doc_2"),
        ("[the table](#doc_9)", None),
    ],
)
def test_citation_words_are_read_without_regard_to_case(mark: str, source: str | None) -> None:
    (citation,) = scan_citations(f"a {mark}.", DOCS).citations
    assert citation.source_id == source


def test_ranges_and_lists_of_named_documents() -> None:
    assert named("a [doc_1-3] b [doc_1, doc_3] c [doc_1-doc_2]", DOCS) == [
        ("[doc_1-3]", ("doc_1", "doc_2", "doc_3")),
        ("[doc_1, doc_3]", ("doc_1", "doc_3")),
        ("[doc_1-doc_2]", ("doc_1", "doc_2")),
    ]


def test_a_number_in_a_word_id_never_falls_back_to_a_position() -> None:
    (citation,) = scan_citations("a [doc_2].", ["doc_7", "doc_9"]).citations
    assert citation.state is CitationState.UNRESOLVED


@pytest.mark.parametrize(
    ("mark", "ids", "state", "source"),
    [
        ("[kb-1]", ["kb-1", "kb-2"], "resolved", "kb-1"),
        ("[kb-9]", ["kb-1", "kb-2"], "unresolved", None),
        ("[KB-1]", ["kb-1", "kb-2"], "unresolved", None),
        ("[Source kb-1]", ["kb-1", "kb-2"], "resolved", "kb-1"),
        ("[terms]", ["terms", "cart"], "resolved", "terms"),
        ("[leave policy, 2020]", ["leave policy, 2020"], "resolved", "leave policy, 2020"),
        ("[manual.pdf]", ["guide.pdf"], "unresolved", None),
        ("[guide.pdf#page=2]", ["guide.pdf"], "resolved", "guide.pdf"),
        ("[ffffffff1a]", ["a1b2c3d4"], "unresolved", None),
        ("[D]", ["A", "B"], "unresolved", None),
        ("[cafe\u0301]", ["caf\u00e9"], "resolved", "caf\u00e9"),
        ("[1998]", ["1998", "x"], "resolved", "1998"),
        ("【4:1†manual.pdf】", ["2", "4:1"], "resolved", "4:1"),
        ("【4:2†manual.pdf】", ["2", "4:1"], "unresolved", None),
        ("[^note]", ["1"], "unresolved", None),
    ],
)
def test_own_ids_of_every_shape(mark: str, ids: list[str], state: str, source: str | None) -> None:
    (citation,) = scan_citations(f"a {mark}.", ids).citations
    assert (citation.state, citation.source_id) == (state, source)


def test_an_unknown_plain_word_is_text_even_beside_word_ids() -> None:
    assert scan_citations("a [note] b [fees].", ["terms", "cart"]).citations == ()


def test_numbers_are_own_ids_where_all_ids_are_numbers() -> None:
    scan = scan_citations("a [10] b [1].", ["10", "20"])
    assert scan.numbering is Numbering.OWN_IDS
    assert [c.source_id for c in scan.citations] == ["10", None]


def test_numbers_are_positions_where_ids_are_names() -> None:
    scan = scan_citations("a [2] b [3].", ["intro", "body"])
    assert scan.numbering is Numbering.POSITION
    assert [c.source_id for c in scan.citations] == ["body", None]
    assert [c.raw_id for c in scan.citations] == ["2", "3"]


def test_an_own_id_goes_before_a_position_and_the_doubt_is_told() -> None:
    scan = scan_citations("a [2].", ["2", "x"])
    assert scan.citations[0].source_id == "2"
    assert any("position 2" in warning for warning in scan.warnings)


def test_each_occurrence_is_a_unit_numbered_in_text_order() -> None:
    scan = scan_citations("Foxes [2][2]. They [2]. They dig [1, 2, 1] [9] [source].", ["1", "2"])
    assert [(c.number, c.raw_id) for c in scan.citations] == list(
        enumerate(["2", "2", "2", "1", "2", "9", "source"])
    )


def test_the_label_beside_an_id_is_kept() -> None:
    scan = scan_citations("a 【4†manual.pdf】 b [3, p. 12] c [the table](#5)", NUMBERS)
    assert [marker.label for marker in scan.markers] == ["manual.pdf", "p. 12", "the table"]


def test_known_ids_come_from_the_sources_alone() -> None:
    assert scan_citations("The moon is rock [7].", ["1"]).unresolved == ("7",)


def test_without_sources_every_id_is_unresolved() -> None:
    assert scan_citations("a [1] b [2].", []).unresolved == ("1", "2")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Amber is resin **1**.", "bold number"),
        ("Rice needs water ##0$$.", "hash_dollar"),
        ('<cite id="7">Tin</cite>', "XML-like"),
        ("Tin [@smith2020, p. 4].", "bibliography key"),
        ("According to Source 2 it rains.", "running text"),
        ("See the [doc_2](https://a.example).", "link whose title"),
        ("It rains (kb-1).", "parentheses"),
        ("It rains.¹²", "run together"),
        ("It rains①.", "circled"),
        ("\ue200cite\ue202turn0search1\ue201", "chat citation"),
    ],
)
def test_uncounted_lookalikes_are_told(text: str, kind: str) -> None:
    scan = scan_citations(text, ["doc_1", "doc_2", "kb-1"])
    assert any(kind in warning for warning in scan.warnings), scan.warnings


def test_an_honest_text_warns_of_nothing() -> None:
    text = (
        "Oak is hard [1]. See Document 77. It took **3** years (see page 2) in 5 m² (Smith, 2020)."
    )
    assert scan_citations(text, NUMBERS).warnings == ()


def test_an_optional_style_counts_only_when_switched_on() -> None:
    text = "Rice needs water ##0$$ and warmth ##2$$."
    assert scan_citations(text, ["0", "1", "2"]).citations == ()
    scan = scan_citations(text, ["0", "1", "2"], styles=["hash_dollar"])
    assert [c.source_id for c in scan.citations] == ["0", "2"]


def test_a_built_in_style_can_be_switched_off_and_is_then_warned_about() -> None:
    scan = scan_citations("Oak.² Pine [1].", ["1", "2"], styles=["-superscript"])
    assert [c.raw_id for c in scan.citations] == ["1"]
    assert any("superscript" in warning for warning in scan.warnings)


def test_an_unknown_style_names_the_known_ones() -> None:
    with pytest.raises(UnknownStyle, match="hash_dollar"):
        scan_citations("a", [], styles=["hash-dollar"])


def test_an_operators_pattern_adds_markers() -> None:
    scan = scan_citations("a §2§ b <<src:x>> [1].", ["1", "2"], pattern=r"§(\d+)§|<<src:\w+>>")
    assert [(m.text, m.ids, m.style) for m in scan.markers] == [
        ("§2§", ("2",), "custom"),
        ("[1]", ("1",), "bracket"),
    ]
    assert [m.text for m in scan.malformed] == ["<<src:x>>"]


def test_the_named_group_of_a_pattern_holds_the_id() -> None:
    scan = scan_citations("a {{x|kb-1}} b", ["kb-1"], pattern=r"\{\{(\w)\|(?P<id>[^}]+)\}\}")
    assert [c.source_id for c in scan.citations] == ["kb-1"]


def test_a_pattern_wins_over_the_built_in_form_it_overlaps() -> None:
    scan = scan_citations("a [[x:2]] b", ["1", "2"], pattern=r"\[\[x:(\d)\]\]")
    assert [(m.text, m.style) for m in scan.markers] == [("[[x:2]]", "custom")]


def test_a_pattern_finds_nothing_in_code() -> None:
    assert scan_citations("`§2§`", ["2"], pattern=r"§(\d)§").citations == ()


def test_a_pattern_that_matches_nothing_wide_makes_no_marker() -> None:
    assert scan_citations("abc", [], pattern=r"x*").citations == ()


def test_a_slow_pattern_is_stopped() -> None:
    with pytest.raises(PatternTooSlow, match="pattern too slow"):
        scan_citations("a" * 60 + "!", [], pattern="(a|aa)+$")


def test_a_broken_pattern_is_named() -> None:
    with pytest.raises(ValueError, match=r"'\(' is no regular expression"):
        scan_citations("a", [], pattern="(")


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("Oak is hard [1].", "Oak is hard."),
        ("Oak is hard. [1][2] Pine [3] is soft.", "Oak is hard. Pine is soft."),
        ("Oak is hard.²", "Oak is hard."),
        ("See [the table](#3) and [1](https://a.example).", "See the table and."),
        ("a [source] b", "a b"),
        ("Call `f(a[0])` first [1].\n```\nt[2]", "Call `f(a[0])` first.\n```\nt[2]"),
    ],
)
def test_a_text_without_its_citations(text: str, bare: str) -> None:
    assert without_citations(text, scan_citations(text, NUMBERS)) == bare
