"""The patterns of the injection screen, compiled.

``LANGUAGE_PATTERNS`` are searched in folded text (lower case, single blanks, look-alike letters
as Latin), ``STRUCTURE_PATTERNS`` in the text as it is. Most texts hold none of the words a
pattern needs: each pattern names the beginnings (five letters) of its words, and is searched
only where each group of them (parted by ``&``) has one in the text.
"""

import re
from dataclasses import dataclass

from citeval_assets.text import injection_english, injection_languages, injection_structure
from citeval_assets.text.characters import UNSPACED, word_set

_NAMED_GROUPS = {
    "@good": word_set(
        "suppo faith fully corre accur pass passe passi true valid verif perfe right full highe "
        "maxim max top best 10 100 5 1"
    ),
    "@grader": word_set(
        "grade judge evalu asses rater llm llms langu ai a chatb gradi judgi scori revie autom"
    ),
    "@cjk": word_set("<cjk>"),
}
_WORDS = re.compile(r"[^\W_]+")
_STEM = 5


@dataclass(frozen=True)
class ScreenPattern:
    """One pattern of the screen: its kind, and the word beginnings it needs, group by group."""

    kind: str
    needs: tuple[frozenset[str], ...]
    pattern: "re.Pattern[str]"

    def may_match(self, stems: frozenset[str]) -> bool:
        """Whether a text with words of these beginnings could match."""
        return all(not group.isdisjoint(stems) for group in self.needs)


def stems_of(folded: str) -> frozenset[str]:
    """Return the beginnings of the words of a folded text."""
    stems = {word[:_STEM] for word in _WORDS.findall(folded)}
    if not folded.isascii() and UNSPACED.search(folded):
        stems.add("<cjk>")
    return frozenset(stems)


def _compiled(kind: str, needs: str, pattern: str) -> ScreenPattern:
    groups = [group.strip() for group in needs.split("&") if group.strip()]
    return ScreenPattern(
        kind,
        tuple(_NAMED_GROUPS.get(group) or word_set(group) for group in groups),
        re.compile(pattern),
    )


LANGUAGE_PATTERNS = tuple(
    _compiled(*one) for one in (*injection_english.PATTERNS, *injection_languages.PATTERNS)
)
STRUCTURE_PATTERNS = tuple(
    (kind, re.compile(pattern)) for kind, pattern in injection_structure.PATTERNS
)
