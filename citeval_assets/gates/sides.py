"""Which reports the two sides of a gate are made of."""

from dataclasses import dataclass

from citeval_assets.config.fields import Stage
from citeval_assets.config.gates import Compared, GateConfig
from citeval_assets.config.settings import Settings
from citeval_assets.gates.model import SideKey
from citeval_assets.playbooks.registry import get_playbook
from citeval_assets.playbooks.vocabulary import TemplateKind
from citeval_assets.templates.library import TemplateLibrary


class SidesUnclear(ValueError):
    """The gate does not say, and the project does not settle, what is to be compared."""


@dataclass(frozen=True, slots=True)
class Sides:
    """The two sides of a gate; ``baseline`` is ``None`` where the gate names none."""

    baseline: SideKey | None
    candidate: SideKey

    @property
    def keys(self) -> tuple[SideKey, ...]:
        """Both sides, or the one there is."""
        return (self.candidate,) if self.baseline is None else (self.baseline, self.candidate)


def judged_by_model(playbook: str) -> bool:
    """Whether a judge grades this playbook; else code holds outputs against golden data."""
    return get_playbook(playbook).kind is TemplateKind.JUDGE


def resolve_sides(gate: GateConfig, settings: Settings, templates: TemplateLibrary) -> Sides:
    """Complete what the gate leaves to defaults: production judge, newest released prompt.

    Raises:
        SidesUnclear: where there is no such default, or more than one.
    """
    if gate.compare is Compared.PROMPTS:
        judge = gate.judge or production_judge(gate.playbook, settings)
        keys = [SideKey(judge, version, None) for version in (gate.baseline, gate.candidate)]
        named = gate.baseline is not None
        return Sides(keys[0] if named else None, keys[1])
    if gate.compare is Compared.JUDGES:
        prompt = gate.prompt or newest_prompt(gate.playbook, templates)
        before = None if gate.baseline is None else SideKey(gate.baseline, prompt, None)
        return Sides(before, SideKey(gate.candidate, prompt, None))
    before = None if gate.baseline is None else _system(gate, gate.baseline, settings, templates)
    return Sides(before, _system(gate, gate.candidate, settings, templates))


def _system(
    gate: GateConfig, label: str, settings: Settings, templates: TemplateLibrary
) -> SideKey:
    if judged_by_model(gate.playbook):
        judge = gate.judge or production_judge(gate.playbook, settings)
        return SideKey(judge, gate.prompt or newest_prompt(gate.playbook, templates), label)
    system = next((system for system in settings.systems if system.label == label), None)
    versions = templates.versions(gate.playbook)
    own = system.prompt if system is not None and system.prompt in versions else None
    prompt = gate.prompt or own or newest_prompt(gate.playbook, templates)
    return SideKey(gate.judge, prompt, label)


def production_judges(settings: Settings) -> tuple[str, ...]:
    """Return the ids of the judges at stage production."""
    return tuple(model.id for model in settings.judges() if model.stage == Stage.PRODUCTION)


def production_judge(playbook: str, settings: Settings) -> str:
    """Return the one production judge, or the one production target model where none judges.

    Raises:
        SidesUnclear: where there is none, or more than one.
    """
    role = "judge" if judged_by_model(playbook) else "target model"
    models = settings.judges() if judged_by_model(playbook) else settings.targets()
    found = [model.id for model in models if model.stage == Stage.PRODUCTION]
    if len(found) == 1:
        return found[0]
    listed = ", ".join(found) or "none"
    raise SidesUnclear(
        f"no one {role} is in production (there are: {listed}); name it in the gate: judge: ID"
    )


def newest_prompt(playbook: str, templates: TemplateLibrary) -> str:
    """Return the newest released prompt version of a playbook.

    Raises:
        SidesUnclear: where none is released.
    """
    template = templates.newest_released(playbook)
    if template is None:
        raise SidesUnclear(
            f"{playbook} has no released prompt version; name one in the gate: prompt: VERSION"
        )
    return template.version
