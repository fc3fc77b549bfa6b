"""Evaluations, and what gates and people decided: how they are recorded and read back."""

from collections.abc import Iterator, Mapping, Sequence

from sqlalchemy import ColumnElement

from citeval_assets.ledger import evaluations, reviews, selections
from citeval_assets.ledger.escaping import storable
from citeval_assets.ledger.records import (
    Anchor,
    EvaluationItem,
    EvaluationRecord,
    GateDecision,
    HumanLabel,
    JudgeMeasurement,
    ReviewDecision,
)
from citeval_assets.ledger.rows import to_row
from citeval_assets.ledger.schema import (
    EVALUATION_ITEMS,
    EVALUATIONS,
    GATE_DECISIONS,
    HUMAN_LABELS,
    JUDGE_MEASUREMENTS,
    REVIEW_DECISIONS,
    RUN_ANCHORS,
    ChainTable,
)
from citeval_assets.ledger.traces import TraceStore


class DecisionStore(TraceStore):
    """What a store keeps of results, and of what was decided by them."""

    def items_of_case(self, test_case_id: str) -> Iterator[EvaluationItem]:
        """Walk what became of a case in every evaluation, oldest first."""
        mine = EVALUATION_ITEMS.table.c.test_case_id == storable(test_case_id)
        return evaluations.walk(self.reading, EVALUATION_ITEMS, EvaluationItem, mine)

    def record_evaluation(
        self, record: EvaluationRecord, items: Sequence[EvaluationItem]
    ) -> EvaluationRecord:
        """Record an evaluation, or return the stored one of this id unchanged.

        Raises:
            LedgerConflict: The id stands for other results.
        """
        with self._writing() as chain:
            return evaluations.write_evaluation(chain, record, items)

    def evaluation(self, evaluation_id: str) -> EvaluationRecord | None:
        """Return one evaluation."""
        with self.reading() as connection:
            return evaluations.evaluation(connection, evaluation_id)

    def latest_evaluation(
        self, playbook: str, model: str, prompt_version: str, scope: str = "*"
    ) -> EvaluationRecord | None:
        """Return the newest evaluation of one partition and scope."""
        with self.reading() as connection:
            return evaluations.latest_evaluation(connection, playbook, model, prompt_version, scope)

    def evaluations(self) -> Iterator[EvaluationRecord]:
        """Walk all evaluations, oldest first."""
        return evaluations.walk(self.reading, EVALUATIONS, EvaluationRecord)

    def items(self, evaluation_id: str) -> Iterator[EvaluationItem]:
        """Walk the items of one evaluation in the order they were recorded."""
        mine = EVALUATION_ITEMS.table.c.evaluation_id == storable(evaluation_id)
        return evaluations.walk(self.reading, EVALUATION_ITEMS, EvaluationItem, mine)

    def make_current(self, kind: str, name: str, value: str) -> bool:
        """Select what is current (a dataset version, an evaluation). ``False``: it was already."""
        if self.current(kind, name) == value:
            return False
        with self._writing() as chain:
            return selections.make_current(chain, kind, name, value, self._moment())

    def make_all_current(self, kind: str, values: Mapping[str, str]) -> None:
        """Select several values of a kind, by name, in one transaction."""
        if values:
            with self._writing() as chain:
                for name, value in values.items():
                    selections.make_current(chain, kind, name, value, self._moment())

    def current(self, kind: str, name: str) -> str | None:
        """Return what was selected last under this name."""
        with self.reading() as connection:
            return selections.current(connection, kind, name)

    def all_current(self, kind: str) -> dict[str, str]:
        """Return what was selected last under every name of a kind."""
        with self.reading() as connection:
            return selections.all_current(connection, kind)

    def record_gate_decision(self, decision: GateDecision) -> None:
        """Record a gate's verdict."""
        self._record(GATE_DECISIONS, decision)

    def gate_decisions(self) -> Iterator[GateDecision]:
        """Walk all gate verdicts, oldest first."""
        return evaluations.walk(self.reading, GATE_DECISIONS, GateDecision)

    def record_review_decision(self, decision: ReviewDecision) -> None:
        """Record what a reviewer decided."""
        self._record(REVIEW_DECISIONS, decision)

    def decide(
        self, decision: ReviewDecision, *, seen: str, labels: Sequence[HumanLabel] = ()
    ) -> None:
        """Record a decision together with its labels, unless others decided since ``seen``.

        Raises:
            StaleDecision: they did; nothing is written.
        """
        with self._writing() as chain:
            reviews.write_decision(chain, decision, seen, labels, self._moment())

    def review_decisions(self, test_case_id: str | None = None) -> Iterator[ReviewDecision]:
        """Walk all review decisions, or those of one case, oldest first."""
        chosen = _of_case(REVIEW_DECISIONS, test_case_id)
        return evaluations.walk(self.reading, REVIEW_DECISIONS, ReviewDecision, *chosen)

    def record_human_label(self, label: HumanLabel) -> None:
        """Record a person's label."""
        self._record(HUMAN_LABELS, label)

    def human_labels(self, test_case_id: str | None = None) -> Iterator[HumanLabel]:
        """Walk all human labels, or those of one case, oldest first."""
        chosen = _of_case(HUMAN_LABELS, test_case_id)
        return evaluations.walk(self.reading, HUMAN_LABELS, HumanLabel, *chosen)

    def record_measurement(self, measurement: JudgeMeasurement) -> None:
        """Record what was found out about a judge; known already, it stays as it is."""
        row = to_row(measurement, created_at=measurement.created_at or self._moment())
        with self._writing() as chain:
            chain.append_new(JUDGE_MEASUREMENTS, [row], ignoring=("created_at", "run_id"))

    def measurements(self) -> Iterator[JudgeMeasurement]:
        """Walk all that was found out about judges, oldest first."""
        return evaluations.walk(self.reading, JUDGE_MEASUREMENTS, JudgeMeasurement)

    def record_run_anchor(self, run_id: str) -> Anchor:
        """Record where the chain stood at the end of a run, and return it to be kept outside."""
        with self._writing() as chain:
            rows, head = chain.end()
            row = {"run_id": storable(run_id), "chain_rows": rows, "head": head}
            chain.append(RUN_ANCHORS, [{**row, "created_at": self._moment()}])
        return Anchor(*self.head())

    def _record(
        self, table: ChainTable, record: GateDecision | ReviewDecision | HumanLabel
    ) -> None:
        row = to_row(record, created_at=record.created_at or self._moment())
        with self._writing() as chain:
            chain.append_new(table, [row])


def _of_case(table: ChainTable, test_case_id: str | None) -> list[ColumnElement[bool]]:
    if test_case_id is None:
        return []
    return [table.table.c.test_case_id == storable(test_case_id)]
