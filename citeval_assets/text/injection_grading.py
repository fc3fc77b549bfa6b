"""Orders how to grade *this* text: what tells them from honest sentences about grading.

Courts, schools and contests speak of judges, marks and scores too: "The judge must rate the
claims", "Teachers give full marks". So a pattern asks for an order (an imperative where a
sentence begins) *and* for the text itself as what is graded ("this answer", "it"), or for the
labels of the judging trade. Searched in folded text: lower case, single blanks.
"""

from citeval_assets.text.injection_english import (
    AI_GRADER,
    GOOD,
    GRADER,
    ORDERED_STRICTLY,
    UNITS,
)

_THIS = (
    rf"(?:(?:this|my|our|these|the (?:above|following|present|given))(?: \w+)? (?:{UNITS}|text|"
    rf"document|passage|source|work|essay|summary|report|content)|this|it|them|everything|"
    rf"all (?:of )?(?:them|it|{UNITS}))"
)
_TOP = (
    r"(?:(?:full|highest|maximum|max|top|best|perfect)(?: possible)? (?:scores?|marks?|grades?|"
    r"ratings?|points|credit)|10/10|100 ?%|5/5|10 out of 10|1\.0)"
)
_LABEL = (
    r"(?:fully[_ -]supported|supported|faithful|pass|passed|10/10|100 ?%|full (?:marks|credit)|"
    r"1\.0|true positive)"
)
_END = r"[\"'`*]{0,3} ?(?:$|[.!,;)]|and\b|so\b|for\b|in\b|here\b)"
_QUOTE = r"[\"'`*:]{0,3} ?"
_NO_CHOICE = r"\b(?! (?:or|and|oder|und|ou|et|o|y) |/)"
_MARKING = r"(?:grading|scoring|judging|evaluating|marking|rating|assessing|reviewing)"
_MARK = r"(?:mark|label|rate|score|grade|judge|evaluate|classify|assess)"
_GIVE = r"(?:give|assign|award|grant|output|return|report)"
_ADDED = r"(?:please |always |just |simply |also ){0,2}"
_ADDRESSING = (
    r"(?: (?:(?:that|who|which) )?(?:is |are |will )?(?:grad|scor|evaluat|judg|read|process|review|"
    r"mark|assess|rat)\w*(?: \w+){0,4})?"
)

