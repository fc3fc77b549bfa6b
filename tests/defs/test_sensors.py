"""What sensors ask for: exactly what a change touches, and once."""

import json
import os

import dagster as dg
import pytest

from citeval_assets.defs.instance import open_instance
from citeval_assets.defs.names import cases_key, templates_key
from citeval_assets.defs.sensors import case_files, models, prompts, trace_inbox
from tests.defs.automated import Automated, Tick, automated, cells_of, drop
from tests.loopback import loopback

NEW_MODEL = "{id: 'openai/next', model: openai/next, roles: [judge]}"


@pytest.fixture(scope="module")
def instance(tmp_path_factory):
    """One real instance for all: what one test adds to it, another does not mind."""
    with open_instance(tmp_path_factory.mktemp("instance")) as instance:
        yield instance


@pytest.fixture
def world(tmp_path, instance) -> Automated:
    world = automated(tmp_path, instance)
    for sensor in (models, prompts):
        world.tick(sensor)
    return world


def test_the_first_look_adds_what_is_there_and_asks_nobody(tmp_path):
    with dg.DagsterInstance.ephemeral() as instance:
        world = automated(tmp_path, instance)
        assert world.tick(models).run_requests == []
        assert world.tick(prompts).run_requests == []
        assert instance.get_dynamic_partitions("judges") == ["naive"]
        assert instance.get_dynamic_partitions("citation_accuracy_prompts") == ["v1", "v2"]


def test_a_new_model_is_judged_with_in_exactly_its_cells_once(world):
    world.add_model(NEW_MODEL)
    result = world.tick(models)
    assert cells_of(result) == [
        "answer_comparison openai/next|v1",
        "citation_accuracy openai/next|v1",
        "citation_accuracy openai/next|v2",
        "citation_faithfulness openai/next|v1",
        "citation_faithfulness openai/next|v2",
        "cot_faithfulness openai/next|v1",
    ]
    assert len(result.run_requests) == 1
    assert "openai/next" in world.instance.get_dynamic_partitions("judges")
    assert cells_of(world.tick(models)) == []
    world.cursors.clear()  # a cursor that was lost asks for nothing twice
    world.tick(models)
    assert cells_of(world.tick(models)) == []


@pytest.mark.slow
def test_a_model_that_was_judged_meanwhile_is_not_asked_for(world):
    world.add_model("{id: second, model: embedded/overlap-0, roles: [judge]}")
    world.project.evaluate(models=["second"], playbooks=["cot_faithfulness"])
    asked = cells_of(world.tick(models))
    assert "cot_faithfulness second|v1" not in asked and len(asked) == 5


def test_a_retired_model_keeps_its_key_and_leaves_the_matrix(world):
    world.add_model(NEW_MODEL.replace("}", ", stage: retired}"))
    assert cells_of(world.tick(models)) == []
    assert "openai/next" in world.instance.get_dynamic_partitions("judges")
    assert all(cell.model != "openai/next" for cell in world.project.load().cells())


def test_a_new_template_file_is_judged_with_by_every_model_in_service(world):
    world.add_model("{id: old, model: embedded/overlap-0, roles: [judge], stage: retired}")
    world.add_template("citation_accuracy", "v9")
    result = world.tick(prompts)
    assert cells_of(result) == ["citation_accuracy naive|v9"]
    assert "v9" in world.instance.get_dynamic_partitions("citation_accuracy_prompts")
    assert cells_of(world.tick(prompts)) == []


def test_a_retired_prompt_version_is_judged_with_no_more(world):
    world.settings(lambda text: text + "automation: {retired_prompts: [citation_accuracy/v9]}\n")
    world.add_template("citation_accuracy", "v9")
    assert cells_of(world.tick(prompts)) == []
    assert [c for c in world.project.load().cells() if c.prompt_version == "v9"] == []
    assert world.project.load().cells(prompts=["v9"]) != ()


def test_a_model_and_a_prompt_that_are_both_new_meet_once(world):
    world.add_model(NEW_MODEL)
    world.add_template("cot_faithfulness", "v9")
    asked = cells_of(world.tick(prompts)) + cells_of(world.tick(models))
    assert asked.count("cot_faithfulness openai/next|v9") == 1
    assert sorted(asked) == sorted(set(asked))


def test_an_edited_draft_is_observed_in_its_own_partition_alone(world):
    file = world.add_template("citation_accuracy", "v9")
    world.tick(prompts)
    file.write_text(file.read_text(encoding="utf-8") + "\nBe strict.\n", encoding="utf-8")
    (event,) = world.tick(prompts).asset_events
    assert isinstance(event, dg.AssetObservation)
    assert (event.asset_key, event.partition) == (templates_key("citation_accuracy"), "v9")
    template = world.project.load().templates.get("citation_accuracy", "v9")
    assert event.tags["dagster/data_version"] == template.sha256


def test_a_released_template_that_was_edited_is_named(world):
    file = world.template("citation_accuracy", "v1")
    file.write_text(file.read_text(encoding="utf-8") + "\nBe strict.\n", encoding="utf-8")
    told = world.tick(prompts).skip_message
    assert told is not None and "citation_accuracy/v1.md" in told


def asked_assets(result: Tick) -> list[str]:
    return [key.to_user_string() for r in result.run_requests for key in r.asset_selection or ()]


