"""Playbook 4: which words name a conflict between chunks, and which sentence says only that."""

import pytest

from citeval_assets.playbooks.cite_or_abstain.conflicts import names_conflict, only_names_conflict

NAMED = [
    "The two notices contradict each other.",
    "The sources disagree about the date.",
    "The chunks do not agree.",
    "One notice says 12 April, a later one says 30 April.",
    "Die Quellen widersprechen sich.",
    "Les deux avis se contredisent.",
    "Las fuentes se contradicen.",
    "Источники противоречат друг другу.",
    "两份文件互相矛盾。",
]


@pytest.mark.parametrize("text", NAMED)
def test_a_conflict_is_named(text: str) -> None:
    assert names_conflict(text)


@pytest.mark.parametrize("text", ["The bridge reopens on 12 April.", "", "It weighs 40 kg."])
def test_no_conflict_is_named(text: str) -> None:
    assert not names_conflict(text)


@pytest.mark.parametrize("text", [NAMED[0], NAMED[1], NAMED[2], NAMED[4], NAMED[6], NAMED[7]])
def test_a_sentence_about_the_sources_alone(text: str) -> None:
    assert only_names_conflict(text)


@pytest.mark.parametrize(
    "text",
    [
        "The notices conflict, but the bridge is open.",
        "The notices conflict and the bridge is closed.",
        "The notices conflict: it opens on 12 April.",
        "The ministers disagree with each other.",
        "The rooms have different sizes.",
        "The notices contradict each other about gate 12.",
    ],
)
def test_a_sentence_that_may_claim_something_besides(text: str) -> None:
    assert not only_names_conflict(text)
