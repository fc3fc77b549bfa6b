"""Which gates there are: the declared ones, else every candidate against production."""

from collections.abc import Iterable, Iterator

from citeval_assets.config.data import SystemConfig
from citeval_assets.config.fields import Stage
from citeval_assets.config.gates import GateConfig
from citeval_assets.config.settings import Settings
from citeval_assets.gates.answer_gates import answer_gates
from citeval_assets.gates.naming import plain_name
from citeval_assets.gates.sides import judged_by_model, production_judges
from citeval_assets.playbooks.registry import all_playbooks
from citeval_assets.warehouse.gate_reading import SystemRow


def effective_gates(settings: Settings, systems: Iterable[SystemRow]) -> tuple[GateConfig, ...]:
    """Return the gates of ``citeval.yaml``, or the default ones where it declares none.

    By default each candidate system is compared with each production system in every playbook
    whose cases name one of the two, under each production judge (playbooks that code decides
    need none) and the newest released prompt, with the default thresholds. Candidate target
    models are compared with production in either case (see ``answer_gates``).

    Args:
        settings: the project's configuration.
        systems: the systems that occur in cases and reports.
    """
    # What a case of a generating playbook names counts only once somebody answered under it:
    # target models answer for themselves.
    occurring = {
        (row.playbook, row.system)
        for row in systems
        if row.reported or judged_by_model(row.playbook)
    }
    gates = settings.gates or tuple(_defaults(settings, occurring))
    names = {gate.name.lower() for gate in gates}
    return (
        *gates,
        *(
            gate.model_copy(update={"name": _free(gate.name, names)})
            for gate in answer_gates(settings, occurring, gates)
        ),
    )


def _defaults(settings: Settings, occurring: set[tuple[str, str]]) -> Iterator[GateConfig]:
    names: set[str] = set()
    judges = production_judges(settings)
    for playbook in all_playbooks():
        for before in settings.systems_at(Stage.PRODUCTION):
            for after in settings.systems_at(Stage.CANDIDATE):
                if _writes(settings, before) != _writes(settings, after):
                    continue
                if not occurring & {(playbook, before.label), (playbook, after.label)}:
                    continue
                for judge in judges if judged_by_model(playbook) else (None,):
                    parts = [playbook, after.label, "against", before.label]
                    if judge is not None and len(judges) > 1:
                        parts.append(judge)
                    yield GateConfig(
                        name=_free(plain_name(parts), names),
                        playbook=playbook,
                        baseline=before.label,
                        candidate=after.label,
                        judge=judge,
                    )


def _writes(settings: Settings, system: SystemConfig) -> bool:
    """Whether citeval writes the answers of a system itself: to other questions than others do."""
    return system.model in {model.id for model in settings.targets()}


def _free(plain: str, taken: set[str]) -> str:
    """Return a name no other gate has."""
    name, number = plain, 1
    while name.lower() in taken:
        number += 1
        name = f"{plain}-{number}"
    taken.add(name.lower())
    return name
