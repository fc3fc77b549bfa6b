"""Handed cases about configuration, paths, keys, ids and missing inputs."""

import json
import re
import time
import tracemalloc
import unicodedata
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import BaseModel, ValidationError, create_model

from citeval_assets.config import (
    ConfigError,
    ConfigFile,
    DatasetConfig,
    SecretInConfig,
    UnknownModel,
    load_settings,
    refuse_secrets,
)
from citeval_assets.config.validation import check_document
from citeval_assets.config.yaml_text import read_yaml
from citeval_assets.datasets.loading import load_cases as load_test_cases
from citeval_assets.keys import KeyRefused, decode_key, encode_key, file_name_for, id_of_file_name
from citeval_assets.playbooks.registry import all_playbooks
from citeval_assets.templates.front_matter import FrontMatter
from handed import adapter_templates as adapter
from handed.loader import expanded, load_cases

FILES = ("bug_reports", "adversarial")
CANARY = re.compile(r"canary-[\w-]+")
MODELS = "models: [{id: overlap, model: embedded/overlap-0, roles: judge}]\n"


def handed(*areas: str) -> list[dict[str, Any]]:
    return [case for file in FILES for case in load_cases(file, *areas)]


def name_of(case: object) -> str:
    return f"{case['id']}-{case['kind']}" if isinstance(case, dict) else str(case)


def having(cases: list[dict[str, Any]], *keys: str) -> list[dict[str, Any]]:
    return [case for case in cases if all(key in case["input"] for key in keys)]


# --- YAML --------------------------------------------------------------------------------


def yaml_of(given: Any) -> str:
    if isinstance(given, str):
        return given
    if given.get("generate") == "alias ladder":
        width = given["width"]
        lines = [f"a0: &a0 [{', '.join(['x'] * width)}]"]
        for level in range(1, given["levels"] + 1):
            aliases = ", ".join([f"*a{level - 1}"] * width)
            lines.append(f"a{level}: &a{level} [{aliases}]")
        return "\n".join(lines)
    return expanded(given)


def refusals(text: str, model: type[BaseModel]) -> ConfigError | None:
    try:
        check_document(read_yaml(text, "case.yaml"), model)
    except ConfigError as error:
        return error
    return None


def keys_of(text: str) -> list[str]:
    node = yaml.compose(text, Loader=yaml.SafeLoader)
    return [key.value for key, _ in node.value]


@pytest.mark.parametrize("case", having(handed("config_files"), "yaml"), ids=name_of)
def test_yaml_case(case: dict[str, Any]) -> None:
    expect = case.get("expect", {})
    text = yaml_of(case["input"]["yaml"])
    tracemalloc.start()
    started = time.perf_counter()
    if "refused" in expect:
        fields: dict[str, Any] = dict.fromkeys(keys_of(text), (str, ...))
        error = refusals(text, create_model("AllText", **fields))
        assert error is not None
        assert {problem.key for problem in error.problems} == set(expect["refused"])
        assert all("quotes" in problem.message for problem in error.problems)
    else:
        for model in (ConfigFile, FrontMatter):
            error = refusals(text, model)
            assert error is not None
            assert expect.get("raises", "") in str(error)
    assert time.perf_counter() - started < expect.get("max_seconds", 5)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 50_000_000
    if case["kind"] == "unknown_keys":
        assert "did you mean" in str(refusals(text, ConfigFile))


# --- secrets -----------------------------------------------------------------------------

SECRET_CASES = handed("secret_leak", "model_client")


@pytest.mark.parametrize("case", having(SECRET_CASES, "run_config"), ids=name_of)
def test_a_key_in_run_configuration_is_refused_and_not_shown(case: dict[str, Any]) -> None:
    with pytest.raises(SecretInConfig, match=case["expect"]["raises"]) as caught:
        refuse_secrets(case["input"]["run_config"], "run configuration")
    assert not CANARY.search(str(caught.value))


@pytest.mark.parametrize("case", having(SECRET_CASES, "config"), ids=name_of)
def test_keys_in_the_model_table_are_refused_and_not_shown(
    case: dict[str, Any], tmp_path: Path
) -> None:
    entries = [
        {"id": entry["model"], "roles": ["judge"], **entry} for entry in case["input"]["config"]
    ]
    (tmp_path / "citeval.yaml").write_text(yaml.safe_dump({"models": entries}))
    with pytest.raises(ConfigError) as caught:
        load_settings(tmp_path, {})
    assert len(caught.value.problems) == len(entries)
    assert not CANARY.search(str(caught.value) + repr(caught.value))
    for entry in entries:
        entry.pop("api_key")
    (tmp_path / "citeval.yaml").write_text(yaml.safe_dump({"models": entries}))
    settings = load_settings(tmp_path, {"KEY": "canary-secret-env"})
    with pytest.raises(UnknownModel) as unknown:
        settings.model("c")
    assert "'c'" in str(unknown.value)
    assert all(entry["id"] in str(unknown.value) for entry in entries)
    assert not CANARY.search(str(unknown.value) + repr(settings))


# --- names, ids, links -------------------------------------------------------------------

PATH_CASES = handed("path_traversal")


