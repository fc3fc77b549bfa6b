"""How models say that they cannot answer, in several languages.

Written over word stems and their order rather than as whole sentences, so that new wordings
are met. All patterns are searched in one clause, in lower case, with straight apostrophes.
``IN_SOURCES`` are statements that the sources do not hold something; ``ELSEWHERE`` the other
ways to decline; ``WHOLE`` answers of a word or two that must be all there is.
"""

from citeval_assets.text.phrasing import any_of

_SRC = (
    r"(?:documents?|docs?|contexts?|passages?|sources?|chunks?|excerpts?|extracts?|snippets?|"
    r"materials?|knowledge base|search results?|results|references?|citations?|files?|corpus|"
    r"(?:provided|given|available|supplied|retrieved|above|cited|source) (?:texts?|articles?|"
    r"information|content|data|evidence|reports?|pages?|input|details|facts|records?|notes?)|"
    r"(?:texts?|articles?|information|content|data|evidence) (?:provided|given|available|supplied|"
    r"retrieved|above|at hand|i (?:have|was given))|the texts?|the articles?|the evidence|"
    r"what (?:is|was|i was) (?:provided|given))"
)
_HOLD = (
    r"(?:contain|mention|say|state|provid|includ|specif|cover|address|giv|answer|discuss|indicat|"
    r"describ|reveal|nam|list|explain|tell|hav|has|offer|report|allow|support|identif|clarif|"
    r"disclos|show|refer|talk|speak|detail|touch|comment|record|set out|go into|confirm|suffic|"
    r"enabl|establish|present|hold|make|note)"
)
_THING = (
    r"(?:information|info|mention|answers?|details?|data|references?|indications?|records?|"
    r"explanation|context|content|specifics|statements?)"
)
_NOT = r"(?:do not|don't|does not|doesn't|did not|didn't|cannot|can't|can not|could not|couldn't|never)"
_PASSIVE = (
    r"(?:mention|stat|specif|provid|giv|includ|cover|address|describ|found|available|discuss|nam|"
    r"list|indicat|answer|contain|present|disclos|identif|report|record|determin|explain|clear|"
    r"detail|evident|supported|known)"
)

