"""Retrievers and their passages as Dagster shows them."""

from collections.abc import Iterator

import dagster as dg
import pytest

from citeval_assets.defs.assembly import assemble
from citeval_assets.defs.instance import open_instance
from citeval_assets.defs.jobs import INPUTS_JOB
from citeval_assets.defs.names import PASSAGES_KEY, RETRIEVER_KEY, cases_key, registering_keys
from citeval_assets.defs.resources import ServiceFactory
from citeval_assets.defs.target_assets import observe_retrievers
from tests.evaluation.answering_project import CORPUS, answering_project, write_corpus
from tests.small_project import SmallProject


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> SmallProject:
    return answering_project(tmp_path_factory.mktemp("project"))


@pytest.fixture(scope="module")
def definitions(project) -> dg.Definitions:
    return assemble(ServiceFactory(project.folder, environ=project.environ))


@pytest.fixture
def instance(project) -> Iterator[dg.DagsterInstance]:
    with open_instance(project.home) as instance:
        yield instance


def retrieve(definitions, instance) -> dg.ExecuteInProcessResult:
    return definitions.resolve_job_def(INPUTS_JOB).execute_in_process(
        instance=instance,
        run_config={"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}},
        asset_selection=[PASSAGES_KEY],
        raise_on_error=False,
    )


def passages_event(result: dg.ExecuteInProcessResult):
    (event,) = result.asset_materializations_for_node("retrieved_passages")
    return event


def test_the_graph_leads_from_retriever_to_the_cases_of_those_who_judge_answers(definitions):
    graph = definitions.resolve_asset_graph()
    answers = dg.AssetKey(["cite_or_abstain", "answers"])
    assert graph.get(PASSAGES_KEY).parent_keys == {RETRIEVER_KEY}
    assert graph.get(cases_key("cite_or_abstain")).parent_keys == {PASSAGES_KEY}
    for playbook in ("citation_faithfulness", "answer_comparison"):
        assert answers in graph.get(cases_key(playbook)).parent_keys
    assert RETRIEVER_KEY in graph.get(cases_key("citation_accuracy")).parent_keys
    assert registering_keys("cite_or_abstain") == [PASSAGES_KEY, cases_key("cite_or_abstain")]


def test_the_version_of_the_passages_follows_what_was_found(definitions, instance, project):
    first = passages_event(retrieve(definitions, instance))
    assert "| shelf | " in first.metadata["retrievers"].value
    assert "3 of 3 (100%)" in first.metadata["retrievers"].value
    observe_retrievers(instance, project.load())
    write_corpus(project, {**CORPUS, "ferry": "The ferry to the island runs in May."})
    observe_retrievers(instance, project.load())
    other = passages_event(retrieve(definitions, instance))
    versions = {event.tags["dagster/data_version"] for event in (first, other)}
    assert len(versions) == 2
    seen = instance.fetch_observations(RETRIEVER_KEY, limit=2).records
    assert len({r.asset_observation.tags["dagster/data_version"] for r in seen}) == 2


def test_a_retriever_that_fails_is_shown_by_a_check(definitions, instance, project):
    corpus = project.folder / "data" / "corpus" / "all.jsonl"
    corpus.write_text('{"id": "1"}\n', encoding="utf-8")
    result = retrieve(definitions, instance)
    assert result.success
    (check,) = result.get_asset_check_evaluations()
    assert (check.check_name, check.passed) == ("every_question_was_searched", False)
    assert passages_event(result).metadata["failed"].value == 4


def test_answers_that_were_written_become_cases_by_themselves(definitions):
    answers, cases = dg.AssetKey(["cite_or_abstain", "answers"]), cases_key("answer_comparison")
    with dg.instance_for_test() as instance:
        instance.add_dynamic_partitions("target_models", ["next"])
        instance.add_dynamic_partitions("cite_or_abstain_prompts", ["v1"])
        instance.report_runless_asset_event(dg.AssetMaterialization(cases))

        def tick(cursor):
            return dg.evaluate_automation_conditions(
                definitions, instance, dg.AssetSelection.assets(cases), cursor=cursor
            )

        quiet = tick(None)
        assert quiet.total_requested == 0
        instance.report_runless_asset_event(
            dg.AssetMaterialization(answers, partition=dg.MultiPartitionKey(
                {"model": "next", "prompt": "v1"}
            ))
        )  # fmt: skip
        assert tick(quiet.cursor).get_requested_partitions(cases) == {None}
