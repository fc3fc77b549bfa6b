"""Gates in ``citeval.yaml``: metrics, allow-lists, first releases."""

from collections.abc import Callable
from datetime import date

import jsonschema
import pytest

from citeval_assets.config import ConfigError, Settings
from citeval_assets.config.gate_rules import Direction, GateMode, Metric
from citeval_assets.config.schema import config_schema

Load = Callable[..., Settings]
Refusal = Callable[..., ConfigError]

HEAD = """\
models: [{id: overlap, model: embedded/overlap-0, roles: judge}]
systems: [{label: prod, stage: production}, {label: next, stage: candidate}]
"""


def gate(text: str = "", playbook: str = "citation_faithfulness") -> str:
    return (
        f"{HEAD}gates:\n  - name: g\n    playbook: {playbook}\n    baseline: prod\n"
        f"    candidate: next\n{text}"
    )


def test_a_metric_is_its_name_or_a_rule_of_its_own(load: Load):
    settings = load(
        gate("    metrics:\n      - score\n      - {name: pass_share, mode: both, min_pairs: 5}\n")
    )
    score, share = settings.gates[0].metrics
    assert (score.name, score.mode, score.better) == (Metric.SCORE, None, Direction.HIGHER)
    assert (share.name, share.mode, share.min_pairs) == (Metric.PASS_SHARE, GateMode.BOTH, 5)


def test_one_metric_needs_no_list(load: Load):
    (rule,) = load(gate("    metrics: pass_share\n")).gates[0].metrics
    assert rule.name is Metric.PASS_SHARE


def test_rates_are_better_lower_unless_the_gate_says_otherwise(load: Load):
    text = "    metrics: [silent_gap_rate, {name: score, direction: lower}]\n"
    gaps, score = load(gate(text, "cite_or_abstain")).gates[0].metrics
    assert (gaps.better, score.better) == (Direction.LOWER, Direction.LOWER)


@pytest.mark.parametrize(
    ("text", "key", "told"),
    [
        ("metrics: [scores]", "gates[0].metrics[0].name", "did you mean 'score'?"),
        ("metrics: [silent_gap_rate]", "gates[0].metrics[0]", "cite_or_abstain has"),
        ("metrics: [score, score]", "gates[0].metrics[1]", "stands twice"),
        ("metrics: [{name: score, modus: both}]", "gates[0].metrics[0].modus", "'mode'"),
        ("allow: [{pattern: a, until: soon, reason: b}]", "gates[0].allow[0].until", "no date"),
        ("allow: [{pattern: a, reason: b}]", "gates[0].allow[0].until", "required"),
        ("same_models: [[a]]", "gates[0].same_models[0][1]", "required"),
    ],
)
def test_faults_are_named_with_their_place(refusal: Refusal, text: str, key: str, told: str):
    (problem,) = refusal(gate(f"    {text}\n")).problems
    assert problem.key == key
    assert told in problem.message


@pytest.mark.parametrize("written", ["2027-01-31", "'2027-01-31'"])
def test_a_date_may_stand_in_quotes_or_not(load: Load, written: str):
    text = f"    allow: [{{pattern: 'x/*', until: {written}, reason: known}}]\n"
    (entry,) = load(gate(text)).gates[0].allow
    assert entry.until == date(2027, 1, 31)


def test_a_gate_may_have_no_baseline(load: Load):
    text = gate("    first_release: true\n").replace("    baseline: prod\n", "")
    assert load(text).gates[0].baseline is None


def test_the_published_schema_takes_both_spellings_of_a_metric():
    document = {
        "models": [{"id": "m", "model": "embedded/overlap-0", "roles": ["judge"]}],
        "gates": [
            {
                "name": "g",
                "playbook": "citation_accuracy",
                "candidate": "next",
                "metrics": ["score", {"name": "pass_share", "limit": 0.9}],
                "allow": [{"pattern": "x", "until": "2027-01-31", "reason": "known"}],
            }
        ],
    }
    jsonschema.validate(document, config_schema())
    document["gates"][0]["metrics"] = ["scores"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, config_schema())
