"""The epoch: everything that makes two scores comparable, as one hash."""

import hashlib
from collections.abc import Iterable

from citeval_assets.config import ModelConfig
from citeval_assets.datasets.hashing import canonical_json
from citeval_assets.embedded.calibration import UNCALIBRATED, Calibration
from citeval_assets.embedded.registry import embedded_model
from citeval_assets.judging.clients import EMBEDDED_PREFIX
from citeval_assets.judging.questions import TEMPERATURE
from citeval_assets.judging.schemas import reply_schema
from citeval_assets.judging.truncation import TRUNCATION_POLICY
from citeval_assets.playbooks.base import AnyPlaybook
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.templates.model import PromptTemplate

READER_VERSION = 2
"""Raised by hand when the reading of replies (``playbooks.reply``) changes what counts."""


def epoch(
    playbook: AnyPlaybook,
    model: ModelConfig,
    template: PromptTemplate,
    rules: Iterable[DomainRules],
    token_budget: int | None = None,
    calibration: Calibration = UNCALIBRATED,
) -> str:
    """Return the hash over judge, template, schema, truncation, rules and scoring.

    Args:
        playbook: Its output schema and scoring version count.
        model: Its name, address and parameters count; its key, price and limits do not.
        template: Its content counts, with its few-shot file.
        rules: The domain rules of the datasets; their order does not matter.
        token_budget: What contexts were cut to, where the comparison set one.
        calibration: What local labels make of an embedded judge; it is part of its version.
    """
    basis = {
        "judge": _judge(model, calibration),
        "template": template.sha256,
        "output_schema": reply_schema(playbook).sha256,
        "truncation": [TRUNCATION_POLICY, token_budget],
        "rules": sorted({canonical_json(rule.model_dump(mode="json")) for rule in rules}),
        "scoring": [playbook.name, playbook.scoring_version],
        "reader": READER_VERSION,
    }
    return hashlib.sha256(canonical_json(basis).encode()).hexdigest()


def _judge(model: ModelConfig, calibration: Calibration) -> dict[str, object]:
    version = None
    if model.model.startswith(EMBEDDED_PREFIX):
        version = embedded_model(model.model, calibration).version
    return {
        "id": model.id,
        "model": model.model,
        "api_base": model.api_base,
        "parameters": {"temperature": TEMPERATURE, **model.params},
        "embedded_version": version,
    }
