"""What happens without anybody pressing a button: who is told, what is watched, how much."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field, field_validator, model_validator

from citeval_assets.config.fields import EnvName, Number, Section, Text, Usd, Whole


class NotifierKind(StrEnum):
    """How a notice reaches people."""

    LOG = "log"
    WEBHOOK = "webhook"
    SLACK = "slack"


class NotifierConfig(Section):
    """One place notices go to. Addresses and tokens come from the environment."""

    kind: NotifierKind
    """log (the log of the Dagster daemon), webhook (a POST of JSON) or slack (needs the extra
    citeval[slack])."""

    url_env: EnvName | None = None
    """webhook: name of the environment variable that holds the address."""

    token_env: EnvName | None = None
    """slack: name of the environment variable that holds the bot token."""

    channel: Text | None = None
    """slack: the channel."""

    @model_validator(mode="after")
    def _complete(self) -> "NotifierConfig":
        needed = {
            NotifierKind.LOG: (),
            NotifierKind.WEBHOOK: ("url_env",),
            NotifierKind.SLACK: ("token_env", "channel"),
        }[self.kind]
        missing = [name for name in needed if getattr(self, name) is None]
        if missing:
            raise ValueError(f"a notifier of kind {self.kind} needs {' and '.join(missing)}")
        return self


class CanaryConfig(Section):
    """The weekly look at whether the pinned judges still judge as they did."""

    cases: Annotated[Whole, Field(ge=5, le=1000)] = 40
    """Size of the fixed set that is judged again, per playbook."""

    alpha: Annotated[Number, Field(gt=0, lt=0.5)] = 0.01
    """How often a judge that did not change is reported as drifting, at most."""


class TrendAlertConfig(Section):
    """When a fall of a trend is reported."""

    tolerance_points: Annotated[Number, Field(ge=0, le=100)] = 2.0
    """A fall up to this many points of 100 is no fall."""

    evaluations_between_false_alarms: Annotated[Whole, Field(ge=10)] = 500
    """Mean number of evaluations of one unchanged trend until it is reported by mistake."""


class ReconcileConfig(Section):
    """How much the daily schedule may ask for that sensors and conditions missed."""

    max_cells: Annotated[Whole, Field(ge=0)] = 200
    """At most this many cells a day."""

    max_usd: Usd | None = None
    """Expected cost of what is asked for in a day; by default what budget.per_day_usd leaves."""


class AutomationConfig(Section):
    """What happens without anybody pressing a button."""

    notify: tuple[NotifierConfig, ...] = (NotifierConfig(kind=NotifierKind.LOG),)
    """Where notices about failed runs, failed gates, drift and falls go."""

    canary: CanaryConfig = CanaryConfig()
    """The weekly look at whether the pinned judges still judge as they did."""

    trend: TrendAlertConfig = TrendAlertConfig()
    """When a fall of a trend is reported."""

    reconcile: ReconcileConfig = ReconcileConfig()
    """How much the daily schedule may ask for."""

    retired_prompts: tuple[Text, ...] = ()
    """Prompt versions that are judged with no more unless asked for, as playbook/version; their
    history stays."""

    @field_validator("retired_prompts")
    @classmethod
    def _playbook_and_version(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        for name in names:
            playbook, slash, version = name.partition("/")
            if not (playbook and slash and version) or "/" in version:
                raise ValueError(f"{name!r} is no prompt version: write <playbook>/<version>")
        return names


class SampledSystem(Section):
    """Another size or rate for the traces of one system."""

    system: Text
    """The label in the traces."""

    per_day: Annotated[Whole, Field(ge=0)] | None = None
    """Traces drawn of one day, at most; 0: none."""

    rate: Annotated[Number, Field(gt=0, le=1)] | None = None
    """Share of the traces of a day that is drawn, at most."""


__all__ = [
    "AutomationConfig",
    "CanaryConfig",
    "NotifierConfig",
    "NotifierKind",
    "ReconcileConfig",
    "SampledSystem",
    "TrendAlertConfig",
]
