"""Faults of support: the evidence is gone, passed over, or never was."""

from random import Random

from citeval_assets.playbooks.cases import Source
from citeval_assets.qualification.faults_wording import (
    change_number,
    faulty,
    negate,
    swap_name,
)
from citeval_assets.qualification.mutants import CannotApply, Mutant, Pool
from citeval_assets.qualification.places import (
    LIST_MARK,
    Token,
    added,
    following,
    holds,
    number_values,
    shuffled,
    telling_tokens,
    without_sentences,
)
from citeval_assets.qualification.subject import Edit, JudgedSentence, Subject
from citeval_assets.qualification.words import IGNORING_STEPS, INJECTIONS, INVENTED_FACTS

_COMPARISON = "answer_comparison"


def delete_evidence(subject: Subject, draw: Random, pool: Pool) -> Mutant | CannotApply:
    """Take away the passage a sentence rests on: the right answer is now to abstain."""
    for token in _tokens(subject, draw):
        kept = [s for s in subject.sources if not _carries(s, token)]
        if len(kept) == len(subject.sources):
            continue
        gone = [source.id for source in subject.sources if source not in kept]
        kept = kept or list(shuffled(pool.strangers(subject.case), draw)[:1])
        if not kept:
            return CannotApply("no passage is left, and none of another case can stand in")
        return _without_evidence(subject, token, kept, f"passage {', '.join(gone)} deleted")
    return CannotApply("no sentence is tied to a passage by a number or a name")


def _carries(source: Source, token: Token) -> bool:
    cited = token.sentence.cited
    return source.id in cited if cited else holds(token, source.text)


def _without_evidence(subject: Subject, token: Token, kept: list[Source], change: str) -> Mutant:
    taken = {source.id for source in subject.sources}
    fresh = [
        source
        if source in subject.sources or source.id not in taken
        else source.model_copy(update={"id": f"{source.id}-other"})
        for source in kept
    ]
    case = subject.with_sources(fresh)
    by_code = bool(token.sentence.cited)
    if subject.playbook.name == _COMPARISON:
        # Nothing can be known any more, so the reference is to abstain, and any answer is wrong.
        case = case.model_copy(update={"reference_answer": None, "answerable": False})
        by_code = True
    return Mutant(case, True, change, (token.sentence.span,), by_code)


def remove_support(subject: Subject, draw: Random, pool: Pool) -> Mutant | CannotApply:
    """Keep a conclusion, and take the sentences out of the evidence that carry it."""
    for token in _tokens(subject, draw):
        held = {s.id for s in subject.evidence(token.sentence)}
        changed: list[Source] = []
        for source in subject.sources:
            if source.id in held and holds(token, source.text):
                left = without_sentences(source, token)
                if left is None:
                    break
                changed.append(left)
            else:
                changed.append(source)
        if len(changed) == len(subject.sources):
            case = subject.with_sources(changed)
            change = f"the sentences with {token.text!r} taken out of the evidence"
            return Mutant(case, True, change, (token.sentence.span,))
    return CannotApply("no support can be taken out without emptying the passage")


def _tokens(subject: Subject, draw: Random) -> list[Token]:
    tokens = [t for sentence in subject.sentences for t in telling_tokens(subject, sentence)]
    return shuffled(tokens, draw)


def ignore_evidence(subject: Subject, draw: Random, pool: Pool) -> Mutant | CannotApply:
    """Rewrite a step so that it passes over the evidence."""
    if not subject.english:
        return CannotApply("the case is not in English")
    if not subject.sentences:
        return CannotApply("no step asserts anything")
    sentence = draw.choice(subject.sentences)
    text = draw.choice(IGNORING_STEPS)
    start = sentence.start + _head(sentence)
    edit = Edit(start, sentence.end, text)
    return faulty(subject, sentence, [edit], f"{sentence.text!r} -> {text!r}")


def _head(sentence: JudgedSentence) -> int:
    """Return the length of "2. " or "Step 2: " before what the step says."""
    found = LIST_MARK.match(sentence.text)
    return found.end() if found else 0


def invent_fact(subject: Subject, draw: Random, pool: Pool) -> Mutant | CannotApply:
    """Add a plausible sentence, cited like its neighbour, that no source states."""
    facts = INVENTED_FACTS.get((subject.case.language or "en")[:2].lower())
    if not facts:
        return CannotApply("no invented facts are written in the language of the case")
    texts = " ".join(source.text for source in subject.sources)
    fresh = [fact for fact in facts if not number_values(fact) & number_values(texts)]
    for sentence in shuffled(subject.sentences, draw):
        if fresh and (sentence.citations or subject.playbook.name != "citation_accuracy"):
            fact = draw.choice(fresh)
            edit = following(sentence, fact)
            case, (span,) = subject.edited([edit])
            return Mutant(case, True, f"added: {fact!r}", (added(edit, span),))
    return CannotApply("no sentence behind which a fact could stand")


def inject_verdict(subject: Subject, draw: Random, pool: Pool) -> Mutant | CannotApply:
    """Make a sentence wrong and tell the judge, in the case, that all is well."""
    for fault in shuffled((change_number, swap_name, negate), draw):
        made = fault(subject, draw, pool)
        if isinstance(made, CannotApply):
            continue
        words = draw.choice(INJECTIONS)
        hurt = Subject.of(subject.playbook, made.case, subject.rules)
        if hurt is None:
            continue
        change = f"{made.change}; injected: {words[:60]!r}"
        if draw.random() < 0.5 and subject.sources:
            sources = list(subject.sources)
            place = draw.randrange(len(sources))
            text = f"{sources[place].text}\n\n{words}"
            sources[place] = sources[place].model_copy(update={"text": text})
            return Mutant(hurt.with_sources(sources), True, change, made.touched)
        parts = (*hurt.parts[:-1], f"{hurt.parts[-1]}\n\n{words}")
        return Mutant(hurt.with_parts(parts), True, change, made.touched)
    return CannotApply("no fault can be made that the injected words could cover")
