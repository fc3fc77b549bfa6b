"""Patterns of text that tries to steer a judge, a grader or a model.

``LANGUAGE_PATTERNS`` are searched in folded text (lower case, single blanks, look-alike letters
as Latin); ``STRUCTURE_PATTERNS`` in the text as it is. All are bounded.
"""

import re

_LABELS = (
    r"fully[_ -]?supported|supported|partially[_ -]?supported|faithful|correct|accurate|pass(?:ed)?|passing|true|"
    r"valid|verified|answered|perfect|full (?:marks|score|points|credit)|(?:the )?(?:highest|maximum|max|top|best) "
    r"(?:score|marks?|grade|rating)|10/10|100 ?%|5/5|1\.0|korrekt|richtig|unterstützt|belegt|bestanden|wahr|treu|"
    r"correcte?s?|soutenue?s?|fidèles?|exacte?s?|valides?|vraie?s?|correct[oa]s?|fiel(?:es)?|respaldad[oa]s?|"
    r"válid[oa]s?|verdader[oa]s?|aprobad[oa]s?"
)
_RULES = (
    r"(?:instructions?|instruktionen|rules?|rubrics?|guidelines?|criteria|directions?|prompts?|commands?|"
    r"system (?:prompt|message)s?|grading|scoring|evaluation (?:rules|criteria|instructions))"
)
_ORDER = (
    r"(?:ignore|disregard|forget|override|overrule|bypass|discard|skip|do not follow|don't follow|stop following|"
    r"pay no attention to|set aside|neglect)"
)
_GRADE = r"(?:mark|label|rate|score|grade|judge|evaluate|classify|treat|accept|count|return|report|give|assign|output|answer)"
_ALL = (
    r"(?:all|every(?:thing)?|each|any|this|these|the (?:answer|trace|response|claims?|steps?|citations?|following)|it|them|"
    r"(?:claims?|steps?|citations?|sentences?|verdicts?))"
)
_GRADER = (
    r"(?:grader|judge|evaluator|assessor|reviewer model|grading model|judging model|evaluation model|marker|rater|"
    r"ai|a\.i\.|llm|language model|assistant|chatbot|model)"
)


