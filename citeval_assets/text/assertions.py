"""Telling sentences that assert something about the world from those that do not."""

import re

from citeval_assets.text.courtesy_phrases import ABOUT_THE_WORK, CLOSING, GREETING
from citeval_assets.text.courtesy_wishes import ANNOUNCEMENTS, WISHES
from citeval_assets.text.phrasing import plain

_QUESTION = re.compile(r"[?？؟‽]+[\s\"'”’»)\]*_]*$")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s|\s*(?:\*\*|__)[^*_\n]{1,100}(?:\*\*|__)\s*:?\s*$")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_LABEL = re.compile(
    r"(?:(?:final |short |direct |complete )?answer|summary|conclusion|reasoning|explanation|"
    r"analysis|thoughts?|"
    r"overview|introduction|background|key (?:points|takeaways|findings)|sources?|references?|"
    r"evidence|details|notes?|"
    r"steps?|step \d{1,3}|antwort|zusammenfassung|fazit|begründung|quellen|schritt \d{1,3}|"
    r"réponse|résumé|conclusion|"
    r"étape \d{1,3}|respuesta|resumen|conclusión|paso \d{1,3}|in (?:summary|conclusion|short)|to "
    r"(?:summarize|conclude))"
    r"\s*:?"
)
_LEAD_IN = re.compile(
    r"(?:based on|according to|here|the following|as follows|below|these|this|following|in "
    r"summary|to summarize|in short|"
    r"laut|basierend|gemäß|folgende|hier|selon|d'après|voici|según|a continuación|de acuerdo)\b"
)
_EMBEDDED_CLAIM = re.compile(
    r": \w|, (?:which|who|where|because|since|and it|so) |[=≈≤≥<>]|\bbecause\b|\bsince \w+ (?:is|"
    r"are|was)\b"
)
_QUOTED_QUESTION = re.compile(r"[?？][\"'”’»」]+[.\s]*$")
_LINK = re.compile(r"!?\[[^\[\]\n]{0,300}+\]\([^\s()]{0,2000}+\)")
_MARK = re.compile(r"\[[^\[\]\n]{1,80}\]|【[^【】\n]{1,80}】")
_WORDS = re.compile(r"[^\W_]+")


def asserts(sentence: str, question: str | None = None) -> bool:
    """Whether a sentence asserts something that could be true or false of the world.

    False for greetings, thanks and closing phrases; questions; headings and labels; lines that
    only lead in a list; talk about the work itself ("Let me check the sources."); the question
    put once more; code; and a sentence of nothing but marks. A fragment, a number, an
    instruction ("Empty the tank before winter.") asserts.
    """
    if not any(char.isalnum() for char in _LINK.sub("", sentence)):
        return False
    if _FENCE.match(sentence) or _HEADING.match(sentence) or _asks(_bare(sentence)):
        return False
    words = plain(sentence)
    if not any(char.isalnum() for char in words):
        return False
    if any(phrases.fullmatch(words) for phrases in (_LABEL, GREETING, CLOSING, WISHES)):
        return False
    if words.endswith((":", "：")):
        return _colon_line_asserts(sentence, words)
    if ANNOUNCEMENTS.fullmatch(words):
        return False
    if ABOUT_THE_WORK.fullmatch(words):
        return _EMBEDDED_CLAIM.search(words) is not None and not _LABEL.match(words)
    return question is None or not _restates(words, question)


def _asks(sentence: str) -> bool:
    """Whether a sentence is a question, not a statement that ends by quoting one."""
    if _QUOTED_QUESTION.search(sentence) and sentence.lstrip(" *_>-")[:1] not in "\"'“‘„«»「":
        return False
    return _QUESTION.search(sentence) is not None


def _bare(sentence: str) -> str:
    """Return a sentence without the marks behind it."""
    return _MARK.sub("", sentence).rstrip()


def _colon_line_asserts(sentence: str, words: str) -> bool:
    """Whether a line that ends in a colon says more than that a list follows."""
    if _LEAD_IN.match(words) or _announces(words.rstrip(":： ")):
        return False
    if any(char.isdigit() for char in words):
        return len(words.split()) >= 3
    return _MARK.search(sentence) is not None and len(words.split()) >= 6


def _announces(words: str) -> bool:
    return bool(ABOUT_THE_WORK.fullmatch(words) or ANNOUNCEMENTS.fullmatch(words))


def _restates(words: str, question: str) -> bool:
    """Whether a sentence is the question again, word for word in the same order.

    Order matters: "The tower is open on Sundays" answers "Is the tower open on Sundays?".
    """
    asked = _WORDS.findall(question.lower())
    said = _WORDS.findall(words)
    return bool(asked) and said == asked
