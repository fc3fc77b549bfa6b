"""BM25 over a corpus: what it finds, in which order, and when its version changes."""

from citeval_assets.playbooks.cases import Source
from citeval_assets.retrieval.bm25 import Bm25Parameters, Bm25Retriever
from citeval_assets.retrieval.store import PassageStore

TEXTS = {
    "pump": "Casing bolts of the pump are tightened to 190 Nm.",
    "boiler": "The boiler is filled to 1.5 bar.",
    "kiln": "Der Ofen erreicht 1280 Grad.",
    "library": "图书馆每证最多可借图书8册。",
}


def retriever(texts=TEXTS, **parameters) -> Bm25Retriever:
    store = PassageStore.of(Source(id=name, text=text) for name, text in texts.items())
    return Bm25Retriever(store, Bm25Parameters(**parameters))


def ids(found) -> list[str]:
    return [source.id for source in found]


def test_the_best_passage_comes_first_in_any_language():
    index = retriever()
    assert ids(index.search("How are the casing bolts tightened?", 2))[0] == "pump"
    assert ids(index.search("Wie viel Grad erreicht der Ofen?", 1)) == ["kiln"]
    assert ids(index.search("可借图书几册", 1)) == ["library"]


def test_what_shares_no_word_is_never_found():
    assert retriever().search("zebra", 4) == ()
    assert retriever().search("?", 4) == ()
    assert retriever({}).search("pump", 4) == ()


def test_ties_go_by_id_whatever_the_order_of_the_files():
    texts = {"b": "the same words", "a": "the same words", "c": "others"}
    assert ids(retriever(texts).search("same words", 2)) == ["a", "b"]
    assert ids(retriever(dict(reversed(texts.items()))).search("same words", 2)) == ["a", "b"]


def test_the_version_follows_corpus_and_parameters():
    versions = {
        retriever().version,
        retriever({**TEXTS, "boiler": "The boiler is filled to 1.6 bar."}).version,
        retriever(k1=1.2).version,
        retriever(b=0.5).version,
    }
    assert len(versions) == 4
    assert retriever(dict(reversed(TEXTS.items()))).version == retriever().version


def test_titles_count_and_passages_are_fetched_by_id():
    store = PassageStore.of(
        [Source(id="1", text="It holds 140 litres.", title="Norvik G40"), Source(id="2", text="x")]
    )
    index = Bm25Retriever(store)
    assert ids(index.search("Norvik tank", 3)) == ["1"]
    assert ids(index.fetch(["2", "9"])) == ["2"]
