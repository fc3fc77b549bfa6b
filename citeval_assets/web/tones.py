"""How a result is shown: in one of four tones, and always in words besides.

Tones carry no meaning of their own: good earned its whole weight, part some of it, bad none,
none was not scored.
"""

from enum import StrEnum

from citeval_assets.playbooks.vocabulary import Routing, Severity, Status


class Tone(StrEnum):
    """How good something is, as far as a colour can say it."""

    GOOD = "good"
    PART = "part"
    BAD = "bad"
    NONE = "none"

    @property
    def rank(self) -> int:
        """0 for the worst, growing as it gets better."""
        return (Tone.BAD, Tone.PART, Tone.NONE, Tone.GOOD).index(self)


_VERDICTS = {
    "pass": Tone.GOOD,
    "fail": Tone.BAD,
    "inconclusive": Tone.PART,
    "faithful": Tone.GOOD,
    "unfaithful": Tone.BAD,
    "answered": Tone.NONE,
    "partial": Tone.NONE,
    "abstained": Tone.NONE,
    "qualified": Tone.GOOD,
    "not_qualified": Tone.BAD,
}


def finding_tone(label: str, weight: float | None) -> Tone:
    """Return the tone of one finding."""
    if weight is None:
        return Tone.NONE
    if weight >= 1:
        return Tone.GOOD
    return Tone.PART if weight > 0 or "partial" in label.lower() else Tone.BAD


def score_tone(score: float | None) -> Tone:
    """Return the tone of a score in 0..1."""
    if score is None:
        return Tone.NONE
    if score >= 1:
        return Tone.GOOD
    return Tone.PART if score > 0 else Tone.BAD


def status_tone(status: str) -> Tone:
    """Return the tone of a validation status."""
    if Status(status).scored:
        return Tone.GOOD if status == Status.VALID else Tone.PART
    return Tone.NONE if status == Status.NOT_APPLICABLE else Tone.BAD


def routing_tone(routing: str) -> Tone:
    """Return the tone of what follows for a report."""
    if routing == Routing.DELIVER:
        return Tone.GOOD
    return Tone.BAD if routing == Routing.REFUSE else Tone.PART


def severity_tone(severity: str) -> Tone:
    """Return the tone of a severity."""
    return Tone.BAD if severity == Severity.CRITICAL else Tone.PART


def report_tone(status: str, verdict: str | None, score: float | None) -> Tone:
    """Return the tone of a report: of its verdict, else of its score, else of its status."""
    if not Status(status).scored:
        return status_tone(status)
    found = verdict_tone(verdict)
    return found if found is not Tone.NONE else score_tone(score)


def verdict_tone(verdict: str | None) -> Tone:
    """Return the tone of a verdict, of a gate or of a report."""
    return _VERDICTS.get((verdict or "").lower(), Tone.NONE)
