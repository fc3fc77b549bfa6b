"""Sentences: where texts of language models are cut, and where they are not."""

import pytest

from citeval_assets.text.sentences import split_sentences


def cut(text: str) -> list[str]:
    return [sentence.text for sentence in split_sentences(text)]


@pytest.mark.parametrize(
    ("sentences", "glue"),
    [
        (["Oslo lies on a fjord [1][4].", "Some 700,000 people live there [2]."], " "),
        (["Oslo lies on a fjord.[1][4]", "Some 700,000 people live there.[2]"], " "),
        (["Why did he ask? [3]", "No one replied. [5, 6]"], " "),
        (["The gain was small (Ng et al., 2019).", "Others (Roy & Vu, 2022, p. 9) objected."], " "),
        (
            [
                "As Ng et al. (2019) showed, it fell to 2.5% in the U.S. last May.",
                "In Feb. it rose.",
            ],
            " ",
        ),
        (["Dr. A. B. Ortiz met Prof. Kim at 9 a.m. on Monday.", "They spoke of Fig. 7."], " "),
        (["Foo Inc. bought Bar Corp. for $1.2 billion.", "It closed at 6 p.m. Central."], " "),
        (['She cried, "It runs!"', "Then she sat down."], " "),
        (["Points:", "- one without a stop", "- two [1]", "- three."], "\n"),
        (["1. Unpack it.", "2. Run v3.4.5 of it.", "3. Look at example.org/a.html now."], "\n"),
        (["Die Stadt hat ca. 1,5 Mio. Einwohner (Stand 30. Nov. 2021) [1].", "Sie wächst."], " "),
        (["Am 9. November 1989 fiel die Mauer.", "Sie stand z. B. in Berlin."], " "),
        (["Der 2. Weltkrieg endete 1945.", "Im 19. Jahrhundert war es anders."], " "),
        (["Le taux a baissé de 2,5 % en 2021 [2].", "M. Petit l'a confirmé à 9 h."], " "),
        (["El Dr. Ruiz salió a las 4 p. m. del jueves.", "¿Por qué?", "No lo dijo [3]."], " "),
        (["上海是中国最大的城市[1]。", "人口超过两千万[2]。"], ""),
        (["京都は古い都です[1]。", "寺が多くあります。"], ""),
        (["Нева — река в России [1].", "В 1924 г. было наводнение."], " "),
        (["Use a drug (e.g. aspirin, i.e. an acid) vs. none.", "See No. 8 for more."], " "),
        (["Steel melts at 1500 °C.¹", "Lead melts at 327 °C.²"], " "),
        (["The roof holds【1†source】.", "It was checked later【2†source】."], " "),
        (["The St. Louis Fed says 4.75%.", "No change is due... at least until autumn."], " "),
        (["He was 12.", "She was 10."], " "),
        (["I love art.", "I went home.", "No.", "That is wrong.", "No. 5 is alive."], " "),
        (["He sat.", "Bob left.", "It was years ago.", "Ann knew."], " "),
        (["هذا كتاب.", "هل تقرأ؟", "نعم."], " "),
        (["यह एक किताब है।", "वह पढ़ता है।"], " "),
    ],
)
def test_sentences_of_many_kinds_of_prose(sentences: list[str], glue: str) -> None:
    assert cut(glue.join(sentences)) == sentences


def test_a_mark_behind_the_full_stop_stays_with_the_sentence_before() -> None:
    assert cut("Oak is hard. [1] Pine is soft.[2][3] Balsa floats.") == [
        "Oak is hard. [1]",
        "Pine is soft.[2][3]",
        "Balsa floats.",
    ]


@pytest.mark.parametrize(
    "mark",
    [
        "(Source 1)",
        "[[1]](https://a.example/b)",
        "([site](https://a.example/c))",
        "[doc_3, doc_4]",
        "【3†x.pdf】",
        "##1$$",
        "[terms]",
    ],
)
def test_marks_of_every_style_stay_with_the_sentence_before(mark: str) -> None:
    assert cut(f"Oak is hard. {mark} Pine is soft.") == [f"Oak is hard. {mark}", "Pine is soft."]


