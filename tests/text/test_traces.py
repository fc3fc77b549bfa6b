"""Reasoning traces: what counts as a step, and sentences within steps."""

import pytest

from citeval_assets.text.traces import read_trace, trace_sentences


def steps(trace: str | list[str]) -> list[str]:
    return [step.text for step in read_trace(trace).steps]


def test_the_items_of_a_list_are_the_steps_and_lines_of_the_text() -> None:
    trace = read_trace(["First. Second.", "", "Third"])
    assert trace.text == "First. Second.\n\nThird"
    assert [step.text for step in trace.steps] == ["First. Second.", "", "Third"]
    assert all(step.span.of(trace.text) == step.text for step in trace.steps)


@pytest.mark.parametrize(
    "text",
    [
        "Step 1: Look it up [1].\nStep 2: It is 5.\nAnd so on.",
        "Step 1: Look it up [1]. Step 2: It is 5.\nAnd so on.",
        "**Step 1:** Look it up [1].\n\n**Step 2:** It is 5.\n\nAnd so on.",
        "Schritt 1: Nachsehen [1].\nSchritt 2: Es sind 5.",
        "Étape 1 : regarder [1].\nÉtape 2 : c'est 5.",
        "Шаг 1. Посмотреть.\nШаг 2. Готово.",
        "第一步：查资料。第二步：得出结论。",
    ],
)
def test_parts_named_as_steps_are_the_steps(text: str) -> None:
    assert len(steps(text)) == 2


def test_a_step_that_is_merely_mentioned_starts_none() -> None:
    assert len(steps("Step 1: Weigh it.\nStep 2: As in Step 1: weigh again.")) == 2


def test_listed_lines_are_steps_and_other_text_falls_into_sentences() -> None:
    text = "Let me think. Now:\n1. Foo is bar [1]. It is.\n2. Baz\n   goes on\n\nSo it is. Done."
    assert steps(text) == [
        "Let me think.",
        "Now:",
        "1. Foo is bar [1]. It is.",
        "2. Baz\n   goes on",
        "So it is.",
        "Done.",
    ]


def test_plain_prose_falls_into_sentences() -> None:
    assert steps("The hall has 410 seats. The balcony adds 96.") == [
        "The hall has 410 seats.",
        "The balcony adds 96.",
    ]


def test_lists_in_code_are_no_steps() -> None:
    assert len(steps("It runs. So:\n```\n- a\n- b\n```\nDone.")) == 4


def test_sentences_never_cross_a_step_and_know_their_step() -> None:
    trace = read_trace(["It is cold. It snows", "in the valley. All is white."])
    sentences = trace_sentences(trace)
    assert [(one.text, one.step_index) for one in sentences] == [
        ("It is cold.", 0),
        ("It snows", 0),
        ("in the valley.", 1),
        ("All is white.", 1),
    ]
    assert all(one.span.of(trace.text) == one.text for one in sentences)


def test_an_empty_trace_has_no_steps() -> None:
    assert steps("") == []
    assert trace_sentences(read_trace([])) == ()
