"""The notifiers of the configuration; Slack through dagster-slack, where it is installed."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field

from citeval_assets.config.automation import NotifierConfig, NotifierKind
from citeval_assets.evaluation.notices import (
    LogNotifier,
    Notice,
    Notifier,
    NotifierFailed,
    WebhookNotifier,
)
from citeval_assets.evaluation.project import Project

_log = logging.getLogger("citeval")


@dataclass(frozen=True)
class SlackNotifier:
    """Posts notices to a Slack channel."""

    token: str = field(repr=False)
    channel: str
    base_url: str | None = None
    """Another address than Slack's own, for a proxy."""

    @property
    def name(self) -> str:
        """Every channel keeps its own books."""
        return f"slack {self.channel}"

    def send(self, notice: Notice) -> None:
        """Post it."""
        try:
            from dagster_slack import SlackResource
        except ImportError:
            raise NotifierFailed("Slack needs the extra: pip install 'citeval[slack]'") from None
        client = SlackResource(token=self.token).get_client()
        if self.base_url is not None:
            client.base_url = self.base_url
        try:
            client.chat_postMessage(channel=self.channel, text=notice.text)
        except Exception as error:  # noqa: BLE001 - told as a failure, whatever it is
            # The client's errors may quote the request, and with it the token.
            raise NotifierFailed(f"Slack refused the notice: {type(error).__name__}") from None


@dataclass(frozen=True)
class _Unset:
    """A notifier whose address stands in a variable that is not set."""

    name: str
    variable: str

    def send(self, notice: Notice) -> None:
        """Say what is missing."""
        raise NotifierFailed(f"{self.name}: the environment variable {self.variable} is not set")


def notifiers_of(project: Project) -> list[Notifier]:
    """Return the notifiers the project names."""
    return [_notifier(one, project.environ) for one in project.settings.automation.notify]


def _notifier(config: NotifierConfig, environ: Mapping[str, str]) -> Notifier:
    if config.kind is NotifierKind.LOG:
        return LogNotifier(_log)
    variable = config.url_env or config.token_env or ""
    value = environ.get(variable, "").strip()
    if not value:
        return _Unset(f"{config.kind} {config.channel or variable}", variable)
    if config.kind is NotifierKind.WEBHOOK:
        return WebhookNotifier(value, f"webhook {variable}")
    return SlackNotifier(value, config.channel or "")
