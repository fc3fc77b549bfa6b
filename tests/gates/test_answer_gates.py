"""Gates nobody declared: a candidate target model against the one in production."""

from pathlib import Path

import pytest

from citeval_assets.config import load_settings
from citeval_assets.gates.defaults import effective_gates
from citeval_assets.warehouse.gate_reading import SystemRow

MODELS = """\
models:
  - {id: judge, model: embedded/overlap-0, roles: [judge], stage: production}
  - {id: today, model: embedded/extractive-0, roles: [target], stage: production}
  - {id: next, model: embedded/extractive-1, roles: [target], stage: candidate}
  - {id: played, model: embedded/recorded-0, roles: [target], stage: production}
"""
FAITHFULNESS, ANSWERS = "citation_faithfulness", "cite_or_abstain"


def gates(tmp_path: Path, more: str, *systems: str, playbooks=(FAITHFULNESS, ANSWERS)):
    (tmp_path / "citeval.yaml").write_text(MODELS + more, encoding="utf-8")
    rows = [SystemRow(name, system, True) for name in playbooks for system in systems]
    found = effective_gates(load_settings(tmp_path, {}), rows)
    return [(gate.playbook, gate.baseline, gate.candidate) for gate in found]


def test_a_model_is_held_to_the_one_in_production_with_the_same_retriever(tmp_path):
    assert gates(tmp_path, "", "next|shelf|v2", "today|shelf|v2", "next|v2") == [
        (playbook, before, after)
        for playbook in (FAITHFULNESS, ANSWERS)
        for before, after in (("today|shelf|v2", "next|shelf|v2"), ("today|v2", "next|v2"))
    ]


def test_what_nobody_answered_is_not_compared_and_a_missing_baseline_is(tmp_path):
    assert gates(tmp_path, "", "today|v1") == []
    assert gates(tmp_path, "", "next|v1", playbooks=(ANSWERS,)) == [
        (ANSWERS, "today|v1", "next|v1")
    ]


SYSTEMS = """\
systems:
  - {label: rag, stage: production, model: today, prompt: v1}
  - {label: rag-next, stage: candidate, model: next}
  - {label: app, stage: production}
  - {label: app-next, stage: candidate}
"""


def test_named_systems_are_compared_by_their_labels_and_with_their_like(tmp_path):
    found = gates(tmp_path, SYSTEMS, "rag", "rag-next", "app", "app-next")
    assert sorted(found) == sorted(
        (playbook, before, after)
        for playbook in (FAITHFULNESS, ANSWERS)
        for before, after in (("rag", "rag-next"), ("app", "app-next"))
    )


@pytest.mark.parametrize("label", ["next|v1", "rag-next"])
def test_a_new_model_is_held_to_the_named_production_system(tmp_path, label):
    named = SYSTEMS if label == "rag-next" else SYSTEMS.replace("model: next", "prompt: v1")
    found = gates(tmp_path, named, label, "rag", playbooks=(FAITHFULNESS,))
    assert (FAITHFULNESS, "rag", label) in found


def test_a_declared_gate_takes_the_place_of_its_own_and_leaves_the_others(tmp_path):
    declared = SYSTEMS + (
        "gates:\n  - {name: mine, playbook: citation_faithfulness, baseline: app, "
        "candidate: rag-next}\n"
    )
    found = gates(tmp_path, declared, "rag", "rag-next", "app", "app-next")
    assert found == [(FAITHFULNESS, "app", "rag-next"), (ANSWERS, "rag", "rag-next")]


def test_the_prompt_version_that_declared_gates_pin_holds_for_the_others_of_the_playbook(tmp_path):
    declared = (
        MODELS
        + SYSTEMS
        + (
            "gates:\n  - {name: mine, playbook: citation_faithfulness, baseline: app, "
            "candidate: app-next, prompt: v1}\n"
        )
    )
    (tmp_path / "citeval.yaml").write_text(declared, encoding="utf-8")
    rows = [SystemRow(p, s, True) for p in (FAITHFULNESS, ANSWERS) for s in ("rag", "rag-next")]
    found = effective_gates(load_settings(tmp_path, {}), rows)
    assert [(gate.playbook, gate.candidate, gate.prompt) for gate in found] == [
        (FAITHFULNESS, "app-next", "v1"),
        (FAITHFULNESS, "rag-next", "v1"),
        (ANSWERS, "rag-next", None),
    ]
