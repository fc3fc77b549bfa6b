"""``citeval.yaml``: every fault named with file, key, what was found and what to do."""

import re
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import get_args

import pytest

from citeval_assets.config import ConfigError, Settings, Stage, UnknownModel, load_settings
from citeval_assets.config.fields import SEVERITIES, SeverityThreshold
from citeval_assets.keys import decode_key, encode_key
from citeval_assets.playbooks.registry import all_playbooks
from citeval_assets.playbooks.rules import Tolerance
from citeval_assets.playbooks.vocabulary import RiskLevel

JUDGE = """
models:
  - id: overlap
    model: embedded/overlap-0
    roles: judge
"""

Load = Callable[..., Settings]
Refusal = Callable[..., ConfigError]


def test_defaults_are_complete(load: Load, tmp_path: Path):
    settings = load(JUDGE)
    assert settings.model("overlap").stage is Stage.CANDIDATE
    assert settings.judges() == settings.models
    assert settings.targets() == ()
    assert settings.budget.per_run_usd is None
    assert settings.state_dir == tmp_path / "dagster_home" / "citeval"
    assert settings.ledger_url == f"sqlite:///{settings.state_dir}/ledger.db"


def test_state_follows_dagster_home(load: Load, tmp_path: Path):
    settings = load(JUDGE, {"DAGSTER_HOME": str(tmp_path / "home")})
    assert settings.state_dir == tmp_path / "home" / "citeval"


def test_a_relative_dagster_home_is_refused(refusal: Refusal):
    assert "absolute" in str(refusal(JUDGE, {"DAGSTER_HOME": "here"}))


def test_the_ledger_address_may_come_from_the_environment_and_stays_out_of_the_repr(load: Load):
    text = JUDGE + "storage: {ledger_url_env: LEDGER}\n"
    settings = load(text, {"LEDGER": "postgresql+psycopg2://u:hunter2@db/x"})
    assert settings.ledger_url.endswith("@db/x")
    assert "hunter2" not in repr(settings)


def test_a_ledger_variable_that_is_not_set_is_named(refusal: Refusal):
    assert "LEDGER is not set" in str(refusal(JUDGE + "storage: {ledger_url_env: LEDGER}\n"))


def test_a_missing_file_says_how_to_get_one(tmp_path: Path):
    with pytest.raises(ConfigError, match="citeval init"):
        load_settings(tmp_path, {})


def test_a_file_under_another_name_is_pointed_out(tmp_path: Path):
    (tmp_path / "citeval.yml").write_text(JUDGE)
    with pytest.raises(ConfigError, match=r"rename citeval\.yml"):
        load_settings(tmp_path, {})


def test_a_file_in_another_encoding_says_so(tmp_path: Path):
    (tmp_path / "citeval.yaml").write_bytes(JUDGE.encode("utf-16"))
    with pytest.raises(ConfigError, match="save it as UTF-8"):
        load_settings(tmp_path, {})


def test_windows_line_ends_and_a_byte_order_mark_do_no_harm(tmp_path: Path):
    (tmp_path / "citeval.yaml").write_bytes(b"\xef\xbb\xbf" + JUDGE.replace("\n", "\r\n").encode())
    assert load_settings(tmp_path, {}).models[0].id == "overlap"


def test_a_section_whose_lines_are_all_commented_out_is_not_there(load: Load):
    assert load(JUDGE + "gates:\n#  - name: x\nbudget:\n").gates == ()


def test_without_models_nothing_can_be_judged(refusal: Refusal):
    assert refusal("models: []").key == "models"
    assert "required" in str(refusal(""))