IN_SOURCES = any_of(
    # English
    rf"\b{_SRC}\b.{{0,80}}?\b(?:{_NOT}|fails? to|failed to|lacks?|lacking|omits?)\b.{{0,40}}?\b{_HOLD}",
    rf"\b{_SRC}\b.{{0,60}}?\b(?:lacks?|omits?|(?:is|are|remains?|stays?) silent)\b",
    rf"\b{_SRC}\b.{{0,60}}?\b(?:contains?|provides?|has|have|gives?|includes?|offers?|makes?)\s+"
    rf"(?:no|not enough|nothing|insufficient|neither|little)\b",
    rf"\b(?:none|neither|nothing|nowhere|not one)\b.{{0,30}}\b{_SRC}\b",
    rf"\bno (?:\w+ ){{0,2}}?{_SRC}\b.{{0,60}}?(?:{_HOLD}|about|on\b|for\b|available|found)",
    rf"\bno (?:\w+ ){{0,3}}?(?:{_THING}|evidence)\b.{{0,120}}\b(?:in|from|within|by)\b.{{0,30}}\b{_SRC}\b",
    rf"\b(?:is|are|was|were|has|have|been|could|can|be) (?:not|n't|never)(?: \w+)?\b.{{0,30}}?\b{_PASSIVE}"
    rf".{{0,60}}\b(?:in|from|by|within|based on|among)\b.{{0,40}}\b{_SRC}\b",
    rf"\b(?:isn't|aren't|wasn't|weren't|cannot be|can't be)\b.{{0,30}}?\b{_PASSIVE}.{{0,60}}"
    rf"\b(?:in|from|by|within|based on|among)\b.{{0,40}}\b{_SRC}\b",
    rf"\b(?:not|nothing|nowhere)\b.{{0,30}}\b(?:in|from) (?:any of )?(?:the |these |those |this |your |my )"
    rf"(?:\w+ ){{0,2}}?{_SRC}$",
    # German
    r"\b(?:dokument|quelle|text|kontext|passage|abschnitt|unterlage|auszug|auszüge|auszügen|"
    r"textstelle|material|chunk|fundstelle|ausschnitt|angaben|informationen)\w*\b.{0,80}?"
    r"\b(?:nicht|kein\w*|nichts|nirgends|weder)\b.{0,80}?"
    r"(?:enth[aä]l|erwähn|nenn|sag|angeb|angegeb|steh|beantwort|hervor|beinhalt|liefer|find|fand|"
    r"entnehm|entnomm|behandel|gib|geb|ersichtlich|vorhanden|information|angabe|auskunft|hinweis|"
    r"aufgeführt|genannt|beschr|ableit)",
    r"\b(?:kein|keine|keiner|keines|keinem|nichts|nirgends)\b.{0,60}?\b(?:in|aus|zu)\b.{0,30}?"
    r"(?:dokument|quelle|text|kontext|passage|unterlage|auszüg|abschnitt|material|chunk)",
    r"\bkein\w* (?:der |dieser |einzige[rn]? )?(?:dokument|quelle|text|passage|abschnitt|chunk|auszug|"
    r"auszüge|unterlage)\w*",
    r"\b(?:wird|werden|ist|sind|wurde|steht|stehen|geht)\b.{0,80}\bnicht\b.{0,60}\b(?:dokument|"
    r"quelle|text|kontext|passage|unterlage|auszüg|abschnitt)\w*",
    # French
    r"\b(?:documents?|sources?|textes?|contexte|passages?|extraits?|informations? (?:fourni|"
    r"disponible|donné)\w*|éléments)\b.{0,80}?(?:\bne |\bn').{0,40}?\b(?:pas|aucun\w*|rien|jamais|"
    r"ni|point)\b",
    r"\baucun\w*\b.{0,40}?\b(?:documents?|sources?|passages?|extraits?|textes?)\b",
    r"\baucun\w* (?:information|mention|réponse|indication|précision|donnée)\w*.{0,80}\b(?:documents?|"
    r"sources?|contexte|passages?|extraits?|textes?)\b",
    r"\b(?:n'est|n'a|ne sont|n'ont|n'y a|ne figure|n'apparaît|ne se trouve)\w*\b.{0,40}?\b(?:pas|aucun\w*|rien)\b"
    r".{0,80}\b(?:documents?|sources?|contexte|passages?|extraits?|textes?)\b",
    # Spanish
    r"\b(?:documentos?|fuentes?|textos?|contexto|pasajes?|fragmentos?|extractos?|material\w*|"
    r"información (?:proporcionada|disponible|dada|facilitada))\b.{0,80}?\b(?:no|tampoco|nunca|carecen?)\b"
    r".{0,40}?(?:mencion|contien|indic|proporcion|dic|especific|inclu|respond|ofrec|permit|aclar|trat|"
    r"abord|señal|habl|revel|información|suficiente|facilit|explic|precis)",
    r"\bningun[oa]?\b.{0,40}?\b(?:documentos?|fuentes?|pasajes?|fragmentos?|textos?)\b",
    r"\bno (?:se |hay |existe |aparece |figura |está |consta )\w*.{0,80}\b(?:documentos?|fuentes?|"
    r"textos?|contexto|pasajes?|fragmentos?)\b",
    # Italian, Portuguese
    r"\b(?:documenti|fonti|testo|testi|contesto|passaggi|documentos?|fontes?|textos?|contexto|trechos?)\b"
    r".{0,60}?\b(?:non|não)\b.{0,40}?(?:menzion|conten|indic|forn|dic|specific|includ|rispond|mencion|"
    r"contêm|contém|fornec|diz|dizem|especific|inclu|respond|permett|permit)",
    r"\b(?:non|não)\b.{0,60}?\b(?:nei|nel|nelle|nos|nas|no|na) (?:\w+ )?(?:documenti|fonti|testo|contesto|"
    r"passaggi|documentos?|fontes?|texto|contexto|trechos)\b",
    # Dutch
    r"\b(?:documenten|bronnen|tekst|teksten|context|passages|fragmenten)\b.{0,60}?\b(?:niet|geen|niets)\b"
    r".{0,40}?(?:vermeld|bevat|noem|zeg|geef|geven|informatie|antwoord)",
    # Russian
    r"(?:документ|источник|текст|контекст|отрывк|фрагмент|материал)\w*.{0,60}?\b(?:не|нет)\b.{0,40}?"
    r"(?:содерж|упомин|указ|сказан|говор|информац|сведен|позвол|отвеч|ответ|найд)",
    r"\b(?:не|нет|ни)\b.{0,60}?(?:документ|источник|текст|контекст|отрывк|фрагмент)\w*",
    # Chinese, Japanese
    r"(?:文档|文件|资料|上下文|来源|段落|文本|材料|內容|内容|片段).{0,20}(?:没有|未|並未|并未|无|沒有|不).{0,12}"
    r"(?:提|说|包含|给出|回答|涉及|信息|提供|足)",
    r"(?:文書|資料|文脈|情報源|出典|文章|ドキュメント|コンテキスト|抜粋).{0,30}(?:ませ|ない|なし|おらず)",
)