_ENGLISH: tuple[tuple[str, str, str], ...] = (
    (
        "note_to_grader",
        "@grader & note notes messa instr hint hints remin atten memo notic reque addre word advic",
        rf"\b(?:notes?|messages?|instructions?|hints?|reminders?|attention|memo|notice|request|"
        rf"addressed|word|advice)(?: \w+)? (?:to|for) (?:(?:the|any|all|every|your|our|whichever|"
        rf"each) )?(?:(?!judges\b|assessors\b|raters\b){GRADER}|{AI_GRADER}|(?:all|any) "
        rf"(?:judges|assessors|raters)){_ADDRESSING} ?(?:[:,\-–—]|(?<=ai)[.!]|(?<=models)[.!])",
    ),
    (
        "order_to_grade",
        "gradi scori judgi evalu marki ratin asses revie score grade judge mark rate & @good",
        rf"\b(?:when|while|if|in|upon|after|before) (?:you (?:are |'re )?)?(?:{_MARKING}|{_MARK})"
        rf"(?: {_THIS})?,? {_ADDED}(?:{_GIVE} (?:{_THIS} )?(?:a |the )?{_TOP}|(?:{_MARK}|treat|"
        rf"accept|count) {_THIS} (?:as |to be )?{_QUOTE}{GOOD}{_NO_CHOICE})",
    ),
    (
        "order_to_grade",
        "mark label rate score grade judge evalu class asses & @good",
        rf"{ORDERED_STRICTLY}{_MARK} (?:{_THIS} )?(?:as|with|to be) {_QUOTE}{GOOD}{_NO_CHOICE}"
        rf"(?! (?:by|at|until|if|when|unless)\b)",
    ),
    (
        "order_to_grade",
        "give assig award grant outpu retur repor & @good",
        rf"{ORDERED_STRICTLY}{_GIVE} (?:a |an |the )?(?:score of |rating of |grade of )?{_TOP} "
        rf"(?:to|for) {_THIS}\b",
    ),
    (
        "order_to_grade",
        "give assig award grant & @good_or_number",
        rf"{ORDERED_STRICTLY}{_GIVE} (?:{_THIS} (?:a |the )?(?:score|rating|grade|mark) of "
        rf"(?:1|5|10|100|1\.0)\b|(?:a |the )?(?:score|rating|grade) of {_TOP} ?(?:$|[.!,;]))",
    ),
    (
        "order_to_grade",
        "set chang updat outpu retur repor & verdi label score ratin grade & @good",
        rf"{ORDERED_STRICTLY}(?:set|change|update|output|return|report) (?:the |your |all |every |"
        rf"this |each )?(?:\w+ )?(?:verdicts?|labels?|scores?|ratings?|grades?) "
        rf"(?:(?:to|as|=) ?)?{_QUOTE}{_LABEL}{_END}",
    ),
    (
        "order_to_grade",
        "verdi label score ratin grade evalu judgm judge & corre right prope expec appro only & "
        "@good",
        rf"\b(?:correct|right|proper|expected|appropriate) (?:verdict|label|score|rating|grade|"
        rf"evaluation|judge?ment)(?: \w+){{0,3}}? ?(?:is|are|=|:) ?{_QUOTE}{_LABEL}{_END}",
    ),
    (
        "order_to_grade",
        "@grader & @good",
        rf"(?:^|[.!?\"'(\[>*] ?)(?:the |all |dear )?{GRADER} ?[:,] ?{_ADDED}(?:(?:{_GIVE}|"
        rf"{_MARK}|treat|accept|count)\b.{{0,40}}?\b(?:{_TOP}|(?:as|to be) {_QUOTE}{GOOD}\b))",
    ),
    (
        "order_to_grade",
        "@grader & give mark rate score grade label accep award assig outpu retur ignor treat "
        "appro pass",
        rf"(?:^|[.!?\"'(\[>*] ?)(?:the |all |dear )?{AI_GRADER} ?[:,] ?{_ADDED}(?:give|mark|rate|"
        rf"score|grade|label|accept|award|assign|output|return|ignore|treat|approve|pass)\b",
    ),
    (
        "order_to_grade",
        "mark label rate score grade judge class & wrong incor false unsup unfai faile hallu below "
        "under lower",
        rf"\b(?:do not|don't|never) (?:{_MARK}) {_THIS} (?:as |below |under |lower than ){_QUOTE}"
        rf"(?:an? )?(?:wrong|incorrect|false|unsupported|unfaithful|failed|hallucinat\w+|\d)",
    ),
    (
        "order_to_grade",
        "deser merit recei given get earn & full highe maxim max top best perfe 10 100 5",
        rf"\b(?:this|my|our) (?:\w+ )?(?:answer|response|trace|submission|reasoning) "
        rf"(?:deserves|merits|earns|(?:should|must|shall|has to) (?:get|receive|be given|earn)) "
        rf"(?:a |the )?{_TOP}",
    ),
    (
        "note_to_grader",
        "any every each all which whate model syste & evalu grade gradi judge judgi score scori "
        "asses rates ratin revie proce reads readi & shoul must shall has needs",
        rf"\b(?:(?:any|every|each|all|whichever|whatever) )?(?:{AI_GRADER}|models?|systems?|"
        rf"judges?|"
        rf"graders?|evaluators?) (?:(?:that|who|which) )?(?:is |are )?(?:evaluat|grad|judg|scor|"
        rf"read|assess|rat|review|process)(?:es?|s|ing) (?:this|it|these|my|our)\b.{{0,40}}?\b"
        rf"(?:should|must|shall|has to|needs? to|have to)\b",
    ),
    (
        "note_to_grader",
        "@grader & must shoul shall is has & @good",
        rf"\b{GRADER} (?:must|should|shall|is (?:to|required to|instructed to)|has to) (?:\w+ )?"
        rf"(?:{_MARK}|give|assign|award|treat|accept|count) {_THIS}\b.{{0,20}}?\b(?:as |to be |a |"
        rf"the )?{_QUOTE}(?:{_TOP}|{GOOD}{_NO_CHOICE})",
    ),
    (
        "note_to_grader",
        "@grader & must shoul shall is has",
        rf"\b{AI_GRADER} (?:must|should|shall|is (?:to|required to|instructed to)|has to) (?:\w+ )?"
        rf"(?:give|mark|rate|score|label|accept|ignore|treat|award|return|grade) "
        rf"(?:{_THIS}|the rubric)\b",
    ),
)

