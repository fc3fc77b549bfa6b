"""``settle`` with a net: a fault of our own fails one case, not its neighbours."""

from collections.abc import Sequence

from citeval_assets.playbooks.attempts import Ask, Attempt, Failure
from citeval_assets.playbooks.base import AnyPlaybook, Prepared, Unprepared
from citeval_assets.playbooks.report import Report
from citeval_assets.playbooks.settling import settle
from citeval_assets.playbooks.vocabulary import Reason, Status


def settled(playbook: AnyPlaybook, prepared: Prepared, attempts: Sequence[Attempt]) -> Ask | Report:
    """Return the next question, or the report; an exception becomes ``error: internal_error``.

    Judging and rebuilding both come through here, so that a case that trips a fault does so
    the same way in both.
    """
    try:
        return settle(playbook, prepared, attempts)
    except Exception as error:  # noqa: BLE001 - whatever one reply trips must not end the run
        return settle(playbook, Unprepared.of(prepared, internal_failure(error)), [])


def internal_failure(error: BaseException) -> Failure:
    """Return the failure an exception of our own code amounts to.

    Its text may hold text of the case or the reply; its place in the code is enough.
    """
    detail = f"{type(error).__name__} in {_place(error)}; please report this as a bug"
    return Failure(Reason.INTERNAL_ERROR, detail, Status.ERROR)


def _place(error: BaseException) -> str:
    trace = error.__traceback__
    if trace is None:
        return "unknown place"
    while trace.tb_next is not None:
        trace = trace.tb_next
    code = trace.tb_frame.f_code
    return f"{code.co_name} ({code.co_filename.rsplit('/', 1)[-1]}:{trace.tb_lineno})"
