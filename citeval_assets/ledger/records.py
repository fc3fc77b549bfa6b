"""What the ledger remembers, as plain immutable records.

All times are ISO-8601 in UTC with microseconds (``2026-11-30T05:38:00.000000+00:00``); a record
whose ``created_at`` is empty is stamped by the ledger when it is written. Costs are decimals in
US dollars, ``None`` where unknown (never 0 by default).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, Self

from citeval_assets.ledger.errors import LedgerError

Outcome = Literal["reply", "failure"]


@dataclass(frozen=True, slots=True)
class CallIntent:
    """A request about to be sent. On disk before the request goes out.

    ``call_id`` is unique per request. ``call_key`` says what was asked of whom: two intents with
    one key would be answered by the same stored reply. ``attempt`` counts the questions put for
    one case (first asking, re-ask), ``try_number`` the transport tries of one attempt, both
    from 1.
    """

    call_id: str
    call_key: str
    run_id: str
    playbook: str
    test_case_id: str
    system: str
    case_hash: str
    model_id: str
    model: str
    endpoint: str
    prompt_version: str
    template_sha256: str
    dataset_version: str
    attempt: int
    try_number: int
    repeat: int
    source_ids: tuple[str, ...]
    messages_json: str
    parameters_json: str
    response_schema_sha256: str | None = None
    context_cuts_json: str = "[]"
    created_at: str = ""


@dataclass(frozen=True, slots=True)
class CallReply:
    """What came of one intent: a reply, or the failure that ended the request.

    ``latency_ms`` and ``retry_after_s`` are in the unit their name says.
    """

    call_id: str
    outcome: Outcome
    text: str | None = None
    finish_reason: str | None = None
    failure_reason: str | None = None
    failure_detail: str | None = None
    http_status: int | None = None
    retry_after_s: float | None = None
    answered_model: str | None = None
    fingerprint: str | None = None
    provider: str | None = None
    prompt_tokens: int | None = None
    cached_tokens: int | None = None
    completion_tokens: int | None = None
    cost_usd: Decimal | None = None
    cost_note: str | None = None
    latency_ms: float | None = None
    notes_json: str = "[]"
    created_at: str = ""


@dataclass(frozen=True, slots=True)
class StoredCall:
    """An intent with what came of it."""

    intent: CallIntent
    reply: CallReply


@dataclass(frozen=True, slots=True)
class CaseRecord:
    """One test case as it was judged, addressed by the hash of its content."""

    case_hash: str
    playbook: str
    test_case_id: str
    system: str
    canonical_json: str


@dataclass(frozen=True, slots=True)
class DatasetMember:
    """One case's place in a dataset version, with the rules the operator set for it."""

    dataset: str
    split: str
    case_hash: str
    rules_json: str
    position: int


@dataclass(frozen=True, slots=True)
class DatasetRecord:
    """All cases of one playbook at one version."""

    playbook: str
    dataset_version: str
    members: Sequence[DatasetMember]
    created_at: str = ""


@dataclass(frozen=True, slots=True)
class EvaluationRecord:
    """One materialization: which calls settled which cases under which conditions."""

    evaluation_id: str
    playbook: str
    model: str
    prompt_version: str
    template_sha256: str
    dataset_version: str
    scope: str
    epoch: str
    run_id: str
    started_at: str
    finished_at: str


@dataclass(frozen=True, slots=True)
class EvaluationItem:
    """One case of an evaluation, as issued. ``score`` is ``None`` for what was not scored."""

    evaluation_id: str
    case_hash: str
    test_case_id: str
    system: str
    call_ids: tuple[str, ...]
    status: str
    reason: str | None
    score: float | None
    routing: str
    escalations: tuple[str, ...] = ()
    validation_problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GateDecision:
    """One verdict of a gate with everything it was drawn from."""

    decision_id: str
    gate: str
    playbook: str
    metric: str
    baseline: str
    candidate: str
    verdict: str
    inputs_json: str
    created_at: str = ""


@dataclass(frozen=True, slots=True)
class ReviewDecision:
    """What a reviewer decided about one queued report.

    ``decision`` is ``confirm`` | ``override`` | ``answer`` | ``dismiss`` | ``note`` | ``undo``;
    ``labels_json`` holds the labels given, or the id of the decision an undo takes back,
    ``answer`` the text a reviewer wrote.
    """

    decision_id: str
    playbook: str
    test_case_id: str
    system: str
    case_hash: str
    model: str
    prompt_version: str
    decision: str
    reviewer: str
    note: str = ""
    labels_json: str = "{}"
    answer: str | None = None
    evaluation_id: str | None = None
    created_at: str = ""


@dataclass(frozen=True, slots=True)
class HumanLabel:
    """A person's labels for one case. ``origin`` says where they came from (a decision id)."""

    label_id: str
    playbook: str
    test_case_id: str
    system: str
    case_hash: str
    label_source: str
    labels_json: str
    score: float | None = None
    labeller: str = ""
    origin: str = ""
    created_at: str = ""


@dataclass(frozen=True, slots=True)
class JudgeMeasurement:
    """What was found out about a judge: a qualification, a bridge between epochs, its noise.

    ``kind`` is ``qualification`` | ``bridge`` | ``noise`` | ``drift`` | ``fall``; ``epoch`` the
    conditions it holds under (of a bridge the newer ones); ``result_json`` the whole finding.
    """

    measurement_id: str
    kind: str
    playbook: str
    model: str
    prompt_version: str
    epoch: str
    result_json: str
    run_id: str
    created_at: str = ""


@dataclass(frozen=True, slots=True)
class TraceRecord:
    """A production trace as it arrived. ``day`` (UTC, ISO) is when it was produced, or arrived."""

    case_hash: str
    playbook: str
    test_case_id: str
    system: str
    day: str
    file: str
    created_at: str = ""


@dataclass(frozen=True, slots=True)
class TraceOffer:
    """A trace that could be drawn, and whether it was (``drawn`` 1 or 0).

    ``taken`` of the ``offered`` traces of its system and day were drawn, each with the same
    ``probability``. ``dataset`` names the draw.
    """

    case_hash: str
    playbook: str
    dataset: str
    system: str
    day: str
    offered: int
    taken: int
    drawn: int
    probability: float
    seed: int
    created_at: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """Who may make the call of one key, and until when."""

    call_key: str
    owner: str
    expires_at: str


@dataclass(frozen=True, slots=True)
class Anchor:
    """The end of the chain at one moment: number of rows, and hash of the last."""

    rows: int
    head: str

    def __str__(self) -> str:
        return f"{self.rows}:{self.head}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read an anchor as ``str`` writes it.

        Raises:
            LedgerError: The text is no anchor.
        """
        found = re.fullmatch(r"\s*(\d{1,18}):([0-9a-f]{64})\s*", text, re.ASCII)
        if found is None:
            raise LedgerError(
                f"{text.strip()[:80]!r} is no anchor; expected the line 'audit anchor' printed: "
                "number of rows, a colon, 64 hex digits"
            )
        return cls(int(found.group(1)), found.group(2))
