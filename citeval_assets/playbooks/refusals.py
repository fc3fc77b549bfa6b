"""Recognise a reply in which a model declines to judge.

Only the opening of a reply that holds no JSON object is looked at. A refusal says that the
model will not do the task; that it could not *find* something is an answer in the wrong form.
"""

import re

_OPENING_CHARS = 600
"""Refusals come first; what follows is explanation."""

_TASK = (
    "help|assist|comply|provide|fulfil+|answer|respond|process|evaluate|judge|grade|rate|"
    "continue|do that|do this|complete|engage|support|participate|discuss"
)
_UNABLE = (
    "can't|cannot|can not|won't|will not|unable to|not able to|am unable to|am not able to|"
    "must decline to|have to decline to"
)

_PATTERNS = (
    # English
    rf"\bi(?:'m| am)?\s+(?:really\s+|afraid\s+i\s+)?(?:{_UNABLE})\s+(?:to\s+)?(?:\w+ly\s+)?"
    rf"(?:{_TASK})\b",
    r"\bi\s+(?:must|have to|need to|will)\s+(?:respectfully\s+)?(?:decline|refuse)\b",
    r"\b(?:against|violates?)\s+(?:my|our|the)\s+(?:\w+\s+)?"
    r"(?:guidelines|polic(?:y|ies)|principles|programming)\b",
    # German
    r"\bich\s+kann\s+(?:\w+\s+){0,5}nicht\s+(?:\w+\s+){0,2}(?:helfen|weiterhelfen|beantworten|"
    r"erfüllen|bearbeiten|bewerten|beurteilen|nachkommen|unterstützen|tun)\b",
    r"\b(?:dabei|damit|hierbei)\s+kann\s+ich\s+(?:\w+\s+){0,3}nicht\s+(?:helfen|weiterhelfen|behilflich)\b",
    r"\bich\s+(?:muss|möchte)\s+(?:\w+\s+){0,3}ablehnen\b",
    # French
    r"\bje\s+ne\s+(?:peux|puis|suis\s+pas\s+en\s+mesure)\s+(?:pas\s+)?(?:de\s+)?(?:vous\s+|t')?"
    r"(?:aider|répondre|évaluer|traiter|fournir|accéder|satisfaire|juger|continuer)\b",
    r"\bje\s+(?:dois|préfère)\s+(?:refuser|décliner)\b",
    # Spanish
    r"\bno\s+puedo\s+(?:ayudar\w*|responder|evaluar|proporcionar|cumplir|procesar|continuar|"
    r"atender|juzgar)\b",
    # Italian
    r"\bnon\s+posso\s+(?:aiutar\w*|rispondere|valutare|fornire|soddisfare|procedere|"
    r"giudicare)\b",
    # Portuguese
    r"\bnão\s+posso\s+(?:ajudar\w*|responder|avaliar|fornecer|atender|continuar|julgar)\b",
    # Dutch
    r"\bik\s+kan\s+(?:\w+\s+){0,3}niet\s+(?:\w+\s+){0,2}(?:helpen|beantwoorden|beoordelen|voldoen)\b",
    # Polish
    r"\bnie\s+mogę\s+(?:\w+\s+){0,2}(?:pomóc|odpowiedzieć|ocenić|spełnić|udzielić)\b",
    # Russian
    r"\bне\s+могу\s+(?:\w+\s+){0,3}(?:помочь|ответить|оценить|выполнить|предоставить|"
    r"продолжить)\b",
    # Chinese
    r"(?:无法|無法|不能|不便)(?:为您|為您|向您)?(?:提供|帮助|幫助|协助|協助|回答|评估|評估|评价|"
    r"處理|处理|满足|完成|继续)",
    # Japanese
    r"(?:お手伝い|お答え|回答|対応|評価|ご協力|お応え)(?:する|いたし|し|こと|は|が)*"
    r"(?:でき(?:ません|ない)|いたしかねます|しかねます|かねます)",
    # Korean
    r"(?:도와\s*드릴|도움을\s*드릴|답변(?:해\s*드릴|드릴|할)|평가할)\s*수\s*(?:가\s*)?없습니다",
)

_REFUSAL = re.compile("|".join(_PATTERNS), re.IGNORECASE)
_APOSTROPHES = str.maketrans({"’": "'", "ʼ": "'", "`": "'", "´": "'"})


def is_refusal(text: str) -> bool:
    """Whether the opening of ``text`` declines the task, in one of twelve languages."""
    opening = text.lstrip()[:_OPENING_CHARS].translate(_APOSTROPHES)
    return _REFUSAL.search(" ".join(opening.split())) is not None