@pytest.mark.parametrize(
    ("text", "key", "messages"),
    [
        ("gate: {min_meen: 0.9}", "gate", ["unknown key 'gate'", "did you mean 'gates'?"]),
        ("budget: {per_run: 1}", "budget.per_run", ["unknown key", "per_run_usd"]),
        ("budget: {per_run_usd: on}", "budget.per_run_usd", ["US dollars"]),
        ("review: {ageing_days: '7'}", "review.ageing_days", ["whole number", "'7'"]),
        ("review: {ageing_days: yes}", "review.ageing_days", ["`yes`", "whole number"]),
        ("review: {severity_threshold: mayor}", "review.severity_threshold", ["'major'"]),
        ("sampling: {traces: ../x}", "sampling.traces", ["outside the project's data/ folder"]),
        ("calibration: 5", "calibration", ["`5`", "expected a mapping"]),
        ("systems: {label: x}", "systems", ["a mapping", "expected a list"]),
        ("systems: [{label: prod, stage: prod}]", "systems[0].stage", ["'production'"]),
        ("systems: [{label: 2026, stage: baseline}]", "systems[0].label", ['quotes: "2026"']),
        ("systems: [{label: ' ', stage: baseline}]", "systems[0].label", ["blank"]),
    ],
)
def test_each_fault_names_its_key_and_what_was_expected(
    refusal: Refusal, text: str, key: str, messages: list[str]
):
    error = refusal(JUDGE + text + "\n")
    assert error.key == key
    assert error.file == "citeval.yaml"
    assert error.problems[0].line == 6
    for message in messages:
        assert message in str(error)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("params: {temperature: 0.7}", "temperature 0.0"),
        ("params: {max_tokens: 5}", "limits.max_output_tokens"),
        ("api_base: ftp://x", "no http"),
        ("api_key: canary-secret-A", "api_key_env"),
        ("api_key_env: sk-canary-secret-A", "environment variable"),
        ("limits: {timeout_s: 12:30}", "expected a number"),
        ("limits: {tries: 0}", "greater than or equal to 1"),
        ("price: {input_per_million: -1, output_per_million: 1}", "greater than or equal to 0"),
        ("stage: old", "expected one of production"),
        ("context_window: 1.5", "whole number"),
    ],
)
def test_faults_of_a_model_entry(refusal: Refusal, line: str, message: str):
    error = refusal(f"{JUDGE}    {line}\n")
    assert message in str(error)
    assert error.key.startswith("models[0].")
    assert "canary" not in str(error)


def test_names_that_stand_twice_are_refused(refusal: Refusal):
    error = refusal(JUDGE + "  - {id: overlap, model: x/y, roles: [judge]}\n")
    assert "models[0].id" in str(error) and error.key == "models[1].id"


def test_two_spellings_of_one_id_are_the_same_id(refusal: Refusal):
    text = 'models:\n  - {id: "caf\\u00e9", model: a/b, roles: judge}\n'
    text += '  - {id: "cafe\\u0301", model: a/c, roles: judge}\n'
    assert refusal(text).key == "models[1].id"


def test_ids_are_kept_in_one_spelling(load: Load):
    settings = load('models: [{id: "cafe\\u0301", model: a/b, roles: judge}]\n')
    key = encode_key("cafe\u0301")
    assert settings.model(decode_key(key)).id == "café"


def test_an_unknown_model_is_named_with_the_known_ids_alone(load: Load):
    settings = load(JUDGE)
    with pytest.raises(UnknownModel) as caught:
        settings.model("overlop")
    assert str(caught.value) == (
        "unknown model 'overlop': there are overlap; did you mean 'overlap'?"
    )


def test_a_price_gives_exact_costs_and_counts_cached_tokens_once(load: Load):
    price = "{input_per_million: 2, cached_input_per_million: 0.5, output_per_million: 10}"
    model = load(f"{JUDGE}    price: {price}\n").model("overlap")
    assert model.price is not None
    assert model.price.cost(1000, 10, cached_tokens=900) == Decimal("0.00075")


