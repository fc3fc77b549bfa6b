"""The code location loads light and whole."""

import subprocess
import sys

import dagster as dg
import pytest

from citeval_assets.definitions import defs
from citeval_assets.playbooks.registry import all_playbooks


def test_definitions_are_loadable():
    dg.Definitions.validate_loadable(defs)


def test_loading_imports_neither_the_client_library_nor_pages():
    code = (
        "import sys, citeval_assets.definitions\n"
        "print(sorted({'litellm', 'openai', 'starlette', 'jinja2'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("playbook", sorted(all_playbooks()))
def test_each_playbook_has_its_four_assets_in_its_own_group(playbook):
    keys = {
        spec.key.path[-1] for spec in defs.resolve_all_asset_specs() if spec.group_name == playbook
    }
    outputs = "answers" if playbook == "cite_or_abstain" else "judge_outputs"
    assert keys == {"prompt_templates", "test_cases", outputs, "validated_reports"}


def test_judges_and_target_models_are_separate_partition_sets():
    def model_set(*path: str) -> str | None:
        partitions = defs.resolve_assets_def(dg.AssetKey(list(path))).partitions_def
        assert isinstance(partitions, dg.MultiPartitionsDefinition)
        model = partitions.get_partitions_def_for_dimension("model")
        assert isinstance(model, dg.DynamicPartitionsDefinition)
        return model.name

    assert model_set("cite_or_abstain", "answers") == "target_models"
    assert model_set("cot_faithfulness", "judge_outputs") == "judges"


def test_nothing_that_costs_money_is_automated_eagerly():
    conditions = [spec.automation_condition for spec in defs.resolve_all_asset_specs()]
    assert dg.AutomationCondition.eager() not in conditions
