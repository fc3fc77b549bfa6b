"""Whether a text is English: the words, weights and lists of this judge know no other language."""

import re
from collections.abc import Iterator

from citeval_assets.embedded.lexical.vocabulary import STOP_WORDS, listed

_READ = 4_000
"""Characters that are looked at: languages do not change in the middle of most texts."""

_ENOUGH_WORDS = 6
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"[^\W\d_]+")
_FOREIGN = (
    listed(
        """
        der die das und ist nicht ein eine einer den dem des mit für auf von zu im sich
        werden wird bei nach auch aus sind oder wie aber durch le la les des du une est et
        dans pour que qui sur pas par au aux avec ce cette ses sont el los las del una es en
        por con para que se su al lo como más il di che per non della sono nel dei alla con
        o os um uma do da no na em não ao het een van en niet op te dat zijn voor met och
        att det som på är
        """
    )
    - STOP_WORDS
)


def reads_as_english(text: str) -> bool:
    """Whether a text is, as far as can be told, English. Very short texts count as English."""
    read = text[:_READ]
    letters = _LETTER.findall(read)
    if sum(1 for letter in letters if letter > "ɏ") * 5 > len(letters):
        return False
    words = list(_words(read))
    if len(words) < _ENOUGH_WORDS:
        return not any(not word.isascii() for word in words) or _foreign(words) == 0
    return _foreign(words) <= sum(word in STOP_WORDS for word in words)


def _words(text: str) -> Iterator[str]:
    return (match.group().lower() for match in _WORD.finditer(text))


def _foreign(words: list[str]) -> int:
    return sum(word in _FOREIGN for word in words)
