"""What one section of the configuration says about another: every name must exist, once."""

from collections.abc import Callable, Collection, Iterable, Iterator

from citeval_assets.config.errors import ConfigProblem, did_you_mean
from citeval_assets.config.fields import Role
from citeval_assets.config.gates import Compared, GateConfig
from citeval_assets.config.settings import ConfigFile
from citeval_assets.config.yaml_text import Path, YamlDocument, key_text
from citeval_assets.keys import encode_key
from citeval_assets.playbooks.registry import all_playbooks
from citeval_assets.playbooks.vocabulary import TemplateKind

Fault = tuple[Path, str]


def cross_check(
    config: ConfigFile, document: YamlDocument, imported: Collection[str] = ()
) -> tuple[ConfigProblem, ...]:
    """Return what is wrong between the sections, in the order of the file's sections.

    ``imported`` are the names of the datasets that were imported and have no entry.
    """
    faults = [
        *_unique("models", "id", [model.id for model in config.models]),
        *_unique("systems", "label", [system.label for system in config.systems]),
        *_unique("datasets", "name", [dataset.name for dataset in config.datasets], str.lower),
        *_unique("retrievers", "name", [item.name for item in config.retrievers]),
        *_unique("gates", "name", [gate.name for gate in config.gates], str.lower),
        *_datasets(config),
        *_gates(config, imported),
        *_sampling(config),
        *_retired(config),
    ]
    if config.storage.ledger_url and config.storage.ledger_url_env:
        faults.append(
            (("storage", "ledger_url_env"), "give ledger_url or ledger_url_env, not both")
        )
    return tuple(
        ConfigProblem(document.file, key_text(path), message, document.line_of(path))
        for path, message in faults
    )


def _unique(
    section: str, field: str, names: Iterable[str], spelled: Callable[[str], str] = encode_key
) -> Iterator[Fault]:
    first: dict[str, int] = {}
    for position, name in enumerate(names):
        same = first.setdefault(spelled(name), position)
        if same != position:
            path = (section, position, field)
            yield path, f"{name!r} stands already at {section}[{same}].{field}; choose another"


def _datasets(config: ConfigFile) -> Iterator[Fault]:
    retrievers = [retriever.name for retriever in config.retrievers]
    for position, dataset in enumerate(config.datasets):
        yield from _known(
            ("datasets", position, "playbook"), "playbook", dataset.playbook, all_playbooks()
        )
        if dataset.name.lower() in taking_answers():
            yield (
                ("datasets", position, "name"),
                f"{dataset.name!r} is the dataset of the target models' answers; choose another",
            )
        if dataset.retriever is not None:
            path = ("datasets", position, "retriever")
            yield from _known(path, "retriever", dataset.retriever, retrievers)


def taking_answers() -> list[str]:
    """Return the datasets that the answers of target models make up."""
    return [generated_name(name) for name, p in all_playbooks().items() if p.takes_answers]


def _gates(config: ConfigFile, imported: Collection[str]) -> Iterator[Fault]:
    for position, gate in enumerate(config.gates):
        at = ("gates", position)
        yield from _known((*at, "playbook"), "playbook", gate.playbook, all_playbooks())
        graders = _models(config, _role_for(gate.playbook))
        kind, names = _compared(config, gate, graders)
        if names is not None:
            if gate.baseline is not None:
                yield from _known((*at, "baseline"), kind, gate.baseline, names)
            yield from _known((*at, "candidate"), kind, gate.candidate, names)
        if gate.baseline == gate.candidate:
            yield (*at, "candidate"), f"is the baseline itself ({gate.baseline!r}); name another"
        if gate.judge is not None:
            yield from _known((*at, "judge"), "model", gate.judge, graders)
        for number, name in enumerate(gate.datasets):
            names = [dataset.name for dataset in config.datasets]
            names += [implicit_name(playbook) for playbook in all_playbooks()]
            names += taking_answers()
            names += imported
            yield from _known((*at, "datasets", number), "dataset", name, names)
        yield from _metrics(at, gate)


def _metrics(at: Path, gate: GateConfig) -> Iterator[Fault]:
    seen: set[str] = set()
    for number, rule in enumerate(gate.metrics):
        path = (*at, "metrics", number)
        if rule.name.playbook not in (None, gate.playbook):
            yield path, f"{gate.playbook} has no {rule.name}; {rule.name.playbook} has"
        if rule.name in seen:
            yield path, f"{rule.name} stands twice; give each metric once"
        seen.add(rule.name)


def _compared(
    config: ConfigFile, gate: GateConfig, graders: Collection[str]
) -> tuple[str, Collection[str] | None]:
    """Return what baseline and candidate are and the known names (``None``: not checked here)."""
    if gate.compare is Compared.SYSTEMS:
        return "system", [system.label for system in config.systems]
    if gate.compare is Compared.JUDGES:
        return "model", graders
    return "prompt version", None


def _sampling(config: ConfigFile) -> Iterator[Fault]:
    for position, playbook in enumerate(config.sampling.playbooks):
        path = ("sampling", "playbooks", position)
        yield from _known(path, "playbook", playbook, all_playbooks())
    if config.sampling.judge is not None:
        judges = _models(config, Role.JUDGE)
        yield from _known(("sampling", "judge"), "judge", config.sampling.judge, judges)
    if config.sampling.retriever is not None:
        names = [retriever.name for retriever in config.retrievers]
        path = ("sampling", "retriever")
        yield from _known(path, "retriever", config.sampling.retriever, names)


def _retired(config: ConfigFile) -> Iterator[Fault]:
    for position, name in enumerate(config.automation.retired_prompts):
        path = ("automation", "retired_prompts", position)
        yield from _known(path, "playbook", name.partition("/")[0], all_playbooks())


def _role_for(playbook: str) -> Role:
    known = all_playbooks().get(playbook)
    generates = known is not None and known.kind is TemplateKind.GENERATE
    return Role.TARGET if generates else Role.JUDGE


def _models(config: ConfigFile, role: Role) -> list[str]:
    return [model.id for model in config.models if role in model.roles]


def _known(path: Path, kind: str, name: str, names: Iterable[str]) -> Iterator[Fault]:
    listed = list(names)
    if name not in listed:
        there = ", ".join(listed) if listed else "none"
        yield path, f"unknown {kind} {name!r}{did_you_mean(name, listed)} (there are: {there})"


def implicit_name(playbook: str) -> str:
    """Return the name of the dataset ``data/golden/<playbook>.jsonl`` without an entry."""
    return f"{playbook}-golden"


def generated_name(playbook: str) -> str:
    """Return the name of the dataset that holds the answers of the target models as cases."""
    return f"{playbook}-generated"


def imported_name(playbook: str, name: str) -> str:
    """Return the name of the dataset ``data/imported/<playbook>/<name>.jsonl`` without an entry."""
    return f"{playbook}-{name}"
