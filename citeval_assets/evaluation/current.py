"""Which evaluation of a cell is the current one, as the ledger keeps it."""

import json

from citeval_assets.evaluation.project import ALL_DATASETS, Cell
from citeval_assets.ledger.records import EvaluationRecord
from citeval_assets.ledger.store import Ledger


def evaluation_key(cell: Cell, scope: str) -> str:
    """Return the name under which the ledger keeps the current evaluation of a cell."""
    return json.dumps([cell.playbook, cell.model, cell.prompt_version, scope])


def current_evaluation(ledger: Ledger, cell: Cell) -> EvaluationRecord | None:
    """Return the evaluation of a cell that was materialized last, whatever it covered.

    The nightly samples of production stand beside the matrix and are not meant.
    """
    scope = ledger.current("scope", evaluation_key(cell, ""))
    return None if scope is None else scope_evaluation(ledger, cell, scope)


def answers_evaluation(ledger: Ledger, cell: Cell) -> EvaluationRecord | None:
    """Return the evaluation whose answers are judged further.

    It is the last one over all datasets; one over some of them counts only where there is none,
    so that trying a model on a part of the questions takes no answer away.
    """
    return scope_evaluation(ledger, cell, ALL_DATASETS) or current_evaluation(ledger, cell)


def scope_evaluation(ledger: Ledger, cell: Cell, scope: str) -> EvaluationRecord | None:
    """Return the evaluation of a cell that was materialized last for this scope."""
    evaluation_id = ledger.current("evaluation", evaluation_key(cell, scope))
    return ledger.evaluation(evaluation_id) if evaluation_id else None
