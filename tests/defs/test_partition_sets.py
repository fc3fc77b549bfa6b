"""Which models and prompts Dagster knows, also when two runs make them known at once."""

import dagster as dg
import pytest
from sqlalchemy.exc import IntegrityError

from citeval_assets.defs.partitions import missing_keys, sync_partitions
from tests.small_project import make_project


def refuse(*_: object) -> None:
    raise IntegrityError("INSERT", {}, Exception("UNIQUE constraint failed"))


@pytest.fixture
def project(tmp_path):
    return make_project(tmp_path).load()


@pytest.fixture
def instance(tmp_path):
    home = tmp_path / "dagster"
    home.mkdir()
    with dg.DagsterInstance.local_temp(str(home)) as instance:
        yield instance


def test_all_keys_of_the_project_become_known_once(project, instance):
    added = sync_partitions(instance, project)
    assert any("naive" in keys for keys in added.values())
    assert missing_keys(instance, project) == {}
    assert sync_partitions(instance, project) == {}


def test_a_key_that_another_run_added_at_the_same_moment_is_no_error(
    project, instance, monkeypatch
):
    real = instance.add_dynamic_partitions

    def beaten(name: str, keys: list[str]) -> None:
        real(name, keys)
        refuse()

    monkeypatch.setattr(instance, "add_dynamic_partitions", beaten)
    sync_partitions(instance, project)
    assert missing_keys(instance, project) == {}


def test_a_key_that_is_refused_and_not_there_is_an_error(project, instance, monkeypatch):
    monkeypatch.setattr(instance, "add_dynamic_partitions", refuse)
    with pytest.raises(IntegrityError):
        sync_partitions(instance, project)
