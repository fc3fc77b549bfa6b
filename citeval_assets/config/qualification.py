"""What a judge must see before a gate may pass on its word."""

from typing import Annotated

from pydantic import Field

from citeval_assets.config.fields import Section, Text, Whole, YesNo
from citeval_assets.config.gate_rules import Share


class QualificationConfig(Section):
    """How judges are qualified by injected faults."""

    cases_per_fault: Annotated[Whole, Field(ge=1, le=1_000)] = 20
    """Clean cases into which each kind of fault is injected, and each harmless change."""

    seed: Whole = 20261
    """Seed of the choice of cases and places; the same seed makes the same faults."""

    min_detection: Share = 0.9
    """Share of the faults that depend on the judge it must see, over all kinds."""

    min_fault_detection: Share = 0.7
    """The same for each kind of fault alone."""

    floors: dict[Text, Share] = Field(default_factory=dict)
    """Other floors for single kinds of fault, such as negation: 0.95."""

    max_false_alarms: Share = 0.1
    """Share of harmless changes it may fault."""

    min_coverage: Share = 0.9
    """Least share of the changed cases that were scored at all."""

    min_mutants: Annotated[Whole, Field(ge=1)] = 5
    """With fewer cases of a kind its floor is not applied."""

    canaries: YesNo = True
    """Whether an always-right and an always-wrong case ride in every evaluation."""
