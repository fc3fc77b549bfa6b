"""Documents as passages."""

import pytest

from citeval_assets.retrieval import RetrieverError, RetrieverUnreachable
from citeval_assets.retrieval.corpus import read_corpus

PARAGRAPH = "A sentence of some length that fills the paragraph. " * 4


def passages(tmp_path, text: str, limit: int = 500, name: str = "guide.md"):
    (tmp_path / name).write_text(text, encoding="utf-8")
    return list(read_corpus(tmp_path, limit))


def test_a_document_is_cut_at_headings_and_paragraphs(tmp_path):
    text = f"# Guide\n\n{PARAGRAPH}\n\n{PARAGRAPH}\n\n{PARAGRAPH}\n\n## Costs\n\nTen pounds.\n"
    found = passages(tmp_path, text)
    assert [s.id for s in found] == ["guide-p1", "guide-p2", "guide-p3"]
    assert found[0].text.startswith("# Guide")
    assert found[2].text == "## Costs\n\nTen pounds."
    assert {(s.document, s.title) for s in found} == {("guide", "Guide")}
    assert [s.index for s in found] == [0, 1, 2]


def test_a_head_names_document_and_title(tmp_path):
    (found,) = passages(tmp_path, "---\ndocument: d-1\ntitle: The title\n---\nText.\n")
    assert (found.id, found.document, found.title, found.text) == (
        "d-1-p1", "d-1", "The title", "Text.",
    )  # fmt: skip


def test_a_long_paragraph_is_a_passage_of_its_own(tmp_path):
    long = "word " * 400
    found = passages(tmp_path, f"Short.\n\n{long}\n\nShort again.")
    assert [s.text for s in found] == ["Short.", long.strip(), "Short again."]


def test_plain_text_and_lines_stand_side_by_side(tmp_path):
    (tmp_path / "all.jsonl").write_text('{"id": "7", "text": "seven"}\n', encoding="utf-8")
    found = passages(tmp_path, "Plain.", name="note.txt")
    assert [s.id for s in found] == ["7", "note-p1"]


def test_a_broken_head_is_named(tmp_path):
    with pytest.raises(RetrieverError, match=r"guide\.md: the head"):
        passages(tmp_path, "---\ntitle: [\n---\nText.\n")


def test_a_folder_without_documents_is_unreachable(tmp_path):
    with pytest.raises(RetrieverUnreachable, match="no document"):
        list(read_corpus(tmp_path))


def test_a_link_out_of_the_corpus_is_refused(tmp_path):
    (tmp_path / "secret.txt").write_text("key", encoding="utf-8")
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "note.txt").symlink_to(tmp_path / "secret.txt")
    with pytest.raises(RetrieverError, match="leads out of the corpus"):
        list(read_corpus(corpus))
