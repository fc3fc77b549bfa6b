"""A log object for litellm that keeps no log.

``litellm.acompletion`` takes the object it logs to as an argument; left to itself it makes one for
each call, works out what the call cost and hands the whole to a queue of its own, for listeners
we do not have. That is a third of the CPU time of a call. Ours is of litellm's class, so that
whoever asks finds what they expect, and does none of this: the ledger is our log, and we price
calls ourselves.
"""

import uuid
from datetime import datetime
from functools import cache
from typing import Any


def _nothing(*_: object, **__: object) -> None:
    """Stand in for a step of logging."""


def _no(*_: object, **__: object) -> bool:
    """Stand in for a question whether there is something to log."""
    return False


async def _nothing_either(*_: object, **__: object) -> None:
    """Stand in for a step of logging that is waited for."""


_LEFT_OUT = {
    "claim_async_success_log": _no,
    "handle_sync_success_callbacks_for_async_calls": _nothing,
    "response_cost_calculator": _nothing,
    "failure_handler": _nothing,
    "async_failure_handler": _nothing_either,
    "pre_call": _nothing,
    "post_call": _nothing,
}


@cache
def _quiet_class() -> Any:
    """Return litellm's class of log objects with the logging left out; ``None``: it has changed."""
    try:
        from litellm.litellm_core_utils.litellm_logging import Logging
    except ImportError:
        return None
    if not all(callable(getattr(Logging, name, None)) for name in _LEFT_OUT):
        return None
    return type("QuietLog", (Logging,), dict(_LEFT_OUT))


def quiet_log(model: str, messages: list[dict[str, str]]) -> dict[str, Any]:
    """Return the arguments that keep one call of ``litellm.acompletion`` from logging.

    Empty where this litellm does not take them as we know it: then it logs to nobody, as ever.
    """
    made = _quiet_class()
    if made is None:
        return {}
    name = uuid.uuid4().hex
    try:
        log = made(
            model=model,
            messages=messages,
            stream=False,
            call_type="acompletion",
            start_time=datetime.now(),
            litellm_call_id=name,
            function_id="",
            litellm_trace_id=name,
            kwargs={},
        )
    except TypeError:
        return {}
    return {"litellm_logging_obj": log, "litellm_call_id": name}
