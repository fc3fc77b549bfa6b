"""Abstentions: whole answers, first sentences, and what is none."""

import pytest

from citeval_assets.text.abstention import (
    abstains_first,
    is_abstention,
    is_abstention_sentence,
    says_not_in_sources,
)

PURE = [
    "",
    "  \n",
    "I could not find this in the provided documents.",
    "I don't know based on the provided documents.",
    "I cannot answer this question from the given sources.",
    "I’m sorry, but I couldn’t find any information about a ski run of that name.",
    "I don't know. None of the contexts mention the name of the school [1][2].",
    "Unfortunately, the context does not say when the bridge was built.",
    "The provided passages lack any details about its cost.",
    "No chunk gives the weight.",
    "There is no information about the warranty in the documents.",
    "It is not possible to give a direct answer based on the passages.",
    "The question cannot be answered.",
    "Based on the documents, this cannot be determined.",
    "Not enough information to answer.",
    "I must abstain.",
    "Unknown.",
    "N/A",
    "I'm sorry, but I can't help with that.",
    "The passages discuss the history of the castle, but none of them mentions its price.",
    "While the sources mention the river, they do not state its length.",
    "I don't know. The contexts cover the canal. They do not give its depth.",
    "I do not have enough information to answer. Please provide the contract, and I will look.",
    "Hello! I could not find an answer in the documents. Let me know if I can help otherwise.",
    "Das steht nicht in den Dokumenten.",
    "Leider kann ich diese Frage anhand der Quellen nicht beantworten.",
    "In den bereitgestellten Texten gibt es keine Angaben dazu.",
    "Die Dokumente enthalten keine Informationen über den Preis.",
    "Aus dem Kontext geht nicht hervor, wann die Brücke gebaut wurde.",
    "Ich weiß es nicht.",
    "Je ne trouve pas cette information dans les documents.",
    "Les sources ne mentionnent pas le prix.",
    "Je suis désolé, je ne peux pas répondre à cette question.",
    "Aucune information sur ce sujet n'est disponible.",
    "No puedo responder a esta pregunta con los documentos dados.",
    "Los documentos no mencionan el precio.",
    "Lo siento, no encuentro información sobre el puente.",
    "No lo sé.",
    "Non lo so.",
    "Os documentos não mencionam o preço.",
    "Ik weet het niet.",
    "В документах нет информации о цене.",
    "Я не могу ответить на этот вопрос.",
    "文档中没有提到价格。",
    "我不知道。",
    "資料には記載がありません。",
    "정보가 부족합니다.",
]

CLAIMS = [
    "The total therefore grew slightly.",
    "There is no evidence that vaccines cause autism.",
    "According to the documents, the treatment does not provide relief.",
    "The documents say that the tower does not contain asbestos.",
    "None of the sources of heat is renewable.",
    "No sources of water exist on the island.",
    "The species cannot be found in Africa.",
    "Insurance is not covered.",
    "He did not sign the document.",
    "Scientists do not know why birds migrate.",
    "There are details about the tower in the annex.",
    "The tenant may not keep dogs.",
    "Der Fahrer hat das Dokument nicht unterschrieben.",
    "Laut den Dokumenten ist der Turm nicht öffentlich.",
    "Selon les documents, le traitement ne contient pas d'arsenic.",
    "Según los documentos, no se permite fumar.",
    "Он не подписал документ.",
    "None.",
    "No.",
    "0",
]

MIXED = [
    "I must abstain. However, the tower is 300 m tall.",
    "I cannot answer this from the chunks. Children under twelve are not admitted to ward 5.",
    "I don't know, but the tower is 300 m tall.",
    "The documents do not give the price. The warranty runs for two years [1].",
    "The sources do not mention the pool; the lake is open from May to September.",
    "Sorry, I have no information on that. Paris is the capital of France.",
    "Ich kann das nicht beantworten. Der Turm ist 300 m hoch.",
]


@pytest.mark.parametrize("text", PURE)
def test_nothing_but_an_abstention(text: str) -> None:
    assert is_abstention(text)


@pytest.mark.parametrize("text", CLAIMS)
def test_a_claim_is_no_abstention(text: str) -> None:
    assert not is_abstention(text)
    assert not abstains_first(text)
    assert not says_not_in_sources(text)


@pytest.mark.parametrize("text", MIXED)
def test_an_abstention_followed_by_a_claim_is_none(text: str) -> None:
    assert not is_abstention(text)
    assert abstains_first(text)


@pytest.mark.parametrize("text", [text for text in PURE if text.strip()])
def test_a_pure_abstention_also_abstains_first(text: str) -> None:
    assert abstains_first(text)


def test_an_abstention_at_the_end_does_not_come_first() -> None:
    text = "The tower is 300 m tall. I could not find its price in the documents."
    assert not abstains_first(text)
    assert not is_abstention(text)


def test_an_empty_answer_abstains_first_in_no_words() -> None:
    assert not abstains_first("")


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The chunks do not say who paid.", True),
        ("Neither source gives a date.", True),
        ("The price is not mentioned in any of the passages.", True),
        ("The documents mention the bridge, but not who built it.", True),
        ("The chunks do not say who paid, but the mayor opened it in 1962.", False),
        ("The notices conflict about the date.", False),
        ("I don't know.", False),
    ],
)
def test_what_the_sources_do_not_say_asserts_nothing(sentence: str, expected: bool) -> None:
    assert says_not_in_sources(sentence) is expected


def test_a_question_abstains_from_nothing() -> None:
    assert not is_abstention_sentence("Why do the documents not say so?")
