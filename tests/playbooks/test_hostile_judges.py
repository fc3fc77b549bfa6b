"""Whatever a judge answers: the score is the rule's, never better than the checks in code allow."""

import json
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from citeval_assets.playbooks.attempts import Ask, Failure, Reply
from citeval_assets.playbooks.citation_accuracy import PLAYBOOK as ACCURACY
from citeval_assets.playbooks.citation_faithfulness import PLAYBOOK as FAITHFULNESS
from citeval_assets.playbooks.report import Report
from citeval_assets.playbooks.settling import settle
from citeval_assets.playbooks.vocabulary import Reason
from playbooks.builders import (
    FULL,
    NONE,
    PARTIAL,
    answer,
    claim,
    claims,
    evaluation,
    evaluations,
    flag,
    judged,
    trace,
)

QUICK = settings(max_examples=120, deadline=None)

# --- citation accuracy -------------------------------------------------------------------

TRACE = trace(
    "The dam was finished in 1956 [1].",
    'It says "the spillway never cracked at all" [2].',
    "Boats are not allowed [3], and it was sold [9].",
    "It holds water [1] [citation needed].",
)
UNITS = {0: "1", 1: "2", 2: "3", 3: "9", 4: "1", 5: "citation needed"}
ASKED = (0, 1, 2, 4)
LOST_QUOTES = (1,)
CEILING = (len(ASKED) - len(LOST_QUOTES)) / len(UNITS)

FLAG_TYPES = ("citation_not_found", "quote_mismatch", "context_mismatch", "unsupported")
supports = st.sampled_from((FULL, PARTIAL, NONE))
fidelities = st.sampled_from(("accurate", "mismatch", "partial_mismatch"))
flags_of_a_unit = st.lists(
    st.tuples(st.sampled_from(FLAG_TYPES), st.sampled_from(("critical", "major", "minor"))),
    max_size=2,
)
opinions = st.tuples(supports, fidelities, st.booleans(), st.booleans(), flags_of_a_unit)


def consistent(given_opinions: list[Any]) -> dict[str, Any]:
    """A reply that passes validation: one evaluation for each unit, flags that agree."""
    rows, flags = [], []
    for unit, (support, fidelity, quote, exists, raised) in zip(ASKED, given_opinions, strict=True):
        rows.append(
            evaluation(
                unit,
                support,
                cites=UNITS[unit],
                fidelity=fidelity,
                quote=quote,
                exists=exists,
                flagged=bool(raised),
            )
        )
        flags.extend(flag(kind, UNITS[unit], severity=how, unit=unit) for kind, how in raised)
    return evaluations(*rows, flags=flags)


def by_the_rule(given_opinions: list[Any]) -> float:
    """The score written out once more, as the rule puts it."""
    total = 0.0
    for unit, (support, fidelity, quote, _, raised) in zip(ASKED, given_opinions, strict=True):
        kinds = {kind for kind, _ in raised} - {"citation_not_found"}
        if unit in LOST_QUOTES or not quote or fidelity == "mismatch" or kinds or support == NONE:
            continue
        total += 0.5 if support == PARTIAL or fidelity == "partial_mismatch" else 1.0
    return total / len(UNITS)


@given(st.lists(opinions, min_size=4, max_size=4))
@QUICK
def test_the_score_of_a_trace_is_the_rules(said):
    report = judged(ACCURACY, TRACE, consistent(said))
    assert report.status == "valid", report.validation_problems
    assert report.score == pytest.approx(by_the_rule(said))
    assert report.score <= CEILING + 1e-9
    assert len(report.findings) == len(UNITS)
    if by_the_rule(said) < 0.8:
        assert report.routing == "review"


@given(
    st.lists(opinions, min_size=4, max_size=4),
    st.integers(0, 3),
    st.sampled_from(FLAG_TYPES),
)
@QUICK
def test_a_further_flag_never_raises_the_score(said, which, kind):
    support, fidelity, quote, exists, raised = said[which]
    more = list(said)
    more[which] = (support, fidelity, quote, exists, [*raised, (kind, "minor")])
    before = judged(ACCURACY, TRACE, consistent(said)).score
    after = judged(ACCURACY, TRACE, consistent(more)).score
    assert after <= before


