"""How English answers say that they cannot be given: patterns over one lower-case clause.

``IN_SOURCES`` have the sources for subject or place, ``SPEAKER`` the one who answers,
``MATTER`` the question or the answer; ``WHOLE`` must be the entire clause.
"""

SOURCE = (
    r"(?:documents?|docs?|contexts?|passages?|sources?|chunks?|excerpts?|extracts?|snippets?|"
    r"materials?|knowledge base|search results?|results|references?|citations?|files?|corpus|"
    r"(?:provided|given|available|supplied|retrieved|above|cited|source) (?:texts?|articles?|"
    r"information|content|data|evidence|reports?|pages?|input|details|facts|records?|notes?)|"
    r"(?:texts?|articles?|information|content|data|evidence) (?:provided|given|available|supplied|"
    r"retrieved|above|at hand)|(?:the|this) (?:text|article|evidence)|the articles|the texts|"
    r"what (?:is|was|i was) (?:provided|given)|(?:the|these|those|your|my) notes)"
)
_NAMED_DOCUMENT = (
    r"(?:(?:contract|agreement|lease|polic(?:y|ies)|reports?|letters?|manual|leaflet|guide|"
    r"guidelines?|law|act|article|page|website|study|stud(?:y|ies)|book|paper|minutes|record|"
    r"transcript|e-?mail|table|figure|data|dataset|author|log|handbook|brochure)s?)"
)
"""What a user may have handed over, but what one can make claims about as well.

"The contract does not mention dogs" may be the very answer asked for, so with these only the
elliptic forms, which name no matter of their own, decline: "The contract does not say."
"""
HOLD = (
    r"(?:contain|mention|sa(?:y|id)|stat(?:e|ing)|provid|includ|specif(?:y|ies)|cover|address|giv|"
    r"answer|"
    r"discuss|indicat|describ|reveal|nam(?:e|ing)|list|explain|tell|have|has|offer|report|allow|"
    r"support|"
    r"identif|clarif|disclos|show|refer|talk|speak|detail|touch|comment|record|set out|go into|"
    r"confirm|"
    r"suffic|enabl|establish|present|hold|make|note|appear to|seem to|explicitly|directly)"
)
THING = (
    r"(?:information|info|mention|answers?|details?|data|references?|indications?|records?|"
    r"explanations?|context|content|specifics|statements?)"
)
NOT = (
    r"(?:do not|don't|does not|doesn't|did not|didn't|cannot|can't|can not|could not|couldn't|"
    r"never|"
    r"fails? to|failed to)"
)
ANSWER = (
    r"(?:answer|determine|say|respond|conclude|give|provide|tell|confirm|draw|make|state|identify|"
    r"establish|verify|infer|reply|support an answer|know)"
)
_NOT_OF = (
    r"(?<!\b(?:according to|based on|per|in|from|with|by|under|within|via|using|of|on) "
    r"(?:\w+ ){0,3})"
)
_NO_VERB = (
    r"(?:(?!say|said|stat|mention|show|report|indicat|claim|suggest|explain|that\b|it\b|which\b)"
    r"[\w'-]+[ ,]{1,2}){1,8}?"
)
_BESIDE = (
    r"(?:,? (?:\w+ly|also|only|just|however|themselves|itself|provided|given|above|here|available|"
    r"supplied|"
    r"retrieved|cited|listed|shown|used|in question|at hand|alone|\d{1,3}(?:(?:,| and|, and) "
    r"\d{1,3})*|"
    r"(?:that )?(?:you|i|we) (?:\w+ ?){1,3}|(?:that )?(?:were|was|are|is) (?:provided|given|"
    r"supplied|retrieved|available)|"
    rf"(?:about|on|for|regarding|concerning|from|in|to|of) {_NO_VERB})?,?)*?"
)
_PASSIVE = (
    r"(?:mention|stat|specif|provid|given|includ|cover|address|describ|found|available|discuss|"
    r"named|"
    r"list|indicat|answer|contain|present|disclos|identif|report|record|determin|explain|clear|"
    r"detail|evident|known|explicit|direct)"
)
_NOT_STATED = (
    r"(?:not|never|nowhere) (?:\w+ly |yet )?(?:found|stated|specified|mentioned|provided|given|"
    r"indicated|covered|addressed|discussed|described|disclosed|listed|named|included|present|"
    r"available|answered|explained|reported|recorded|clear|contained|determinable|referenced)"
)
_UNSAID = (
    r"(?:not|never|nowhere) (?:\w+ly |yet )?(?:stated|specified|mentioned|indicated|discussed|"
    r"described|disclosed|addressed|determinable)"
)
"""The part of them that says nothing else alone: "not covered" answers a question on cover."""

