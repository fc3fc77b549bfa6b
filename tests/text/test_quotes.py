"""The one quote matcher: what counts as standing in the source, and where."""

import pytest

from citeval_assets.text.quotes import FoldedText, MatchKind, find_quote, word_count


def kind(quote: str, source: str, matching: str = "normalised", min_words: int = 0) -> str:
    return find_quote(quote, source, matching, min_words=min_words).kind  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("quote", "source"),
    [
        ("The final office floor", "The ﬁnal oﬃce ﬂoor"),
        ('He said "no" - twice... about 5-10 kg.', "He said “no” — twice… about 5‑10\u00a0kg."),
        ("He said 'no' twice", "He said “no” twice"),
        ("the dogs' food", "the dogs’ food"),
        ("La caf\u00e9 de Z\u00fcrich", "La cafe\u0301 de Zu\u0308rich"),
        ("marked hyperreflexia was seen", "marked hyper-\nreflexia was seen"),
        ("a well-known case", "a well-\r\nknown case"),
        ("a wellknown case", "a well-\n  known case"),
        ("hyper- reflexia was", "hyper-\nreflexia was"),
        ("COVID-19 cases", "COVID-\n19 cases"),
        ("shutdown now", "shut\u00addown now"),
        ("shutdown now", "shut\u00ad\ndown now"),
        ("the fee is not refundable", "the fee is n\u200bot refund\u2060able"),
        ("one two three four five six", "one\u00a0two\u2009three\u3000four\r\nfive\tsix"),
        ("law--passed now", "law—passed now"),
        ("−5 degrees below", "it is -5 degrees below"),
        ("The Fee Is Due", "the fee is due"),
        ("ÄRGER gibt es", "Ärger gibt es"),
        ("“the fee is due.”", "the fee is due, he said"),
        ("...the fee is due", "the fee is due"),
        ("CO2 emissions rose", "CO₂ emissions rose"),
        ("20 °C is warm", "20 ℃ is warm"),
        ("5 µm wide", "5 μm wide"),
        ("ａｂｃ", "abc"),
        ("ガラス", "ｶﾞﾗｽ"),
        ("5 m² of", "5 ㎡ of"),
        ("각자", "\u1100\u1161\u11a8자"),
        ("北京是首都", "北京\n是首都"),
        ("[T]he fee is due", "The fee is due"),
        ("the goverment [sic] said", "the goverment said"),
        ("the fee is due [2]", "the fee is due"),
        ("the **fee** is due", "the fee is due"),
    ],
)
def test_typography_does_not_matter(quote: str, source: str) -> None:
    assert kind(quote, source) == MatchKind.NORMALISED


@pytest.mark.parametrize(
    ("quote", "source"),
    [
        ("about 102 cells", "about 10² cells"),
        ("about 10", "about 10² cells"),
        ("1/2 dose", "½ dose"),
        ("about 2", "about 2½ hours"),
        ("the oeuvre", "the œuvre"),
        ("102 in binary", "10₂ in binary"),
        ("step 1 is", "step ① is"),
        ("R is the field", "ℝ is the field"),
        ("phi is 3", "ϕ is 3"),
        ("Die Straße", "Die STRASSE"),
        ("istanbul", "İstanbul"),
        ("οδος εδω", "ΟΔΟΣ ΕΔΩ"),
        ("p\u0430yment is due", "payment is due"),
        ("cafe opened", "café opened"),
        ("6' tall", '6" tall'),
        ("the drug is safe", "the drug is unsafe"),
        ("the drug is safe", "the drug is un\u200bsafe"),
        ("safe for patients", "un-\nsafe for patients"),
        ("smoking area", "a non-smoking area"),
        ("safe now", "unsafe now"),
        ("re-form the", "reform the"),
        ("reform the", "re-form the"),
        ("COVID19 cases", "COVID-\n19 cases"),
        ("5 kg of salt", "3.5 kg of salt"),
        ("costs 3", "costs 3.5 euros"),
        ("costs 3", "costs 3,000 euros"),
        ("5 degrees below", "it is -5 degrees below"),
        ("-5 degrees below", "it is 5 degrees below"),
        ("we can go", "we can't go"),
        ("we can", "we can't go"),
        ("the tenant must leave", "the tenant may leave"),
        ("for up to 24 days", "for up to 42 days"),
        ("the fee is refundable", "the fee is not refundable"),
        ("the fee is due, and", "the fee is due and"),
        ("grade: failed", "grade: \u202edeliaf\u202c"),
        ("stored cold must be burnt", "It is stored cold. Vials must be burnt."),
    ],
)
def test_letters_numbers_and_words_do_matter(quote: str, source: str) -> None:
    match = find_quote(quote, source, min_words=0)
    assert match.kind == MatchKind.NONE
    assert match.spans == ()


