"""Whole numbers written in words, for the languages most answers come in."""

import re


def _listed(words: str) -> tuple[str, ...]:
    return tuple(words.split())


_EN = _listed(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_EN_TENS = _listed("twenty thirty forty fifty sixty seventy eighty ninety")
_DE = _listed(
    "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn "
    "fünfzehn sechzehn siebzehn achtzehn neunzehn"
)
_DE_TENS = _listed("zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig")
_FR = _listed(
    "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize"
)
_FR_TENS = _listed("vingt trente quarante cinquante soixante")
_ES = _listed(
    "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince"
)
_ES_TENS = _listed("veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa")


def spelled_out(value: float, text: str) -> bool:
    """Whether ``text`` holds ``value`` in words (whole numbers from 0 to 100)."""
    if not value.is_integer() or not 0 <= value <= 100:
        return False
    forms = "|".join(re.escape(form).replace(r"\ ", r"[\s-]") for form in _forms(int(value)))
    return re.search(rf"\b(?:{forms})\b", text, re.IGNORECASE) is not None


def _forms(value: int) -> list[str]:
    if value == 100:
        return ["hundred", "hundert", "cent", "cien", "ciento"]
    forms = [words[value] for words in (_EN, _DE, _FR, _ES) if value < len(words)]
    tens, ones = divmod(value, 10)
    if tens < 2:
        return forms
    if ones == 0:
        every = (_EN_TENS, _DE_TENS, _FR_TENS, _ES_TENS)
        return [*forms, *(words[tens - 2] for words in every if tens - 2 < len(words))]
    stem = "ein" if ones == 1 else _DE[ones]
    forms.append(f"{_EN_TENS[tens - 2]} {_EN[ones]}")
    forms.append(f"{stem}und{_DE_TENS[tens - 2]}")
    forms.append(f"{_ES_TENS[tens - 2]} y {_ES[ones]}")
    if tens - 2 < len(_FR_TENS):
        forms.append(f"{_FR_TENS[tens - 2]} {_FR[ones]}")
    return forms