_ANYWHERE = r"(?: (?:at all|here|anywhere|explicitly|directly|so far|there))?"
_SOURCES_ONLY = (
    rf"(?:any(?:where)? (?:of|in) )?(?:the |these |those |this |that |any |your |my |our |all "
    rf"(?:the )?){{0,2}}(?:\w+ ){{0,2}}?{SOURCE}"
)

IN_SOURCES = (
    rf"^{_NOT_STATED}{_ANYWHERE} (?:in|by|from|within|among) {_SOURCES_ONLY}$",
    rf"^(?:there(?: is|'s) )?nothing (?:(?:is|was|said|stated|mentioned|relevant|specific|found|"
    rf"about|on|"
    rf"this|that|it|to be) ){{0,4}}(?:in|from|within) {_SOURCES_ONLY}(?: (?:about|on|"
    rf"regarding|concerning) .{{1,80}})?$",
    rf"^no (?:\w+ )?{SOURCE} (?:was|were|could be|has been|have been)? ?(?:found|retrieved|"
    rf"returned|"
    rf"available|matched|given|provided)$",
    rf"{_NOT_OF}\b{SOURCE}{_BESIDE} {NOT} (?!(?:need|have) to\b|be )(?:\w+ ){{0,2}}?{HOLD}",
    rf"{_NOT_OF}\b{SOURCE}{_BESIDE} (?:lacks?|omits?|(?:is|are|remains?|stays?) silent|is missing)"
    rf"\b",
    rf"{_NOT_OF}\b{SOURCE}{_BESIDE} (?:contains?|provides?|has|have|gives?|includes?|offers?|"
    rf"makes?|makes)\s+"
    rf"(?:no|not enough|nothing|insufficient|neither|little)\b",
    rf"{_NOT_OF}\b{SOURCE}{_BESIDE} (?:isn't|aren't|is not|are not) (?:\w+ )?(?:clear|sufficient|"
    rf"enough|explicit|specific|helpful)\b",
    rf"\b(?:none|neither|nothing|not one|no one)\b(?: of| in)?(?: the| these| those| my| your| "
    rf"all)?(?: \w+){{0,2}}? "
    rf"(?:{SOURCE}|them|these|those){_BESIDE} (?:\w+ly |seems? to |appears? to )?{HOLD}",
    rf"\bno (?:\w+ ){{0,2}}?{SOURCE}{_BESIDE} (?:\w+ly )?{HOLD}",
    r"\bno (?:relevant |specific |such |other )?(?:documents?|passages?|chunks?|sources?|"
    r"excerpts?) (?:about|regarding|concerning|on)\b",
    rf"\b(?:no|not any|nothing|neither) (?:\w+ ){{0,3}}?(?:{THING}|evidence)\b.{{0,120}}\b(?:in|"
    rf"from|within|by|among)\b.{{0,30}}\b{SOURCE}\b",
    rf"\b(?:is|are|was|were|has|have|been|could|can|be) (?:not|never)(?: "
    rf"\w+)?\b.{{0,20}}?\b{_PASSIVE}"
    rf".{{0,60}}\b(?:in|from|by|within|based on|among)\b.{{0,40}}\b{SOURCE}\b",
    rf"\b(?:isn't|aren't|wasn't|weren't|cannot be|can't be|couldn't be)"
    rf"\b.{{0,20}}?\b{_PASSIVE}.{{0,60}}"
    rf"\b(?:in|from|by|within|based on|among)\b.{{0,40}}\b{SOURCE}\b",
    rf"^(?:it|this|that|not|nothing)(?:'s| is)? (?:not |nowhere )?(?:in|from) (?:any of )?(?:the |"
    rf"these |those |this |your |my )"
    rf"(?:\w+ ){{0,2}}?{SOURCE}$",
    rf"\b{SOURCE} (?:only|merely|just) (?:mentions?|discuss(?:es)?|covers?|talks? about|"
    rf"focus(?:es)? on) .{{0,80}}\bnot\b",
)

