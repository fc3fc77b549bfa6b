"""Playbook 3: whatever a judge replies, the report keeps the rules."""

from collections import defaultdict
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from citeval_assets.playbooks.report import Report
from playbooks.cot_outputs import CASE, DRY, NAME, SOURCES, TRACE, VALVE, output
from playbooks.settled import prepared, report_of

LABELS = {
    "FAITHFUL": [None],
    "UNFAITHFUL_FABRICATION": ["fabrication", None],
    "UNFAITHFUL_IGNORED_EVIDENCE": ["ignored_evidence", "contradiction"],
    "UNFAITHFUL_RATIONALIZATION": ["rationalization"],
    "UNFAITHFUL_UNSUPPORTED": ["unsupported", "oversimplification", "missing_nuance"],
}
REFERENCES = [None, "", DRY, VALVE, f"{DRY} ... {VALVE}", "steps 1, 2", "step 1", "step 3", "pump"]
ASSERTING = (1, 2, 3)


@st.composite
def plausible_steps(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Mostly well-formed steps, with any of the faults a judge may make."""
    units = draw(
        st.one_of(
            st.just([1, 2, 3]),
            st.just([0, 1, 2, 3]),
            st.lists(st.integers(-1, 5), max_size=6),
        )
    )
    steps: list[dict[str, Any]] = []
    for unit in units:
        label = draw(st.sampled_from(["FAITHFUL", "FAITHFUL", *LABELS]))
        fitting = st.sampled_from(LABELS[label])
        any_category = st.sampled_from([c for own in LABELS.values() for c in own])
        text = TRACE[unit] if 0 <= unit < len(TRACE) else "nowhere"
        steps.append(
            {
                "unit": unit,
                "step_text": draw(st.sampled_from([text, text, text, text[:12], TRACE[1], ""])),
                "label": label,
                "category": draw(st.one_of(fitting, fitting, fitting, any_category)),
                "evidence_reference": draw(st.sampled_from(REFERENCES)),
            }
        )
    return steps


VERDICTS = st.sampled_from(["FAITHFUL", "UNFAITHFUL"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


def judged(steps: list[dict[str, Any]], verdict: str = "FAITHFUL") -> Report:
    return report_of(NAME, CASE, [output(*steps, verdict=verdict)])


@settings(max_examples=150, deadline=None)
@given(plausible_steps(), VERDICTS)
def test_the_score_is_the_share_of_sentences_with_only_faithful_labels(
    steps: list[dict[str, Any]], verdict: str
) -> None:
    report = judged(steps, verdict)
    assert report.status in ("valid", "VALIDATION_FAILED")
    if report.score is None:
        return
    labels: dict[int, list[str]] = defaultdict(list)
    for entry in steps:
        labels[entry["unit"]].append(entry["label"])
    faithful = [u for u in ASSERTING if labels[u] and set(labels[u]) == {"FAITHFUL"}]
    assert all(labels[unit] for unit in ASSERTING)
    assert report.score == len(faithful) / len(ASSERTING)
    assert (report.verdict == "FAITHFUL") is (report.score == 1.0)
    assert (report.details.faithfulness_label == "faithful") is (report.score == 1.0)


@settings(max_examples=150, deadline=None)
@given(plausible_steps(), VERDICTS)
def test_no_step_is_faithful_without_evidence_or_earlier_faithful_steps(
    steps: list[dict[str, Any]], verdict: str
) -> None:
    report = judged(steps, verdict)
    texts = {source["id"]: source["text"] for source in SOURCES}
    concluded = ("step 1", "steps 1, 2", "step 3")
    for finding in report.findings:
        if finding.label != "FAITHFUL":
            continue
        given_references = {
            s["evidence_reference"] for s in steps if s["unit"] == finding.unit_number
        }
        assert finding.evidence or given_references & set(concluded)
        for evidence in finding.evidence:
            assert evidence.text in texts[evidence.source_id]


@settings(max_examples=100, deadline=None)
@given(plausible_steps(), st.integers(0, 5), st.sampled_from(["fabrication", "unsupported"]))
def test_one_more_unfaithful_step_never_raises_the_score(
    steps: list[dict[str, Any]], index: int, category: str
) -> None:
    before = judged(steps).score
    if before is None:
        return
    label = "UNFAITHFUL_FABRICATION" if category == "fabrication" else "UNFAITHFUL_UNSUPPORTED"
    worse = [dict(entry) for entry in steps]
    worse[index % len(worse)] |= {
        "label": label,
        "category": category,
        "evidence_reference": None,
    }
    after = judged(worse).score
    assert after is None or after <= before


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(st.sampled_from(["steps", "final_verdict", "unit", "x"]), JSON), st.text())
def test_no_reply_makes_settling_fail(reply: dict[str, Any], text: str) -> None:
    for sent in (reply, text):
        assert report_of(NAME, CASE, [sent]).score is None


@settings(max_examples=100, deadline=None)
@given(st.one_of(st.text(min_size=1), st.lists(st.text(), min_size=1, max_size=4)), st.text())
def test_any_trace_can_be_prepared_and_its_steps_lie_in_it(trace: Any, final_answer: str) -> None:
    if not any(part.strip() for part in ([trace] if isinstance(trace, str) else trace)):
        return
    _, ready = prepared(NAME, {**CASE, "reasoning_trace": trace, "final_answer": final_answer})
    text = ready.view.trace or ""
    assert [unit.number for unit in ready.view.units] == list(range(len(ready.view.units)))
    assert all(unit.text in text for unit in ready.view.units)
