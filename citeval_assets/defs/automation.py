"""What follows upstream by itself: declarative conditions, and why they are as they are.

Asking a model costs money, so it follows changed *content* only: another data version upstream (a
rerun that gives the same version changes nothing), or another code version. Cells that were never
judged are no business of a condition (sensors ask for new ones, the reconcile schedule for missed
ones), and retired ones are nobody's. What costs nothing follows every update.
"""

from dataclasses import dataclass
from typing import Any, cast

import dagster as dg

from citeval_assets.defs.partitions import partition_of
from citeval_assets.defs.resources import ServiceFactory
from citeval_assets.evaluation.project import Project

C = dg.AutomationCondition


MOST_RUNS_AT_ONCE = 50
"""Where more cells of a playbook have to be asked anew, a run for each would cost more than the
asking: they stay stale until the reconcile job, which takes them all in one run."""


@dataclass(frozen=True)
class InService(dg.AutomationCondition[dg.AssetKey]):
    """True for the cells of a playbook whose model and prompt version are not retired."""

    playbook: str
    factory: ServiceFactory

    @property
    def name(self) -> str:
        """What the automation page calls it."""
        return "in service"

    @property
    def description(self) -> str:
        """What the automation page says about it."""
        return f"Not retired, and no more than {MOST_RUNS_AT_ONCE} at once"

    def evaluate(
        self, context: dg.AutomationContext[dg.AssetKey]
    ) -> dg.AutomationResult[dg.AssetKey]:
        """Keep of the candidates those that are in service, if a run for each is no waste."""
        candidates = context.candidate_subset
        if not candidates.is_empty:
            served = served_keys(self.factory.project(), self.playbook)
            wanted = served & candidates.expensively_compute_partition_keys()
            if len(wanted) > MOST_RUNS_AT_ONCE:
                wanted = set()
            candidates = candidates.compute_intersection_with_partition_keys(wanted)
        return dg.AutomationResult(context, candidates)


def served_keys(project: Project, playbook: str) -> set[str]:
    """Return the partition keys of a playbook that are not retired."""
    return {str(partition_of(cell)) for cell in project.cells([playbook])}


def asks_when_inputs_change(playbook: str, factory: ServiceFactory) -> dg.AutomationCondition:
    """Condition of what a model is asked: content upstream, or the code, changed."""
    # Not missing *when* it changed: else a first judgement that lands in the middle of a tick,
    # after the cut for "newly updated" and before the look for "missing", is asked for again.
    changed = cast(
        "dg.AutomationCondition[Any]",
        ~C.missing() & (C.any_deps_match(C.data_version_changed()) | C.code_version_changed()),
    )
    return (
        changed.since_last_handled()
        & ~C.any_deps_missing()
        & ~C.in_progress()
        & ~C.any_deps_in_progress()
        & InService(playbook, factory)
    ).with_label("content upstream changed")


def follows_updates() -> dg.AutomationCondition:
    """Condition of what a partition's reports follow from: asked anew means reported anew."""
    updated: dg.AutomationCondition[Any] = C.any_deps_match(
        C.newly_updated() | C.will_be_requested()
    )
    return (updated.since_last_handled() & ~C.any_deps_missing() & ~C.in_progress()).with_label(
        "upstream was updated"
    )


def follows_any_cell() -> dg.AutomationCondition:
    """Condition of a table over all cells: any update counts, no full matrix is waited for."""
    return C.eager().without(~C.any_deps_missing()).with_label("any cell was updated")


follow_upstream = dg.AutomationConditionSensorDefinition(
    name="follow_upstream",
    target=dg.AssetSelection.all(),
    minimum_interval_seconds=30,
    default_status=dg.DefaultSensorStatus.RUNNING,
    # Whether a cell is retired stands in citeval.yaml: only our own code can say it.
    use_user_code_server=True,
    description=(
        "Follows changes downstream: cells are asked again where the content upstream changed, "
        "reports, trends, queue and matrix after every update."
    ),
)