SPEAKER = (
    rf"\bi\b.{{0,30}}?\b(?:{NOT}|unable to|not able to|am not|won't|will not|'m not)\b"
    r".{0,30}?\b(?:know|answer|determine|tell|say|be sure|be certain|sure|certain|aware|verify|"
    r"confirm|"
    r"respond|comment|infer|conclude|ascertain|establish)\b",
    rf"\bwe\b (?:\w+ ){{0,2}}?(?:{NOT}|are unable to|are not able to)\b.{{0,20}}?\b(?:answer|"
    rf"determine|tell|say|verify|confirm|"
    r"respond|infer|conclude|ascertain|establish)\b",
    rf"\b(?:i|we)\b.{{0,30}}?\b(?:{NOT}|unable to|not able to)\b.{{0,12}}?"
    rf"\b(?:find|locate|see|identify|provide|give|offer|access|retrieve|spot)"
    rf"\b.{{0,60}}?(?:\b(?:{THING}|"
    rf"evidence|anything|it|this|that|these|those)\b|\b{SOURCE}\b)",
    rf"\b(?:i|we) (?:currently |actually |simply |still )?{NOT} (?:currently |actually |yet |"
    rf"really )?have (?:any |enough |"
    rf"sufficient |the |access|an? |specific |that |this |relevant |reliable |real-time |"
    rf"necessary |required ){{1,3}}"
    rf"(?:\w+ ){{0,2}}?(?:{THING}|evidence|knowledge|to\b)",
    rf"\b(?:i|we) have (?:no|not enough|insufficient) (?:\w+ )?(?:{THING}|idea|knowledge|evidence|"
    rf"way)\b",
    r"\b(?:i|we) (?:must|have to|will|need to|should|would rather|'ll|choose to|prefer to)?\s?"
    r"(?:abstain|refrain from answering|decline to answer|pass on this)",
    r"\bi(?:'m| am) (?:afraid|sorry)\b.{0,20}\b(?:not|no|cannot|can't|unable|don't)\b",
    rf"\b(?:i|we) (?:would |'d )?need (?:more|additional|further) (?:{THING}|sources|documents|"
    rf"evidence)",
    r"\b(?:can't|cannot|can not|unable to|not able to|won't|will not) (?:assist|help|comply|"
    r"fulfil?l|discuss)(?: you)?"
    r"(?: with)? ?(?:that|this|it|your|the request|the question|$)",
)

MATTER = (
    r"\b(?:question|query|answer)\b.{0,40}?\b(?:cannot|can't|can not|could not|couldn't) be "
    r"(?:\w+ )?(?:answered|determined|found|verified|confirmed|established|inferred|derived|"
    r"ascertained|"
    r"given|provided|deduced|known|located|concluded)",
    r"\b(?:this|it|that) (?:cannot|can't|can not|could not|couldn't) be (?:\w+ly )?(?:answered|"
    r"determined|verified|confirmed|"
    r"established|inferred|derived|ascertained|deduced|concluded)(?:$| (?:from|based|with|without|"
    r"given|using|here|on|by the))",
    rf"\b(?:cannot|can't|could not|not possible to|impossible to) (?:be )?(?:\w+ly )?(?:answer|"
    rf"determin|"
    rf"infer|deriv|verif|conclud|say|establish|confirm|deduc|find|found)\w*\b.{{0,60}}\b(?:from|"
    rf"based on|with|in|using|"
    rf"without)\b.{{0,40}}\b{SOURCE}\b",
    r"\b(?:it is|it's|it was) (?:not possible|impossible|not clear|unclear|difficult) (?:for "
    r"me )?to (?:\w+ly )?(?:answer|determine|say|tell|"
    r"know|(?:give|provide) (?:an|a) (?:\w+ ){0,2}?(?:answer|response))",
    rf"\b(?:is|are|remains?) (?:unclear|unknown|not clear|not known|uncertain) (?:from|in|based "
    rf"on|given)\b.{{0,40}}\b{SOURCE}\b",
    rf"\b(?:not|n't)\b.{{0,12}}\b(?:enough|sufficient|adequate) (?:\w+ )?(?:{THING}|evidence|"
    rf"basis|material|sources)\b.{{0,80}}?"
    rf"\bto {ANSWER}",
    rf"\b(?:there (?:is|are|was) )(?:not enough|insufficient|too little|not sufficient) "
    rf"(?:\w+ )?(?:{THING}|evidence)",
    rf"^(?:not enough|insufficient|inadequate|too little) (?:\w+ )?(?:{THING}|evidence|basis|"
    rf"sources)",
    rf"\b(?:insufficient|inadequate|too little|lack of|lacking) (?:\w+ )?(?:{THING}|evidence|"
    rf"basis|sources).{{0,40}}to {ANSWER}",
    rf"\bthere(?: is|'s| are| was| were) (?:no|not any|nothing|little)\b.{{0,30}}?\b(?:{THING})"
    rf"\b.{{0,24}}?\b(?:about|on|regarding|"
    r"concerning|available|provided|given|here|as to|to (?:answer|determine))\b",
    rf"\bthere (?:isn't|aren't|wasn't|weren't) (?:any|enough|a|an)?\s?(?:\w+ )?(?:{THING})\b",
    rf"\bno (?:\w+ ){{0,2}}?(?:{THING}|results?) (?:(?:about|on|for|regarding|of)"
    rf" )?(?:\w+ ){{0,8}}?(?:is|are|was|were|could be|can be|"
    r"has been) (?:\w+ )?(?:found|available|given|provided|known|present|possible|included)\b(?! "
    r"(?:by|to) )",
    r"\b(?:answer|answer to (?:this|the|your)(?: question)?|requested information|(?:the|this|"
    r"such|that) information)\b.{0,20}?\b"
    r"(?:is|are|was|remains?) (?:\w+ly )?(?:not |un)(?:known|available|found|answerable|answered|"
    r"provided|given|clear|"
    r"stated|specified|mentioned|present|included)\b(?! by )",
    r"\b(?:unanswerable|not answerable)\b",
    r"\b(?:question|query|request|this|it|that|topic) (?:\w+ ){0,2}?(?:is|falls|lies|goes) "
    r"(?:\w+ )?(?:out of|outside|outside of|beyond) "
    r"(?:the |my )?(?:scope|knowledge|what)",
    rf"\b(?:more|additional|further) (?:{THING}|sources|evidence)\b (?:is|are|would be) (?:needed|"
    rf"required|necessary)(?:$| to {ANSWER})",
    r"^(?:unable|not able) to (?:answer|determine|find|locate|say|provide|verify)",
    r"^(?:cannot|can't|could not|couldn't) (?:answer|determine|say|tell|verify|confirm|locate|"
    r"find (?:any|an|the|this|it|that))\b",
    r"\bno (?:definitive |clear |direct |precise )?answer (?:can|could) be\b",
    r"\b(?:the )?(?:answer|search)(?: \w+){0,3} (?:returned|yielded|found|produced) (?:no|nothing)"
    r"\b",
)

