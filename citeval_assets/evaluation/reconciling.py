"""What sensors and conditions missed: the cells to be evaluated today, within the day's limits."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from citeval_assets.evaluation.forecast import forecast_cell
from citeval_assets.evaluation.matrix import CellState, MatrixCell
from citeval_assets.evaluation.project import Cell
from citeval_assets.evaluation.service import Service
from citeval_assets.ledger.store import Ledger

_FIRST = {CellState.INCOMPLETE: 0, CellState.STALE: 1, CellState.MISSING: 2}
"""What was begun is finished before anything new is begun."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One cell to be evaluated. ``usd`` is what it is expected to cost; ``None``: unknown."""

    cell: Cell
    state: CellState
    why: tuple[str, ...]
    usd: Decimal | None

    @property
    def usd_text(self) -> str:
        """The expected cost in words."""
        return "unknown" if self.usd is None else f"{self.usd:.4f}"


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """What is asked for today, and what is left, with the reason of each."""

    chosen: tuple[Asked, ...]
    left_out: tuple[tuple[Cell, str], ...]

    @property
    def left(self) -> int:
        """How many cells are left for another day."""
        return len(self.left_out)

    @property
    def lines(self) -> Iterator[str]:
        """All of it in words."""
        for asked in self.chosen:
            yield f"{asked.cell}: {asked.state}: {'; '.join(asked.why)}"
        for cell, reason in self.left_out:
            yield f"{cell}: left for another day: {reason}"


def reconcile(service: Service) -> Reconciliation:
    """Register the present cases, and choose the cells that are not done, within the limits.

    A cell without a known price is left out under a limit, as it would not be judged.
    """
    for playbook in {cell.playbook for cell in service.project.cells()}:
        service.register_cases(playbook)
    open_cells = [c for c in service.matrix() if c.state is not CellState.DONE and c.cases]
    open_cells.sort(key=lambda cell: _FIRST[cell.state])
    limits = service.project.settings.automation.reconcile
    chosen: list[Asked] = []
    left_out: list[tuple[Cell, str]] = []
    with service.project.open_ledger() as ledger:
        left = _money_left(service, ledger)
        for found in open_cells:
            cell = Cell(found.playbook, found.model, found.prompt_version)
            if len(chosen) >= limits.max_cells:
                left_out.append((cell, f"{limits.max_cells} cells a day are asked for"))
                continue
            usd = _expected_usd(service, ledger, cell)
            if left is not None and (usd is None or usd > left):
                costs = "has no known price" if usd is None else f"may cost {usd:.4f} USD"
                left_out.append((cell, f"it {costs}, {left:.4f} USD are left today"))
                continue
            left = None if left is None or usd is None else left - usd
            chosen.append(_asked(cell, found, usd))
    return Reconciliation(tuple(chosen), tuple(left_out))


def _asked(cell: Cell, found: MatrixCell, usd: Decimal | None) -> Asked:
    return Asked(cell, found.state, found.why, usd)


def _money_left(service: Service, ledger: Ledger) -> Decimal | None:
    """Return what may be spent today; ``None``: no limit."""
    per_day = service.project.settings.budget.per_day_usd
    own = service.project.settings.automation.reconcile.max_usd
    limits = [own] if own is not None else []
    if per_day is not None:
        limits.append(max(Decimal(0), per_day - ledger.spent_today()))
    return min(limits, default=None)


def _expected_usd(service: Service, ledger: Ledger, cell: Cell) -> Decimal | None:
    if service.project.settings.model(cell.model).embedded:
        return Decimal(0)
    forecast = forecast_cell(service.project, ledger, cell, service.policy_for(cell), ())
    cost = forecast.cost_usd
    if cost is None:
        return None if forecast.to_ask else Decimal(0)
    return Decimal(str(cost.high if cost.expected is None else cost.expected))