ELSEWHERE = any_of(
    # English: the speaker
    rf"\b(?:i|we)\b.{{0,30}}?\b(?:{_NOT}|unable to|not able to|am not|are not|won't|will not|'m not)\b"
    rf".{{0,30}}?\b(?:know|answer|determine|tell|say|be sure|be certain|sure|certain|aware|verify|confirm|"
    r"respond|comment|infer|conclude|ascertain|establish|help (?:you )?(?:with|on) (?:this|that))\b",
    rf"\b(?:i|we)\b.{{0,30}}?\b(?:{_NOT}|unable to|not able to|was unable to|were unable to)\b.{{0,12}}?"
    rf"\b(?:find|locate|see|identify|provide|give|offer|access|retrieve|spot)\b.{{0,60}}?(?:\b(?:{_THING}|"
    rf"answer|evidence|anything|it|this|that|these|those)\b|\b{_SRC}\b)",
    rf"\b(?:i|we) (?:{_NOT}|currently {_NOT}) (?:currently |actually |yet )?have (?:any |enough |"
    rf"sufficient |the |access|an? |specific |that |this |relevant |reliable ){{1,3}}"
    rf"(?:\w+ ){{0,2}}?(?:{_THING}|evidence|knowledge|answer|to\b)",
    rf"\b(?:i|we) have no (?:\w+ )?(?:{_THING}|idea|knowledge|evidence|answer|way)\b",
    r"\b(?:i|we) (?:must|have to|will|need to|should|would rather|'ll|choose to)?\s?"
    r"(?:abstain|refrain from answering|decline to answer|pass on this)",
    r"\bi(?:'m| am) (?:afraid|sorry)\b.{0,20}\b(?:not|no|cannot|can't|unable|don't)\b",
    rf"\b(?:i|we) (?:would|'d) need (?:more|additional|further) (?:{_THING}|sources|documents|evidence)",
    # English: the question and its answer
    r"\b(?:question|query|answer|this|it|that)\b.{0,40}?\b(?:cannot|can't|can not|could not|couldn't) be "
    r"(?:\w+ )?(?:answered|determined|found|verified|confirmed|established|inferred|derived|ascertained|"
    r"given|provided|deduced|known|located|concluded)",
    rf"\b(?:cannot|can't|could not|not possible to|impossible to) (?:be )?(?:\w+ )?(?:answer|determin|"
    rf"infer|deriv|verif|conclud|say|establish|confirm|deduc|find|found)\w*\b.{{0,60}}\b(?:from|based on|with|in|using|"
    rf"without)\b.{{0,40}}\b{_SRC}\b",
    r"\b(?:it is|it's|it was) (?:not possible|impossible) to (?:answer|determine|say|tell|know|give an answer)",
    rf"\b(?:not|n't) (?:have |have got |contain |provide |be )?(?:enough|sufficient|adequate) (?:\w+ )?"
    rf"(?:{_THING}|evidence|basis|material|sources)",
    rf"\b(?:insufficient|inadequate|too little|lack of|lacking) (?:\w+ )?(?:{_THING}|evidence|basis|sources)"
    r".{0,40}(?:to (?:answer|determine|say|respond|conclude|give)|for (?:an|a|this)|$)",
    rf"\b(?:there is|there's|there are|there was|there were|there isn't|there aren't)\s?(?:no|not|nothing|any)?"
    rf"\b.{{0,30}}?\b(?:no|not|nothing|any|isn't|aren't)?\s?(?:{_THING})\b.{{0,10}}\b(?:about|on|regarding|"
    r"concerning|available|provided|given|here|of|for|that|to (?:answer|determine))\b",
    rf"\bno (?:\w+ ){{0,2}}?(?:{_THING}|results?) (?:\w+ ){{0,6}}?(?:is|are|was|were|could be|can be|has been) "
    r"(?:found|available|given|provided|known|present|possible|included)",
    r"\b(?:answer|information|question|answer to this(?: question)?|requested information)\b.{0,30}?\b"
    r"(?:is|are|was|remains?) (?:not |un)(?:known|available|found|answerable|answered|provided|given|clear|"
    r"stated|specified|mentioned|present|included)",
    r"\b(?:unanswerable|not answerable|out(?:side)? of (?:the )?scope|beyond the scope|outside the scope|"
    r"beyond my knowledge|outside my knowledge)\b",
    rf"\b(?:more|additional|further) (?:{_THING}|sources|evidence)\b.{{0,20}}\b(?:is|are|would be) (?:needed|"
    r"required|necessary)",
    r"^(?:unable|not able) to (?:answer|determine|find|locate|say|provide|verify)",
    r"^(?:cannot|can't|could not|couldn't) (?:answer|determine|find|say|tell|locate|verify|confirm)\b",
    r"\bno (?:definitive |clear |direct )?answer (?:can|could) be\b",
    # German
    r"\bich\b.{0,30}\b(?:kann|konnte|könnte|vermag|darf)\b.{0,120}\b(?:nicht|kein\w*|nichts)\b.{0,80}?(?:"
    r"beantwort|find|sag|beurteil|bestimm|ermittel|entnehm|angeb|geben|machen|feststell|bestätig|treff|"
    r"liefer|helfen)",
    r"\b(?:kann|konnte) ich\b.{0,80}\b(?:nicht|kein\w*|nichts)\b.{0,60}?(?:beantwort|find|sag|bestimm|"
    r"ermittel|entnehm|geben|machen|feststell|bestätig|liefer)",
    r"\b(?:ich weiß|weiß ich|ich weiss|weiss ich|wir wissen)\b.{0,40}?\bnicht\b",
    r"\bich (?:habe|finde|fand|besitze|verfüge)\b.{0,40}?\b(?:kein\w*|nichts|nicht genug|nicht genügend|"
    r"nicht ausreichend)\b",
    r"\bmir (?:liegen|liegt|fehlen|fehlt)\b.{0,30}\b(?:kein\w*|information|angabe)",
    r"\bich (?:muss|möchte|werde) mich (?:der antwort |hier )?enthalten|\bich enthalte mich\b",
    r"\b(?:frage|das|dies|es|dazu|darüber|hierzu)\b.{0,30}\b(?:kann|können|lässt|läßt|lassen|konnte)\b.{0,80}\b(?:"
    r"nicht|kein\w*)\b.{0,60}?(?:beantwort|bestimm|ermittel|sag|feststell|entnehm|gemacht|machen|geben|treff)",
    r"\b(?:nicht genügend|nicht ausreichend\w*|nicht genug|unzureichend\w*|zu wenig\w*) (?:information|angabe|"
    r"daten|kontext|beleg)\w*",
    r"\bkein\w* (?:ausreichend\w* |genügend\w* |relevant\w* |näher\w* |konkret\w* )?(?:information|angabe|antwort|"
    r"auskunft|aussage|hinweis|beleg)\w*\b.{0,80}(?:vorhanden|verfügbar|gefunden|enthalten|finden|möglich|"
    r"vor$|liegen|gegeben|gemacht|bekannt)",
    r"\b(?:nicht (?:zu )?beantwort\w+|unbeantwortbar|nicht bekannt|unbekannt)$",
    # French
    r"\bje (?:ne |n')?(?:peux|puis|pourrais|parviens|suis|suis pas|sais|saurais|dispose|connais|vois|trouve|"
    r"ai)\b.{0,20}\b(?:pas|aucun\w*|rien|incapable|plus|mesure)\b.{0,80}?(?:répond|sais|dire|détermin|trouv|"
    r"confirm|fourni|information|réponse|élément|sûr|certain|donn|assez|suffisa|accès|$)",
    r"\bje (?:ne sais|n'en sais|l'ignore|ne peux|ne puis)\b.{0,12}(?:pas|rien|répondre|$)",
    r"\bje (?:dois|préfère) m'abstenir|\bje m'abstiens\b|\bj'ignore\b",
    r"\b(?:impossible|pas possible) (?:de|d') ?(?:répondre|déterminer|dire|trouver|savoir|conclure)",
    r"\b(?:question|réponse|cela|ça)\b.{0,60}\bne (?:peut|peuvent|permet)\b.{0,20}\bpas\b.{0,40}(?:répon|"
    r"détermin|trouv|donn|établi)",
    r"\bpas (?:assez|suffisamment) d'(?:information|élément|indication)|\binformations? insuffisante|"
    r"\bmanque d'informations?",
    r"\bil n'y a (?:pas|aucun\w*|rien)\b.{0,40}(?:information|mention|réponse|indication|détail|précision)",
    r"\baucun\w* (?:information|réponse|mention|indication)\w*\b.{0,60}(?:disponible|trouvé|fourni|donné|sur|concernant)",
    # Spanish
    r"\bno (?:lo )?(?:sé|puedo|pude|podemos|he podido|hemos podido|logro|logré|tengo|tenemos|dispongo|"
    r"disponemos|encuentro|encontré|encontramos|he encontrado|cuento|conozco)\b.{0,40}?(?:respond|contest|determin|"
    r"encontr|decir|información|dato|respuesta|confirm|saber|mención|detalle|esto|esta|suficiente|referencia|$)",
    r"\b(?:debo|tengo que|prefiero) abstenerme|\bme abstengo\b",
    r"\bno (?:es posible|resulta posible|se puede|se pudo)\b.{0,20}(?:respond|contest|determin|encontr|decir|saber|"
    r"establec|confirm)",
    r"\bno (?:hay|existe|existen|se dispone de|se encontró|se encontraron|se ha encontrado)\b.{0,30}(?:información|"
    r"mención|dato|respuesta|detalle|referencia)",
    r"\binformación (?:\w+ )?insuficiente|\b(?:falta|carece) de información",
    r"\bse desconoce$|^se desconoce\b|\bes desconocid[oa]$",
    # Italian, Portuguese, Dutch
    r"\bnon (?:lo )?(?:so|posso|riesco|trovo|ho|sono in grado)\b.{0,40}?(?:rispond|determin|trov|dire|informazion|"
    r"risposta|sufficient|confermare|$)",
    r"\bnão (?:sei|posso|consigo|encontrei|tenho|há|é possível)\b.{0,40}?(?:respond|determin|encontr|dizer|informaç|"
    r"resposta|suficient|confirmar|$)",
    r"\bik (?:weet|kan|kon|heb|vind)\b.{0,60}\b(?:niet|geen|niets)\b",
    # Russian
    r"\b(?:я|мы)?\s?(?:не знаю|не могу|не могли|не удалось|не нашёл|не нашел|не нашла|не нашли|не располагаю|затрудняюсь)"
    r"\b.{0,60}?(?:ответ|найти|определ|сказать|информац|подтверд|установ|это|$)",
    r"\b(?:нет|недостаточно) (?:\w+ )?(?:информац|данных|сведений|ответа)\w*",
    r"\bвоздерж(?:усь|ус|аться|иваюсь)\b|\bневозможно (?:ответить|определить|сказать|установить)",
    # Chinese, Japanese, Korean, Arabic, Hindi
    r"(?:我|我们|無法|无法).{0,8}(?:不知道|无法|無法|不能|没有找到|找不到|不清楚|不确定).{0,20}(?:回答|确定|找到|判断|得知|提供|答案|$)?"
    r"|不知道|无法(?:回答|确定|判断|得知)|無法(?:回答|確定|判斷)|没有(?:足够|相关|提供)?的?(?:信息|資訊|资料|答案)|信息不足",
    r"(?:わかりません|分かりません|わからない|お答えできません|回答できません|見つかりません|判断できません|情報がありません|"
    r"記載がありません|情報が不足)",
    r"(?:모르겠습니다|알 수 없습니다|답변할 수 없습니다|찾을 수 없습니다|정보가 없습니다|정보가 부족)",
    r"لا (?:أعرف|أعلم|أستطيع|يمكنني|توجد معلومات|تحتوي|يمكن الإجابة)|لم أجد|لا يوجد",
    r"(?:नहीं पता|पता नहीं|जानकारी नहीं|उत्तर नहीं|मालूम नहीं)",
)

