"""The nightly sample of production traces: drawn by seed, judged by the pinned judge alone.

A stratum is what one system produced on one day (and what arrived late, by itself). Every trace
is offered to one draw; drawn or not, it is offered to no other. The probability of each stands in
the ledger, so that estimates can be weighted.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from citeval_assets.config import SamplingConfig, Stage
from citeval_assets.datasets.hashing import canonical_json, dataset_version
from citeval_assets.datasets.model import LoadedCase
from citeval_assets.evaluation.inputs import complete_cases
from citeval_assets.evaluation.project import Cell, Project
from citeval_assets.ledger.records import CaseRecord, DatasetMember, DatasetRecord, TraceOffer
from citeval_assets.ledger.store import Ledger
from citeval_assets.playbooks.registry import get_playbook
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.statistics.sampling import draw, sample_size
from citeval_assets.warehouse.production import PRODUCTION_PREFIX

SPLIT = "production"


class NothingPinned(ValueError):
    """It is not clear which judge and prompt version production is judged by; the text says why."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """What one draw of one playbook came to."""

    playbook: str
    dataset: str
    offers: tuple[TraceOffer, ...]

    @property
    def drawn(self) -> int:
        """How many traces are to be judged."""
        return sum(offer.drawn for offer in self.offers)

    @property
    def strata(self) -> list[tuple[str, str, int, int]]:
        """(system, day, offered, taken) of each stratum."""
        return sorted({(o.system, o.day, o.offered, o.taken) for o in self.offers})


def pinned_cell(project: Project, playbook: str) -> Cell:
    """Return the judge and prompt version that production traces of a playbook are judged by.

    Raises:
        NothingPinned: where neither the configuration nor the stages of the models say it.
    """
    sampling = project.settings.sampling
    judges = [m.id for m in project.models_of(playbook) if m.stage is Stage.PRODUCTION]
    judge = sampling.judge or (judges[0] if len(judges) == 1 else None)
    if judge is None:
        listed = ", ".join(judges) or "none"
        raise NothingPinned(
            f"{playbook}: name sampling.judge in citeval.yaml (production judges: {listed})"
        )
    prompt = sampling.prompt or project.newest_prompt(playbook)
    if prompt is None or prompt not in project.templates.versions(playbook):
        raise NothingPinned(
            f"{playbook}: prompt version {prompt or '(no released one)'} cannot be used; name "
            "sampling.prompt in citeval.yaml"
        )
    return Cell(playbook, judge, prompt)


def draw_sample(project: Project, ledger: Ledger, playbook: str, night: date) -> Drawn:
    """Draw from the traces that wait, up to the day before ``night``, and register what was drawn.

    Drawing again for the same night finds nothing new, and returns what was drawn.
    """
    sampling = project.settings.sampling
    dataset = f"{PRODUCTION_PREFIX}{night.isoformat()}"
    yesterday = date.fromordinal(night.toordinal() - 1).isoformat()
    strata: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for trace in ledger.waiting_traces(playbook, yesterday):
        strata[trace.system, trace.day].append(trace.case_hash)
    offers: list[TraceOffer] = []
    for (system, day), hashes in sorted(strata.items()):
        offers += _offers(sampling, playbook, dataset, system, day, hashes)
    if offers:
        ledger.record_offers(offers)
    everything = tuple(ledger.offers(playbook, dataset))
    _register(project, ledger, playbook, dataset, [o.case_hash for o in everything if o.drawn])
    return Drawn(playbook, dataset, everything)


def _offers(
    sampling: SamplingConfig,
    playbook: str,
    dataset: str,
    system: str,
    day: str,
    hashes: Sequence[str],
) -> list[TraceOffer]:
    own = next((one for one in sampling.systems if one.system == system), None)
    most = sampling.per_system_per_day if own is None or own.per_day is None else own.per_day
    rate = sampling.rate if own is None or own.rate is None else own.rate
    size = sample_size(len(hashes), most, rate)
    drawn = set(draw(hashes, size, sampling.seed))
    return [
        TraceOffer(
            case_hash=case_hash,
            playbook=playbook,
            dataset=dataset,
            system=system,
            day=day,
            offered=len(hashes),
            taken=size,
            drawn=int(case_hash in drawn),
            probability=size / len(hashes),
            seed=sampling.seed,
        )
        for case_hash in sorted(hashes)
    ]


def _register(
    project: Project, ledger: Ledger, playbook: str, dataset: str, hashes: Sequence[str]
) -> None:
    """Register the drawn traces as a dataset of their own; missing sources are fetched now."""
    if not hashes:
        return
    rules = DomainRules()
    loaded = [
        LoadedCase(
            playbook=playbook,
            dataset=dataset,
            split=SPLIT,
            case=get_playbook(playbook).case_type.model_validate_json(record.canonical_json),
            rules=rules,
            case_hash=record.case_hash,
            file=dataset,
            line=0,
            retriever=project.settings.sampling.retriever,
        )
        for record in ledger.cases(hashes)
    ]
    completed = complete_cases(project, loaded)
    members = tuple(
        DatasetMember(dataset, SPLIT, c.loaded.case_hash, c.settings.to_json(), position)
        for position, c in enumerate(completed)
    )
    version = dataset_version((dataset, m.case_hash, m.rules_json) for m in members)
    cases = [_case_record(c.loaded) for c in completed]
    ledger.register_dataset(DatasetRecord(playbook, version, members), cases)
    ledger.make_current("dataset", f"{playbook}/{dataset}", version)


def _case_record(loaded: LoadedCase) -> CaseRecord:
    content = loaded.case.model_dump(mode="json", exclude_defaults=True)
    names = (loaded.case_hash, loaded.playbook, loaded.case.test_case_id, loaded.case.system)
    return CaseRecord(*names, canonical_json=canonical_json(content))
