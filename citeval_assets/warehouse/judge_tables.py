"""What is known of judges as typed rows: against labels, faults, other epochs and themselves.

The rules of ``tables`` hold: field names are column names, in order.
"""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class CalibrationRow:
    """One judge and prompt version against the labels of one source; sources are never mixed.

    ``label_source`` is ``human`` or ``constructed``. ``confusion`` (label -> judged -> cases) and
    ``per_label`` (precision and recall) are JSON objects. ``corrected_score`` is the mean over
    all judged cases with the known error of the judge taken out, by the method ``correction``;
    ``raw`` says in ``correction_note`` why it was not. ``bias`` above 0: the judge is too mild.
    """

    playbook: str
    model: str
    prompt_version: str
    epoch: str
    evaluation_id: str
    label_source: str
    n_labelled: int
    n_positive: int
    n_negative: int
    calibrated: bool
    state: str
    accuracy: float | None
    balanced_accuracy: float | None
    kappa: float | None
    kappa_low: float | None
    kappa_high: float | None
    mean_deviation: float | None
    bias: float | None
    conflicts: int
    raw_score: float | None
    corrected_score: float | None
    corrected_low: float | None
    corrected_high: float | None
    correction: str
    correction_note: str
    confusion: str
    per_label: str
    details: str
    computed_at: datetime


@dataclass(frozen=True, slots=True)
class JudgeQualificationRow:
    """How often one judge and prompt version noticed one kind of injected fault.

    ``fault`` is the kind of fault, or of harmless change, or ``*`` for the whole: its ``verdict``
    is ``qualified`` or ``not_qualified``. Of a single kind it is ``pass``, ``fail``, ``by_code``
    (the checks in code settle it) or ``too_few``. ``catch_rate`` is over what depends on the
    judge; of a harmless change it is the share of false alarms.
    """

    playbook: str
    model: str
    prompt_version: str
    epoch: str
    fault: str
    n_cases: int
    n_unscored: int
    n_caught: int
    n_false_alarms: int
    catch_rate: float | None
    ci_low: float | None
    ci_high: float | None
    verdict: str
    reasons: str
    details: str
    computed_at: datetime


@dataclass(frozen=True, slots=True)
class BridgeRow:
    """How scores moved from one epoch to another, on the same anchor cases judged under both.

    ``score_offset`` = mean(new - old), in 0..1: what to add to an old score to compare it.
    """

    measurement_id: str
    playbook: str
    old_model: str
    old_prompt_version: str
    old_epoch: str
    new_model: str
    new_prompt_version: str
    new_epoch: str
    anchors: int
    changed: int
    score_offset: float
    ci_low: float | None
    ci_high: float | None
    old_mean: float
    new_mean: float
    computed_at: datetime


@dataclass(frozen=True, slots=True)
class JudgeNoiseRow:
    """How far a judge differs from itself when asked the same again.

    ``variance`` is that of one score (0..1), ``deviation`` its root.
    """

    measurement_id: str
    playbook: str
    model: str
    prompt_version: str
    epoch: str
    cases: int
    measurements: int
    variance: float
    deviation: float
    largest_spread: float
    computed_at: datetime