wild_evaluations = st.builds(
    evaluation,
    st.integers(-1, 7),
    supports,
    cites=st.sampled_from(("1", "2", "3", "9", "77", "[1]", "*", "")),
    fidelity=fidelities,
    quote=st.booleans(),
    exists=st.booleans(),
    flagged=st.booleans(),
    step=st.integers(-2, 9),
)
wild_flags = st.builds(
    flag,
    st.sampled_from(FLAG_TYPES),
    st.sampled_from(("1", "2", "9", "77", "")),
    severity=st.sampled_from(("critical", "major", "minor")),
    unit=st.none() | st.integers(-1, 7),
)


@given(st.lists(wild_evaluations, max_size=9), st.lists(wild_flags, max_size=4))
@QUICK
def test_no_evaluations_beat_the_checks_in_code(rows, flags):
    report = judged(ACCURACY, TRACE, evaluations(*rows, flags=flags))
    if not report.status.scored:
        assert report.score is None
        assert report.routing == "review"
        return
    assert {row["unit"] for row in rows} >= set(ASKED)
    assert report.score <= CEILING + 1e-9
    assert len(report.findings) == len(UNITS)
    for finding in report.findings:
        if finding.unit_number not in ASKED or finding.unit_number in LOST_QUOTES:
            assert finding.weight == 0
            assert finding.label != FULL


# --- citation faithfulness ---------------------------------------------------------------

PIECES = {
    0: ("The dam was finished in 1956", "boats are not allowed in winter"),
    1: ("In 1960 the spillway cracked",),
    2: ('It says "the lake holds ninety million fish"',),
    3: ("It was sold to a farmer",),
    4: ("The valley had nine farms", "a mill stood there"),
}
ANSWER = answer(
    f"{PIECES[0][0]} and {PIECES[0][1]} [1][3]. {PIECES[1][0]} [2]. {PIECES[2][0]} [1]. "
    f"{PIECES[3][0]} [9]. {PIECES[4][0]} and {PIECES[4][1]}."
)
CITED = {0: ("1", "3"), 1: ("2",), 2: ("1",), 3: (), 4: ()}
VERDICTS = ("supported", "partially_supported", "contradicted")
verdicts = st.sampled_from(VERDICTS)


@st.composite
def full_answers(draw):
    """Rows that cover every piece of every sentence with every id, with verdicts at will."""
    rows: dict[tuple[int, str, str | None], str] = {}
    for unit, pieces in PIECES.items():
        for piece in pieces:
            for source in CITED[unit] or (None,):
                if unit == 3:
                    continue
                verdict = "no_citation" if source is None else draw(verdicts)
                rows[unit, piece, source] = verdict
    return rows


def faithful_by_the_rule(rows: dict[tuple[int, str, str | None], str]) -> float:
    """Supported claims over all claims; the invented id of unit 3 makes one more claim."""
    by_claim: dict[tuple[int, str], list[str]] = {}
    for (unit, piece, _), verdict in rows.items():
        by_claim.setdefault((unit, piece), []).append(verdict)
    supported = sum(
        1
        for (unit, _), said in by_claim.items()
        if unit != 2 and "supported" in said and "contradicted" not in said
    )
    return supported / (len(by_claim) + 1)


def as_reply(rows: dict[tuple[int, str, str | None], str]) -> dict[str, Any]:
    return claims(*(claim(u, piece, source, said) for (u, piece, source), said in rows.items()))


@given(full_answers())
@QUICK
def test_the_score_of_an_answer_is_the_rules(rows):
    report = judged(FAITHFULNESS, ANSWER, as_reply(rows))
    assert report.status == "valid", report.validation_problems
    assert report.score == pytest.approx(faithful_by_the_rule(rows))
    told = report.details
    assert told.claim_count == (
        told.supported_claim_count
        + told.unsupported_claim_count
        + told.missing_citation_count
        + told.hallucinated_source_count
    )