def test_a_verbatim_quote_is_exact() -> None:
    source = "It says: the fee is due."
    match = find_quote("the fee is due.", source)
    assert match.kind == MatchKind.EXACT
    assert [span.of(source) for span in match.spans] == ["the fee is due."]


def test_offsets_are_code_points_of_the_unchanged_source() -> None:
    source = "👩‍🚀 flew. Cafe\u0301 opened."
    match = find_quote("Café opened.", source, min_words=0)
    assert [span.of(source) for span in match.spans] == ["Cafe\u0301 opened."]


def test_a_later_place_is_found_where_an_earlier_one_cuts_a_word() -> None:
    source = "xaa bb aa bb aa"
    match = find_quote("aa bb aa", source)
    assert match.spans[0].start == 7


def test_words_may_end_at_an_apostrophe_or_a_dash() -> None:
    assert kind("homme est mort", "l'homme est mort") == MatchKind.EXACT
    assert kind("the minister", "the minister's reply") == MatchKind.EXACT
    assert kind("passed in 1990", "the law—passed in 1990—was") == MatchKind.EXACT
    assert kind("und Nachteile", "Vor- und Nachteile") == MatchKind.EXACT


def test_scripts_without_word_gaps_may_be_cut_anywhere() -> None:
    assert kind("中国的首都", "北京是中国的首都。") == MatchKind.EXACT


@pytest.mark.parametrize("dots", ["...", "…", "[...]", "[…]", "(…)", ". . .", "[ ... ]"])
def test_omissions_part_a_quote_into_pieces_in_order(dots: str) -> None:
    source = "First we washed it. Then, after a week, we dried it."
    match = find_quote(f"First we washed it {dots} we dried it", source)
    assert match.kind == MatchKind.ELIDED
    assert [span.of(source) for span in match.spans] == ["First we washed it", "we dried it"]
    assert kind(f"we dried it {dots} First we washed it", source) == MatchKind.NONE


def test_an_omission_the_source_has_too_is_no_omission() -> None:
    assert kind("wait... what is this", "wait… what is this") == MatchKind.NORMALISED


def test_an_elided_quote_needs_three_words_in_all() -> None:
    assert kind("First ... it", "First we washed it.") == MatchKind.NONE


def test_an_omission_that_swallows_a_negation_is_flagged() -> None:
    match = find_quote("the drug is ... safe to use", "the drug is not at all safe to use")
    assert match.kind == MatchKind.ELIDED
    assert "elided_negation" in match.flags


def test_a_quote_under_three_words_is_too_short() -> None:
    match = find_quote("is", "The report is late.")
    assert match.kind == MatchKind.TOO_SHORT
    assert not match.found
    assert "quote_too_short" in match.flags


@pytest.mark.parametrize("quote", ["", "   ", "...", "!!! ???"])
def test_a_quote_without_words_is_never_found(quote: str) -> None:
    assert not find_quote(quote, "Any text at all.", min_words=0).found


def test_exact_matching_folds_white_space_only() -> None:
    source = "The minister’s  reply:\nno ward will be closed  before autumn"
    assert kind("no ward will be closed before", source, "exact") == MatchKind.NORMALISED
    assert kind("The minister's reply", source, "exact") == MatchKind.NONE
    assert kind("No ward will be", source, "exact") == MatchKind.NONE
    assert kind("ward will be closed.", source, "exact") == MatchKind.NONE
    assert kind("no ward ... before autumn", source, "exact") == MatchKind.ELIDED


def test_what_is_absent_names_the_nearest_passage_and_its_similarity() -> None:
    source = "A preface. Treatment abroad is covered for up to 42 days per journey. An end."
    match = find_quote("treatment abroad is covered for up to 24 days per journey", source)
    assert match.nearest is not None
    assert match.nearest.of(source) == ("Treatment abroad is covered for up to 42 days per journey")
    assert 0.9 < (match.similarity or 0) < 1


def test_without_a_shared_word_there_is_no_nearest_passage() -> None:
    match = find_quote("zebras run fast", "Oak is hard.")
    assert (match.nearest, match.similarity) == (None, None)