WHOLE = any_of(
    r"(?:the answer is )?(?:unknown|unanswerable|not (?:found|available|stated|specified|mentioned|"
    r"provided|given|sure|answerable|known|enough information|enough context|in the (?:text|context|"
    r"documents?|passages?)))",
    r"n/?a|idk|no (?:answer|information|idea|data|comment|relevant information|mention)(?: (?:found|"
    r"available|given|provided))?",
    r"insufficient (?:information|context|evidence|data)",
    r"i (?:don't|do not|dont) know(?: the answer)?(?: to (?:this|that|your) question)?|don't know",
    r"(?:cannot|can't) (?:say|tell|answer|determine)|abstain(?:ed)?|i abstain",
    r"keine (?:angaben?|antwort|information(?:en)?|ahnung)|unbekannt|weiß nicht|nicht (?:angegeben|bekannt|genannt|"
    r"enthalten|beantwortbar)",
    r"(?:réponse )?inconnue?|pas de réponse|aucune (?:information|réponse|idée)|non (?:précisé|mentionné|spécifié|"
    r"communiqué|disponible)e?|je ne sais pas",
    r"desconocid[oa]|sin (?:respuesta|información|datos)|no (?:lo )?(?:sé|consta|se menciona|se indica|se especifica|"
    r"disponible)|se desconoce",
    r"sconosciuto|non (?:lo )?so|não sei|desconhecido|onbekend|weet ik niet|неизвестно|не знаю|未知|不明|不详|なし",
)