def test_a_dataset_carries_its_rules_and_those_of_the_review_section(load: Load):
    playbook = next(iter(all_playbooks()))
    settings = load(f"""
models:
  - {{id: overlap, model: embedded/overlap-0, roles: judge}}
review:
  severity_threshold: unsupported
datasets:
  - name: mine
    playbook: {playbook}
    path: data/golden/mine.jsonl
    numeric_tolerance: 2%
    risk_level: moderate
  - name: other
    playbook: {playbook}
    path: data/golden/other.jsonl
    review_severity_threshold: missing_nuance
""")
    mine, other = settings.datasets
    assert mine.rules.numeric_tolerance == Tolerance(amount=2, relative=True)
    assert mine.rules.risk_level is RiskLevel.STANDARD
    assert mine.rules.review_severity_threshold == "unsupported"
    assert other.rules.review_severity_threshold == "missing_nuance"


@pytest.mark.parametrize(
    "path",
    ["../outside.jsonl", "data/../../outside.jsonl", "/etc/passwd", "~/x", "..\\x", "data",
     "golden/x.jsonl", "data/a/../../../x", "."],
)  # fmt: skip
def test_a_dataset_may_not_lie_outside_the_data_folder(refusal: Refusal, path: str):
    text = f"datasets: [{{name: d, playbook: p, path: '{path}'}}]\n"
    assert refusal(JUDGE + text).key == "datasets[0].path"


@pytest.mark.parametrize("name", ["../x", "nul", "con.txt", ".", "..", "~", "name ", "a/b", ""])
def test_a_dataset_name_is_a_plain_name(refusal: Refusal, name: str):
    text = f"datasets: [{{name: '{name}', playbook: p, path: data/x.jsonl}}]\n"
    assert refusal(JUDGE + text).key == "datasets[0].name"


def test_what_a_dataset_or_gate_refers_to_must_exist(refusal: Refusal):
    playbook = next(iter(all_playbooks()))
    error = refusal(f"""
models: [{{id: overlap, model: embedded/overlap-0, roles: judge}}]
systems: [{{label: prod, stage: production}}]
datasets: [{{name: d, playbook: {playbook[:-1]}, path: data/x.jsonl, retriever: bm}}]
gates:
  - {{name: g, playbook: {playbook}, baseline: prod, candidate: prd, judge: overlp}}
""")
    by_key = {problem.key: problem.message for problem in error.problems}
    assert f"did you mean {playbook!r}?" in by_key["datasets[0].playbook"]
    assert "unknown retriever 'bm'" in by_key["datasets[0].retriever"]
    assert "did you mean 'prod'?" in by_key["gates[0].candidate"]
    assert "did you mean 'overlap'?" in by_key["gates[0].judge"]


def test_a_gate_may_compare_judges_or_prompt_versions(load: Load):
    playbook = "citation_faithfulness"
    settings = load(f"""
models:
  - {{id: one, model: embedded/overlap-0, roles: judge}}
  - {{id: two, model: embedded/overlap-0, roles: judge}}
gates:
  - {{name: judges, playbook: {playbook}, compare: judges, baseline: one, candidate: two}}
  - {{name: prompts, playbook: {playbook}, compare: prompts, baseline: v1, candidate: v2}}
""")
    assert [gate.name for gate in settings.gates] == ["judges", "prompts"]
    assert settings.gates[0].max_drop_points == 2.0


def test_imported_files_without_an_entry_become_datasets(load: Load, tmp_path: Path):
    playbook = next(iter(all_playbooks()))
    folder = tmp_path / "data" / "imported" / playbook
    folder.mkdir(parents=True)
    (folder / "march.jsonl").touch()
    (folder / "march.import.yaml").touch()
    (folder / "no name.jsonl").touch()
    settings = load(JUDGE)
    (dataset,) = settings.datasets
    assert (dataset.name, dataset.playbook) == (f"{playbook}-march", playbook)
    assert dataset.path == f"data/imported/{playbook}/march.jsonl"
    assert "no plain name" in settings.warnings[0]
    named = f"datasets: [{{name: d, playbook: {playbook}, path: data/imported/{playbook}}}]"
    assert [dataset.name for dataset in load(JUDGE + named).datasets] == ["d"]