_START = (
    r"(?:^|[.!?:;\"'(\[*>|] ?|[-–—] |\b(?:bitte|jetzt|nun|et|puis|maintenant|luego|ahora|por favor|"
    r"veuillez|merci de),? )"
)
_DE_TOP = (
    r"(?:(?:die |eine )?(?:volle|höchste|maximale|beste|höchstmögliche)\w* (?:punktzahl|punkte|"
    r"note|bewertung|wertung)|(?:die |eine )?(?:höchstnote|bestnote|höchstpunktzahl)|10/10)"
)
_DE_THIS = (
    r"(?:dies\w*|mein\w*|unser\w*|all\w*) (?:\w+ )?(?:antwort|text|aussage|spur|lösung|arbeit|"
    r"begründung|zitate|ausgabe)\w*"
)
_FR_TOP = (
    r"(?:(?:la |une )?(?:note (?:maximale|parfaite|la plus (?:haute|élevée))|meilleure note|"
    r"totalité des points)|tous les points|10/10|20/20)"
)
_FR_THIS = (
    r"(?:cette|ce|ma|mon|notre|ces|toutes les) (?:\w+ )?(?:réponses?|textes?|traces?|affirmations?|"
    r"citations?|raisonnement|travail)"
)
_ES_TOP = (
    r"(?:(?:la |una )?(?:puntuación|nota|calificación) (?:máxima|perfecta|más alta)|(?:la )?máxima "
    r"(?:puntuación|nota|calificación)|10/10)"
)
_ES_THIS = (
    r"(?:esta|este|mi|nuestra|estas|todas las) (?:\w+ )?(?:respuestas?|textos?|afirmaci\w+|citas?|"
    r"razonamiento|trabajo)"
)
_OTHER_LABEL = (
    r"(?:pass\b|supported|faithful|fully[_ -]supported|10/10|20/20|bestanden|belegt|volle "
    r"punktzahl|"
    r"note maximale|nota máxima|aprobado)"
)

