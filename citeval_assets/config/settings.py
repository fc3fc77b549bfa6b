"""The configuration as the rest of citeval sees it: checked, complete, unchangeable."""

from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from citeval_assets.config.automation import AutomationConfig
from citeval_assets.config.data import DatasetConfig, RetrieverConfig, SystemConfig
from citeval_assets.config.errors import did_you_mean
from citeval_assets.config.fields import EnvName, NotEmpty, Role, Section, Stage, Text
from citeval_assets.config.gates import (
    BudgetConfig,
    CalibrationConfig,
    GateConfig,
    ReviewConfig,
    SamplingConfig,
)
from citeval_assets.config.models import ModelConfig


class UnknownModel(KeyError):
    """A model id that is not configured. Names the known ids and nothing else of them."""

    def __init__(self, model_id: str, known: tuple[str, ...]) -> None:
        self.model_id = model_id
        listed = ", ".join(known) or "none"
        self.text = f"unknown model {model_id!r}: there are {listed}{did_you_mean(model_id, known)}"
        super().__init__(self.text)

    def __str__(self) -> str:
        return self.text


class StorageConfig(Section):
    """Where state lives."""

    ledger_url: Text | None = None
    """SQLAlchemy address of the ledger; by default a SQLite file in the state folder."""

    ledger_url_env: EnvName | None = None
    """Name of the environment variable that holds the address, where it has a password."""

    state_dir: Text | None = None
    """Folder of ledger, warehouse and reports; by default $DAGSTER_HOME/citeval."""


class ConfigFile(Section):
    """The content of ``citeval.yaml``."""

    models: Annotated[tuple[ModelConfig, ...], NotEmpty]
    """The judges and the target models."""

    systems: tuple[SystemConfig, ...] = ()
    """The versions of the application that are compared."""

    datasets: tuple[DatasetConfig, ...] = ()
    """Files of test cases. data/golden/<playbook>.jsonl needs no entry."""

    retrievers: tuple[RetrieverConfig, ...] = ()
    """Where sources come from that cases do not bring themselves."""

    gates: tuple[GateConfig, ...] = ()
    """Comparisons that decide about a release."""

    calibration: CalibrationConfig = CalibrationConfig()
    """Judges against human labels."""

    sampling: SamplingConfig = SamplingConfig()
    """Production traces that are judged."""

    review: ReviewConfig = ReviewConfig()
    """What reaches a person."""

    budget: BudgetConfig = BudgetConfig()
    """What may be spent."""

    automation: AutomationConfig = AutomationConfig()
    """What happens without anybody pressing a button."""

    storage: StorageConfig = StorageConfig()
    """Where state lives."""

    @model_validator(mode="before")
    @classmethod
    def _empty_sections_are_absent(cls, value: Any) -> Any:
        """Read a section of which every line is commented out as one that is not there."""
        if not isinstance(value, dict):
            return value
        return {key: inner for key, inner in value.items() if inner is not None}


class Settings(BaseModel):
    """A project's configuration with its folders resolved and its datasets completed."""

    model_config = ConfigDict(frozen=True)

    project_dir: Path
    state_dir: Path
    ledger_url: str = Field(repr=False)
    models: tuple[ModelConfig, ...]
    systems: tuple[SystemConfig, ...] = ()
    datasets: tuple[DatasetConfig, ...] = ()
    retrievers: tuple[RetrieverConfig, ...] = ()
    gates: tuple[GateConfig, ...] = ()
    calibration: CalibrationConfig = CalibrationConfig()
    sampling: SamplingConfig = SamplingConfig()
    review: ReviewConfig = ReviewConfig()
    budget: BudgetConfig = BudgetConfig()
    automation: AutomationConfig = AutomationConfig()
    storage: StorageConfig = StorageConfig()
    warnings: tuple[str, ...] = ()

    @property
    def data_dir(self) -> Path:
        """The folder datasets may not leave."""
        return self.project_dir / "data"

    @property
    def prompts_dir(self) -> Path:
        """The folder of the prompt templates."""
        return self.project_dir / "prompts"

    @property
    def inbox(self) -> Path:
        """Where production traces arrive."""
        return self.project_dir / self.sampling.traces / "inbox"

    def is_retired_prompt(self, playbook: str, version: str) -> bool:
        """Whether a prompt version is judged with only where it is asked for."""
        return f"{playbook}/{version}" in self.automation.retired_prompts

    def judges(self) -> tuple[ModelConfig, ...]:
        """Return the models that grade, retired ones included."""
        return tuple(model for model in self.models if Role.JUDGE in model.roles)

    def targets(self) -> tuple[ModelConfig, ...]:
        """Return the models under test, retired ones included."""
        return tuple(model for model in self.models if Role.TARGET in model.roles)

    def model(self, model_id: str) -> ModelConfig:
        """Return the model of this id.

        Raises:
            UnknownModel: where there is none.
        """
        for model in self.models:
            if model.id == model_id:
                return model
        raise UnknownModel(model_id, tuple(model.id for model in self.models))

    def datasets_of(self, playbook: str) -> tuple[DatasetConfig, ...]:
        """Return the datasets of a playbook, in the order of the file, implicit ones last."""
        return tuple(dataset for dataset in self.datasets if dataset.playbook == playbook)

    def retriever(self, name: str) -> RetrieverConfig | None:
        """Return the retriever of this name, or ``None``."""
        return next((item for item in self.retrievers if item.name == name), None)

    def system_label(self, model_id: str, prompt: str, retriever: str | None = None) -> str:
        """Return the label of the system a target model, a prompt and a retriever make up.

        It is the first configured one that agrees with all of them (what it leaves open agrees
        with anything), else ``model|retriever|prompt``, or ``model|prompt`` for questions that
        bring their passages along.
        """
        for system in self.systems:
            if (
                system.model == model_id
                and system.prompt in (None, prompt)
                and system.retriever in (None, retriever)
            ):
                return system.label
        return "|".join(filter(None, (model_id, retriever, prompt)))

    def systems_at(self, stage: Stage) -> tuple[SystemConfig, ...]:
        """Return the systems that stand at this stage."""
        return tuple(system for system in self.systems if system.stage is stage)
