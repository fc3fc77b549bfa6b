"""What all playbooks share: risk level, screening of untrusted text, passages, slot values."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from citeval_assets.playbooks.attempts import Failure
from citeval_assets.playbooks.cases import Source, TestCase
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.playbooks.view import ModelView, Passage, SlotValue
from citeval_assets.playbooks.vocabulary import Reason, RiskLevel, Status
from citeval_assets.text.markers import CitationScan, PatternTooSlow, scan_citations
from citeval_assets.text.screen import invisible_characters, suspicious_instructions

MAX_UNITS = 2_000
"""Units one case may hold: about what one reply of the largest allowed size can answer for."""

_PLAIN_ID = re.compile(r"[\w.:/#@+-]{1,64}")


@dataclass(frozen=True, slots=True)
class NamedText:
    """One untrusted text of a case, with the name a reviewer knows it by."""

    name: str
    text: str


def effective_risk_level(
    case: TestCase, rules: DomainRules, default: RiskLevel = RiskLevel.STANDARD
) -> RiskLevel:
    """Return the risk level: of the case, else of its dataset, else of the playbook."""
    return case.risk_level or rules.risk_level or default


def untrusted_texts(case: TestCase, *own: NamedText) -> tuple[NamedText, ...]:
    """Return every text of a case that others wrote: the shared fields and the playbook's own."""
    texts = [NamedText("question", case.question), *own]
    for source in case.unique_sources:
        name = f"source {shown_id(source.id)}"
        texts.append(NamedText(name, source.text))
        texts.extend(
            NamedText(f"{part} of {name}", str(value))
            for part, value in (("title", source.title), ("document", source.document))
            if value
        )
    texts.extend(
        NamedText(f"history message {number}", turn.content)
        for number, turn in enumerate(case.history, start=1)
    )
    return tuple(texts)


def suspicions_in(texts: Iterable[NamedText]) -> tuple[str, ...]:
    """Return one line for each place where a text tries to instruct the judge."""
    return tuple(
        f"{named.name}: {found.kind} at characters {found.start}-{found.end}: {found.excerpt}"
        for named in texts
        for found in suspicious_instructions(named.text)
    )


def invisible_warnings(texts: Iterable[NamedText]) -> tuple[str, ...]:
    """Return one warning for each kind of hidden or look-alike character a text holds."""
    return tuple(
        f"{named.name}: {note.kind} ({note.count})"
        for named in texts
        for note in invisible_characters(named.text)
    )


def shown_id(source_id: str) -> str:
    """Return an id in quotes, or a stand-in where it is not plainly an id.

    Ids come from data and are repeated in questions to the model: one that holds blanks,
    brackets or sentences could carry an instruction there.
    """
    return f"'{source_id}'" if _PLAIN_ID.fullmatch(source_id) else "(an id that is not plain text)"


def too_many_units(count: int) -> Failure | None:
    """Return the failure of a case with more units than one reply can answer for."""
    if count <= MAX_UNITS:
        return None
    return Failure(
        Reason.CONTEXT_TOO_LONG,
        f"more units to judge in one case than the limit of {MAX_UNITS}: split the case",
        Status.INDETERMINATE,
    )


def scan_citations_of(
    text: str, case: TestCase, rules: DomainRules
) -> tuple[CitationScan, Failure | None]:
    """Return the citations of ``text`` under the operator's rules.

    Where the operator's own pattern runs into its time limit, that is the failure of the case.
    """
    ids = [source.id for source in case.unique_sources]
    try:
        scan = scan_citations(
            text, ids, styles=rules.citation_styles, pattern=rules.citation_pattern
        )
    except PatternTooSlow as slow:
        scan = scan_citations(text, ids, styles=rules.citation_styles)
        return scan, Failure(Reason.PATTERN_TOO_SLOW, str(slow), Status.INDETERMINATE)
    return scan, None


def passage_of(source: Source, cited: bool = True) -> Passage:
    """Return one source as a model sees it."""
    page = None if source.page is None else str(source.page)
    return Passage(source.id, source.text, source.document, source.index, page, source.title, cited)


def passages_of(
    sources: Sequence[Source], cited_ids: Collection[str] | None = None
) -> tuple[Passage, ...]:
    """Return the sources as passages; without ``cited_ids`` all of them count as cited."""
    return tuple(
        passage_of(source, cited_ids is None or source.id in cited_ids) for source in sources
    )


def with_neighbours(
    sources: Sequence[Source], cited_ids: Collection[str], reach: int
) -> tuple[Passage, ...]:
    """Return the cited chunks, each with ``reach`` neighbours of its document on either side.

    Neighbours are chunks of the same document whose ``index`` differs by at most ``reach``;
    a chunk without document or index has none. The order of the sources is kept.
    """
    near = {
        (source.document, source.index + offset)
        for source in sources
        if source.id in cited_ids and source.document is not None and source.index is not None
        for offset in range(-reach, reach + 1)
    }
    return tuple(
        passage_of(source, source.id in cited_ids)
        for source in sources
        if source.id in cited_ids
        or (source.index is not None and (source.document, source.index) in near)
    )


def untrusted_slot(text: str) -> SlotValue:
    """Return a slot value for text that others wrote."""
    return SlotValue(text=text, untrusted=True)


def passages_slot(view: ModelView) -> SlotValue:
    """Return the slot value of all passages of a view."""
    return SlotValue(untrusted=True, passages=view.passages)


def constraints_slot(view: ModelView) -> SlotValue:
    """Return the operator's constraints, with the risk level where no slot of its own holds it."""
    lines = [f"Risk level of this case: {view.risk_level}."]
    lines.append(view.constraints.strip() or "No further constraints.")
    return SlotValue(text="\n".join(lines))


_REMEMBERED_ID = 80
"""Characters of an id whose bare form is kept: the same few ids are compared several times."""

_WRAPPING = "[](){}<>【】^\"'“”‘’ \t"
_ID_WORD = re.compile(r"(?:sources?|docs?|documents?|refs?|ids?)[\s:.]+(?=\d)", re.IGNORECASE)


def bare_id(spelling: str) -> str:
    """Return an id as judges may write it (``[3]``, ``Source 3``) without its wrapping.

    For comparing what a judge names with what a unit cites; it never resolves a citation.
    """
    return _remembered_bare(spelling) if len(spelling) <= _REMEMBERED_ID else _bare(spelling)


def _bare(spelling: str) -> str:
    text = unicodedata.normalize("NFC", spelling).strip(_WRAPPING)
    return _ID_WORD.sub("", text, count=1) if _ID_WORD.match(text) else text


_remembered_bare = lru_cache(maxsize=4_096)(_bare)

SCORE_TOLERANCE = 0.005
"""How far a score a judge reports may differ from the computed one by rounding alone."""


def listed(items: Iterable[str], limit: int = 20) -> str:
    """Return the items joined by semicolons, cut off and counted after ``limit``."""
    every = list(items)
    more = [f"and {len(every) - limit} more"] if len(every) > limit else []
    return "; ".join(every[:limit] + more)


def numbered_slot(title: str, lines: Sequence[str], full_text: str) -> SlotValue:
    """Return the numbered units followed by the text they come from, as one untrusted value.

    The list comes first, tells its length and has one line for each unit, so that nothing
    written in the text can pass for a part of it.
    """
    lines = [" ".join(line.split()) for line in lines]
    head = f"{len(lines)} {title}, numbered by the evaluation:"
    return untrusted_slot("\n".join((head, *lines, "", "Full text:", full_text)))
