"""Which passages a case that came without any wants: the ids its text cites."""

import re
from collections.abc import Iterator

from citeval_assets.playbooks.cases import TestCase
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.text.characters import trimmed_nfc
from citeval_assets.text.markers import scan_citations

MAX_WANTED = 2_000
"""Ids one case may ask a store for."""

_BRACKETED = re.compile(r"\[([^\[\]\r\n]{1,500})\]|【([^【】\r\n]{1,500})】|\(#([^()\s]{1,200})\)")
_SEPARATOR = re.compile(r"[,;，；、]")


def wanted_ids(case: TestCase, rules: DomainRules) -> tuple[str, ...]:
    """Return the ids a case cites, in text order, each once.

    Without sources nobody can tell an opaque id such as ``[kb-9]`` from a remark such as
    ``[sic]``: both are asked for, and what the store does not know does no harm.
    """
    text = case.judged_text
    candidates = tuple(dict.fromkeys(_candidates(text)))
    scan = scan_citations(
        text, candidates, styles=rules.citation_styles, pattern=rules.citation_pattern
    )
    cited = (citation.raw_id for citation in scan.citations if citation.raw_id)
    return tuple(dict.fromkeys((*case.listed_ids, *cited)))[:MAX_WANTED]


def _candidates(text: str) -> Iterator[str]:
    """Yield whatever stands where an id may stand, except bare numbers: those are known."""
    for match in _BRACKETED.finditer(text):
        for part in _SEPARATOR.split(next(group for group in match.groups() if group)):
            name = trimmed_nfc(part).removeprefix("^")
            if name and not name.isdecimal():
                yield name