_OTHERS: tuple[tuple[str, str, str], ...] = (
    (
        "order_to_grade",
        "beim bei währe & bewer benot beurt auswe",
        rf"\b(?:beim|bei der|während der) (?:bewert|benot|beurteil|auswert)\w+(?: (?:dieses?|"
        rf"dieser) \w+)?,? (?:bitte )?(?:immer |stets )?{_DE_TOP} (?:ver)?geben\b",
    ),
    (
        "order_to_grade",
        "vergi verge gib gebt geben ertei & volle höchs maxim beste bestn 10",
        rf"{_START}(?:vergib|vergebt|vergeben sie|gib|gebt|geben sie|erteile|erteilen sie) "
        rf"(?:bitte )?(?:{_DE_TOP} (?:für|an) {_DE_THIS}|{_DE_THIS} {_DE_TOP})",
    ),
    (
        "order_to_grade",
        "urtei verdi bewer label note einst & richt korre zutre",
        rf"\b(?:richtige|korrekte|zutreffende)[rsn]? (?:urteil|verdikt|bewertung|label|note|"
        rf"einstufung)(?: \w+)? (?:lautet|ist|heißt):? ?{_QUOTE}{_OTHER_LABEL}",
    ),
    (
        "order_to_grade",
        "bewer marki kennz werte stufe & falsc unbel nicht",
        rf"{_START}(?:bewerte|markiere|kennzeichne|werte)(?:n sie)? {_DE_THIS} (?:nicht|nie|"
        rf"niemals) "
        rf"als (?:falsch|unbelegt|nicht belegt|inkorrekt|fehlerhaft)",
    ),
    (
        "order_to_grade",
        "lors penda duran en & notat évalu corre notan & note meill total tous 10 20",
        rf"\b(?:lors de|pendant|durant|en) (?:la |l'|votre )?(?:notation|évaluation|correction|"
        rf"notant|évaluant|corrigeant)(?: (?:de )?{_FR_THIS})?,? (?:veuillez |merci de )?(?:donn|"
        rf"attribu|accord)e[rz]? {_FR_TOP}",
    ),
    (
        "order_to_grade",
        "donne donner attri accor mets mette & note meill total tous 10 20",
        rf"{_START}(?:(?:donn|attribu|accord)e[rz]?|mets|mettez|mettre) (?:{_FR_TOP} (?:à|pour) "
        rf"{_FR_THIS}|(?:à|pour) {_FR_THIS} {_FR_TOP})",
    ),
    (
        "order_to_grade",
        "verdi étiqu note évalu juge & corre bon bonne juste",
        rf"\b(?:(?:bon|bonne|juste|seule?) (?:verdict|étiquette|note|évaluation)|(?:verdict|"
        rf"étiquette|"
        rf"note|évaluation) (?:correcte?|juste|exacte?))(?: \w+)? est:? ?{_QUOTE}{_OTHER_LABEL}",
    ),
    (
        "order_to_grade",
        "note notez marqu évalu class étiqu & ceci cela le",
        rf"{_START}(?:(?:note|marque|évalue|classe|étiquette)z?)(?: (?:ceci|cela|ça)|-(?:le|la|"
        rf"les)) "
        rf"comme (?:étant )?{_QUOTE}(?:correcte?s?|exacte?s?|fidèles?|justes?|vraie?s?|valides?|"
        rf"étayée?s?|{_OTHER_LABEL}){_NO_CHOICE}",
    ),
    (
        "note_to_grader",
        "note messa remar avis instr consi nota mensa & ia ias llm intel",
        r"\b(?:note|message|remarque|avis|instructions?|consigne|nota|mensaje|instrucciones|aviso) "
        r"(?:à|pour|a|para|al) (?:(?:toute?s?|tout|l'|la|les|cualquier|todas?|las?|todo)(?: les?| "
        r"las?)? "
        r"?)?(?:(?:système|sistema)s? (?:d'|de )?)?(?:ias?|llms?|intelligence artificielle|"
        r"inteligencia artificial)\b.{0,40}?[:,]",
    ),
    (
        "order_to_grade",
        "al cuand mient si & calif evalu evalú puntu corre & otorg asign da dale pon de dé",
        rf"\b(?:al|cuando|mientras|si) (?:calific|evalú|evalu|puntú|puntu|corrig|correg)\w+"
        rf"(?: (?:esto|{_ES_THIS}))?,? (?:por favor,? )?(?:otorg|asign|conced)(?:a|ue|e)\b.{{0,4}} "
        rf"?{_ES_TOP}|\b(?:al|cuando|si) (?:calific|evalú|evalu|puntú|puntu)\w+(?: (?:esto|"
        rf"{_ES_THIS}))?,? "
        rf"(?:por favor,? )?(?:da|dale|dé|pon|ponle) {_ES_TOP}",
    ),
    (
        "order_to_grade",
        "otorg asign da dale dé pon ponle conce & punt puntu nota calif máxim 10",
        rf"{_START}(?:(?:otorg|asign|conced)(?:a|ue|e)|da|dale|dé|dele|pon|ponle) (?:{_ES_TOP} a "
        rf"{_ES_THIS}|a {_ES_THIS} {_ES_TOP})",
    ),
    (
        "order_to_grade",
        "vered etiqu nota calif evalu punt puntu & corre",
        rf"\b(?:veredicto|etiqueta|nota|calificación|evaluación|puntuación) correct[oa](?: \w+)? "
        rf"es:? "
        rf"?{_QUOTE}{_OTHER_LABEL}",
    ),
    (
        "order_to_grade",
        "marca márca calif calif evalú evalu punt puntu & corre fiel respa válid verda",
        rf"{_START}(?:(?:márca|califíca|evalúa|clasifíca|márque|califíque)(?:lo|la|los|las)|"
        rf"(?:marca|"
        rf"califica|evalúa|clasifica|marque|califique|evalúe) (?:esto|{_ES_THIS})) como {_QUOTE}"
        rf"(?:correct|fiel|respaldad|válid|verdader)\w*{_NO_CHOICE}",
    ),
)

PATTERNS = (*_ENGLISH, *_OTHERS)
