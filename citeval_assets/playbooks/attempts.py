"""What came back from a model for one case, in the words the playbooks use.

Transport retries (429, 5xx, timeouts) are below this: an attempt is one reply that arrived,
or the failure that ended the asking.
"""

from dataclasses import dataclass

from citeval_assets.playbooks.vocabulary import Reason, Status


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply as it arrived. ``text`` is ``None`` where the body held no content."""

    text: str | None
    finish_reason: str | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """Why no reply came. ``status`` is ``error`` (retried next run) or ``indeterminate``."""

    reason: Reason
    detail: str = ""
    status: Status = Status.ERROR


Attempt = Reply | Failure


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a reply, in a sentence the model can act on.

    ``where`` is the field path (``claims_analysis[2].verdict``). ``text`` holds fixed wording,
    field names, unit numbers and ids only: never text of the failed reply.
    """

    where: str
    text: str

    def __str__(self) -> str:
        return f"{self.where}: {self.text}" if self.where else self.text


@dataclass(frozen=True, slots=True)
class Ask:
    """The next question to the model: ask (again), with this feedback.

    ``raise_output_limit`` is set after a reply that was cut at the token limit: the same
    question with more room, instead of a complaint about broken JSON.
    """

    feedback: str = ""
    raise_output_limit: bool = False