def test_a_gate_may_name_an_imported_dataset(load: Load, tmp_path: Path):
    folder = tmp_path / "data" / "imported" / "citation_accuracy"
    folder.mkdir(parents=True)
    (folder / "march.jsonl").touch()
    systems = "systems: [{label: a, stage: production}, {label: b, stage: candidate}]\n"
    gate = (
        "gates: [{name: g, playbook: citation_accuracy, baseline: a, candidate: b, "
        "datasets: [citation_accuracy-march]}]\n"
    )
    assert load(JUDGE + systems + gate).gates[0].datasets == ("citation_accuracy-march",)


def test_golden_files_without_an_entry_become_datasets(load: Load, tmp_path: Path):
    golden = tmp_path / "data" / "golden"
    golden.mkdir(parents=True)
    playbook = next(iter(all_playbooks()))
    (golden / f"{playbook}.jsonl").touch()
    (golden / f"{playbook}x.jsonl").touch()
    settings = load(JUDGE)
    assert [dataset.name for dataset in settings.datasets] == [f"{playbook}-golden"]
    assert "did you mean" in settings.warnings[0]
    named = f"datasets: [{{name: d, playbook: {playbook}, path: data/golden/{playbook}.jsonl}}]"
    assert [dataset.name for dataset in load(JUDGE + named).datasets] == ["d"]


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("citation_pattern: '[('", "no regular expression"),
        ("citation_styles: [hash_dolar]", "known styles"),
        ("review_severity_threshold: mayor", "did you mean 'major'?"),
        ("partial_weight: yes", "must be a number"),
        ("neighbour_chunks: '2'", "must be a number"),
        ("evidence_threshold: fully", "did you mean 'fully_supported'?"),
        ("additional_constraints: no", 'put it in quotes: "no"'),
        ("split: gold", "did you mean 'golden'?"),
    ],
)
def test_faults_of_the_rules_of_a_dataset(refusal: Refusal, entry: str, message: str):
    text = f"datasets: [{{name: d, playbook: p, path: data/x.jsonl, {entry}}}]\n"
    error = refusal(JUDGE + text)
    assert error.key.startswith(f"datasets[0].{entry.split(':')[0]}")
    assert message in str(error)


def test_every_severity_can_be_a_threshold():
    assert set(SEVERITIES) == set(get_args(get_args(SeverityThreshold)[0]))


# --- the configuration that comes with the project ---------------------------------------

ROOT = Path(__file__).parents[2]
COMMENTED = re.compile(r"^  # (?=- |  |[a-z_]+: )", re.MULTILINE)


def test_the_default_configuration_loads_without_a_warning():
    settings = load_settings(ROOT, {})
    assert settings.warnings == ()
    assert {system.stage for system in settings.systems} >= {
        Stage.PRODUCTION,
        Stage.CANDIDATE,
        Stage.BASELINE,
    }
    judges = {model.id for model in settings.judges()}
    assert judges == {"embedded-lexical-1", "embedded-overlap-0"}
    targets = {model.id for model in settings.targets()}
    assert targets >= {"embedded-extractive-1", "embedded-extractive-0"}
    assert {dataset.name for dataset in settings.datasets} >= {"citation_faithfulness-golden"}


def test_its_commented_examples_are_right_too(load: Load):
    text = (ROOT / "citeval.yaml").read_text(encoding="utf-8")
    shown = COMMENTED.sub("  ", text)
    assert shown.count("- id: ") == text.count("- id: ") > 4
    settings = load(shown, {"CITEVAL_LEDGER_URL": "postgresql+psycopg2://u:p@h/d"})
    assert len(settings.models) == 8
    assert len(settings.datasets) == 3
    assert settings.model("gpt-judge").price is not None
    assert settings.storage.state_dir == "state"
