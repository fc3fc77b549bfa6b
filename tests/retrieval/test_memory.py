"""What was found is remembered by the version of the retriever."""

from citeval_assets.playbooks.cases import Source
from citeval_assets.retrieval import SearchMemory


class Counting:
    def __init__(self, version: str = "1") -> None:
        self.version = version
        self.asked: list[str] = []

    def search(self, question, k):
        self.asked.append(question)
        return [Source(id=self.version, text=f"{question} {k}")]

    def fetch(self, ids):
        return []


def opened(tmp_path, retriever, k: int = 2) -> SearchMemory:
    return SearchMemory.of(tmp_path, "shelf", retriever, k)


def test_a_question_is_asked_once_per_version_and_number_of_passages(tmp_path):
    first = Counting()
    memory = opened(tmp_path, first)
    found = memory.search("When?")
    memory.keep()
    again = opened(tmp_path, first)
    assert again.search("When?") == found
    assert (first.asked, again.asked) == (["When?"], 0)
    for changed in (opened(tmp_path, first, k=3), opened(tmp_path, Counting("2"))):
        changed.search("When?")
        assert changed.asked == 1


def test_a_line_that_was_cut_is_forgotten_and_nothing_else(tmp_path):
    retriever = Counting()
    memory = opened(tmp_path, retriever)
    memory.search("When?")
    memory.keep()
    with memory.file.open("a", encoding="utf-8") as file:
        file.write('{"question": "Where?", "passa')
    memory = opened(tmp_path, retriever)
    memory.search("Where?")
    memory.keep()
    again = opened(tmp_path, retriever)
    again.search("When?")
    again.search("Where?")
    assert again.asked == 0
