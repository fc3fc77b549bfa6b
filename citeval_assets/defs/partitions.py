"""The partitions: which models and prompt versions there are, as Dagster knows them.

Judges and target models are separate sets, and every playbook has its own prompt set, so the
matrix of a playbook holds no cell that makes no sense. Keys are written ``model|prompt``:
Dagster orders dimensions by name.
"""

import os
from pathlib import Path

import dagster as dg
from sqlalchemy.exc import IntegrityError

from citeval_assets.defs.names import prompt_set, target_set
from citeval_assets.evaluation.project import Cell, Project
from citeval_assets.keys import decode_key, encode_key
from citeval_assets.playbooks.base import AnyPlaybook
from citeval_assets.playbooks.registry import all_playbooks


def prompt_partitions(playbook: AnyPlaybook) -> dg.DynamicPartitionsDefinition:
    """Return the prompt versions of one playbook as a partition set."""
    return dg.DynamicPartitionsDefinition(name=prompt_set(playbook.name))


def cell_partitions(playbook: AnyPlaybook) -> dg.MultiPartitionsDefinition:
    """Return model x prompt for one playbook."""
    return dg.MultiPartitionsDefinition(
        {
            "model": dg.DynamicPartitionsDefinition(name=target_set(playbook.kind)),
            "prompt": prompt_partitions(playbook),
        }
    )


def partition_of(cell: Cell) -> dg.MultiPartitionKey:
    """Return the partition key of a cell."""
    return dg.MultiPartitionKey(
        {"model": encode_key(cell.model), "prompt": encode_key(cell.prompt_version)}
    )


def cell_of(playbook: str, key: str) -> Cell:
    """Return the cell a step or check was asked for.

    Raises:
        DagsterInvariantViolationError: where the key is not one of model x prompt.
    """
    if not isinstance(key, dg.MultiPartitionKey):
        raise dg.DagsterInvariantViolationError(f"{key!r} is not a model|prompt key")
    parts = key.keys_by_dimension
    return Cell(playbook, decode_key(parts["model"]), decode_key(parts["prompt"]))


def missing_keys(instance: dg.DagsterInstance, project: Project) -> dict[str, list[str]]:
    """Return, per partition set, the keys the project has and the instance lacks.

    Keys are only ever added: deleting one breaks the automation page, so a retired model keeps
    its key and its history.
    """
    wanted: dict[str, set[str]] = {}
    for playbook in all_playbooks().values():
        models = {encode_key(model.id) for model in project.models_of(playbook.name)}
        versions = {encode_key(v) for v in project.templates.versions(playbook.name)}
        wanted.setdefault(target_set(playbook.kind), set()).update(models)
        wanted.setdefault(prompt_set(playbook.name), set()).update(versions)
    missing = {
        name: sorted(keys - set(instance.get_dynamic_partitions(name)))
        for name, keys in wanted.items()
    }
    return {name: keys for name, keys in missing.items() if keys}


def sync_partitions(instance: dg.DagsterInstance, project: Project) -> dict[str, list[str]]:
    """Add the keys the project has to the instance, and return those that were new."""
    added = missing_keys(instance, project)
    for name, keys in added.items():
        for key in keys:
            _add_key(instance, name, key)
    return added


def _add_key(instance: dg.DagsterInstance, name: str, key: str) -> None:
    """Add one key; another run that starts at the same moment may be adding it, too."""
    try:
        instance.add_dynamic_partitions(name, [key])
    except IntegrityError:
        if key not in instance.get_dynamic_partitions(name):
            raise


def main() -> None:
    """Make the models and prompts of the project in this folder known to its instance."""
    home = Path(os.environ.setdefault("DAGSTER_HOME", str(Path.cwd() / "dagster_home")))
    home.mkdir(parents=True, exist_ok=True)
    folder = Path(os.environ.get("CITEVAL_PROJECT", Path.cwd()))
    with dg.DagsterInstance.get() as instance:
        sync_partitions(instance, Project.load(folder, os.environ))


if __name__ == "__main__":
    main()
