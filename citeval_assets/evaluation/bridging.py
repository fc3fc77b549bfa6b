"""Bridges between epochs, and the judge's own noise: a fixed set of cases, judged again."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from citeval_assets.calibration.bridging import Bridge, EpochSide, build_bridge
from citeval_assets.datasets.hashing import question_key
from citeval_assets.evaluation.cases import (
    PreparedCase,
    current_dataset,
    prepared_cases,
    rules_of,
)
from citeval_assets.evaluation.judges import Bench
from citeval_assets.evaluation.measurements import record_bridge, record_noise
from citeval_assets.evaluation.partition import cell_epoch_of
from citeval_assets.evaluation.project import ALL_DATASETS, Cell, UnknownName
from citeval_assets.ledger.records import DatasetRecord
from citeval_assets.qualification.canaries import is_canary
from citeval_assets.statistics.repeats import JudgeNoise, judge_noise

ANCHORS = 100
"""Cases of the anchor set, unless another number is asked for."""

_SEED = 20261


class NothingToBridge(ValueError):
    """There are no two epochs to be compared; the text says why."""


@dataclass(frozen=True, slots=True)
class AnchorSet:
    """The anchor cases of a playbook: the same ones for as long as the cases stay."""

    dataset: DatasetRecord
    cases: tuple[PreparedCase, ...]

    @property
    def questions(self) -> Mapping[str, str]:
        """By case hash, what several cases share."""
        return {c.case_hash: question_key(c.prepared.case.question) for c in self.cases}

    def only(self, hashes: Sequence[str] | Mapping[str, object]) -> "AnchorSet":
        """Return the set without the cases that are not among ``hashes``."""
        kept = tuple(case for case in self.cases if case.case_hash in hashes)
        return replace(self, cases=kept)


def anchor_set(bench: Bench, playbook: str, size: int, among: Mapping[str, float] | None = None):
    """Draw the anchor cases from the registered ones, by hash: order and growth do not matter."""
    dataset = current_dataset(bench.ledger, playbook, ALL_DATASETS)
    members = [m for m in dataset.members if among is None or m.case_hash in among]
    members.sort(key=lambda m: hashlib.sha256(f"{_SEED}|{m.case_hash}".encode()).hexdigest())
    chosen = sorted(members[:size], key=lambda member: member.position)
    return AnchorSet(dataset, tuple(prepared_cases(bench.ledger, dataset, chosen)))


def bridge_cells(bench: Bench, old: Cell, new: Cell, size: int = ANCHORS) -> Bridge:
    """Judge the anchor set by two judges, or two prompt versions, and record the offset.

    Raises:
        NothingToBridge: where both are the same epoch.
        NoBridge: where too few anchors could be scored.
    """
    anchors = anchor_set(bench, old.playbook, size)
    sides = [_side(bench, cell, anchors.dataset) for cell in (old, new)]
    before = _scores(bench, old, anchors)
    return _bridged(bench, old.playbook, sides[0], sides[1], before, new, anchors)


def bridge_to_past(bench: Bench, cell: Cell, size: int = ANCHORS) -> Bridge:
    """Judge again, under the present epoch, cases that were judged under the one before.

    The old scores are those that were issued then; only the new side is asked.

    Raises:
        NothingToBridge: where the cell was never judged under another epoch.
        NoBridge: where too few cases were scored under both.
    """
    dataset = current_dataset(bench.ledger, cell.playbook, ALL_DATASETS)
    present = _side(bench, cell, dataset)
    past = _past_scores(bench, cell, present.epoch)
    if past is None:
        raise NothingToBridge(
            f"{cell} was never judged under another epoch than the present one; name another "
            "judge or prompt version to bridge from"
        )
    old, before = past
    anchors = anchor_set(bench, cell.playbook, size, before)
    return _bridged(bench, cell.playbook, old, present, before, cell, anchors)


def _bridged(
    bench: Bench,
    playbook: str,
    old: EpochSide,
    new: EpochSide,
    before: Mapping[str, float],
    cell: Cell,
    anchors: AnchorSet,
) -> Bridge:
    if old.epoch == new.epoch:
        raise NothingToBridge(f"{cell}: both sides are of the same epoch, nothing lies between")
    after = _scores(bench, cell, anchors.only(before))
    scores = {case: (before[case], after[case]) for case in after if case in before}
    confidence = bench.project.settings.calibration.confidence
    found = build_bridge(playbook, old, new, scores, anchors.questions, confidence)
    record_bridge(bench.ledger, found, bench.run_id)
    return found


def _side(bench: Bench, cell: Cell, dataset: DatasetRecord) -> EpochSide:
    epoch = cell_epoch_of(bench.project, cell, rules_of(dataset))
    return EpochSide(cell.model, cell.prompt_version, epoch)


def _scores(bench: Bench, cell: Cell, anchors: AnchorSet) -> Mapping[str, float]:
    policy = replace(bench.policy_of(cell), repeat=0)
    return bench.scores(cell, anchors.dataset.dataset_version, anchors.cases, policy)


def _past_scores(
    bench: Bench, cell: Cell, present: str
) -> tuple[EpochSide, dict[str, float]] | None:
    """Return the newest other epoch of a cell, with every score that was issued under it."""
    mine = [
        record
        for record in bench.ledger.evaluations()
        if (record.playbook, record.model, record.prompt_version)
        == (cell.playbook, cell.model, cell.prompt_version)
        and record.epoch != present
    ]
    if not mine:
        return None
    epoch = mine[-1].epoch
    scores: dict[str, float] = {}
    for record in mine:
        if record.epoch == epoch:
            for item in bench.ledger.items(record.evaluation_id):
                if item.score is not None and not is_canary(item):
                    scores[item.case_hash] = item.score
    return EpochSide(cell.model, cell.prompt_version, epoch), scores


def measure_noise(bench: Bench, cell: Cell, repeats: int, size: int) -> JudgeNoise | None:
    """Ask a judge the same questions ``repeats`` times, and record how far it strays.

    The first time is the ordinary one, whose replies are stored already where the cases were
    judged; the others are numbered repetitions, paid once each.
    """
    anchors = anchor_set(bench, cell.playbook, size)
    version = anchors.dataset.dataset_version
    by_case: dict[str, list[float]] = {}
    for number in range(repeats):
        policy = replace(bench.policy_of(cell), repeat=number)
        for case, score in bench.scores(cell, version, anchors.cases, policy).items():
            by_case.setdefault(case, []).append(score)
    found = judge_noise(by_case.values())
    if found is not None:
        judge = (cell.playbook, cell.model, cell.prompt_version)
        epoch = cell_epoch_of(bench.project, cell, rules_of(anchors.dataset))
        record_noise(bench.ledger, judge, epoch, found, bench.run_id)
    return found


def cell_named(cells: Sequence[Cell], playbook: str, model: str, prompt: str) -> Cell:
    """Return a cell of the project.

    Raises:
        UnknownName: where there is none.
    """
    wanted = Cell(playbook, model, prompt)
    if wanted not in cells:
        raise UnknownName("cell", str(wanted), (str(cell) for cell in cells))
    return wanted
