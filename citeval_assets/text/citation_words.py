"""The words of citation marks: those that announce an id, and those that say there is none."""

import re
from functools import lru_cache

from citeval_assets.text.characters import word_set

WORD_GROUPS: dict[str, str] = {
    "source": (
        "sources? src quelle quellen fuente fuentes fonte fonti источник источники "
        "出典 来源 來源 情報源 출처"
    ),
    "doc": (
        "docs? documents? dokument dokumente documento documentos documenti документ документы "
        "文档 文件 文書 문서"
    ),
    "ref": (
        "refs? references? réf réfs référence références referencia referencias riferimento "
        "referenz referenzen 参考 参考文献 文献 資料 资料"
    ),
    "id": "ids?",
    "citation": "cit cites? citations? cita citas beleg belege",
    "passage": "passages? passagen? pasaje abschnitt absatz",
    "chunk": "chunks?",
    "context": "contexts? kontext contexte contexto",
    "snippet": "snippets?",
    "excerpt": "excerpts? auszug extrait",
    "evidence": "evidence",
    "footnote": "footnotes? fn fußnote fussnote",
}
"""Words that announce an id, by the name under which they are compared."""

WORD_PATTERN = "|".join(
    sorted((form for forms in WORD_GROUPS.values() for form in forms.split()), key=len)[::-1]
)
_CANONICAL = {
    name: re.compile("|".join(forms.split()), re.IGNORECASE) for name, forms in WORD_GROUPS.items()
}
_WITHOUT_ID = re.compile(
    "|".join(
        form
        for name in ("source", "doc", "ref", "id", "citation", "passage", "chunk", "footnote")
        for form in WORD_GROUPS[name].split()
    ),
    re.IGNORECASE,
)
"""The words that are a citation attempt even when no id follows; "[context]" may be prose."""

NULL_WORDS = word_set(
    "null none nil undefined nan n/a #n/a #ref! keine aucune ninguna ninguno нет 无"
)
_FILLERS = NULL_WORDS | word_set(
    """needed required missing here unknown unavailable not found available given provided no nr
    number name title url link insert add your todo tbd pending x xx xxx n nn i j k y z
    invalid error lost nötig erforderlich fehlt fehlend unbekannt nécessaire requise manquante
    manquant inconnue requerida necesaria falta desconocida нужен нужна отсутствует необходима
    需要 缺失 要出典"""
)
_TOKENS = re.compile(r"[\s_:#.,=<>{}()*?!\-]+")


@lru_cache(maxsize=4096)
def canonical_word(word: str) -> str:
    """Return the name under which a citation word is compared ("Documents" gives "doc")."""
    for name, pattern in _CANONICAL.items():
        if pattern.fullmatch(word):
            return name
    return word.casefold()


def is_null_word(content: str) -> bool:
    """Whether a program wrote its word for nothing where an id belongs."""
    return content.casefold() in NULL_WORDS


def is_empty_citation(content: str) -> bool:
    """Whether only citation words and words of absence stand here: "citation needed"."""
    if len(content) > 60:
        return False
    tokens = [token for token in _TOKENS.split(content.casefold()) if token]
    words = [token for token in tokens if _WITHOUT_ID.fullmatch(token)]
    return bool(words) and all(
        token in _FILLERS or _WITHOUT_ID.fullmatch(token) for token in tokens
    )