WHOLE = (
    rf"(?:(?:it|this|that|which)(?:'s| is| was) )?{_UNSAID}{_ANYWHERE}(?: (?:in|by|from|within) "
    rf"(?:the |this |your |any )?(?:\w+ )?{_NAMED_DOCUMENT})?",
    rf"(?:the|this|that|these|those|your|my) (?:\w+ )?(?:{SOURCE}|{_NAMED_DOCUMENT}) {NOT} "
    rf"(?:actually |explicitly |clearly |directly )?(?:say|state|specify|tell|tell us|make (?:it|"
    rf"this|that) clear|go into (?:it|this|that)|give (?:it|this|that|an answer))(?: (?:anything )?"
    rf"(?:about|on) (?:it|this|that))?",
    rf"no (?:(?:relevant|specific|such|further|matching|available|clear|direct|reliable) ){{0,2}}"
    rf"(?:{THING}|results?|match(?:es)?) (?:(?:was|were|is|are|could be|can be) )?"
    rf"(?:found|available|given|provided|retrieved|returned|stated|present|listed|mentioned)"
    rf"(?: (?:here|about (?:this|that|it)|on (?:this|that|it)|to (?:this|that)))?",
    r"no (?:(?:relevant|specific|further|such) )?(?:information|info|answer|mention|details?|data|"
    r"indications?)(?: (?:about|on|of) (?:this|that|it)| (?:here|to (?:this|that)))?",
    r"(?:nothing|no mention|no word) (?:was |is |were )?(?:stated|mentioned)(?: (?:about|on) "
    r"(?:this|that|it|the (?:topic|subject|matter|question)))?",
    r"(?:no|not any|nothing|no mention|no word)(?: mention| word)? (?:of|about|on) (?:this|that|it|"
    r"the (?:topic|subject|matter|question))",
    r"(?:i )?(?:can't|cannot|couldn't|could not|can not) (?:say|tell|answer|determine|"
    r"know|find (?:it|this|that|out))(?: (?:this|that|it))?|hard to (?:say|tell)|(?:i )?have no "
    r"idea|"
    r"no way to (?:know|tell|say)|(?:i'm |i am )?not sure|(?:i )?(?:really )?(?:don't|do not) know",
    rf"(?:the )?(?:answer|information)(?: is|:)? (?:{_NOT_STATED}|unknown|unavailable|missing)",
    r"unclear|unspecified|undisclosed|(?:cannot|can't) be determined",
    r"(?:the answer is )?(?:unknown|unanswerable|not (?:found|available|stated|specified|mentioned|"
    r"provided|given|sure|answerable|known|enough information|enough context|in the (?:text|"
    r"context|"
    r"documents?|passages?|sources?)))",
    r"n/?a|idk|no (?:answer|information|idea|data|comment|relevant information|mention)(?: "
    r"(?:found|"
    r"available|given|provided))?",
    r"(?:insufficient|not enough) (?:information|context|evidence|data)",
    r"i (?:don't|do not|dont) know(?: the answer)?(?: to (?:this|that|your) question)?|don't know",
    r"(?:i )?(?:cannot|can't) (?:say|tell|answer|determine)|abstain(?:ed)?|i abstain",
)
