"""A project folder opened: its settings, its templates, its stores, its cells."""

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from citeval_assets.config import (
    ApiKey,
    KeyUnreadable,
    ModelConfig,
    Settings,
    Stage,
    find_key,
    load_settings,
)
from citeval_assets.config.crosschecks import generated_name
from citeval_assets.ledger.audit import anchor
from citeval_assets.ledger.store import Ledger
from citeval_assets.playbooks.registry import all_playbooks
from citeval_assets.playbooks.vocabulary import TemplateKind
from citeval_assets.redaction import Redactor
from citeval_assets.templates.library import TemplateLibrary, load_templates
from citeval_assets.warehouse.connection import Warehouse

ALL_DATASETS = "*"
"""The scope of an evaluation that covers every dataset of its playbook."""


class UnknownName(ValueError):
    """A playbook, model, prompt version or dataset that the project does not have."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        names = sorted(set(known))
        near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        listed = ", ".join(names) if names else "none"
        super().__init__(f"unknown {kind} {name!r}.{hint} Known: {listed}.")


class NothingSelected(ValueError):
    """Names that all exist and meet in no cell, such as a target model and a judge's playbook."""

    def __init__(self, asked: Sequence[str], cells: Iterable["Cell"]) -> None:
        listed = ", ".join(str(cell) for cell in cells) or "none"
        super().__init__(
            f"nothing to evaluate: no cell has {' and '.join(asked)}. Cells: {listed}."
        )


@dataclass(frozen=True, slots=True, order=True)
class Cell:
    """One partition: one model called with one prompt version of one playbook."""

    playbook: str
    model: str
    prompt_version: str

    def __str__(self) -> str:
        return f"{self.playbook} {self.model}|{self.prompt_version}"


