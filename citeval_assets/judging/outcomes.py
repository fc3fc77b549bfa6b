"""From what a call came to, as recorded, to the attempt a playbook reads."""

from citeval_assets.ledger.records import CallReply
from citeval_assets.playbooks.attempts import Attempt, Failure, Reply
from citeval_assets.playbooks.vocabulary import Reason, Status

NOT_JUDGED = frozenset(
    {
        Reason.REFUSAL,
        Reason.TRUNCATED,
        Reason.CONTENT_FILTER,
        Reason.CIRCUIT_OPEN,
        Reason.BUDGET,
        Reason.CONTEXT_TOO_LONG,
        Reason.INTERRUPTED,
        Reason.SELF_JUDGING,
    }
)
"""Reasons that are ``indeterminate``: asking the provider again would not help by itself."""

SAYS_NOTHING_OF_THE_PROVIDER = frozenset(
    {Reason.REFUSAL, Reason.CONTENT_FILTER, Reason.CONTEXT_TOO_LONG}
)
"""Reasons that lie in the case: they neither open nor close a circuit."""


def failure_of(reason: Reason, detail: str) -> Failure:
    """Return the failure with the status its reason has."""
    status = Status.INDETERMINATE if reason in NOT_JUDGED else Status.ERROR
    return Failure(reason, detail, status)


def attempt_of(reply: CallReply) -> Attempt:
    """Return the attempt a recorded call stands for."""
    if reply.outcome == "reply":
        return Reply(reply.text, reply.finish_reason)
    return failure_of(Reason(reply.failure_reason or ""), reply.failure_detail or "")
