import pytest

from citeval_assets.playbooks.cases import Source
from citeval_assets.retrieval import PassageStore, RetrieverError, RetrieverUnreachable

ONE, TWO = Source(id="1", text="first"), Source(id="2", text="second")


def test_passages_come_back_in_the_order_asked_for_and_unknown_ids_are_left_out():
    store = PassageStore.of([ONE, TWO])
    assert store.fetch(["2", "9", "1", "2"]) == (TWO, ONE)


def test_ids_are_compared_after_normalisation():
    store = PassageStore.of([Source(id="caf\u00e9", text="x")])
    assert len(store.fetch([" cafe\u0301 "])) == 1


def test_the_version_follows_the_content_and_not_the_order():
    assert PassageStore.of([ONE, TWO]).version == PassageStore.of([TWO, ONE]).version
    assert PassageStore.of([ONE]).version != PassageStore.of([TWO]).version


def test_one_id_for_two_texts_is_refused():
    with pytest.raises(RetrieverError, match="'1'"):
        PassageStore.of([ONE, Source(id="1", text="other")])


def test_a_file_or_a_folder_of_files_is_read(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"id": 1, "text": "first"}\n\n', encoding="utf-8-sig")
    (tmp_path / "b.jsonl").write_text('{"id": "2", "text": "second", "page": 3}\n')
    assert len(PassageStore.read(tmp_path).passages) == 2
    assert PassageStore.read(tmp_path / "b.jsonl").fetch(["2"])[0].page == 3


def test_a_broken_line_is_named(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"id": "1", "text": "x"}\n{"id": "2"}\n')
    with pytest.raises(RetrieverError, match=r"a\.jsonl:2: text"):
        PassageStore.read(tmp_path)


def test_a_missing_file_is_unreachable(tmp_path):
    with pytest.raises(RetrieverUnreachable, match=r"gone\.jsonl"):
        PassageStore.read(tmp_path / "gone.jsonl")
