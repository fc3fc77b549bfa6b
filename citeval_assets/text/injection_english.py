"""English text that tries to steer a judge. Searched in folded text: lower case, single blanks.

Ordinary prose speaks of ignoring rules and of correct answers too; so a pattern asks for an
order (a verb where a sentence or clause begins), for words of the judging trade, or for a word
that points at what the reader was told before.
"""

ORDERED = (
    r"(?:^|[.!?:;\"'(\[*>|] ?|[-–—] |\b(?:please|now|must|should|shall|simply|just|then|kindly|"
    r"will|to|"
    r"and|judge|grader|evaluator|model|llm|ai),? )"
)
"""Where an imperative may stand."""

ORDERED_STRICTLY = (
    r"(?:^|[.!?:;\"'(\[*>|] ?|[-–—] |\b(?:please|you must|you should|now|simply|just),? )"
)
_IGNORE = (
    r"(?:ignore|disregard|forget|override|overrule|bypass|discard|do not follow|don't follow|"
    r"stop following|pay no attention to|set aside|neglect|do not apply|don't apply)"
)
_DETERMINERS = (
    r"(?:(?:all|any|the|your|these|those|every|each|my|of|other|its|this|that|whole|entire) ){0,4}"
)
_BEFORE = (
    r"(?:previous|prior|preceding|above|earlier|foregoing|original|initial|existing|aforementioned|"
    r"system|hidden|built-in)"
)
_TRADE = r"(?:grading|scoring|evaluation|judging|marking|judge's|grader's|evaluator's)"
_RULES = (
    r"(?:instructions?|rules?|guidelines?|criteria|commands?|prompts?|constraints?|schemes?|"
    r"schema|guidance)"
)
UNITS = (
    r"(?:answers?|responses?|traces?|claims?|steps?|citations?|verdicts?|sentences?|submissions?|"
    r"statements?|quotes?|reasoning|evaluations?|outputs?)"
)
_OBJECT = (
    rf"(?:everything|it all|them all|(?:all|every|each|any|this|these|the|both|my|our) "
    rf"(?:\w+ ){{0,3}}?{UNITS}|"
    rf"(?:the|all) following(?: {UNITS})?|(?:all|every|each|any)(?: of (?:them|"
    rf"the {UNITS}))?|{UNITS})"
)
GOOD = (
    r"(?:fully[_ -]?supported|supported|faithful|correct|accurate|pass(?:ed|ing)?|true|valid|"
    r"verified|perfect|right|"
    r"(?:a |the )?(?:full|highest|maximum|max|top|best|perfect) (?:score|marks?|grade|rating|"
    r"points|credit)|"
    r"10/10|10 out of 10|100 ?%|5/5|1\.0)"
)
_GRADE = (
    r"(?:mark|label|rate|score|grade|judge|evaluate|classify|treat|accept|count|consider|report|"
    r"regard|assess|deem)"
)
GRADER = (
    r"(?:graders?|judges?|evaluators?|assessors?|raters?|llms?|language models?|ai|a\.i\.|"
    r"chatbots?|"
    r"(?:grading|judging|evaluation|evaluating|scoring|reviewing|ai|automated) (?:models?|"
    r"systems?|assistants?|agents?|judges?|"
    r"graders?|evaluators?|ai))"
)
_AI_JUDGE = (
    r"(?:ai|a\.i\.|llm|language model|(?:automated|ai|llm|grading|judging|evaluation)[ -](?:model|"
    r"system|judge|grader|"
    r"assistant|evaluator|agent))"
)
AI_GRADER = (
    r"(?:llms?|language models?|ai|a\.i\.|chatbots?|(?:grading|judging|evaluation|evaluating|"
    r"scoring|reviewing|ai|llm|automated) (?:models?|systems?|assistants?|agents?|judges?|graders?|"
    r"evaluators?|ai))"
)
"""Graders that can be no people: a judge may be one of a court, an evaluator one of a grant."""

_QUOTE = r"[\"'`*:]{0,3} ?"