@pytest.mark.parametrize(
    ("quote", "source", "flag"),
    [
        ("the fee is n\u200bot due", "the fee is not due", "invisible_characters"),
        ("grade was set", "grade \u202ewas set", "direction_controls"),
        ("p\u0430yment is due", "payment is due", "mixed_scripts"),
        ("plain text here", "plain te\U000e0041xt here", "tag_characters"),
    ],
)
def test_hidden_characters_are_flagged(quote: str, source: str, flag: str) -> None:
    assert flag in find_quote(quote, source).flags


def test_a_folded_source_gives_the_same_answer() -> None:
    source = "The ﬁnal oﬃce ﬂoor — and more"
    folded = FoldedText.of(source)
    for quote in ("the final office", "nothing of it", "floor - and more"):
        assert find_quote(quote, folded) == find_quote(quote, source)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("don't well-known 3.5", 3),
        ("a - b", 2),
        ("…", 0),
        ("北京是中国", 3),
        ("한국어 문장", 2),
        ("the\u00a0fee", 2),
    ],
)
def test_words_are_counted(text: str, words: int) -> None:
    assert word_count(text) == words


MARKED = [
    ("Hindi", "लड़का घर गया था", "लड़का घर गया"),
    ("Hindi, silenced consonant", "वह बहुत बुद्धिमान् है", "वह बहुत बुद्धिमान्"),
    ("Hindi, nasal", "वे लोग अच्छे हैं।", "लोग अच्छे हैं"),
    ("Tamil", "நான் வீட்டிற்கு சென்றேன் நேற்று", "நான் வீட்டிற்கு சென்றேன்"),
    ("Arabic", "كَتَبَ الوَلَدُ الدَّرْسَ في البَيْتِ", "كَتَبَ الوَلَدُ الدَّرْسَ"),
    ("Hebrew", "אָמַר לוֹ כֵּן שָׁלוֹםָ רַב", "אָמַר לוֹ כֵּן שָׁלוֹםָ"),
    ("Thai", "วันนี้ฉันไปที่นั่นแล้ว", "วันนี้ฉันไปที่"),
    ("Burmese", "မြန်မာနိုင်ငံသည် လှပသည်", "မြန်မာနိုင်ငံသည် လှပသည်"),
    ("decomposed", "il a mange\u0301 au cafe\u0301 hier", "il a mange\u0301 au cafe\u0301"),
    ("a key", "press the key 1\ufe0f\u20e3 now", "press the key 1\ufe0f\u20e3"),
]


@pytest.mark.parametrize("matching", ["normalised", "exact"])
@pytest.mark.parametrize(
    ("source", "quote"), [row[1:] for row in MARKED], ids=[r[0] for r in MARKED]
)
def test_a_quote_may_end_in_a_combining_mark(source: str, quote: str, matching: str) -> None:
    match = find_quote(quote, source, matching, min_words=0)  # type: ignore[arg-type]
    assert match.kind == MatchKind.EXACT
    assert [span.of(source) for span in match.spans] == [quote]


@pytest.mark.parametrize(
    ("source", "quote"), [row[1:] for row in MARKED], ids=[r[0] for r in MARKED]
)
def test_punctuation_behind_a_combining_mark_does_not_matter(source: str, quote: str) -> None:
    assert kind(f"“{quote}।”", source) == MatchKind.NORMALISED


def test_an_elided_part_may_end_in_a_combining_mark() -> None:
    assert kind("लड़का घर गया ... वह सो गया", "लड़का घर गया था और वह सो गया") == MatchKind.ELIDED


@pytest.mark.parametrize("matching", ["normalised", "exact"])
@pytest.mark.parametrize(
    ("quote", "source"),
    [
        ("लड़का घर गया", "लड़का घर गयाजी"),
        ("वाले लोग अच्छे हैं", "दिल्लीवाले लोग अच्छे हैं"),
        ("लड़का घर गय", "लड़का घर गया"),
        ("he saw the cafe", "he saw the cafe\u0301"),
        ("he saw the cafe\u0301", "he saw the cafe\u0301s"),
    ],
)
def test_a_quote_parts_no_letter_from_its_marks(quote: str, source: str, matching: str) -> None:
    assert kind(quote, source, matching) == MatchKind.NONE


def test_an_apostrophe_behind_a_combining_mark_is_one() -> None:
    assert kind("the café’s owner", "the cafe\u0301's owner") == MatchKind.NORMALISED