def test_changed_cases_are_read_anew_for_their_playbook_alone(world):
    world.tick(case_files)
    rows = world.project.rows("cot_faithfulness")
    world.project.write_rows("cot_faithfulness", rows[:1])
    assert asked_assets(world.tick(case_files)) == [cases_key("cot_faithfulness").to_user_string()]
    assert asked_assets(world.tick(case_files)) == []


@pytest.mark.slow
def test_files_that_come_back_are_read_again(world):
    world.tick(case_files)
    file = world.project.cases_file("cot_faithfulness")
    before, looked = file.read_text(encoding="utf-8"), file.stat()
    keys = []
    for text in ("{}\n", before, "{}\n"):
        file.write_text(text, encoding="utf-8")
        os.utime(file, ns=(looked.st_atime_ns, looked.st_mtime_ns))
        keys += [r.run_key for r in world.tick(case_files).run_requests]
    assert len(set(keys)) == 3


def test_a_changed_corpus_touches_the_playbooks_that_use_its_retriever(world):
    corpus = world.project.folder / "data" / "corpus"
    corpus.mkdir()
    (corpus / "a.md").write_text("The bell weighs 912 kilograms.", encoding="utf-8")
    entry = (
        "retrievers:\n  - {name: book, kind: bm25, options: {corpus: data/corpus}}\n"
        "datasets:\n  - {name: asked, playbook: cot_faithfulness, retriever: book, "
        "path: data/golden/cot_faithfulness.jsonl}\n"
    )
    world.settings(lambda text: text + entry)
    world.tick(case_files)
    (corpus / "b.md").write_text("It hangs in the tower.", encoding="utf-8")
    assert asked_assets(world.tick(case_files)) == [cases_key("cot_faithfulness").to_user_string()]


def test_a_trace_file_is_taken_in_when_it_stopped_growing(world):
    file = drop(world.project, "a.jsonl", [{"test_case_id": "1"}])
    assert world.tick(trace_inbox).run_requests == []
    file.write_text(file.read_text(encoding="utf-8") * 2, encoding="utf-8")
    assert world.tick(trace_inbox).run_requests == []
    (request,) = world.tick(trace_inbox).run_requests
    files = request.run_config["ops"]["production__traces"]["config"]["files"]
    assert list(files) == ["a.jsonl"]


WATCHED = """\
models:
  - id: house
    model: openai/judge-1
    roles: [judge]
    api_base: {url}/v1
    api_key_env: HOUSE_KEY
    watch: true
systems: []
"""


@pytest.fixture
def watched(tmp_path, instance, monkeypatch):
    monkeypatch.setattr("citeval_assets.defs.sensors.model_sensor.SECONDS_BETWEEN_LOOKS", 0)
    with loopback() as server:
        server.body = {"data": [{"id": "judge-1"}, {"id": "judge-1-2026-04-14"}, {"id": "other"}]}
        world = automated(tmp_path, instance, WATCHED.format(url=server.url))
        world.variables["HOUSE_KEY"] = "sk-house"
        world.tick(models)
        yield world, server


def test_a_new_version_that_the_endpoint_lists_becomes_a_candidate_of_its_own(watched):
    world, server = watched
    assert world.project.load().settings.judges()[0].id == "house"
    server.body["data"] += [{"id": "judge-1-2026-11-01"}, {"id": "judge-12"}]
    asked = cells_of(world.tick(models))
    assert server.headers[-1]["Authorization"] == "Bearer sk-house"
    assert {cell.split()[1] for cell in asked} == {
        "house@judge-1-2026-11-01|v1",
        "house@judge-1-2026-11-01|v2",
    }
    new = world.project.load().settings.model("house@judge-1-2026-11-01")
    assert (new.model, new.stage, new.watch) == ("openai/judge-1-2026-11-01", "candidate", False)
    assert cells_of(world.tick(models)) == []


def test_what_an_endpoint_tells_otherwise_under_the_same_name_is_drift(watched):
    world, server = watched
    server.body["data"][0] = {"id": "judge-1", "created": 5}
    world.tick(models)
    assert drifts(world) == []
    server.body["data"][0] = {"id": "judge-1", "root": "/weights/b", "created": 9}
    world.tick(models)
    world.tick(models)
    assert len(drifts(world)) == 1


@pytest.mark.slow
def test_an_endpoint_that_is_silent_changes_nothing_and_is_named(watched):
    world, server = watched
    server.status = 500
    told = world.tick(models).skip_message
    assert told is not None and "house: the list of models gave HTTP 500" in told


def drifts(world: Automated) -> list[dict[str, str]]:
    with world.project.load().open_ledger() as ledger:
        return [json.loads(m.result_json) for m in ledger.measurements() if m.kind == "drift"]


def test_another_fingerprint_under_the_same_name_is_drift_told_once(watched):
    from tests.ledger.builders import intent, reply

    world, _ = watched

    def answered(number: int, fingerprint: str) -> None:
        with world.project.load().open_ledger() as ledger:
            ledger.add_intents([intent(number, model_id="house")])
            ledger.add_replies([reply(number, fingerprint=fingerprint)])

    answered(1, "fp_a")
    world.tick(models)
    assert drifts(world) == []
    for number, fingerprint in ((2, "fp_b"), (3, "fp_a"), (4, "fp_b")):
        answered(number, fingerprint)
        world.tick(models)
    (found,) = drifts(world)
    assert "fp_a" in found["before"] and "fp_b" in found["now"]
