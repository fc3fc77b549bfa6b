"""English stems by the Porter 2 algorithm (M. F. Porter, 2002, as in the Snowball project).

Written out here rather than taken from a package: the stems are part of what a score rests on,
and must not change when a package is updated. Words of other languages lose a plural s or an
ending that looks English at most.
"""

import re
from functools import lru_cache

_VOWELS = "aeiouy"
_REGION = re.compile(r"[aeiouy][^aeiouy]")
_R1_PREFIXES = ("gener", "commun", "arsen", "past", "univers", "later", "emerg", "organ", "inter")
_DOUBLES = ("bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt")
_VALID_LI = "cdeghkmnrt"
_IRREGULAR = {
    "skis": "ski",
    "skies": "sky",
    "idly": "idl",
    "gently": "gentl",
    "ugly": "ugli",
    "early": "earli",
    "only": "onli",
    "singly": "singl",
    "sky": "sky",
    "news": "news",
    "howe": "howe",
    "atlas": "atlas",
    "cosmos": "cosmos",
    "bias": "bias",
    "andes": "andes",
}
_FIXED_AFTER_1A = frozenset(
    {"inning", "outing", "canning", "herring", "earring", "evening", "proceed", "exceed", "succeed"}
)
_STEP_2 = (
    ("ization", "ize"),
    ("ational", "ate"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("iveness", "ive"),
    ("tional", "tion"),
    ("biliti", "ble"),
    ("lessli", "less"),
    ("entli", "ent"),
    ("ation", "ate"),
    ("alism", "al"),
    ("aliti", "al"),
    ("ousli", "ous"),
    ("iviti", "ive"),
    ("fulli", "ful"),
    ("ogist", "og"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("abli", "able"),
    ("izer", "ize"),
    ("ator", "ate"),
    ("alli", "al"),
    ("bli", "ble"),
    ("ogi", "og"),
    ("li", ""),
)
_STEP_3 = (
    ("ational", "ate"),
    ("tional", "tion"),
    ("alize", "al"),
    ("icate", "ic"),
    ("iciti", "ic"),
    ("ative", ""),
    ("ical", "ic"),
    ("ness", ""),
    ("ful", ""),
)
_ENDINGS_2 = tuple(ending for ending, _ in _STEP_2)
_ENDINGS_3 = tuple(ending for ending, _ in _STEP_3)
_STEP_4 = (
    "ement",
    "ance",
    "ence",
    "able",
    "ible",
    "ment",
    "ant",
    "ent",
    "ism",
    "ate",
    "iti",
    "ous",
    "ive",
    "ize",
    "ion",
    "al",
    "er",
    "ic",
)


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """Return the stem of a lower-case word; words of one or two letters are their own."""
    if len(word) <= 2:
        return word
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    word = _consonant_ys(word.removeprefix("'"))
    first, second = _regions(word)
    word = _plural(_possessive(word))
    if word in _FIXED_AFTER_1A:
        return word
    word = _final_y(_past_or_gerund(word, first))
    word = _step_2(word, first)
    word = _step_3(word, first, second)
    word = _step_4(word, second)
    return _final_e_or_l(word, first, second).replace("Y", "y")


def _consonant_ys(word: str) -> str:
    """Write Y for a y that is a consonant: at the start and behind a vowel."""
    if "y" not in word:
        return word
    letters = list(word)
    for i, letter in enumerate(letters):
        if letter == "y" and (i == 0 or letters[i - 1] in _VOWELS):
            letters[i] = "Y"
    return "".join(letters)


def _regions(word: str) -> tuple[int, int]:
    """Return where the regions R1 and R2 of Porter's definition begin."""
    if word.startswith(_R1_PREFIXES):
        first = next(len(p) for p in _R1_PREFIXES if word.startswith(p))
    else:
        found = _REGION.search(word)
        first = found.end() if found else len(word)
    found = _REGION.search(word, first)
    return first, found.end() if found else len(word)


def _possessive(word: str) -> str:
    for ending in ("'s'", "'s", "'"):
        if word.endswith(ending):
            return word[: -len(ending)]
    return word


def _plural(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith(("ied", "ies")):
        return word[:-2] if len(word) > 4 else word[:-1]
    if word.endswith("s") and not word.endswith(("us", "ss")) and _has_vowel(word[:-2]):
        return word[:-1]
    return word


def _past_or_gerund(word: str, first: int) -> str:
    for ending in ("eedly", "eed"):
        if word.endswith(ending):
            inside = len(word) - len(ending) >= first
            return word[: -len(ending)] + "ee" if inside else word
    for ending in ("ingly", "edly", "ing", "ed"):
        if word.endswith(ending):
            left = word[: -len(ending)]
            if ending == "ing" and len(left) == 2 and left[1] == "y" and left[0] not in _VOWELS:
                return left[0] + "ie"
            return _mended(left, first) if _has_vowel(left) else word
    return word


def _mended(left: str, first: int) -> str:
    """Mend what the removal of an ending left: "hop(p)", "fil(e)"."""
    if left.endswith(("at", "bl", "iz")):
        return left + "e"
    if left.endswith(_DOUBLES):
        return left if len(left) == 3 and left[0] in "aeo" else left[:-1]
    if len(left) <= first and _ends_short(left):
        return left + "e"
    return left


def _final_y(word: str) -> str:
    if len(word) > 2 and word[-1] in "yY" and word[-2] not in _VOWELS:
        return word[:-1] + "i"
    return word


def _step_2(word: str, first: int) -> str:
    if not word.endswith(_ENDINGS_2):
        return word
    for ending, instead in _STEP_2:
        if not word.endswith(ending):
            continue
        left = word[: -len(ending)]
        if len(left) < first:
            return word
        if ending == "ogi" and not left.endswith("l"):
            return word
        if ending == "li" and not (left and left[-1] in _VALID_LI):
            return word
        return left + instead
    return word


def _step_3(word: str, first: int, second: int) -> str:
    if not word.endswith(_ENDINGS_3):
        return word
    for ending, instead in _STEP_3:
        if word.endswith(ending):
            left = word[: -len(ending)]
            return left + instead if len(left) >= (second if ending == "ative" else first) else word
    return word


def _step_4(word: str, second: int) -> str:
    if not word.endswith(_STEP_4):
        return word
    for ending in _STEP_4:
        if word.endswith(ending):
            left = word[: -len(ending)]
            if len(left) < second or (ending == "ion" and not left.endswith(("s", "t"))):
                return word
            return left
    return word


def _final_e_or_l(word: str, first: int, second: int) -> str:
    left = word[:-1]
    if word.endswith("e"):
        removed = len(left) >= second or (len(left) >= first and not _ends_short(left))
        return left if removed else word
    if word.endswith("ll") and len(left) >= second:
        return left
    return word


def _has_vowel(text: str) -> bool:
    return any(letter in _VOWELS for letter in text)


def _ends_short(text: str) -> bool:
    """Whether a text ends in a short syllable."""
    if text == "past":
        return True
    if len(text) == 2:
        return text[0] in _VOWELS and text[1] not in _VOWELS
    return (
        len(text) > 2
        and text[-1] not in _VOWELS + "wxY"
        and text[-2] in _VOWELS
        and text[-3] not in _VOWELS
    )