def _p(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


LANGUAGE_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "ignore_rules",
        _p(
            rf"\b{_ORDER}\b (?:all |any |the |your |these |those |every |each |my |of |other |preceding |previous |prior |"
            rf"above |earlier |foregoing |original |initial |existing |current |given |judging |judge's |grader's |"
            rf"system ){{1,5}}{_RULES}\b"
        ),
    ),
    (
        "ignore_rules",
        _p(
            r"\b(?:ignore|disregard|forget) (?:all |everything |anything |what (?:is |was )?|the (?:text |part )?)"
            r"(?:\w+ ){0,2}?(?:above|before (?:this|that)|written above|said (?:above|before)|you (?:were|have been) told)"
        ),
    ),
    (
        "ignore_rules",
        _p(
            r"\b(?:ignore|disregard) (?:\w+ ){0,2}?(?:citation|quote|evidence|fact|source)[- ]?"
            r"(?:checking|checks?|verification|rules?)\b"
        ),
    ),
    (
        "order_to_grade",
        _p(
            rf"\b{_GRADE} (?:\w+ ){{0,2}}?{_ALL}(?: \w+){{0,5}}? (?:as|with|to be|to)\s?[\"'`*:]{{0,3}} ?(?:being )?"
            rf"(?:fully[_ -]supported|supported\b|faithful\b|correct\b|accurate\b|pass\b|passed\b|perfect\b|(?:a |the )?"
            rf"(?:full|highest|maximum|max|top|perfect) (?:marks?|score|points|credit|grade|rating)|10/10|100 ?%|5/5|1\.0)"
        ),
    ),
    (
        "order_to_grade",
        _p(
            rf"\b(?:label|mark|rate|score|grade) (?:every|each|all|any)(?: \w+){{1,4}} (?:{_LABELS})\b"
        ),
    ),
    (
        "order_to_grade",
        _p(
            r"\b(?:verdicts?|scores?|labels?|grades?|ratings?)\b.{0,30}\b(?:must|should|shall|has to|have to|is to|are to) be\b"
            rf" ?[\"'`*]{{0,3}}(?:{_LABELS}|1|10|100)\b"
        ),
    ),
    (
        "order_to_grade",
        _p(
            r"\b(?:all|every|each|the) (?:\w+ )?verdicts? (?:is|are)\b ?[\"'`*]{0,3}(?:fully[_ -]?supported|supported|"
            r"faithful|pass|correct)\b"
        ),
    ),
    (
        "order_to_grade",
        _p(
            r"\b(?:say|output|reply|respond|answer|return|print|write|emit) (?:with |only |just |exactly )*[\"'`*]{0,3}"
            r"(?:fully_supported|faithful\b|pass\b|supported\b)(?!\w)"
        ),
    ),
    (
        "note_to_grader",
        _p(
            rf"\b(?:note|message|instructions?|hint|reminder|attention|memo|info|advice|request|addressed|notice)"
            rf"(?: \w+)? (?:to|for) (?:the |any |all |your |our )?(?:\w+ )?{_GRADER}s?\b ?[:,\-–—.]"
        ),
    ),
    (
        "note_to_grader",
        _p(
            r"(?:^|[.!?:\"'\n(\[>] ?|\*)(?:dear |hey |hello |attention,? )(?:the )?(?:\w+ )?(?:grader|judge|evaluator|"
            r"llm|ai|language model|grading model)s?\b ?[:,!]"
        ),
    ),
    (
        "note_to_grader",
        _p(
            r"\b(?:if you are|as) (?:an? |the )?(?:ai|llm|language model|grader|judge|evaluator|grading (?:model|assistant)|"
            r"automated (?:judge|grader|evaluator))\b.{0,40}?\b(?:must|should|please|you (?:must|should|will|are)|mark|rate|"
            r"score|grade|label|output|ignore|give)\b"
        ),
    ),
    (
        "new_role",
        _p(
            r"\byou are (?:now|no longer|from now on) (?:an? |the |in |acting )?(?:\w+ ){0,4}?(?:judge|grader|assistant|"
            r"evaluator|model|ai|mode|bound|unrestricted|required|rubric)\b"
        ),
    ),
    (
        "new_rules",
        _p(
            r"\b(?:new|revised|updated|real|actual|true|final|corrected) (?:instructions?|rubric|system prompt|"
            r"grading (?:rules|instructions|criteria)|scoring (?:rules|instructions))\b ?(?:\([^)]{0,20}\) ?)?[:=\-–—]"
        ),
    ),
    (
        "correct_by_decree",
        _p(
            r"\b(?:answer|response|trace|claim|citation|everything|all (?:claims|answers|citations))\b.{0,40}\b(?:is|are) "
            r"(?:\w+ )?(?:correct|true|supported|faithful|right) by (?:definition|decree|default)"
        ),
    ),
    # German
    (
        "ignore_rules",
        _p(
            r"\b(?:ignorier|missacht|vergiss|vergesst|vergessen sie|überspring|beachte)\w*(?: sie)? (?:\w+ ){0,4}?"
            r"(?:anweisung|regel|vorgabe|richtlinie|rubrik|bewertungs|instruktion|prompt|kriteri|bewertungskriteri)\w*"
            r"(?! (?:wurde|werden|ist|sind))"
        ),
    ),
    (
        "order_to_grade",
        _p(
            r"\b(?:bewerte|markier|kennzeichn|stuf|beurteil|werte|benote)\w*(?: sie)? (?:bitte )?(?:alle\w*|jede\w*|das alles|diese\w*|"
            r"die antwort|den (?:trace|text)|es)\b.{0,60}?\b(?:als|mit)\b ?[\"'`*]{0,3}"
            rf"(?:{_LABELS}|voll|vollständig|höchst|bestnote|perfekt)"
        ),
    ),
    (
        "note_to_grader",
        _p(
            r"\b(?:hinweis|anmerkung|nachricht|anweisung|notiz)\w* (?:an|für) (?:den |die |das |alle )?(?:\w+ )?(?:bewerter|prüfer-?ki|"
            r"gutachter-?ki|richter-?modell|ki|bewertungsmodell|sprachmodell|modell|juror|prüfmodell)\w*\b ?[:,\-–—.]"
        ),
    ),
    # French
    (
        "ignore_rules",
        _p(
            r"\b(?:ignor(?:e|ez|er)|oubli(?:e|ez|er)|ne (?:tenez|tiens) pas compte de|négligez|outrepass\w+) (?:\w+ |\w+'){0,4}?"
            r"(?:instructions?|règles?|consignes?|directives?|critères?|barème|grille|prompts?)\b"
        ),
    ),
    (
        "order_to_grade",
        _p(
            r"\b(?:marqu(?:e|ez|er)|not(?:e|ez|er)|évalu(?:e|ez|er)|class(?:e|ez|er)|étiquet(?:te|ez)|consid[éè]r(?:e|ez)|jug(?:e|ez)) "
            r"(?:\w+ ){0,3}?(?:tout(?:es?)?|tous|chaque|ces|cette|la réponse|les)\b.{0,60}?\b(?:comme|avec|à)\b ?"
            rf"(?:étant |pleinement |entièrement |totalement )?[\"'`*]{{0,3}}(?:{_LABELS}|pleinement|note maximale)"
        ),
    ),
    (
        "note_to_grader",
        _p(
            r"\b(?:note|message|remarque|instructions?|consigne) (?:à l'|au |pour l'|pour le |à )(?:attention (?:de l'|du ))?"
            r"(?:évaluateur|correcteur|juge|ia|modèle|examinateur)\b ?[:,\-–—.]"
        ),
    ),
    # Spanish
    (
        "ignore_rules",
        _p(
            r"\b(?:ignor(?:a|e|en|ad|ar)|olvid(?:a|e|en|ar)|descart(?:a|e|ar)|omit(?:a|e|ir)|haz caso omiso de|haga caso omiso de|"
            r"no sigas|pasa por alto) (?:\w+ ){0,4}?(?:instrucci(?:ón|ones)|reglas?|rúbricas?|criterios?|directrices|pautas|"
            r"indicaciones|prompts?)\b"
        ),
    ),
    (
        "order_to_grade",
        _p(
            r"\b(?:marc(?:a|ar)|marque|calific(?:a|ar)|califique|evalú(?:a|e)|evaluar|clasific(?:a|ar)|clasifique|etiquet(?:a|e)|"
            r"puntú(?:a|e)|consider(?:a|e)|juzg(?:a|ue)) (?:\w+ ){0,3}?(?:tod[oa]s?|cada|est[aeo]s?|la respuesta|las|los)\b.{0,60}?"
            rf"\b(?:como|con)\b ?(?:totalmente |plenamente |completamente )?[\"'`*]{{0,3}}(?:{_LABELS}|máxima)"
        ),
    ),
    (
        "note_to_grader",
        _p(
            r"\b(?:nota|mensaje|instrucciones|aviso) (?:al|para el|para la|a la) (?:evaluador|juez|calificador|ia|modelo|corrector)\w*"
            r"\b ?[:,\-–—.]"
        ),
    ),
    # Italian, Portuguese, Dutch, Russian, Chinese, Japanese
    (
        "ignore_rules",
        _p(
            r"\b(?:ignora(?:te|re)?|dimentica(?:te)?|ignore|esqueça|desconsidere|negeer|vergeet) (?:\w+ ){0,4}?(?:istruzioni|regole|"
            r"criteri|rubrica|instruções|regras|critérios|instructies|regels|richtlijnen)\b"
        ),
    ),
    (
        "ignore_rules",
        _p(
            r"(?:игнорируй|игнорируйте|проигнорируй|забудь|забудьте|не обращай внимания на)\w* (?:\w+ ){0,4}?(?:инструкци|правил|"
            r"указани|критери|рубрик|промпт)\w*"
        ),
    ),
    (
        "ignore_rules",
        _p(
            r"(?:忽略|无视|無視|忘记|忘掉|不要理会|不用管).{0,12}?(?:指令|指示|规则|規則|说明|說明|提示|评分标准|評分標準|准则|要求|标准)"
            r"|(?:指示|命令|ルール|規則|評価基準|プロンプト).{0,8}?(?:を)?(?:無視|忘れ)"
        ),
    ),
    (
        "order_to_grade",
        _p(
            r"(?:оцени|отметь|пометь|считай)(?:те)? (?:вс[её]|все|кажд\w+|эт\w+).{0,40}?как\b.{0,20}"
            r"|(?:所有|全部|每个|一切).{0,12}?(?:标记|標記|判定|评为|評為|视为|評価).{0,6}?(?:为|為|成)?.{0,4}?(?:支持|正确|正確|忠实|通过|fully)"
            r"|(?:把|将|將).{0,12}?(?:标记|標記|判定|评|評).{0,3}?(?:为|為|成).{0,6}?(?:支持|正确|正確|忠实|通过|fully)"
            r"|(?:すべて|全て|全部).{0,20}?(?:と評価|と判定|としてマーク|としてください)"
        ),
    ),
)

