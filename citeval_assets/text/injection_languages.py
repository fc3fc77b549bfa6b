"""The same attempts in other languages. Searched in folded text: lower case, single blanks."""

_START = (
    r"(?:^|[.!?:;\"'(\[*>|] ?|[-–—] |\b(?:bitte|und|jetzt|nun|please|et|puis|maintenant|y|e|luego|"
    r"ahora|por favor|veuillez),? )"
)
_GOOD = (
    r"(?:fully[_ -]?supported|supported|faithful|korrekt|richtig|(?:voll(?:ständig)? |"
    r"vollkommen )?(?:unterstützt|belegt|gestützt)|"
    r"bestanden|wahr|treu|perfekt|bestnote|volle[rn]? punktzahl|höchst\w*|"
    r"(?:pleinement |entièrement |totalement )?(?:correcte?s?|soutenue?s?|étayée?s?|fidèles?|"
    r"exacte?s?|valides?|vraie?s?|"
    r"justes?)|note maximale|(?:totalmente |plenamente |completamente )?(?:correct[oa]s?|"
    r"fiel(?:es)?|respaldad[oa]s?|"
    r"válid[oa]s?|verdader[oa]s?|aprobad[oa]s?|sustentad[oa]s?)|(?:nota|puntuación) máxima|"
    r"corrett[oaie]|"
    r"supportat[oaie]|верн\w+|правильн\w+|подтвержд\w+)"
)

