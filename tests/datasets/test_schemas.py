"""The published JSON Schemas: up to date, and of one mind with the loader."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from citeval_assets.config.schema import config_schema
from citeval_assets.datasets.rows import RowFault, read_case
from citeval_assets.datasets.schemas import (
    published_schemas,
    reply_schema,
    row_schema,
    write_schemas,
)
from citeval_assets.playbooks.registry import all_playbooks, get_playbook

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "data" / "schemas"

Row = Callable[..., dict[str, Any]]


def accepts(schema: dict[str, Any], value: object) -> bool:
    return Draft202012Validator(schema).is_valid(value)


@pytest.mark.parametrize("name", sorted(published_schemas()))
def test_the_committed_schemas_are_up_to_date(name: str):
    committed = (FOLDER / name).read_text(encoding="utf-8")
    assert committed == published_schemas()[name], "run write_schemas(Path('data/schemas'))"


def test_there_are_no_schemas_of_playbooks_that_are_gone():
    assert {path.name for path in FOLDER.iterdir()} == set(published_schemas())


def test_only_what_changed_is_written(tmp_path: Path):
    assert set(write_schemas(tmp_path)) == set(published_schemas())
    (tmp_path / "citeval.schema.json").write_text("{}")
    assert write_schemas(tmp_path) == ("citeval.schema.json",)


@pytest.mark.parametrize("name", sorted(all_playbooks()))
def test_every_schema_is_itself_valid(name: str):
    Draft202012Validator.check_schema(row_schema(get_playbook(name)))
    Draft202012Validator.check_schema(reply_schema(get_playbook(name)))
    Draft202012Validator.check_schema(config_schema())


def test_the_configuration_of_the_project_fits_its_schema():
    config = yaml.safe_load((ROOT / "citeval.yaml").read_text(encoding="utf-8"))
    assert list(Draft202012Validator(config_schema()).iter_errors(config)) == []
    assert not accepts(config_schema(), {**config, "gate": {}})


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"test_case_id": 9007199254740993},
        {"system": 7},
        {"sources": [{"id": 1, "text": "x"}, {"text": "y"}, {"id": None, "text": "z"}, "w"]},
        {"sources": None, "tags": None, "history": None},
        {"risk_level": "moderate"},
        {"labels": {"score": 0.5, "steps": [1]}, "label_source": "human"},
        {"playbook": "answer_comparison"},
        {"answerable": None},
        {"unknown": 1},
        # refused by both
        {"test_case_id": 1.5},
        {"question": 5},
        {"answer": ...},
        {"risk_level": "extreme"},
        {"sources": [{"id": "1"}]},
        {"sources": "text"},
        {"labels": {"score": 2}},
        {"additional_constraints": "x"},
        {"playbook": "other"},
    ],
)
def test_schema_and_loader_agree_on_a_row(row: Row, fields: dict[str, Any]):
    playbook = get_playbook("answer_comparison")
    made = row(**fields)
    try:
        read_case(playbook, made)
        loads = True
    except RowFault:
        loads = False
    assert accepts(row_schema(playbook), made) is loads
