"""Two systems, judges or prompt versions on the same cases: how far apart, and on which."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from citeval_assets.config import Settings, Stage
from citeval_assets.config.gates import Compared
from citeval_assets.ledger.records import CaseRecord
from citeval_assets.statistics.paired import PairedDifference, paired_difference
from citeval_assets.statistics.power import detectable_drop
from citeval_assets.warehouse.page_pairs import (
    Kept,
    ListedPair,
    PageSide,
    PairFinding,
    PairOfSides,
    PairScores,
    SideOfPair,
    answers_of,
    failing_of,
    list_pairs,
    pair_scores,
)
from citeval_assets.warehouse.page_reading import Connection, filter_words, known_playbooks
from citeval_assets.web.charts import Histogram, difference_histogram
from citeval_assets.web.diffing import Difference, difference
from citeval_assets.web.pages import NavEntry, PageModule
from citeval_assets.web.rendering import render, url, whole_number
from citeval_assets.web.site import Site, site_of
from citeval_assets.web.subject import read_subject

PER_PAGE = 20
_FINDINGS_SHOWN = 6
_KEPT: tuple[Kept, ...] = get_args(Kept)
_KEPT_TITLES = {
    "all": "all, worst first",
    "worse": "worse",
    "better": "better",
    "same": "same",
    "unscored": "without a score",
}


@dataclass(frozen=True, slots=True)
class Asked:
    """What the address asks for, completed by what the project runs."""

    by: Compared
    playbook: str
    base: str
    candidate: str
    judge: str
    prompt: str
    kept: Kept
    page: int

    def sides(self) -> PairOfSides:
        """Return the two sides that are meant."""
        names = (self.base, self.candidate)
        if self.by is Compared.JUDGES:
            base, candidate = (PageSide(name, self.prompt, None) for name in names)
        elif self.by is Compared.PROMPTS:
            base, candidate = (PageSide(self.judge, name, None) for name in names)
        else:
            base, candidate = (PageSide(self.judge, self.prompt, name) for name in names)
        return PairOfSides(self.playbook, base, candidate)

    def parameters(self, **changed: object) -> dict[str, object]:
        """Return the parameters of an address for the same comparison, some of them changed."""
        given: dict[str, object] = {
            "by": self.by,
            "playbook": self.playbook,
            "base": self.base,
            "candidate": self.candidate,
            "judge": None if self.by is Compared.JUDGES else self.judge,
            "prompt": None if self.by is Compared.PROMPTS else self.prompt,
            "show": None if self.kept == "all" else self.kept,
        }
        return {**given, **changed}


@dataclass(frozen=True, slots=True)
class Numbers:
    """What the pairs amount to. ``across``: they were judged in different epochs."""

    result: PairedDifference | None
    detectable: float | None
    base_mean: float | None
    candidate_mean: float | None
    counts: Mapping[str, int]
    across: bool
    histogram: Histogram


@dataclass(frozen=True, slots=True)
class ShownFinding:
    """One failing finding of a side; ``new`` where the other side has none like it."""

    finding: PairFinding
    new: bool


@dataclass(frozen=True, slots=True)
class ShownPair:
    """One case on both sides, with texts and what was found wrong."""

    pair: ListedPair
    texts: Difference
    base_findings: tuple[ShownFinding, ...]
    candidate_findings: tuple[ShownFinding, ...]


def compare(request: Request) -> Response:
    """Show a comparison, and one page of its cases."""
    site = site_of(request)
    with site.snapshot.reading() as connection:
        playbooks = site.memo.get("playbooks", lambda: known_playbooks(connection))
        asked, offered = _read(site, connection, request.query_params, playbooks)
        numbers = _numbers(site, connection, asked)
        found = numbers.counts[asked.kept]
        pages = max(1, -(-found // PER_PAGE))
        page = min(asked.page, pages)
        pairs = list_pairs(
            connection,
            asked.sides(),
            kept=asked.kept,
            limit=PER_PAGE,
            offset=(page - 1) * PER_PAGE,
        )
        shown = _shown(site, connection, pairs)
    return render(
        request,
        "compare.html",
        asked=asked,
        offered=offered,
        playbooks=playbooks,
        numbers=numbers,
        pairs=shown,
        page=page,
        pages=pages,
        first=(page - 1) * PER_PAGE + 1,
        found_count=found,
        kinds=[
            (kept, _KEPT_TITLES[kept], url("/compare", **asked.parameters(show=kept)))
            for kept in _KEPT
        ],
        previous_page=url("/compare", **asked.parameters(page=page - 1)) if page > 1 else None,
        next_page=url("/compare", **asked.parameters(page=page + 1)) if page < pages else None,
    )


def _read(
    site: Site, connection: Connection, query: Mapping[str, str], playbooks: Sequence[str]
) -> tuple[Asked, dict[str, list[str]]]:
    """Read an address; what it leaves out is completed as a gate would complete it."""
    try:
        by = Compared(query.get("by", Compared.SYSTEMS))
    except ValueError:
        by = Compared.SYSTEMS
    playbook = query.get("playbook") or _first(("citation_faithfulness",), playbooks)
    project = site.project
    words = site.memo.get(("words", playbook), lambda: filter_words(connection, playbook))
    offered = {
        "systems": words.get("system", []),
        "judges": words.get("model", []),
        "prompts": words.get("prompt", []),
    }
    judge = query.get("judge") or _first(_production_judges(project.settings), offered["judges"])
    newest = project.newest_prompt(playbook)
    prompt = query.get("prompt") or _first((newest,) if newest else (), offered["prompts"][::-1])
    base, candidate = _default_sides(by, project.settings, offered)
    kept = query.get("show", "all")
    return (
        Asked(
            by=by,
            playbook=playbook,
            base=query.get("base") or base,
            candidate=query.get("candidate") or candidate,
            judge=judge,
            prompt=prompt,
            kept=kept if kept in _KEPT else "all",
            page=max(1, whole_number(query.get("page"), 1)),
        ),
        offered,
    )


def _production_judges(settings: Settings) -> tuple[str, ...]:
    return tuple(m.id for m in settings.judges() if m.stage is Stage.PRODUCTION)


def _default_sides(
    by: Compared, settings: Settings, offered: Mapping[str, Sequence[str]]
) -> tuple[str, str]:
    names = offered[str(by)]
    if by is Compared.SYSTEMS:
        at = {
            stage: tuple(s.label for s in settings.systems_at(stage))
            for stage in (Stage.PRODUCTION, Stage.CANDIDATE)
        }
        base = _first(at[Stage.PRODUCTION], names)
        others = [name for name in names if name != base]
        return base, _first(at[Stage.CANDIDATE], others)
    base = (
        _first(_production_judges(settings), names) if by is Compared.JUDGES else _first((), names)
    )
    return base, _first((), [name for name in names if name != base][::-1])


def _first(wanted: Sequence[str], known: Sequence[str]) -> str:
    """Return the first wanted name that is known, else the first known one."""
    return next((name for name in wanted if name in known), known[0] if known else "")


def _numbers(site: Site, connection: Connection, asked: Asked) -> Numbers:
    """Return the numbers of a comparison, kept as long as the snapshot stands."""
    sides = asked.sides()
    return site.memo.get(("compare", sides, asked.by), lambda: _computed(connection, asked))


def _computed(connection: Connection, asked: Asked) -> Numbers:
    scores = pair_scores(connection, asked.sides())
    both = [(s.base, s.candidate, s) for s in scores if s.base is not None]
    scored = [(base, candidate, s) for base, candidate, s in both if candidate is not None]
    moves = [candidate - base for base, candidate, _ in scored]
    across = asked.by is Compared.SYSTEMS and _across(scores)
    result = None
    if moves and not across:
        result = paired_difference(moves, [s.question_key for _, _, s in scored])
    worse, better = sum(m < 0 for m in moves), sum(m > 0 for m in moves)
    n = len(scored)
    return Numbers(
        result=result,
        detectable=detectable_drop(result) if result else None,
        base_mean=sum(base for base, _, _ in scored) / n if n else None,
        candidate_mean=sum(candidate for _, candidate, _ in scored) / n if n else None,
        counts={
            "all": len(scores),
            "worse": worse,
            "better": better,
            "same": n - worse - better,
            "unscored": len(scores) - n,
        },
        across=across,
        histogram=difference_histogram(moves),
    )


def _across(scores: Sequence[PairScores]) -> bool:
    return len({epoch for s in scores for epoch in (s.base_epoch, s.candidate_epoch)}) > 1


def _shown(site: Site, connection: Connection, pairs: Sequence[ListedPair]) -> list[ShownPair]:
    if not pairs:
        return []
    sides = [side for pair in pairs for side in (pair.base, pair.candidate)]
    evaluations = sorted({side.evaluation_id for side in sides})
    cases = sorted({pair.test_case_id for pair in pairs})
    found: defaultdict[int, list[PairFinding]] = defaultdict(list)
    for finding in failing_of(connection, [side.place for side in sides]):
        found[finding.place].append(finding)
    answers = answers_of(connection, evaluations, cases)
    with site.ledger() as ledger:
        records = {r.case_hash: r for r in ledger.cases({side.case_hash for side in sides})}

    def text(pair: ListedPair, side: SideOfPair) -> str:
        answer = answers.get((side.evaluation_id, pair.test_case_id, side.system))
        return _text(records.get(side.case_hash), answer)

    shown: list[ShownPair] = []
    for pair in pairs:
        before, after = found[pair.base.place], found[pair.candidate.place]
        shown.append(
            ShownPair(
                pair,
                difference(text(pair, pair.base), text(pair, pair.candidate)),
                _findings(before, after),
                _findings(after, before),
            )
        )
    return shown


def _text(record: CaseRecord | None, answer: str | None) -> str:
    subject = read_subject(record, {"answer": answer})
    return subject.text if subject else ""


def _findings(
    mine: Sequence[PairFinding], others: Sequence[PairFinding]
) -> tuple[ShownFinding, ...]:
    known = {(finding.label, finding.text) for finding in others}
    return tuple(
        ShownFinding(finding, (finding.label, finding.text) not in known)
        for finding in mine[:_FINDINGS_SHOWN]
    )


PAGE = PageModule(routes=(Route("/compare", compare),), nav=(NavEntry("/compare", "Compare"),))
