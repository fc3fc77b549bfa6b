"""Kinds of failure that are new on cases that were clean."""

from datetime import date

import pytest

from citeval_assets.gates.patterns import AllowList, source_shape
from tests.gates.builders import both, changed, cite, claim, flagged, metric, verdicts

NUMBER = "citation_faithfulness/partially_supported/a_9/claim:number"
TODAY = date(2026, 12, 1)


@pytest.mark.parametrize(
    ("source_id", "shape"),
    [
        ("7", "9"),
        ("doc_3", "a_9"),
        ("leave-policy-9-p12", "a-9-a9"),
        ("grant roofs p4", "a a9".replace(" ", "~")),
        ("§4/2", "~9~9"),
        (None, "-"),
        ("", "-"),
    ],
)
def test_ids_of_one_form_have_one_shape(source_id, shape):
    assert source_shape(source_id) == shape


def test_a_new_failure_on_a_clean_case_is_listed_with_the_case(world):
    project = world()
    cases = changed(both(60), "candidate", "c004", "c009", findings=(claim(),))
    project.judged(cases)

    gate = project.gate()

    (pattern,) = gate.patterns
    assert (pattern.fingerprint, pattern.cases, pattern.unseen) == (NUMBER, ("c004", "c009"), True)
    assert gate.verdict == "pass"
    assert "new_patterns" not in verdicts(gate)


def test_a_failure_on_a_case_that_failed_before_is_no_new_pattern(world):
    project = world()
    project.judged(changed(both(60), "candidate", "c004", findings=(claim(),)))
    cases = changed(both(60), "candidate", "c004", findings=(claim(),))
    project.judged(changed(cases, "prod", "c004", findings=(claim("contradicted"),)))

    assert project.gate().patterns == ()


def test_a_pattern_the_baseline_knows_from_other_cases_is_told_apart(world):
    project = world()
    cases = changed(both(60), "candidate", "c004", findings=(claim(),))
    project.judged(changed(cases, "prod", "c030", findings=(claim(),)))

    (pattern,) = project.gate().patterns

    assert pattern.unseen is False


def test_new_patterns_fail_a_gate_that_limits_them(world):
    project = world(max_new_patterns=0)
    project.judged(changed(both(60), "candidate", "c004", findings=(claim(),)))

    gate = project.gate()

    assert verdicts(gate)["new_patterns"] == "fail"
    assert f"{NUMBER} on c004" in gate.reasons[0]
    assert metric(gate, "new_patterns").cases == ("c004",)


def test_flags_name_the_type_and_the_text_its_kind(world):
    project = world()
    quote = flagged("quote_mismatch", text='It runs "four times a day" now [1].', source_id="2")
    plain = claim("no_citation", text="It runs often.", source_id=None)
    project.judged(changed(both(60), "candidate", "c004", findings=(quote, plain)))

    found = {pattern.fingerprint for pattern in project.gate().patterns}

    assert found == {
        "citation_faithfulness/quote_mismatch/9/claim:quote",
        "citation_faithfulness/no_citation/-/claim:text",
    }


ALLOWED = "[{{pattern: 'citation_faithfulness/{0}', until: {1}, reason: known{2}}}]"


def test_an_allowed_pattern_does_not_count_until_its_last_day(world):
    project = world(max_new_patterns=0, allow=ALLOWED.format("partially*/a_9/*", "2026-12-01", ""))
    project.judged(changed(both(60), "candidate", "c004", findings=(claim(),)))

    held = project.gate(today=TODAY)
    assert held.verdict == "pass"
    (pattern,) = held.patterns
    assert (pattern.cases, pattern.allowed_cases) == ((), ("c004",))
    assert (pattern.allowed_until, pattern.allowed_because) == ("2026-12-01", "known")

    later = project.gate(today=date(2026, 12, 2))
    assert later.verdict == "fail"
    assert "expired on 2026-12-01" in later.notes[0]


def test_an_entry_may_be_for_single_cases(world):
    project = world(max_new_patterns=0, allow=ALLOWED.format("*", "2027-01-31", ", cases: [c004]"))
    project.judged(changed(both(60), "candidate", "c004", "c005", findings=(claim(),)))

    (pattern,) = project.gate(today=TODAY).patterns

    assert (pattern.allowed_cases, pattern.cases) == (("c004",), ("c005",))


def test_an_allowed_invented_source_does_not_count_as_new(world):
    project = world(allow=ALLOWED.format("hallucinated_source/*", "2027-01-31", ""))
    invented = claim("hallucinated_source", source_id="9")
    cases = changed(both(60), "candidate", "c004", invented=1, findings=(invented,))
    project.judged(cases)

    assert project.gate(today=TODAY).verdict == "pass"
    assert project.gate(today=date(2028, 1, 1)).verdict == "fail"


def test_only_the_star_is_special_in_an_entry():
    class Entry:
        pattern, until, reason, cases = "a/[x]/9?/-", TODAY, "", ()

    allow = AllowList([Entry()], TODAY)
    assert allow.allows("a/[x]/9?/-", "c") is not None
    assert allow.allows("a/x/91/-", "c") is None


def test_wrong_abstentions_are_patterns_of_the_whole_answer(world):
    project = world(playbook="cite_or_abstain", judge=None, max_new_patterns=0)
    project.judged(
        cite({"c000": {"abstained": True}, "c050": {"abstained": False}}),
        playbook="cite_or_abstain",
        model="target",
    )

    found = {pattern.fingerprint: pattern.cases for pattern in project.gate().patterns}

    assert found == {
        "cite_or_abstain/false_abstention/-/answer": ("c000",),
        "cite_or_abstain/missed_abstention/-/answer": ("c050",),
    }


def test_cases_that_passed_and_fail_now_are_listed_with_their_texts(world):
    project = world(max_drop_points=50)
    cases = changed(both(60), "candidate", "c004", score=0.5, findings=(claim(),))
    project.judged(changed(cases, "prod", "c005", score=0.0))

    gate = project.gate()

    (failure,) = gate.new_failures
    assert (failure.test_case_id, failure.baseline_score, failure.candidate_score) == (
        "c004",
        1.0,
        0.5,
    )
    assert failure.texts == ("The ferry runs 4 times a day [1].",)