@given(full_answers(), st.data())
@QUICK
def test_a_worse_verdict_never_raises_the_score(rows, data):
    key = data.draw(st.sampled_from([key for key in rows if key[2] is not None]))
    worse = VERDICTS[VERDICTS.index(rows[key]) :]
    lowered = {**rows, key: data.draw(st.sampled_from(worse))}
    before = judged(FAITHFULNESS, ANSWER, as_reply(rows)).score
    after = judged(FAITHFULNESS, ANSWER, as_reply(lowered)).score
    assert after <= before


every_piece = [piece for pieces in PIECES.values() for piece in pieces]
wild_claims = st.builds(
    claim,
    st.integers(-1, 5),
    st.sampled_from([*every_piece, "", "Yes", "The dam", "It is all supported by the sources"]),
    st.none() | st.sampled_from(("1", "2", "3", "9", "77", "*")),
    st.sampled_from((*VERDICTS, "no_citation", "hallucinated_source")),
)


@given(full_answers(), st.lists(wild_claims, max_size=6))
@QUICK
def test_no_further_claims_beat_the_checks_in_code(rows, wild):
    reply = as_reply(rows)
    reply["claims_analysis"].extend(wild)
    report = judged(FAITHFULNESS, ANSWER, reply)
    if not report.status.scored:
        assert report.score is None
        assert report.routing == "review"
        return
    supported = {f.unit_number for f in report.findings if f.weight}
    assert supported <= {0, 1}, "a claim without a fitting source was counted as supported"
    assert report.details.hallucinated_sources == ("9",)
    assert report.details.claim_count >= len(PIECES)
    assert report.score <= (report.details.claim_count - 3) / report.details.claim_count


# --- anything at all ---------------------------------------------------------------------

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                (
                    "unit",
                    "verdict",
                    "claims_analysis",
                    "citation_evaluations",
                    "misattribution_flags",
                    "citation_id",
                    "flagged",
                    "x",
                )
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=10,
)
raw_replies = st.one_of(
    st.none(),
    st.text(max_size=80),
    anything.map(lambda value: json.dumps(value)),
    st.binary(max_size=40).map(lambda raw: raw.decode("utf-8", "surrogateescape")),
)
attempts = st.lists(
    st.one_of(
        st.builds(
            Reply,
            raw_replies,
            st.none() | st.sampled_from(("stop", "length", "content_filter", "refusal", "")),
        ),
        st.builds(Failure, st.sampled_from(list(Reason))),
    ),
    max_size=4,
)


@pytest.mark.parametrize(("playbook", "prepared"), [(ACCURACY, TRACE), (FAITHFULNESS, ANSWER)])
@given(tried=attempts)
@settings(max_examples=150, deadline=None)
def test_settling_never_raises(playbook, prepared, tried):
    settled = settle(playbook, prepared, tried)
    assert isinstance(settled, Ask | Report)
    if isinstance(settled, Report):
        settled.model_dump_json().encode()
        assert (settled.score is None) == (not settled.status.scored)


@pytest.mark.parametrize(("playbook", "prepared"), [(ACCURACY, TRACE), (FAITHFULNESS, ANSWER)])
def test_settling_again_gives_the_same_report(playbook, prepared):
    tried = [Reply("no"), Reply("{}")]
    assert settle(playbook, prepared, tried) == settle(playbook, prepared, tried)


words = st.lists(
    st.sampled_from(
        (
            "The",
            "dam",
            '"quoted words here"',
            "[1]",
            "[2]",
            "[9]",
            "[1-3]",
            "“",
            "”",
            "\n",
            ".",
            "?",
        )
    ),
    min_size=1,
    max_size=25,
).map(" ".join)


@given(words)
@settings(max_examples=100, deadline=None)
def test_any_text_can_be_prepared(text):
    assume(text.strip())
    for prepared in (trace(text), answer(text)):
        assert [unit.number for unit in prepared.view.units] == list(
            range(len(prepared.view.units))
        )
        playbook = ACCURACY if prepared.view.trace is not None else FAITHFULNESS
        assert isinstance(settle(playbook, prepared, []), Ask | Report)