PATTERNS: tuple[tuple[str, str, str], ...] = (
    (
        "ignore_rules",
        "ignor disre forge overr bypas disca follo stop pay set negle apply & rubri syste gradi "
        "scori evalu judgi marki judge grade",
        rf"\b{_IGNORE} {_DETERMINERS}(?:\w+ )?(?:rubrics?|system prompts?|{_TRADE} {_RULES})\b",
    ),
    (
        "ignore_rules",
        "ignor disre forge overr bypas disca follo stop pay set negle apply & previ prior prece "
        "above earli foreg origi initi exist afore syste hidde built",
        rf"\b{_IGNORE} {_DETERMINERS}{_BEFORE}(?: \w+)? {_RULES}\b",
    ),
    (
        "ignore_rules",
        "ignor disre forge overr bypas disca follo stop pay set negle apply & above befor given "
        "you",
        rf"\b{_IGNORE} {_DETERMINERS}{_RULES} (?:above|before this|given (?:above|earlier|to you)|"
        rf"you (?:were|have been) given)\b",
    ),
    (
        "ignore_rules",
        "ignor disre forge overr bypas disca follo stop pay set negle apply & instr rules rule "
        "guide crite comma promp const schem",
        rf"{ORDERED_STRICTLY}{_IGNORE} (?:all|any|your|these|the) (?:of )?(?:your |the |"
        rf"these )?{_RULES} ?(?:$|[.!,;:]|and (?:\w+ )?(?:mark|rate|score|grade|label|judge|say|"
        rf"output|give|return|accept|treat|do|instead|reply|respond|write)\b|instead\b)",
    ),
    (
        "ignore_rules",
        "ignor disre forge overr bypas disca follo stop pay set negle apply & above befor told "
        "said previ",
        rf"\b{_IGNORE} (?:everything|all|anything|whatever|what)(?: (?:that|which))? (?:is |was |"
        rf"has been |were |you (?:were|have been|are) )?(?:above|before (?:this|that)|written "
        rf"above|said (?:above|before)|told(?: before| above| so far)?|said so far|previously "
        rf"(?:said|told|written))\b",
    ),
    (
        "ignore_rules",
        "ignor disre skip omit bypas disab suspe turn & citat quote evide sourc fact verif groun "
        "faith",
        r"\b(?:ignore|disregard|skip|omit|bypass|disable|suspend|turn off) (?:the |all |any |"
        r"your |further )?(?:citation|quote|evidence|source|fact|verification|grounding|"
        r"faithfulness)[- ]?(?:check(?:s|ing)?|verification|rules?|validation|matching|step)\b",
    ),
    (
        "ignore_rules",
        "i & g & r & e",
        r"\bi[ .\-_*]g[ .\-_*]n[ .\-_*]o[ .\-_*]r[ .\-_*]e\b|"
        r"\bd[ .\-_*]i[ .\-_*]s[ .\-_*]r[ .\-_*]e[ .\-_*]g[ .\-_*]a[ .\-_*]r[ .\-_*]d\b",
    ),
    (
        "ignore_rules",
        "bound your & rubri rules rule instr guide task job role",
        r"\byou are (?:no longer|not) bound by (?:the |any |your )?(?:rubric|rules?|instructions?|"
        r"guidelines?)\b|\byour (?:task|job|role|instructions?) (?:has|have) (?:now )?changed\b",
    ),
    (
        "order_to_grade",
        "mark label rate score grade judge evalu class treat accep count consi repor regar asses "
        "deem & @good",
        rf"{ORDERED}{_GRADE} {_OBJECT}(?: (?:in|of|from|below|above|here|that) "
        rf"(?:\w+ ){{0,5}}?\w+)? (?:as|with|to be|to|at)? ?{_QUOTE}(?:being )?{GOOD}\b"
        rf"(?! (?:or|and) (?:false|wrong|incorrect|not|un\w+)\b)",
    ),
    (
        "order_to_grade",
        "fully faith",
        rf"\b{_GRADE} {_OBJECT} (?:as |with |to be )?{_QUOTE}(?:fully_supported|faithful\b)",
    ),
    (
        "order_to_grade",
        "give assig award grant & full highe maxim max top best perfe 10 100 5",
        rf"(?:{ORDERED}(?:give|assign|award|grant) (?:this|my|our|these|it|them)|{ORDERED_STRICTLY}"
        rf"(?:give|assign|award|grant) (?:the|every|each|all)(?: of)?(?: the)?(?: \w+)? {UNITS})"
        rf"(?: \w+)?(?: {UNITS})? (?:a |an |the )?(?:(?:full|highest|maximum|max|top|best|perfect)"
        rf"(?: possible)? (?:scores?|marks?|grades?|ratings?|points|credit|verdict)|10/10|100 ?%|"
        rf"5/5)",
    ),
    (
        "order_to_grade",
        "verdi verdic score scores label labels grade grades ratin final evalu & @good",
        rf"\b(?:verdicts?|scores?|labels?|grades?|ratings?|final answer|evaluation result)\b(?: "
        rf"\w+){{0,4}}? (?:must|should|shall|has to|have to|is to|are to|will) (?:always )?be "
        rf"(?:set to |reported as )?{_QUOTE}{GOOD}\b",
    ),
    (
        "order_to_grade",
        "verdi label & fully suppo faith pass",
        rf"\b(?:all|every|each|the) (?:\w+ )?(?:verdicts?|labels?) (?:is|are)"
        rf" ?{_QUOTE}(?:fully[_ -]?supported|faithful|supported|pass)\b(?! (?:by|with|in|on)\b)",
    ),
    (
        "order_to_grade",
        "all every each any & @good",
        rf"\b(?:all|every|each|any) (?:\w+ )?{UNITS}(?: \w+){{0,4}}? (?:are|is|should|must|shall|"
        rf"has|have|will)(?: now)? (?:to )?(?:be )?(?:considered|treated|regarded|counted|"
        rf"accepted|marked|labell?ed|rated|scored|graded|judged) (?:as |to be )?{_QUOTE}{GOOD}\b",
    ),
    (
        "order_to_grade",
        "say outpu reply respo answe retur print write emit repor & fully faith suppo pass",
        rf"{ORDERED}(?:say|output|reply|respond|answer|return|print|write|emit|report) (?:with |"
        rf"only |just |exactly |always ){{0,3}}{_QUOTE}(?:fully_supported|faithful|supported|pass)"
        rf"[\"'`*]{{0,3}} ?(?:$|[.!,;)]|for\b|to\b|in\b)",
    ),
    (
        "order_to_grade",
        "respo reply answe retur outpu",
        r"\b(?:respond|reply|answer|return|output) (?:only |just |exactly |"
        r"always )?(?:with )?(?:only |exactly )?(?:the |this )?(?:following )?(?:json|object|"
        r"verdict)? ?:? ?\{",
    ),
    (
        "order_to_grade",
        "score verdi label ratin grade & all every each any",
        rf"\b(?:score|verdict|label|rating|grade) ?:?= ?{_QUOTE}(?:1(?:\.0)?|10|100|pass|"
        rf"supported|faithful|fully_supported) ?(?:for|on) (?:all|every|each|any)\b",
    ),
    (
        "order_to_grade",
        "flag penal mark escal rejec downg",
        rf"\b(?:do not|don't|never) (?:flag|penali[sz]e|mark down|escalate|reject|downgrade) "
        rf"(?:any|the|this|these|a|an|my|our) (?:\w+ )?(?:{UNITS}|errors?|mismatch(?:es)?|"
        rf"problems?)\b",
    ),
    (
        "note_to_grader",
        "@grader & dear hey hello hi atten",
        rf"(?:^|[.!?\"'(\[>*] ?)(?:dear|hey|hello|hi|attention),? (?:the )?(?:ai |llm )?{GRADER}"
        rf" ?[:,!]",
    ),
    (
        "note_to_grader",
        "for to & evalu gradi judgi langu ai scori & model judge grade syste evalu",
        r"(?:^|[.!?\"'(\[>*] ?)(?:for|to) (?:the |any |all )?(?:evaluation|grading|judging|"
        r"language|ai|scoring) (?:models?|judges?|graders?|systems?|evaluators?) ?[:,]",
    ),
    (
        "note_to_grader",
        "@grader & if",
        rf"\bif you (?:are|'re) (?:an? |the )?{_AI_JUDGE}(?: (?:model|system|judge|grader|"
        rf"assistant|evaluator|agent))?(?: (?:reading|grading|judging|evaluating|processing|"
        rf"scoring)(?: \w+){{0,4}})?,? (?:then )?(?:you (?:\w+ ){{0,2}}?)?(?:must|should|please|"
        rf"mark|rate|score|grade|label|output|ignore|give|say|respond|treat|accept)\b",
    ),
    (
        "note_to_grader",
        "@grader & as being",
        rf"\b(?:as|being) (?:an? |the )?{_AI_JUDGE}(?: (?:model|system|judge|grader|assistant|"
        rf"evaluator|agent))?,? you (?:must|should|will|are (?:to|required|obliged)|need to|have "
        rf"to)\b",
    ),
    (
        "new_role",
        "now act prete & judge grade evalu langu llm ai poet pirat dan devel god jailb unres helpf",
        r"\b(?:you are now|from now on,? you (?:are|will be)|act as if you (?:are|were)|pretend "
        r"(?:to be|you are)) (?:an? |the |in )?(?:\w+ ){0,3}?(?:judge|grader|evaluator|language "
        r"model|llm|ai|poet|pirate|dan|developer mode|god mode|jailbroken|unrestricted|helpful "
        r"assistant)\b",
    ),
    (
        "new_rules",
        "new revis updat real actua true corre amend & rubri syste gradi scori evalu judgi marki "
        "judge grade",
        rf"\b(?:new|revised|updated|real|actual|true|corrected|amended) (?:rubric|system "
        rf"prompt|{_TRADE} {_RULES}) ?(?:\([^)]{{0,20}}\) ?)?[:=\-–—.]",
    ),
    (
        "new_rules",
        "new revis updat real actua true addit hidde secre & instr task rules",
        r"\b(?:new|revised|updated|real|actual|true|additional|hidden|secret) (?:instructions?|"
        r"task|rules) ?(?:for you ?)?[:=] ?(?:always|ignore|you|answer|mark|rate|output|say|give|"
        r"treat|label|grade|score|respond|accept|do not)\b",
    ),
    (
        "correct_by_decree",
        "defin decre defau order & corre true suppo faith right accur",
        rf"\b(?:everything|{UNITS})\b.{{0,40}}\b(?:is|are) (?:\w+ )?(?:correct|true|supported|"
        rf"faithful|right|accurate) by (?:definition|decree|default|order)",
    ),
)