@dataclass(frozen=True)
class Project:
    """Everything that is fixed while a command runs."""

    settings: Settings
    templates: TemplateLibrary
    environ: Mapping[str, str]

    @classmethod
    def load(cls, folder: Path, environ: Mapping[str, str]) -> "Project":
        """Open the project in ``folder``.

        Raises:
            ConfigError: where ``citeval.yaml`` cannot be used.
        """
        settings = load_settings(folder, environ)
        return cls(settings, load_templates(settings.prompts_dir), environ)

    @property
    def redactor(self) -> Redactor:
        """Removes the keys this project uses from any text."""
        names = {model.api_key_env for model in self.settings.models if model.api_key_env}
        options = (retriever.options.get("api_key_env") for retriever in self.settings.retrievers)
        names |= {name for name in options if isinstance(name, str)}
        return Redactor(key.value for name in names if (key := self._key(name)) is not None)

    def api_key(self, model: ModelConfig) -> str | None:
        """Return the key of a model, or ``None`` where there is none to be read."""
        key = self._key(model.api_key_env) if model.api_key_env else None
        return None if key is None else key.value

    def _key(self, name: str) -> ApiKey | None:
        try:
            return find_key(name, self.environ)
        except KeyUnreadable:
            return None  # said where the key is needed; there is nothing to hide

    def open_ledger(self) -> Ledger:
        """Open (and create or migrate) the ledger. Close it, or use it as a context manager."""
        self.settings.state_dir.mkdir(parents=True, exist_ok=True)
        return Ledger.open(self.settings.ledger_url, redactor=self.redactor)

    def ledger_anchor(self) -> str:
        """Return the end of the ledger's hash chain, as ``audit verify --anchor`` takes it."""
        with self.open_ledger() as ledger:
            return str(anchor(ledger))

    def maybe_paid(self) -> int:
        """Return how many calls may have been paid for though no reply is recorded."""
        with self.open_ledger() as ledger:
            return ledger.maybe_paid_count()

    @property
    def dagster_home(self) -> Path:
        """The folder of the Dagster instance: ``DAGSTER_HOME``, else the project's own."""
        return Path(self.environ.get("DAGSTER_HOME") or self.settings.project_dir / "dagster_home")

    @property
    def warehouse(self) -> Warehouse:
        """The working warehouse of this project."""
        return Warehouse(self.settings.state_dir / "warehouse.duckdb")

    @property
    def published_path(self) -> Path:
        """Where readers find the published snapshot."""
        return self.settings.state_dir / "published" / "citeval.duckdb"

    @property
    def report_path(self) -> Path:
        """Where a run writes the report over what it published."""
        return self.settings.state_dir / "reports" / "report.html"

    def models_of(self, playbook: str) -> tuple[ModelConfig, ...]:
        """Return the models that are called for this playbook: judges, or target models."""
        kind = all_playbooks()[playbook].kind
        if kind is TemplateKind.JUDGE:
            return self.settings.judges()
        return self.settings.targets()

    def compared_models(self, playbook: str) -> tuple[ModelConfig, ...]:
        """Return the models whose scores are compared: contexts are cut alike for all of them."""
        return tuple(model for model in self.models_of(playbook) if model.stage != Stage.RETIRED)

    def cells(
        self,
        playbooks: Sequence[str] = (),
        models: Sequence[str] = (),
        prompts: Sequence[str] = (),
        datasets: Sequence[str] = (),
    ) -> tuple[Cell, ...]:
        """Return the cells asked for; an empty filter means all that are not retired.

        Named datasets leave out the playbooks that none of them belongs to: an evaluation of no
        case at all would take the place of the last real one.

        Raises:
            UnknownName: for a name the project does not have.
            NothingSelected: where names are given and no cell has them all.
        """
        known_playbooks = all_playbooks()
        _check_known("playbook", playbooks, known_playbooks)
        _check_known("model", models, (model.id for model in self.settings.models))
        self.check_datasets(datasets)
        wanted = [
            name
            for name in known_playbooks
            if (not playbooks or name in playbooks) and self._has_any(name, datasets)
        ]
        versions = {name: self.templates.versions(name) for name in wanted}
        _check_known("prompt version", prompts, (v for vs in versions.values() for v in vs))
        chosen = tuple(
            Cell(playbook, model.id, version)
            for playbook in wanted
            for model in self.models_of(playbook)
            if (model.id in models) or (not models and model.stage != Stage.RETIRED)
            for version in versions[playbook]
            if (version in prompts)
            or (not prompts and not self.settings.is_retired_prompt(playbook, version))
        )
        if not chosen and (models or prompts or datasets):
            asked = (
                ("playbook", playbooks),
                ("model", models),
                ("prompt version", prompts),
                ("dataset", datasets),
            )
            told = [f"{kind} {' or '.join(map(repr, names))}" for kind, names in asked if names]
            raise NothingSelected(told, self.cells(playbooks))
        return chosen

    def _has_any(self, playbook: str, datasets: Sequence[str]) -> bool:
        """Whether a playbook has one of these datasets; no names stand for all."""
        return not datasets or not set(self.dataset_names(playbook)).isdisjoint(datasets)

    def dataset_names(self, playbook: str) -> tuple[str, ...]:
        """Return the datasets of a playbook, that of the target models' answers included."""
        names = tuple(dataset.name for dataset in self.settings.datasets_of(playbook))
        takes = all_playbooks()[playbook].takes_answers
        return (*names, generated_name(playbook)) if takes else names

    def newest_prompt(self, playbook: str) -> str | None:
        """Return the newest released prompt version of a playbook."""
        newest = self.templates.newest_released(playbook)
        return newest.version if newest else None

    def check_datasets(self, names: Sequence[str]) -> None:
        """Refuse a dataset name the project does not have.

        Raises:
            UnknownName: for the first unknown one.
        """
        known = [name for playbook in all_playbooks() for name in self.dataset_names(playbook)]
        _check_known("dataset", names, known)


def _check_known(kind: str, names: Sequence[str], known: Iterable[str]) -> None:
    known_names = set(known)
    for name in names:
        if name not in known_names:
            raise UnknownName(kind, name, known_names)
