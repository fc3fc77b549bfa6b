"""Asking for cells that are new: exactly those, and once."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

import dagster as dg

from citeval_assets.defs.bulk import BULK_JOB, bulk_config
from citeval_assets.evaluation.current import current_evaluation
from citeval_assets.evaluation.project import Cell, Project
from citeval_assets.keys import encode_key

_SEEN_BY = "new_cell_seen_by"


def runs_for(
    project: Project, cells: Iterable[Cell], why: str, sensor: str
) -> Iterator[dg.RunRequest]:
    """Yield one run per model over those of the cells that are not judged and are this sensor's.

    Models are asked side by side, each by a run of its own, because their limits are their own.
    A cell belongs to the sensor that saw it first. That is on record, so that two sensors never
    both ask for it; the same one may ask again after a tick that failed, under the same run key.
    """
    by_model: defaultdict[str, list[Cell]] = defaultdict(list)
    with project.open_ledger() as ledger:
        for cell in cells:
            if current_evaluation(ledger, cell) is not None:
                continue
            name = json.dumps([cell.playbook, cell.model, cell.prompt_version])
            if ledger.current(_SEEN_BY, name) is None:
                ledger.make_current(_SEEN_BY, name, sensor)
            if ledger.current(_SEEN_BY, name) == sensor:
                by_model[cell.model].append(cell)
    for model, wanted in by_model.items():
        digest = hashlib.sha256(json.dumps([str(cell) for cell in wanted]).encode()).hexdigest()
        yield dg.RunRequest(
            run_key=f"new:{digest[:24]}",
            job_name=BULK_JOB,
            run_config=bulk_config(wanted, f"{why}: {len(wanted)} cells of {model}"),
            tags={"citeval/why": why, "citeval/model": encode_key(model)},
        )


def additions(
    missing: Mapping[str, list[str]], *, models: bool
) -> list[dg.AddDynamicPartitionsRequest]:
    """Return the requests that add the missing keys of model sets, or of prompt sets."""
    return [
        dg.DynamicPartitionsDefinition(name=name).build_add_request(keys)
        for name, keys in missing.items()
        if (not name.endswith("_prompts")) is models
    ]