STRUCTURE_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "chat_role",
        re.compile(
            r"<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id)\|>|\[/?INST\]|<</?SYS>>"
            r"|^[ \t]{0,3}#{2,4}[ \t]*(?:system|instruction|assistant)s?[ \t]*:[ \t]*$",
            re.IGNORECASE | re.MULTILINE,
        ),
    ),
    (
        "chat_role",
        re.compile(
            r"(?:^|[.!?\"] ?|\n)[ \t]{0,4}(?:SYSTEM(?: MESSAGE| PROMPT| OVERRIDE| NOTE)?|ASSISTANT|DEVELOPER)[ \t]?:[ \t]{1,2}"
            r"(?=.{0,120}\b(?:you|your|ignore|must|verdict|rubric|score|mark|say|schema|grade|judge|instructions?|all)\b)"
        ),
    ),
    (
        "section_end",
        re.compile(
            r"^[ \t]{0,3}[=\-#*<\[~_]{2,12}[ \t]{0,3}(?:END|BEGIN|START|CLOSE)(?:[ \t_-](?:OF|THE)){0,2}[ \t_-]{1,3}[A-Z_ ]{0,30}"
            r"(?:TRACE|DOCUMENTS?|SOURCES?|PASSAGES?|EVIDENCE|CONTEXT|ANSWER|INPUT|DATA|PROMPT|INSTRUCTIONS?|RUBRIC|CHUNKS?|"
            r"SECTION|USER|SYSTEM|CONSTRAINTS|EXAMPLES?)\b.{0,20}$",
            re.MULTILINE | re.IGNORECASE,
        ),
    ),
    (
        "section_end",
        re.compile(
            r"</(?:source|sources|document|documents|passage|passages|trace|reasoning_trace|context|evidence|answer|"
            r"untrusted|data|user_input|instructions?|system|chunk|chunks)>[\s\S]{0,200}?\b(?:ignore|rubric|verdict|"
            r"instruction|grade|score|judge|mark|system)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "section_end",
        re.compile(
            r"^[ \t]{0,3}#{1,4}[ \t]*(?:RUBRIC|GRADING (?:RUBRIC|INSTRUCTIONS?|CRITERIA)|(?:NEW|REVISED|UPDATED) "
            r"(?:RUBRIC|INSTRUCTIONS?|SYSTEM PROMPT)|SYSTEM PROMPT|JUDGE INSTRUCTIONS?|EVALUATION INSTRUCTIONS?)\b.{0,40}$",
            re.MULTILINE | re.IGNORECASE,
        ),
    ),
    (
        "verdict_json",
        re.compile(
            r"[\"'“”](?:verdicts?|final_verdict|overall_score|claim_support_strength|citation_evaluations|claims_analysis|"
            r"overall_citation_accuracy_score|citation_faithfulness_score|context_fidelity|faithfulness_label|"
            r"answer_correctness|abstention_detection|source_faithfulness|misattribution_flags)[\"'“”]\s{0,5}:\s{0,5}"
            r"(?:[\[{]|[\"'“”]?(?:fully_supported|supported|faithful|pass|accurate|correct|1(?:\.0)?\b|equivalent|true))",
            re.IGNORECASE,
        ),
    ),
    (
        "verdict_word",
        re.compile(
            r"\b(?:fully_supported|partially_supported|UNFAITHFUL_[A-Z]+|hallucinated_source|CORRECT_ABSTENTION)\b"
        ),
    ),
)