PATTERNS: tuple[tuple[str, str, str], ...] = (
    # German
    (
        "ignore_rules",
        "ignor missa vergi verge übers beach & anwei regel vorga richt instr promp krite",
        r"\b(?:ignorier|missacht|vergiss|vergess|überspring|beacht)\w*(?: sie)? "
        r"(?:\w+ ){0,3}?(?:bisherig|vorherig|obig|vorangegangen|vorangehend|früher|ursprünglich|"
        r"vorstehend)\w* (?:anweisung|regel|vorgabe|richtlinie|instruktion|prompt|kriteri)\w*",
    ),
    (
        "ignore_rules",
        "ignor missa vergi verge umgeh & anwei regel vorga richt instr promp krite rubri bewer",
        rf"{_START}(?:ignorier(?:e|t|en sie)|missacht(?:e|et|en sie)|vergiss|vergesst|vergessen "
        rf"sie|umgeh(?:e|t|en sie)) (?:bitte )?(?:\w+ ){{0,2}}?(?:anweisung|regel|vorgabe|"
        rf"richtlinie|instruktion|prompt|kriteri|rubrik|bewertungs)\w*",
    ),
    (
        "ignore_rules",
        "ignor missa vergi umgeh & rubri bewer syste",
        r"\b(?:ignorier|missacht|vergiss|umgeh)\w*(?: sie)? (?:\w+ ){0,3}?(?:rubrik|"
        r"bewertungs(?:regel|kriteri|schema|anweisung|vorgabe)|systemprompt)\w*",
    ),
    (
        "order_to_grade",
        "bewer marki kennz beurt werte werten benot stufe stufen & als mit",
        rf"(?:{_START}(?:bewerte|markiere|kennzeichne|beurteile|werte|benote|stufe)|\b(?:bewerten|"
        rf"markieren|kennzeichnen|beurteilen|werten|benoten|stufen) sie) (?:bitte )?(?:alle\w*|"
        rf"jede\w*|das alles|das|dies\w*|die antwort\w*|den (?:trace|text)|es)\b.{{0,60}}?\b(?:als|"
        rf"mit)\b ?[\"'`*]{{0,3}}{_GOOD}\b"
        r"(?! (?:ou|oder|o|и|или) )",
    ),
    (
        "note_to_grader",
        "hinwe anmer nachr anwei notiz achtu & an für",
        r"\b(?:hinweis|anmerkung|nachricht|anweisung|notiz|achtung)\w* (?:an|für) (?:den |die |"
        r"das |alle )?(?:\w+ )?(?:bewerter|gutachter-?ki|richter-?modell|ki|bewertungsmodell|"
        r"sprachmodell|prüfmodell|prüf-?ki|bewertungs-?ki)\w*\b ?[:,\-–—.]",
    ),
    # French
    (
        "ignore_rules",
        "ignor oubli ne négli outre & instr règle consi direc critè promp",
        r"\b(?:ignor(?:e|ez|er)|oubli(?:e|ez|er)|ne (?:tenez|tiens) pas compte des?|négligez?|"
        r"outrepass\w+) (?:\w+ |\w+'){0,3}?(?:instructions?|règles?|consignes?|directives?|"
        r"critères?|prompts?) (?:\w+ )?(?:précédent\w*|ci-dessus|antérieur\w*|préalables?|"
        r"d'évaluation|de notation)",
    ),
    (
        "ignore_rules",
        "ignor oubli ne & instr règle consi direc critè barèm grill",
        rf"{_START}(?:ignor(?:e|ez)|oubli(?:e|ez)|ne (?:tenez|tiens) pas compte des?) (?:les |"
        rf"toutes? |tous |vos |tes |ces |des |la |le ){{0,3}}(?:instructions?|règles?|consignes?|"
        rf"directives?|critères?|barème|grille)\b ?(?:$|[.!,;:]|et\b)",
    ),
    (
        "order_to_grade",
        "marqu note notez évalu class étiqu consi juge jugez & comme avec à",
        rf"(?:{_START}(?:marque|note|évalue|classe|étiquette|considère|juge)|\b(?:marquez|notez|"
        rf"évaluez|classez|étiquetez|considérez|jugez)) (?:\w+ ){{0,2}}?(?:tout(?:es?)?|tous|"
        rf"chaque|ces|cette|la réponse|les)\b.{{0,60}}?\b(?:comme|avec|à)"
        rf"\b ?(?:étant )?[\"'`*]{{0,3}}{_GOOD}\b"
        r"(?! (?:ou|oder|o|и|или) )",
    ),
    (
        "note_to_grader",
        "note messa remar instr consi & évalu corre juge ia modèl exami",
        r"\b(?:note|message|remarque|instructions?|consigne) (?:à l'|au |pour l'|pour le |à )"
        r"(?:attention (?:de l'|du ))?(?:évaluateur|correcteur|juge|ia|modèle|examinateur)"
        r"\b ?[:,\-–—.]",
    ),
    # Spanish
    (
        "ignore_rules",
        "ignor olvid desca haz haga no pasa & instr regla crite direc pauta indic promp",
        r"\b(?:ignor(?:a|e|en|ad|ar)|olvid(?:a|e|en|ar)|descart(?:a|e|ar)|haz caso omiso de|haga "
        r"caso omiso de|no sigas|pasa por alto) (?:\w+ ){0,3}?(?:instrucci(?:ón|ones)|reglas?|"
        r"criterios?|directrices|pautas|indicaciones|prompts?) (?:\w+ )?(?:anterior(?:es)?|"
        r"previ[oa]s?|de arriba|de evaluación|de calificación)",
    ),
    (
        "ignore_rules",
        "ignor olvid haz haga & instr regla rúbri crite direc pauta",
        rf"{_START}(?:ignor(?:a|e|en|ad)|olvid(?:a|e|en)|haz caso omiso de|haga caso omiso de) "
        rf"(?:las |los |la |el |todas |todos |tus |sus |estas |toda ){{0,3}}(?:instrucciones|"
        rf"reglas|rúbrica|criterios|directrices|pautas)\b ?(?:$|[.!,;:]|y\b)",
    ),
    (
        "order_to_grade",
        "marca marqu calif evalú evalu clasi etiqu puntú consi juzga juzgu & como con",
        rf"{_START}(?:marc(?:a|ar)|marque|calific(?:a|ar)|califique|evalú(?:a|e)|evaluar|"
        rf"clasific(?:a|ar)|clasifique|etiquet(?:a|e)|puntú(?:a|e)|consider(?:a|e)|juzg(?:a|ue)) "
        rf"(?:\w+ ){{0,2}}?(?:tod[oa]s?|cada|est[aeo]s?|la respuesta|las|los)"
        rf"\b.{{0,60}}?\b(?:como|con)\b ?[\"'`*]{{0,3}}{_GOOD}\b"
        r"(?! (?:ou|oder|o|и|или) )",
    ),
    (
        "note_to_grader",
        "nota mensa instr aviso & evalu juez calif ia model corre",
        r"\b(?:nota|mensaje|instrucciones|aviso) (?:al|para el|para la|a la) (?:evaluador|juez|"
        r"calificador|ia|modelo|corrector)\w*\b ?[:,\-–—.]",
    ),
    # Italian, Portuguese, Dutch
    (
        "ignore_rules",
        "ignor dimen esque desco negee verge & istru regol crite rubri instr regra crité regel "
        "richt",
        r"\b(?:ignora(?:te|re)?|dimentica(?:te)?|ignore|esqueça|desconsidere|negeer|vergeet) "
        r"(?:\w+ ){0,3}?(?:istruzioni|regole|criteri|rubrica|instruções|regras|critérios|"
        r"instructies|regels|richtlijnen)\b(?: (?:precedenti|anteriores|acima|hierboven|di "
        r"valutazione)|$| ?[.!,;:]| e\b| en\b)",
    ),
    ("ignore_rules", "negee", r"\bnegeer (?:alle )?(?:vorige|eerdere|bovenstaande) \w+"),
    # Russian
    (
        "ignore_rules",
        "игнор проиг забуд не & инстр прави указа крите рубри промп",
        r"(?:игнорируй|игнорируйте|проигнорируй|забудь|забудьте|не обращай внимания на)\w* "
        r"(?:\w+ ){0,4}?(?:инструкци|правил|указани|критери|рубрик|промпт)\w*",
    ),
    (
        "order_to_grade",
        "оцени отмет помет счита & как",
        rf"\b(?:оцени|отметь|пометь|считай)(?:те)? (?:вс[её]|кажд\w+|эт\w+)"
        rf".{{0,40}}?\bкак\b.{{0,12}}?{_GOOD}\b"
        r"(?! (?:ou|oder|o|и|или) )",
    ),
    # Chinese, Japanese
    (
        "ignore_rules",
        "@cjk",
        r"(?:忽略|无视|無視|忘记|忘掉|不要理会|不用管).{0,12}?(?:指令|指示|规则|規則|说明|說明|提示|评分标准|評分標準|准则|要求|标准)|(?:指示|命令|"
        r"ルール|規則|評価基準|プロンプト).{0,8}?(?:を)?(?:無視|忘れ)",
    ),
    (
        "order_to_grade",
        "@cjk",
        r"(?:所有|全部|每个|一切|把|将|將).{0,12}?(?:标记|標記|判定|评|評|视|視).{0,3}?(?:为|為|成).{0,6}?(?:支持|正确|正確|忠实|"
        r"通过|fully)|(?:すべて|全て|全部).{0,20}?(?:正しい|支持|忠実).{0,4}?(?:と評価|と判定|とマーク|として)",
    ),
)
