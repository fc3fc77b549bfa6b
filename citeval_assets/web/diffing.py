"""Two texts word by word: what one says and the other does not."""

import re
from dataclasses import dataclass
from difflib import SequenceMatcher

_TOKEN = re.compile(r"\s+|\w+|[^\w\s]")
_WORD = re.compile(r"\w")
_MOST_TOKENS = 1_200
"""Words and signs of a text that is compared; comparing takes time by their product."""

_LONGEST = 6_000
"""Characters of a text that is shown side by side."""


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of one text; ``changed`` says that the other text has it not."""

    text: str
    changed: bool


@dataclass(frozen=True, slots=True)
class Difference:
    """Both texts in parts. ``compared`` is false where they are too long for it."""

    before: tuple[Part, ...]
    after: tuple[Part, ...]
    compared: bool
    same: bool


def difference(before: str, after: str) -> Difference:
    """Compare two texts by words. Long ones are cut, very long ones shown unmarked."""
    if before == after:
        part = (Part(_shortened(before), False),) if before else ()
        return Difference(part, part, compared=True, same=True)
    one, two = _TOKEN.findall(before), _TOKEN.findall(after)
    if len(one) > _MOST_TOKENS or len(two) > _MOST_TOKENS:
        return Difference(
            (Part(_shortened(before), False),),
            (Part(_shortened(after), False),),
            compared=False,
            same=False,
        )
    left: list[Part] = []
    right: list[Part] = []
    matcher = SequenceMatcher(None, one, two, autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        _add(left, "".join(one[a:b]), tag != "equal")
        _add(right, "".join(two[c:d]), tag != "equal")
    return Difference(tuple(left), tuple(right), compared=True, same=False)


def _add(parts: list[Part], text: str, changed: bool) -> None:
    """Add a part; what stands between two changed words and is no word goes with them."""
    if not text:
        return
    if changed and len(parts) > 1 and parts[-2].changed and not _WORD.search(parts[-1].text):
        before, between = parts[-2], parts[-1]
        parts[-2:] = [Part(before.text + between.text + text, changed=True)]
    elif parts and parts[-1].changed == changed:
        parts[-1] = Part(parts[-1].text + text, changed)
    else:
        parts.append(Part(text, changed))


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST] + " …"
