"""What a model is told when it is asked again.

Built from fixed sentences, field names, unit numbers and ids: text of the failed reply never
comes back in the next question.
"""

from collections.abc import Sequence

from citeval_assets.playbooks.attempts import Problem

MAX_LISTED = 40
"""Problems that are listed; the rest are counted."""

_OPENING = "Your previous answer could not be used. This was wrong with it:"
_CLOSING = (
    "Answer again from the beginning, completely, with one JSON object of the form asked for and "
    "nothing else."
)


def correction_feedback(problems: Sequence[Problem]) -> str:
    """Return the text of the correction slot; empty where nothing was wrong."""
    if not problems:
        return ""
    lines = [f"- {problem}" for problem in problems[:MAX_LISTED]]
    if len(problems) > MAX_LISTED:
        lines.append(f"- and {len(problems) - MAX_LISTED} more of the same kinds")
    return "\n".join((_OPENING, *lines, _CLOSING))
