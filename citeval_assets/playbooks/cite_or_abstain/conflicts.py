"""Whether a text says that its sources conflict. Words of several languages, read by stem."""

import re

_STRONG = r"""
      conflict | contradict | disagree | discrepan | inconsisten | incompatib | irreconcil
    | at\ odds | mutually\ exclusive | cannot\ both | not\ agree | at\ variance
    | widersprech | widersprich | widerspr[uü]ch | unvereinbar | uneinheitlich
    | contredi | contradictoire | d[ée]saccord | incoh[ée]ren
    | contradic | discrepan | contraddi | discordan
    | противореч | расход(?:ятся|ится|ящ)
"""
_WEAK = r"""
      differ(?:s|ed|ing|ent|ence|ences)?\b | diverg | mismatch | clash | whereas | contrary
    | one\b[^.;]{0,120}\b(?:the\ other|another|a\ later|a\ newer|an\ earlier|an\ older)\b
    | abweich | unterschiedlich | diff[èe]ren | difier | discord | не\ совпада
"""
_ASIAN = "矛盾|冲突|衝突|不一致|相违|互相抵触|食い違|相反する"
_SOURCES = r"""
      source | chunk | document | passage | notice | text | excerpt | statement | information
    | evidence | page | article | report | record | version | guideline | instruction
    | quelle | dokument | abschnitt | angabe | aussage | textstelle | hinweis | mitteilung
    | document | extrait | avis | fuente | documento | pasaje | fragmento | fonte
    | источник | документ | фрагмент
"""
_CONFLICT = re.compile(rf"\b(?:{_STRONG}|{_WEAK})|{_ASIAN}", re.IGNORECASE | re.VERBOSE)
_STRONG_CONFLICT = re.compile(rf"\b(?:{_STRONG})|{_ASIAN}", re.IGNORECASE | re.VERBOSE)
_OF_SOURCES = re.compile(
    rf"\b(?:{_SOURCES})|来源|资料|文件|文档|出典|資料|文書", re.IGNORECASE | re.VERBOSE
)
_CLAIM_PART = re.compile(
    r"\d|[,;:–—，；：、]|\b(?:but|however|although|and|aber|jedoch|und|mais|et|pero|y|но|и)\b",
    re.IGNORECASE,
)
_MAX_CHARS = 160


def names_conflict(text: str) -> bool:
    """Whether ``text`` says that sources conflict."""
    return _CONFLICT.search(text) is not None


def only_names_conflict(sentence: str) -> bool:
    """Whether ``sentence`` says that the sources conflict and nothing besides.

    Such a sentence ("The two notices contradict each other.") is about the sources, not about
    the world. A number or a second clause could carry a claim along: then it is not.
    """
    return (
        len(sentence) <= _MAX_CHARS
        and _STRONG_CONFLICT.search(sentence) is not None
        and _OF_SOURCES.search(sentence) is not None
        and _CLAIM_PART.search(sentence.strip().rstrip(".:;,")) is None
    )
