"""Sentences that assert something, and sentences that do not."""

import pytest

from citeval_assets.text.assertions import asserts


@pytest.mark.parametrize(
    "sentence",
    [
        "The total therefore grew slightly.",
        "The tower is 300 m tall [1].",
        "Empty the fuel tank before winter.",
        "Dressings and gloves [1].",
        "Twice a day.",
        "41",
        "Yes.",
        "No, it is closed.",
        "- Ivy covers the wall.",
        "**Ivy** covers the wall.",
        "Let's calculate A = 3 + 4 = 7.",
        "Let me check: the hall has 410 seats.",
        "Step 2: The parish accounts name the donor.",
        'He asked her, "Why now?"',
        "According to the report, the dam is safe.",
        "The hall has 410 seats:",
        "\\[ x = 40 \\]",
        "Der Turm ist hoch.",
        "这座塔很高。",
    ],
)
def test_it_asserts(sentence: str) -> None:
    assert asserts(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "",
        "---",
        "[1]",
        "【3†source】",
        "Hello!",
        "Hi there, Anna!",
        "Sure!",
        "Great question!",
        "Thank you for your question.",
        "I hope this helps!",
        "Let me know if you have any other questions.",
        "Feel free to ask.",
        "Best regards",
        "Is there anything else you would like to know?",
        "What about the balcony?",
        "But why [2]?",
        '"Why now?"',
        "# Opening hours",
        "**Opening hours**",
        "Step 3:",
        "Answer:",
        "Key points:",
        "Here are the main points:",
        "The warranty includes:",
        "Let me check the sources.",
        "Let me check source [1].",
        "First, I need to find the year of the treaty.",
        "To answer the question, I need to identify the positions of all five birds.",
        "Now I have enough information.",
        "Checking the documents again.",
        "The question asks who painted the ceiling.",
        "You asked when the library closes.",
        "```py\nx = 1\n```",
        "- [Create a cluster](https://a.example/new)",
        "Guten Tag!",
        "Ich hoffe, das hilft Ihnen weiter!",
        "Ich prüfe zunächst die Quellen.",
        "Bonjour !",
        "N'hésitez pas à poser d'autres questions.",
        "Vérifions les documents.",
        "¡Hola!",
        "Espero que esto ayude.",
        "Vamos a revisar las fuentes.",
        "Привет!",
        "你好！",
        "让我检查一下资料。",
    ],
)
def test_it_asserts_nothing(sentence: str) -> None:
    assert not asserts(sentence)


def test_the_question_put_again_asserts_nothing() -> None:
    question = "When does the library close on Saturdays?"
    assert not asserts("When does the library close on Saturdays", question)
    assert asserts("The library closes at 14:00 on Saturdays.", question)


def test_an_answer_in_the_words_of_the_question_asserts() -> None:
    assert asserts("The tower is open on Sundays.", "Is the tower open on Sundays?")