def test_a_mark_that_opens_a_line_belongs_to_what_follows() -> None:
    assert cut("Oak is hard\n[1] Pine is soft") == ["Oak is hard", "[1] Pine is soft"]


def test_a_line_of_nothing_but_marks_closes_the_sentence_before() -> None:
    assert cut("Oak is hard.\n[1]\nPine is soft.\n[2]") == [
        "Oak is hard.\n[1]",
        "Pine is soft.\n[2]",
    ]


def test_a_mark_and_the_stop_behind_it_close_a_wrapped_sentence() -> None:
    assert cut("Oak is hard\n[1]. Pine is soft.") == ["Oak is hard\n[1].", "Pine is soft."]


def test_a_bracketed_word_with_a_capital_opens_the_next_sentence() -> None:
    assert cut("Boil it. [Optional] Add salt.") == ["Boil it.", "[Optional] Add salt."]


def test_layout_breaks_inside_a_sentence_do_not_cut_it() -> None:
    text = (
        "This is a long line of wrapped text that ends just before the name\n"
        "Paris and goes on here for about as long as the one before did\n"
        "it. Done."
    )
    assert cut(text) == [text[:-6], "Done."]


def test_short_lines_without_a_stop_are_pieces_of_their_own() -> None:
    assert cut("Tower: 300 m\nBridge: 20 m\nRiver") == ["Tower: 300 m", "Bridge: 20 m", "River"]


def test_a_line_that_opens_like_a_sentence_is_one() -> None:
    text = "I do not know (the passages two and three hold no answer to this)\nYes, it is there."
    assert len(cut(text)) == 2


def test_code_formulas_headings_and_rows_are_kept_whole() -> None:
    text = (
        "# Title. Part\n\n```py\nx = 1. Y\n```\nAfter. All.\n\n\\[\na. B\n\\]\n"
        "| a. B | c |\n|---|---|\n"
    )
    assert cut(text) == [
        "# Title. Part",
        "```py\nx = 1. Y\n```",
        "After.",
        "All.",
        "\\[\na. B\n\\]",
        "| a. B | c |",
    ]


def test_inline_code_is_not_cut() -> None:
    assert cut("Use `a. B` now. Fine.") == ["Use `a. B` now.", "Fine."]


def test_a_quotation_led_in_by_its_sentence_keeps_it_together() -> None:
    text = 'The manual says "Stop the pump. Close the valve." [1] Then wait.'
    assert cut(text) == [text[:53], "Then wait."]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Il a dit : « C'est fini. » Puis il partit.", 2),
        ("Er sagte: „Es ist vorbei.“ Dann ging er.", 2),
        ("他说：“今天下雨。”然后走了。", 2),
        ("彼は「雨だ。」と言った。そして去った。", 2),
        ('"Why?" she asked. He left.', 2),
    ],
)
def test_closing_quotation_marks_belong_to_the_sentence(text: str, expected: int) -> None:
    assert len(cut(text)) == expected


def test_a_missing_blank_between_sentences_is_seen() -> None:
    assert cut("It helps many people.Others doubt it. See node.js or Booking.com now.") == [
        "It helps many people.",
        "Others doubt it.",
        "See node.js or Booking.com now.",
    ]


def test_a_number_scraped_apart_is_not_cut() -> None:
    assert cut("It grossed $2. 2 billion. It cost $5. Ten people came.") == [
        "It grossed $2. 2 billion.",
        "It cost $5.",
        "Ten people came.",
    ]


def test_every_line_ending_is_known() -> None:
    assert cut("One.\r\nTwo.\r\rThree.\u2028Four.") == ["One.", "Two.", "Three.", "Four."]


def test_blank_texts_have_no_sentences() -> None:
    assert split_sentences("") == split_sentences(" \n\t\n") == ()
