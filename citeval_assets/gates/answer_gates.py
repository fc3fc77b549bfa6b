"""Gates that nobody has to declare: a candidate target model against the one in production.

Both answered the same questions; where their answers are judged, the comparison follows. A gate
that is declared for the same candidate takes the place of this one; where the declared gates of a
playbook judge with one prompt version, so does this one.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from citeval_assets.config.fields import Stage
from citeval_assets.config.gates import Compared, GateConfig
from citeval_assets.config.models import ModelConfig
from citeval_assets.config.settings import Settings
from citeval_assets.gates.naming import plain_name
from citeval_assets.gates.sides import judged_by_model, production_judges
from citeval_assets.playbooks.registry import all_playbooks

_REPLAYING = "embedded/recorded-"


@dataclass(frozen=True, slots=True)
class AnsweringSystem:
    """A system whose answers citeval has written itself. ``None``: any, or not known."""

    label: str
    stage: Stage
    retriever: str | None = None
    prompt: str | None = None


def answer_gates(
    settings: Settings, occurring: set[tuple[str, str]], others: Iterable[GateConfig]
) -> Iterator[GateConfig]:
    """Yield the comparisons of candidate target models with those in production.

    Args:
        settings: the project's configuration.
        occurring: playbook and system of all cases and reports there are.
        others: gates there are already.
    """
    declared = tuple(others)
    taken = {(g.playbook, g.candidate) for g in declared if g.compare is Compared.SYSTEMS}
    judges = production_judges(settings)
    for name, playbook in all_playbooks().items():
        if judged_by_model(name) and not playbook.takes_answers:
            continue
        for after in answering_systems(settings, occurring):
            known = (name, after.label) in occurring
            if after.stage is not Stage.CANDIDATE or not known or (name, after.label) in taken:
                continue
            for before in dict.fromkeys(_baselines(settings, after)):
                for judge in judges if judged_by_model(name) else (None,):
                    parts = [name, after.label, "against", before]
                    if judge is not None and len(judges) > 1:
                        parts.append(judge)
                    yield GateConfig(
                        name=plain_name(parts),
                        playbook=name,
                        baseline=before,
                        candidate=after.label,
                        judge=judge,
                        prompt=_pinned_prompt(name, declared),
                    )


def _pinned_prompt(playbook: str, declared: Iterable[GateConfig]) -> str | None:
    """Return the version all declared gates of a playbook judge with; ``None``: the newest."""
    versions = {
        gate.prompt
        for gate in declared
        if gate.playbook == playbook and gate.compare is Compared.SYSTEMS
    }
    return versions.pop() if len(versions) == 1 else None


def answering_systems(
    settings: Settings, occurring: Iterable[tuple[str, str]]
) -> tuple[AnsweringSystem, ...]:
    """Return the systems among those that occur whose answers target models wrote."""
    targets = {model.id: model for model in settings.targets() if not _replays(model)}
    configured = {s.label: s for s in settings.systems if s.model in targets}
    found: dict[str, AnsweringSystem] = {}
    for label in sorted({label for _, label in occurring}):
        system = configured.get(label)
        model_id, *rest = label.split("|")
        if system is not None:
            found[label] = AnsweringSystem(label, system.stage, system.retriever, system.prompt)
        elif model_id in targets and 1 <= len(rest) <= 2:
            retriever = rest[0] if len(rest) == 2 else None
            found[label] = AnsweringSystem(label, targets[model_id].stage, retriever, rest[-1])
    return tuple(found.values())


def _baselines(settings: Settings, after: AnsweringSystem) -> Iterator[str]:
    """Yield what runs today with the same retriever: a configured system, else a model."""
    targets = {model.id for model in settings.targets() if not _replays(model)}
    configured = [
        system.label
        for system in settings.systems_at(Stage.PRODUCTION)
        if system.model in targets and system.retriever in (None, after.retriever)
    ]
    if configured or after.prompt is None:
        yield from configured
        return
    for model in settings.targets():
        if model.stage is Stage.PRODUCTION and not _replays(model):
            yield settings.system_label(model.id, after.prompt, after.retriever)


def _replays(model: ModelConfig) -> bool:
    return model.model.startswith(_REPLAYING)
