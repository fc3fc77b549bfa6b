"""Faults of citations: a neighbour's id, an id nobody bears, no id at all."""

from random import Random

from citeval_assets.playbooks.cases import Source
from citeval_assets.qualification.faults_wording import faulty
from citeval_assets.qualification.mutants import CannotApply, Mutant, Pool
from citeval_assets.qualification.places import (
    bare_text,
    holds,
    next_id,
    overlap,
    shuffled,
    single_marks,
    telling_tokens,
)
from citeval_assets.qualification.subject import Edit, JudgedSentence, Subject
from citeval_assets.text.markers import Marker, Numbering

_POOLED = 400
"""Passages of other cases that are looked at for the nearest one."""


def repoint_citation(subject: Subject, draw: Random, pool: Pool) -> Mutant | CannotApply:
    """Let a citation name a passage like the right one that does not say it.

    Where the case has no such passage, the nearest of another document is added to it.
    """
    for sentence in shuffled(subject.sentences, draw):
        marks = single_marks(sentence)
        if len(marks) != 1 or len(sentence.cited) != 1:
            continue
        near = _near_passage(subject, sentence, pool, draw)
        if near is not None:
            return _repointed(subject, sentence, marks[0], near)
    return CannotApply("no single citation whose sentence a neighbouring passage does not support")


def _near_passage(
    subject: Subject, sentence: JudgedSentence, pool: Pool, draw: Random
) -> Source | None:
    """Return the passage most like the sentence that lacks what ties it to its own."""
    tokens = list(telling_tokens(subject, sentence))
    if not tokens:
        return None
    claim = bare_text(sentence)

    def silent(source: Source) -> bool:
        return not all(holds(token, source.text) for token in tokens)

    own = [s for s in subject.sources if s.id not in sentence.cited and silent(s)]
    if own:
        return max(own, key=lambda source: overlap(claim, source.text))
    others = [s for s in pool.strangers(subject.case)[:_POOLED] if silent(s)]
    if not others:
        return None
    nearest = max(others, key=lambda source: overlap(claim, source.text))
    return nearest.model_copy(update={"id": next_id(subject.sources, draw)})


def _repointed(subject: Subject, sentence: JudgedSentence, mark: Marker, near: Source) -> Mutant:
    sources = subject.sources if near in subject.sources else (*subject.sources, near)
    raw = near.id
    if subject.scan.numbering is Numbering.POSITION and mark.ids[0] not in sentence.cited:
        raw = str([source.id for source in sources].index(near.id) + 1)
    edit = Edit(mark.start, mark.end, mark.text.replace(mark.ids[0], raw))
    change = f"{mark.text} -> {edit.text}"
    mutant = faulty(subject, sentence, [edit], change)
    case = mutant.case.model_copy(update={"sources": tuple(sources)})
    return Mutant(case, True, change, mutant.touched)


def invent_source(subject: Subject, draw: Random, pool: Pool) -> Mutant | CannotApply:
    """Let a citation name a source that was not given."""
    for sentence in shuffled(subject.sentences, draw):
        marks = single_marks(sentence)
        if not marks:
            continue
        mark = draw.choice(marks)
        raw = next_id(subject.sources, draw)
        if subject.scan.numbering is Numbering.POSITION and mark.ids[0] not in sentence.cited:
            raw = str(len(subject.sources) + 1 + draw.randrange(5))
        edit = Edit(mark.start, mark.end, mark.text.replace(mark.ids[0], raw))
        return faulty(subject, sentence, [edit], f"{mark.text} -> {edit.text}")
    return CannotApply("no citation with an id of its own")


def remove_citation(subject: Subject, draw: Random, pool: Pool) -> Mutant | CannotApply:
    """Take the citation from a claim that should carry one."""
    for sentence in shuffled(subject.sentences, draw):
        marks = list(dict.fromkeys(citation.marker for citation in sentence.citations))
        if not marks:
            continue
        edits = [_without(subject, mark) for mark in marks]
        return faulty(subject, sentence, edits, f"{' '.join(m.text for m in marks)} removed")
    return CannotApply("no judged sentence carries a citation")


def _without(subject: Subject, mark: Marker) -> Edit:
    start = mark.start
    while start > 0 and subject.text[start - 1] in " \u00a0":
        start -= 1
    return Edit(start, mark.end, "")
