"""Human labels of single claims and citations, beside what an embedded judge scores them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from citeval_assets.config import Settings
from citeval_assets.datasets.loading import load_cases
from citeval_assets.datasets.model import LoadedCase
from citeval_assets.embedded.lexical.judge import Lexical1
from citeval_assets.playbooks.cases import Labels
from citeval_assets.playbooks.registry import get_playbook
from citeval_assets.playbooks.view import ModelView
from citeval_assets.playbooks.vocabulary import LabelSource

PLAYBOOKS = ("citation_accuracy", "citation_faithfulness")
"""The playbooks whose units are claims with citations."""

_SUPPORTED = frozenset({"supported", "fully_supported"})


@dataclass(frozen=True, slots=True)
class LabelledUnit:
    """One claim with its citations: the judge's log odds, and what people said."""

    playbook: str
    log_odds: float
    supported: bool


def labelled_units(
    settings: Settings, judge: Lexical1, *, constructed: bool = False
) -> tuple[LabelledUnit, ...]:
    """Return every labelled unit of the project's datasets.

    A row tells its labels by unit (``labels.claims``, ``labels.citations``), or has one unit
    and ``labels.score``. Constructed labels count only where they are asked for.
    """
    return tuple(
        unit
        for playbook in PLAYBOOKS
        for loaded in load_cases(settings, playbook).cases
        for unit in _units(loaded, judge, constructed)
    )


def _units(loaded: LoadedCase, judge: Lexical1, constructed: bool) -> Iterator[LabelledUnit]:
    case = loaded.case
    counts = case.label_source is LabelSource.HUMAN or constructed
    if case.labels is None or not counts:
        return
    prepared = get_playbook(loaded.playbook).prepare(case, loaded.rules)
    if prepared.not_applicable is not None or prepared.failure is not None:
        return
    said = _labels_by_unit(case.labels, prepared.view)
    for number, log_odds in judge.log_odds(prepared.view).items():
        if number in said:
            yield LabelledUnit(loaded.playbook, log_odds, said[number])


def _labels_by_unit(labels: Labels, view: ModelView) -> dict[int, bool]:
    """Return what people said of each unit: fully supported, or not."""
    further = labels.model_extra or {}
    found: dict[int, set[str]] = {}
    for name, label in (("claims", "verdict"), ("citations", "claim_support_strength")):
        for position, row in enumerate(_rows(further.get(name))):
            number, said = row.get("unit", position), row.get(label)
            if isinstance(number, int) and isinstance(said, str):
                found.setdefault(number, set()).add(said)
                if row.get("flags"):
                    found[number].add("flagged")
    if found:
        return {
            number: bool(said & _SUPPORTED) and not said & {"contradicted", "flagged"}
            for number, said in found.items()
        }
    asked = [unit for unit in view.units if unit.asked]
    if labels.score is not None and len(asked) == 1 and len(view.units) == 1:
        return {asked[0].number: labels.score == 1.0}
    return {}


def _rows(value: object) -> Sequence[Mapping[str, Any]]:
    if not isinstance(value, list):
        return ()
    rows = cast("list[object]", value)
    return [cast("Mapping[str, Any]", row) for row in rows if isinstance(row, Mapping)]
