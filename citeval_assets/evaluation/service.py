"""The one service behind the command line, Dagster and ``evaluate()``.

Each method is one asset: it reads from files, ledger or warehouse, calls the domain, stores,
and returns a typed summary.
"""

import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal

from citeval_assets.calibration.bridging import Bridge
from citeval_assets.config import ModelConfig
from citeval_assets.config.qualification import QualificationConfig
from citeval_assets.evaluation.bridging import (
    ANCHORS,
    bridge_cells,
    bridge_to_past,
    measure_noise,
)
from citeval_assets.evaluation.calibrating import JudgeCalibration, calibrate
from citeval_assets.evaluation.comparing import CompareQuery, CompareReport, compare_sides
from citeval_assets.evaluation.drifting import DriftFound, measure_drift
from citeval_assets.evaluation.falling import TrendFall, find_falls
from citeval_assets.evaluation.forecast import RunForecast, forecast_run
from citeval_assets.evaluation.gating import GateQuery, decide_gates
from citeval_assets.evaluation.inputs import register_cases, scope_name
from citeval_assets.evaluation.judges import Bench
from citeval_assets.evaluation.matrix import MatrixCell, evaluation_matrix
from citeval_assets.evaluation.measurements import show_measurements
from citeval_assets.evaluation.partition import Judged, judge_cell
from citeval_assets.evaluation.project import Cell, Project
from citeval_assets.evaluation.qualifying import qualify_cell
from citeval_assets.evaluation.queue import review_rows
from citeval_assets.evaluation.rebuilding import ensure_warehouse, report_cell, write_registered
from citeval_assets.evaluation.retrieving import (
    RetrievedPassages,
    RetrieverState,
    retrieve_passages,
    retriever_states,
)
from citeval_assets.evaluation.reviewing import apply_decisions
from citeval_assets.evaluation.summaries import EvaluationSummary, RegisteredCases
from citeval_assets.gates.model import GateReport
from citeval_assets.judging.budget import Budget
from citeval_assets.judging.policy import JudgingPolicy, comparison_budget
from citeval_assets.judging.progress import ProgressCallback
from citeval_assets.qualification.running import QualifiedJudge
from citeval_assets.statistics.repeats import JudgeNoise
from citeval_assets.warehouse.judge_reading import JudgeStanding, bridge_rows, judge_standings
from citeval_assets.warehouse.judge_tables import BridgeRow
from citeval_assets.warehouse.publishing import Published, publish
from citeval_assets.warehouse.reading import (
    ScoreLine,
    WorstCase,
    quarantine_count,
    score_history,
    score_table,
    worst_cases,
)
from citeval_assets.warehouse.tables import (
    ScoreTrendRow,
)
from citeval_assets.warehouse.writers import write_review_queue


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What a caller may choose for one run.

    ``refresh`` asks again although a reply is stored; ``repeat`` numbers an independent
    repetition (0 is the ordinary one). ``budget_usd`` is what the run may spend, instead of
    what the configuration says; ``spending_scope`` names the run whose calls count against it
    (by default the run id; several processes may share one).
    """

    datasets: tuple[str, ...] = ()
    refresh: bool = False
    repeat: int = 0
    max_concurrency: int | None = None
    budget_usd: Decimal | None = None
    spending_scope: str = ""

    @property
    def scope(self) -> str:
        """What evaluations of this run cover."""
        return scope_name(self.datasets)

    def policy(self, model: ModelConfig, compared: Iterable[ModelConfig]) -> JudgingPolicy:
        """Return how ``model`` is asked, within one token budget for all it is compared with."""
        policy = JudgingPolicy.for_model(
            model,
            token_budget=comparison_budget(compared),
            refresh=self.refresh,
            repeat=self.repeat,
        )
        if self.max_concurrency is None:
            return policy
        return replace(policy, max_concurrency=self.max_concurrency)


@dataclass
class Service:
    """The steps of an evaluation over one project."""

    project: Project
    options: RunOptions = field(default_factory=RunOptions)
    run_id: str = field(default_factory=lambda: uuid.uuid4().hex)
    progress: ProgressCallback | None = None

    def register_cases(self, playbook: str) -> RegisteredCases:
        """Read, complete and register the cases of a playbook; list the refused rows."""
        with self.project.open_ledger() as ledger:
            registered = register_cases(self.project, ledger, playbook, self.options.datasets)
            ensure_warehouse(ledger, self.project.warehouse)
            write_registered(ledger, self.project.warehouse, registered, self.options.datasets)
        return registered.summary

    def retrievers(self) -> tuple[RetrieverState, ...]:
        """Return every configured retriever with its present version."""
        return retriever_states(self.project)

    def retrieve(self) -> RetrievedPassages:
        """Ask the retrievers about the golden questions that bring no passages."""
        return retrieve_passages(self.project)

    def judge(self, cell: Cell) -> EvaluationSummary:
        """Ask the model of a cell about what is not settled yet. Touches the ledger only."""
        return self.judge_in_full(cell).summary

    def judge_in_full(self, cell: Cell) -> Judged:
        """As ``judge``, with the reports."""
        with self.project.open_ledger() as ledger:
            return judge_cell(
                self.project,
                ledger,
                cell,
                scope=self.options.scope,
                run_id=self.run_id,
                policy=self.policy_for(cell),
                progress=self.progress,
            )

    def forecast(self, cells: Iterable[Cell]) -> RunForecast:
        """Say what judging these cells would take. Asks nobody, records nothing."""
        budget = self.budget
        with self.project.open_ledger() as ledger:
            found = forecast_run(
                self.project, ledger, tuple(cells), self.policy_for, self.options.datasets
            )
            today = ledger.spent_today()
        per_run, per_day = budget.per_run_usd, budget.per_day_usd
        return found.model_copy(
            update={
                "per_run_usd": None if per_run is None else float(per_run),
                "per_day_usd": None if per_day is None else float(per_day),
                "spent_today_usd": float(today),
            }
        )

    def policy_for(self, cell: Cell) -> JudgingPolicy:
        """Return how the model of a cell is asked."""
        model = self.project.settings.model(cell.model)
        policy = self.options.policy(model, self.project.compared_models(cell.playbook))
        return replace(policy, budget=self.budget)

    @property
    def budget(self) -> Budget:
        """What this run may spend."""
        configured, chosen = self.project.settings.budget, self.options.budget_usd
        return Budget(
            run=self.options.spending_scope or self.run_id,
            per_run_usd=configured.per_run_usd if chosen is None else chosen,
            per_day_usd=configured.per_day_usd,
        )

    def report(self, cell: Cell) -> str:
        """Write the reports of a cell, rebuilt from the ledger; return the evaluation's id."""
        with self.project.open_ledger() as ledger:
            return report_cell(ledger, self.project.warehouse, cell)

    def scores(self, cell: Cell | None = None) -> list[ScoreLine]:
        """Return the current scores of a cell, or of all."""
        with self.project.warehouse.reading() as connection:
            if cell is None:
                return score_table(connection)
            return score_table(
                connection,
                playbook=cell.playbook,
                model=cell.model,
                prompt_version=cell.prompt_version,
            )

    def worst_cases(self, cell: Cell, limit: int = 10) -> list[WorstCase]:
        """Return the current cases of a cell that came out worst."""
        with self.project.warehouse.reading() as connection:
            return worst_cases(
                connection,
                cell.playbook,
                model=cell.model,
                prompt_version=cell.prompt_version,
                limit=limit,
            )

    def quarantined(self, playbook: str) -> int:
        """Return how many rows of a playbook's files are refused at present."""
        with self.project.warehouse.reading() as connection:
            return quarantine_count(connection, playbook)

    def trends(self) -> list[ScoreTrendRow]:
        """Return the score of every system in every evaluation, the oldest first."""
        with self.project.warehouse.reading() as connection:
            return score_history(connection)

    def refresh_review_queue(self) -> int:
        """Queue what escalated, minus what is decided; return the length of the queue.

        What reviewers decided counts in the reports from then on.
        """
        with self.project.open_ledger() as ledger:
            apply_decisions(ledger, self.project.warehouse)
            rows = review_rows(ledger, self.project.warehouse)
        write_review_queue(self.project.warehouse, rows)
        return len(rows)

    def gate(self, asked: GateQuery | None = None, *, record: bool = True) -> GateReport:
        """Decide the gates; record the verdicts and show them, also in the snapshot."""
        return decide_gates(self.project, asked or GateQuery(), record=record)

    def compare(self, asked: CompareQuery) -> CompareReport:
        """Compare two sides case by case, with the texts."""
        with self.project.open_ledger() as ledger:
            ensure_warehouse(ledger, self.project.warehouse)
            return compare_sides(self.project, ledger, asked)

    def qualify(self, cell: Cell, config: QualificationConfig | None = None) -> QualifiedJudge:
        """Show a judge cases with injected faults; record what it saw and whether it qualifies."""
        wanted = config or self.project.settings.calibration.qualification
        with self._bench() as bench:
            return qualify_cell(bench, cell, wanted)

    def bridge(self, new: Cell, old: Cell | None = None, anchors: int = ANCHORS) -> Bridge:
        """Judge the anchor set under two epochs: two cells, or one and its own past."""
        with self._bench() as bench:
            if old is None:
                return bridge_to_past(bench, new, anchors)
            return bridge_cells(bench, old, new, anchors)

    def measure_noise(self, cell: Cell, repeats: int, cases: int = ANCHORS) -> JudgeNoise | None:
        """Ask a judge the same questions several times; record how far it strays from itself."""
        with self._bench() as bench:
            return measure_noise(bench, cell, repeats, cases)

    def calibrate(self, cells: Sequence[Cell] = ()) -> list[JudgeCalibration]:
        """Compare the current scores of the judges with the labels. Asks nobody."""
        with self.project.open_ledger() as ledger:
            ensure_warehouse(ledger, self.project.warehouse)
            return calibrate(self.project, ledger, self.project.warehouse, cells)

    def drift(self, cell: Cell, day: date) -> DriftFound:
        """Judge the canary set anew; say whether the judge still judges as it did."""
        with self._bench() as bench:
            return measure_drift(bench, cell, day, self.project.settings.automation.canary)

    def falls(self) -> list[TrendFall]:
        """Return the sudden falls of trends; each is recorded once."""
        with self.project.open_ledger() as ledger:
            return find_falls(self.project, ledger, self.run_id)

    def standings(self) -> list[JudgeStanding]:
        """Return every judge that was put to the test."""
        with self.project.warehouse.reading() as connection:
            return judge_standings(connection)

    def standing(self, cell: Cell) -> JudgeStanding | None:
        """Return whether the judge of a cell was qualified; ``None``: never tried."""
        wanted = (cell.playbook, cell.model, cell.prompt_version)
        found = (s for s in self.standings() if (s.playbook, s.model, s.prompt_version) == wanted)
        return next(found, None)

    def bridges(self) -> list[BridgeRow]:
        """Return the known offsets between epochs."""
        with self.project.warehouse.reading() as connection:
            return bridge_rows(connection)

    @contextmanager
    def _bench(self) -> Iterator[Bench]:
        """Yield where judges are put to the test; what was found out is shown afterwards."""
        with self.project.open_ledger() as ledger:
            ensure_warehouse(ledger, self.project.warehouse)
            yield Bench(self.project, ledger, self.policy_for, self.run_id, self.progress)
            show_measurements(ledger, self.project.warehouse)

    def matrix(self, playbooks: Sequence[str] = ()) -> list[MatrixCell]:
        """Say of every cell whether it is done, missing or stale, and why."""
        with self.project.open_ledger() as ledger:
            return evaluation_matrix(self.project, ledger, playbooks)

    def publish(self) -> Published:
        """Publish a read-only snapshot of the warehouse for readers."""
        return publish(self.project.warehouse, self.project.published_path)