@pytest.mark.parametrize("case", having(PATH_CASES, "names"), ids=name_of)
def test_no_name_leads_out_of_the_data_folder(case: dict[str, Any], tmp_path: Path) -> None:
    root = tmp_path.resolve()
    files = set()
    for name in case["input"]["names"]:
        for path in (name, f"data/{name}"):
            try:
                dataset = DatasetConfig(name="d", playbook="p", path=path)
            except ValidationError:
                continue
            assert (root / dataset.path).resolve().is_relative_to(root / "data")
        try:
            DatasetConfig(name=name, playbook="p", path="data/x.jsonl")
            assert (root / name).resolve().parent == root
        except ValidationError:
            pass
        try:
            written = root / file_name_for(name)
        except KeyRefused:
            continue
        assert written.resolve().parent == root
        written.touch()
        files.add(written.name)
    assert {path.name for path in root.iterdir()} == files


@pytest.mark.parametrize(
    "case", [*having(PATH_CASES, "ids"), *having(handed("dagster"), "ids")], ids=name_of
)
def test_ids_go_round_through_keys_and_files(case: dict[str, Any]) -> None:
    refused: list[str] = []
    keys: dict[str, str] = {}
    names: dict[str, str] = {}
    for text in case["input"]["ids"]:
        normal = unicodedata.normalize("NFC", str(text))
        try:
            key, name = encode_key(str(text)), file_name_for(str(text))
        except KeyRefused as refusal:
            assert str(refusal)
            refused.append(text)
            continue
        assert re.fullmatch(r"[A-Za-z0-9._:@/+%-]{1,128}", key)
        assert decode_key(key) == normal == id_of_file_name(name)
        assert "/" not in name
        assert keys.setdefault(key, normal) == normal
        assert names.setdefault(name.lower(), normal) == normal
    assert len(names) == len(set(keys.values()))
    if "refused" in case.get("expect", {}):
        assert sorted(refused) == sorted(case["expect"]["refused"])
    if "distinct_files" in case.get("expect", {}):
        assert len(names) == case["expect"]["distinct_files"]


@pytest.mark.parametrize("case", having(handed("dagster"), "tags"), ids=name_of)
def test_tags_hold_keys_that_go_round(case: dict[str, Any]) -> None:
    for value in case["input"]["tags"].values():
        key = encode_key(value)
        assert "|" not in key
        assert decode_key(key) == value
        assert id_of_file_name(file_name_for(value)) == value


@pytest.mark.parametrize("case", having(PATH_CASES, "setup", "name"), ids=name_of)
def test_a_link_to_elsewhere_is_not_read(case: dict[str, Any], tmp_path: Path) -> None:
    project, playbook = tmp_path / "project", "answer_comparison"
    outside = tmp_path / "outside.jsonl"
    outside.write_text(json.dumps(adapter.row_for(playbook)) + "\n")
    golden = project / "data" / "golden"
    golden.mkdir(parents=True)
    (golden / case["input"]["name"]).symlink_to(outside)
    for allowed in (False, True):
        entry = f"name: d, playbook: {playbook}, allow_links: {str(allowed).lower()}"
        path = f"data/golden/{case['input']['name']}"
        (project / "citeval.yaml").write_text(f"{MODELS}datasets: [{{{entry}, path: {path}}}]\n")
        loaded = load_test_cases(load_settings(project, {}), playbook)
        assert bool(loaded.cases) is allowed
        assert bool(loaded.quarantined) is not allowed


# --- rows --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "case", [c for c in having(handed("duckdb"), "ids") if "ids_out" in c["expect"]], ids=name_of
)
def test_ids_keep_their_digits_from_file_to_case(case: dict[str, Any], tmp_path: Path) -> None:
    golden = tmp_path / "data" / "golden"
    golden.mkdir(parents=True)
    rows = [
        adapter.row_for("answer_comparison", test_case_id=given, system=f"s{number}")
        for number, given in enumerate(case["input"]["ids"])
    ]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (golden / "answer_comparison.jsonl").write_text(text)
    (tmp_path / "citeval.yaml").write_text(MODELS)
    loaded = load_test_cases(load_settings(tmp_path, {}), "answer_comparison")
    assert [item.case.test_case_id for item in loaded.cases] == case["expect"]["ids_out"]


FIELD_NAMES = {"ground_truth": "reference_answer", "reference": "reference_answer",
               "contexts": "sources", "trace": "reasoning_trace"}  # fmt: skip
PLAYBOOK_OF_METRIC = {"ground_truth_comparison": "answer_comparison"}


def test_names_of_metrics_are_playbooks() -> None:
    assert set(PLAYBOOK_OF_METRIC.values()) <= set(all_playbooks())


@pytest.mark.parametrize(
    "case",
    [c for c in having(handed("scoring"), "metric", "row") if "missing" in c.get("expect", {})],
    ids=name_of,
)
def test_a_row_without_what_a_playbook_needs_is_put_aside_for_it_alone(
    case: dict[str, Any],
) -> None:
    metric = case["input"]["metric"]
    playbook = PLAYBOOK_OF_METRIC.get(metric, metric)
    ours = {FIELD_NAMES.get(key, key): value for key, value in case["input"]["row"].items()}
    row = {**adapter.row_for(playbook), **ours}
    missing = [FIELD_NAMES.get(name, name) for name in case["expect"]["missing"]]
    for name in missing:
        row[name] = ours.get(name)
    row.pop("answerable", None)
    fault = adapter.row_fault(playbook, row)
    assert all(name in fault for name in missing)
    other = {key: value for key, value in ours.items() if key not in missing}
    assert (
        adapter.row_fault(
            "citation_faithfulness", adapter.row_for("citation_faithfulness", **other)
        )
        == ""
    )
