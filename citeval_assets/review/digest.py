"""The digest: what is open, what is ageing, what was decided; as text or Markdown."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from citeval_assets.ledger.records import ReviewDecision
from citeval_assets.playbooks.vocabulary import Severity
from citeval_assets.review.agreement import ReviewerAgreement, reviewer_agreement
from citeval_assets.review.decisions import DecisionKind
from citeval_assets.review.standing import standings
from citeval_assets.warehouse.tables import ReviewQueueRow
from citeval_assets.warehouse.values import read_time

_LISTED = 10
_TEXT_CHARS = 100


@dataclass(frozen=True, slots=True)
class Digest:
    """What a team should know about its queue at one moment.

    ``by_severity`` and ``by_playbook`` count the open items; ``ageing`` are those open for more
    than ``ageing_days``, the oldest first; ``decided`` counts the decisions of the last week.
    """

    at: datetime
    ageing_days: int
    open: int
    by_severity: dict[str, int]
    by_playbook: dict[str, int]
    immediate: int
    provisional: int
    ageing: tuple[ReviewQueueRow, ...]
    worst: tuple[ReviewQueueRow, ...]
    decided: dict[str, int]
    agreement: ReviewerAgreement


def make_digest(
    open_items: Sequence[ReviewQueueRow],
    decisions: Iterable[ReviewDecision],
    now: datetime,
    ageing_days: int,
) -> Digest:
    """Sum up the queue.

    Args:
        open_items: the open items, the worst first.
        decisions: all that was ever decided, the oldest first.
        now: the moment the digest is for.
        ageing_days: items open for longer are ageing.
    """
    decided = list(decisions)
    week_ago = now - timedelta(days=7)
    edge = now - timedelta(days=ageing_days)
    ageing = sorted((i for i in open_items if i.opened_at < edge), key=lambda i: i.opened_at)
    severities = Counter(item.severity for item in open_items)
    kinds = Counter(d.decision for d in decided if read_time(d.created_at) >= week_ago)
    return Digest(
        at=now,
        ageing_days=ageing_days,
        open=len(open_items),
        by_severity={str(s): severities[s] for s in Severity if severities[s]},
        by_playbook=dict(sorted(Counter(item.playbook for item in open_items).items())),
        immediate=sum(item.immediate for item in open_items),
        provisional=sum(item.provisional for item in open_items),
        ageing=tuple(ageing),
        worst=tuple(open_items[:_LISTED]),
        decided={str(kind): kinds[kind] for kind in DecisionKind if kinds[kind]},
        agreement=reviewer_agreement(standings(decided).values()),
    )


def digest_markdown(digest: Digest) -> str:
    """Return the digest as Markdown. Foreign text stands in code spans: nothing of it is live."""
    return "\n".join(_lines(digest, markdown=True)) + "\n"


def digest_text(digest: Digest) -> str:
    """Return the digest as plain text."""
    return "\n".join(_lines(digest, markdown=False)) + "\n"


def _lines(digest: Digest, *, markdown: bool) -> Iterator[str]:
    heading = "## " if markdown else ""
    yield f"{heading}Review queue, {digest.at:%Y-%m-%d %H:%M} UTC"
    yield ""
    severities = ", ".join(f"{count} {name}" for name, count in digest.by_severity.items())
    yield f"- open: {digest.open}" + (f" ({severities})" if severities else "")
    for playbook, count in digest.by_playbook.items():
        yield f"  - {playbook}: {count}"
    yield f"- to be looked at at once: {digest.immediate}"
    yield f"- high-risk reports that are provisional until decided: {digest.provisional}"
    yield f"- open for more than {digest.ageing_days} days: {len(digest.ageing)}"
    done = ", ".join(f"{count} {kind}" for kind, count in digest.decided.items()) or "none"
    yield f"- decisions in the last seven days: {done}"
    yield f"- reviewers: {_agreement(digest.agreement)}"
    for title, items in (("Ageing, the oldest first", digest.ageing), ("Worst", digest.worst)):
        if items:
            yield ""
            yield f"{'### ' if markdown else ''}{title}"
            yield ""
            yield from (_item(item, digest.at, markdown=markdown) for item in items[:_LISTED])
            if len(items) > _LISTED:
                yield f"- and {len(items) - _LISTED} more"


def _agreement(found: ReviewerAgreement) -> str:
    if not found.pairs:
        return "no item was decided by two"
    share = "" if found.share.mean is None else f" ({found.share.mean:.0%})"
    return (
        f"{found.items} items decided by two or more, {found.agreed} of {found.pairs} pairs "
        f"agree{share}, {found.disputed} in dispute"
    )


def _item(item: ReviewQueueRow, now: datetime, *, markdown: bool) -> str:
    age = max(0, (now - item.opened_at).days)
    case = f"{item.playbook} / {item.test_case_id} / {item.system}"
    told = f"{item.severity}, {age} d: "
    question = " ".join(item.question.split())
    if markdown:
        return f"- {told}{code_span(case)} {code_span(question)}"
    return f"- {told}{_plain(case)}: {_plain(question)}"


def code_span(text: str) -> str:
    """Return text as a code span that nothing in it can close."""
    return "`" + (_plain(text).replace("`", "'").replace("|", "\\|") or " ") + "`"


def _plain(text: str) -> str:
    shown = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return shown if len(shown) <= _TEXT_CHARS else f"{shown[: _TEXT_CHARS - 1]}…"
