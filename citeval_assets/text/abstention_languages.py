"""How answers in other languages say that they cannot be given: patterns over one clause."""

from citeval_assets.text.phrasing import Phrases

_DE_SOURCE = (
    r"(?:dokument|quelle|text|kontext|passage|abschnitt|unterlage|auszug|auszüge|textstelle|"
    r"material|"
    r"chunk|fundstelle|ausschnitt|artikel|bereitgestellte[nr]? (?:information|angabe)|"
    r"vorliegende[nr]? (?:information|angabe))\w*"
)
_DE_STATED = (
    r"(?:erwähnt|genannt|angegeben|beschrieben|enthalten|behandelt|aufgeführt|ersichtlich|zu "
    r"entnehmen|entnommen|"
    r"beantwortet|thematisiert|zu finden|gefunden|hervor|aufgegriffen|erläutert|vorhanden|gesagt|"
    r"beantworten|entnehmen|"
    r"ableiten|finden)"
)
_DE_THING = r"(?:information|angabe|antwort|auskunft|aussage|hinweis|beleg|daten|detail)\w*"
_FR_SOURCE = (
    r"(?:documents?|sources?|textes?|contexte|passages?|extraits?|articles?|éléments|"
    r"informations? (?:fourni|disponible|donné)\w*)"
)
_FR_SAY = (
    r"(?:mentionn|contien|indiqu|précis|fourni|donn|permet|répond|di[st]|disent|trait|évoqu|parl|"
    r"abord|spécifi|comport|offr|"
    r"signal|nomm|cit|expliqu|inclu|suffi)"
)
_FR_STATED = (
    r"(?:mentionn|précis|indiqu|fourn|donn|trouv|évoqu|spécifi|abord|présent|cité|disponible|"
    r"figure|apparaît|expliqu)"
)
_FR_THING = r"(?:information|réponse|mention|indication|détail|précision|donnée|élément)s?"
_ES_SOURCE = (
    r"(?:documentos?|fuentes?|textos?|contexto|pasajes?|fragmentos?|extractos?|artículos?|"
    r"material\w*|"
    r"información (?:proporcionada|disponible|dada|facilitada))"
)
_ES_SAY = (
    r"(?:mencion|contien|indic|proporcion|dice|especific|inclu|respond|ofrec|permit|aclar|trat|"
    r"abord|señal|habl|revel|"
    r"facilit|explic|precis|detall|nombr|cit|dan?\b|da\b|tien)"
)
_ES_THING = r"(?:información|mención|datos|detalles|referencias?|respuesta a)"
_RU_SOURCE = r"(?:документ|источник|текст|контекст|отрывк|фрагмент|материал)\w*"

GERMAN = Phrases(
    trigger=(
        r"nicht|kein|nichts|nirgends|weder|fehl|unzureich|unbeantw|unbekannt|enthalt|zu wenig|ohne|"
        r"unklar|k\. ?a"
    ),
    in_sources=(
        rf"(?<!\b(?:laut|gemäß|nach|zufolge|aus|in|mit|von) (?:\w+ ){{0,3}}){_DE_SOURCE}(?: "
        rf"\w+){{0,4}}? (?:enth[aä]l|erwähn|nenn|"
        rf"sag|geb|gib|mach|beantwort|liefer|beinhalt|behandel|biet|geh(?!ör)|steh|reich|"
        rf"spezifizier|"
        rf"beschreib|lassen|lässt)\w*\b.{{0,80}}?"
        r"\b(?:nicht|kein\w*|nichts|weder)\b",
        rf"\b(?:aus|in|im|mit|anhand|auf basis|auf grundlage) (?:\w+ ){{0,3}}?{_DE_SOURCE}(?: "
        rf"\w+){{0,2}}? (?:geht|gehen|steht|stehen|ist|sind|"
        rf"wird|werden|wurde|findet|finden|fand|lässt|lassen|gibt|kann|können|konnte|konnten|habe|"
        rf"fehlt|fehlen)\b.{{0,100}}?"
        rf"(?:\b(?:nicht|kein\w*|nichts)\b.{{0,60}}?(?:{_DE_STATED}|{_DE_THING}|$)|\bfehl\w+ "
        rf"(?:\w+ )?{_DE_THING})",
        rf"\b(?:wird|werden|ist|sind|wurde|wurden)\b.{{0,60}}?\b(?:in|aus|von)\b "
        rf"(?:\w+ ){{0,3}}?{_DE_SOURCE}\b.{{0,30}}?\bnicht\b"
        rf".{{0,20}}{_DE_STATED}",
        rf"\b(?:steht|stehen|findet sich|finden sich|ist|sind|wird|werden|geht|gehen)"
        rf"\b.{{0,40}}\b(?:nicht|nirgends|kein\w*)\b.{{0,30}}"
        rf"\b(?:in|aus)\b (?:\w+ ){{0,3}}?{_DE_SOURCE}",
        rf"\b(?:kein\w*|nichts)\b.{{0,60}}?\b(?:in|aus|zu)\b (?:\w+ ){{0,3}}?{_DE_SOURCE}",
        rf"^(?:dazu|hierzu|darüber|hierüber|davon|zu (?:dieser|der|ihrer|deiner) frage|zu diesem "
        rf"(?:thema|punkt)|diesbezüglich|auf diese frage)\b (?:\w+ ){{1,4}}?{_DE_SOURCE}(?: "
        rf"\w+){{0,2}}? "
        rf"(?:leider )?(?:nicht|kein\w*|nichts)\b.{{0,40}}$",
        rf"^(?:dazu|hierzu|darüber|hierüber|davon|zu (?:dieser|der) frage|das|dies|es) (?:steht|"
        rf"stehen|"
        rf"findet|finden|ist|sind|lässt|gibt|wird)\b(?: \w+){{0,3}}? (?:in|im|aus|an|von) (?:\w+ "
        rf"){{0,3}}?"
        rf"{_DE_SOURCE}\b(?: \w+){{0,2}}? (?:nicht|kein\w*|nichts)\b.{{0,40}}$",
        rf"^(?:dazu|hierzu|darüber|hierüber|davon) (?:steht|stehen|findet sich|finden sich|ist|"
        rf"gibt es) "
        rf"(?:leider )?(?:nichts|kein\w*|nicht)\b.{{0,30}}\b(?:in|im|aus)\b (?:\w+ "
        rf"){{0,3}}?{_DE_SOURCE}$",
        rf"^(?:in|im|aus|laut) (?:\w+ ){{0,3}}?{_DE_SOURCE} (?:\w+ )?(?:nicht|kein\w*|nichts) "
        rf"(?:\w+ )?(?:{_DE_STATED}|{_DE_THING})$",
        rf"^(?:geht|lässt sich) (?:\w+ )?aus (?:\w+ ){{0,3}}?{_DE_SOURCE} nicht (?:hervor|"
        rf"entnehmen|ableiten)$",
        rf"^(?:nicht|nirgends|nichts|kein\w* {_DE_THING})(?: (?:dazu|hierzu|darüber|davon|zu "
        rf"finden|"
        rf"{_DE_STATED})){{0,2}} (?:in|im|aus|von) "
        rf"(?:\w+ ){{0,3}}?{_DE_SOURCE}(?: {_DE_STATED})?$",
        rf"^kein\w* (?:der |dieser |einzige[rn]? )?(?:\w+ ){{0,2}}?{_DE_SOURCE} "
        rf"(?:\w+ )?(?:enthält|erwähnt|nennt|sagt|gibt|macht|beantwortet|"
        r"liefert|beinhaltet|behandelt)",
    ),
    elsewhere=(
        r"\bich\b.{0,30}\b(?:kann|konnte|könnte|vermag|darf)\b.{0,120}\b(?:nicht|kein\w*|nichts)"
        r"\b.{0,80}?(?:beantwort|find|sag|"
        r"beurteil|bestimm|ermittel|entnehm|angeb|geben|machen|feststell|bestätig|treff|liefer|"
        r"helfen)",
        r"\b(?:kann|konnte) ich\b.{0,80}\b(?:nicht|kein\w*|nichts)\b.{0,60}?(?:beantwort|find|sag|"
        r"bestimm|ermittel|entnehm|geben|"
        r"machen|feststell|bestätig|liefer|helfen)",
        r"\b(?:ich weiß|weiß ich|ich weiss|weiss ich)\b.{0,40}?\bnicht\b",
        rf"\bich (?:habe|finde|fand|besitze|verfüge)\b.{{0,40}}?\b(?:kein\w*|nichts|nicht genug|"
        rf"nicht genügend|nicht ausreichend)\b.{{0,40}}?"
        rf"(?:{_DE_THING}|{_DE_SOURCE}|dazu|darüber|hierzu|gefunden)",
        rf"\bmir (?:liegen|liegt|fehlen|fehlt)\b.{{0,30}}\b(?:kein\w*|{_DE_THING})",
        r"\bich (?:muss|möchte|werde) mich (?:der antwort |hier )?enthalten|\bich enthalte mich\b",
        r"\b(?:die|diese|deine|ihre) frage\b.{0,30}\b(?:kann|lässt|läßt|konnte|ist)"
        r"\b.{0,80}\b(?:nicht|kein\w*)\b.{0,40}?(?:beantwort|klär)",
        r"\b(?:das|dies|es) (?:kann|lässt sich|läßt sich|konnte|ließ sich)"
        r"\b.{0,80}\bnicht\b.{0,40}?(?:beantwort|bestimm|ermittel|"
        r"feststell|entnehm|sagen|beurteil|ableit)",
        r"\b(?:dazu|darüber|hierzu)\b.{0,40}\b(?:nicht|kein\w*|nichts)\b.{0,60}?(?:sagen|machen|"
        r"geben|treffen|vor$|vorliegen|information|angabe|"
        r"gefunden|bekannt)",
        rf"\b(?:nicht genügend|nicht ausreichend\w*|nicht genug|unzureichend\w*|zu wenig\w*|es "
        rf"fehlen) {_DE_THING}",
        rf"\bkein\w* (?:ausreichend\w* |genügend\w* |relevant\w* |näher\w* |konkret\w* |"
        rf"entsprechend\w* )?{_DE_THING}\b.{{0,80}}?(?:vorhanden|"
        r"verfügbar|gefunden|enthalten|zu finden|möglich|vor$|vorliegend|bekannt)",
        r"\b(?:nicht (?:zu )?beantwortbar|nicht zu beantworten|unbeantwortbar)\b",
    ),
    whole=(
        r"(?:es (?:gibt|liegen) |(?:hierzu|dazu|darüber) )?(?:leider )?(?:kein\w*) (?:\w+e[nrs]? )?"
        r"(?:information|angabe|antwort|auskunft|auskünfte|detail|daten|treffer|ahnung|"
        r"erwähnung)\w*"
        r"(?: (?:dazu|hierzu|darüber|möglich|verfügbar|vorhanden|gefunden|bekannt|enthalten|zu "
        r"finden|"
        r"vor|auffindbar|ersichtlich))?",
        r"(?:das |dies |es |die antwort )?(?:(?:ist|wird|wurde|geht|steht) )?(?:hier |dort |daraus "
        r"|dazu |"
        r"leider |explizit |ausdrücklich )?(?:nicht|nirgends|nichts) (?:näher |explizit |"
        r"ausdrücklich )?"
        r"(?:erwähnt|genannt|angegeben|beschrieben|ersichtlich|ermittelbar|"
        r"feststellbar|beantwortbar|spezifiziert|thematisiert|bekannt|"
        r"hervor|zu (?:ermitteln|beantworten|entnehmen|sagen))(?: worden)?",
        r"(?:das |dazu |dies |darüber |es )?(?:kann|könnte) (?:ich |man )?(?:leider )?(?:dazu |das "
        r"|darüber |"
        r"hier )?(?:nicht|nichts) (?:sagen|beantworten|beurteilen)|(?:das |es |dies )?(?:lässt|"
        r"läßt) sich "
        r"(?:leider |daraus |hier |so )?nicht (?:beantworten|sagen|bestimmen|ermitteln|feststellen|"
        r"beurteilen|ableiten)|ohne angaben?|k\. ?a|unklar|fehlanzeige|nicht möglich zu (?:sagen|"
        r"beantworten)",
        r"keine (?:angaben?|antwort|information(?:en)?|ahnung)|unbekannt|weiß (?:ich )?nicht|"
        r"nicht (?:angegeben|bekannt|genannt|"
        r"enthalten|beantwortbar)",
    ),
)

FRENCH = Phrases(
    trigger=(
        r"\b(?:ne|n'|aucun\w*|pas|rien|impossible|incapable|insuffisant\w*|manque|m'abst\w*|"
        r"j'ignore|"
        r"inconnue?|non|sans|introuvable|indisponible|indétermin\w*)\b|n'|m'abst|j'ign"
    ),
    in_sources=(
        rf"(?<!\b(?:selon|d'après|dans|de|des|par|sur) (?:\w+ ){{0,2}}){_FR_SOURCE}(?: (?!que\b|"
        rf"qui\b)[\w-]+){{0,5}}?,? (?:ne |n').{{0,6}}?"
        rf"{_FR_SAY}\w*\b.{{0,12}}?\b(?:pas|aucun\w*|rien|jamais|ni|point)\b",
        rf"(?<!\b(?:selon|d'après|dans|de|des|par|sur) (?:\w+ ){{0,2}}){_FR_SOURCE}(?: [\w-]+)? "
        rf"n'(?:en|y) (?:parl|di|mentionn|font|fait|trait|apport|répond)\w*(?: \w+)? (?:pas|rien|"
        rf"jamais|"
        rf"aucun\w*|nulle)\b",
        rf"^(?:à ce sujet|sur ce (?:point|sujet)|là-dessus|à cette question),? (?:les |le |la "
        rf")?{_FR_SOURCE}"
        rf"(?: \w+)? (?:ne |n').{{0,30}}\b(?:pas|rien|aucun\w*)\b.{{0,30}}$",
        rf"^rien (?:(?:à ce sujet|sur ce (?:point|sujet)|là-dessus) )?(?:dans|parmi) (?:\w+ "
        rf"){{1,3}}?{_FR_SOURCE}$",
        rf"^aucun\w* (?:de ces |des |du |de )?(?:\w+ ){{0,2}}?{_FR_SOURCE}(?: \w+){{0,3}}? (?:ne |"
        rf"n')",
        rf"\baucun\w* {_FR_THING}.{{0,100}}\b{_FR_SOURCE}\b",
        rf"\b(?:n'est|n'a|ne sont|n'ont|n'y a|ne figure|n'apparaît|ne se trouve)"
        rf"\w*\b.{{0,20}}?\b(?:pas|aucun\w*|rien)\b.{{0,20}}?"
        rf"(?:{_FR_STATED}|{_FR_THING}|).{{0,40}}\b(?:dans|par|d'après) "
        rf"(?:\w+ ){{0,3}}?{_FR_SOURCE}\b",
    ),
    elsewhere=(
        r"\bje (?:ne |n')(?:peux|puis|pourrais|parviens|suis|saurais|dispose|connais|vois|trouve|"
        r"ai)\b.{0,20}?\b(?:pas|aucun\w*|rien|plus)\b"
        r".{0,80}?(?:répond|dire|détermin|trouv|confirm|fourni|information|réponse|élément|sûr|"
        r"certain|donn|assez|suffisa|accès|mesure|aider|$)",
        r"\bje (?:ne sais|n'en sais|l'ignore|ne peux|ne puis)\b.{0,12}(?:pas|rien|répondre|$)|"
        r"\bje suis (?:incapable|dans l'incapacité) de",
        r"\bje (?:dois|préfère) m'abstenir|\bje m'abstiens\b|\bj'ignore\b",
        r"\b(?:impossible|pas possible) (?:de |d')(?:répondre|déterminer|dire|trouver|savoir|"
        r"conclure)",
        r"\b(?:cette|la|votre) (?:question|réponse)\b.{0,60}\bne (?:peut|peuvent)"
        r"\b.{0,20}\bpas\b.{0,40}(?:répon|détermin|trouv|donn|établi)",
        r"\bon ne peut (?:donc )?pas (?:répondre|déterminer|savoir|conclure)",
        rf"\bpas (?:assez|suffisamment) d'{_FR_THING}.{{0,40}}\bpour (?:répon|détermin|dire|"
        rf"conclu|établ)",
        rf"^(?:{_FR_THING} insuffisant\w*|manque d'{_FR_THING})|\b{_FR_THING} (?:\w+ )?(?:est|"
        rf"sont) insuffisant",
        rf"\bil n'y a (?:pas|aucun\w*|rien)\b.{{0,40}}{_FR_THING}",
        rf"\baucun\w* {_FR_THING}\b.{{0,60}}(?:disponible|trouvé|fourni|donné|sur|concernant|"
        rf"permet)",
    ),
    whole=(
        r"(?:ce |cela |c'|ceci |ça |la réponse |l'information )?(?:n'est|n'y est|n'a|n'y figure|ne "
        r"figure|"
        r"n'apparaît)(?: été)? (?:pas|nulle part)(?: été)? (?:mentionn|précis|indiqu|spécifi|"
        r"évoqu)\w*"
        r"(?: (?:ici|explicitement))?",
        rf"(?:non|pas|jamais) (?:{_FR_STATED})\w*(?: (?:explicitement|clairement))?"
        rf" (?:dans|par) (?:\w+ ){{1,3}}?{_FR_SOURCE}(?: \w+)?",
        r"(?:non|pas|jamais) (?:mentionn|précis|indiqu|spécifi|évoqu)\w*(?: (?:ici|"
        r"explicitement))?",
        rf"(?:il n'y a )?(?:pas (?:de |d')|aucun\w* |sans )(?:autre |telle )?(?:{_FR_THING}|"
        rf"résultat|idée)"
        rf"(?: (?:disponibles?|trouvée?s?|fournie?s?|pertinente?s?|correspondante?s?|donnée?s?))?"
        rf"(?: (?:à ce (?:sujet|propos)|là-dessus|sur (?:ce (?:sujet|point)|cela|cette "
        rf"question)))?",
        rf"(?:la |l')?(?:{_FR_THING}) (?:introuvable|indisponible|manquante?|inconnue?|non "
        r"(?:disponible|précisée?|fournie?|mentionnée?|trouvée?))s?|"
        r"indéterminée?|impossible à (?:dire|déterminer|savoir)|sans réponse",
        r"(?:réponse )?inconnue?|pas de réponse|aucune (?:information|réponse|idée)|non "
        r"(?:précisé|mentionné|spécifié|"
        r"communiqué|disponible)e?|je ne sais pas",
    ),
)

SPANISH = Phrases(
    trigger=(
        r"\b(?:no|ning[uú]n[oa]?|tampoco|nunca|carecen?|insuficiente|falta|absten\w+|abstengo|"
        r"desconoc\w+|sin|nada|ni|imposible)\b"
    ),
    in_sources=(
        rf"(?<!\b(?:según|en|de|por|con) (?:\w+ ){{0,2}}){_ES_SOURCE}(?: (?!que\b)\w+){{0,4}}?,? "
        rf"(?:no|tampoco|nunca)\b.{{0,8}}?{_ES_SAY}",
        rf"(?<!\b(?:según|en|de|por|con) (?:\w+ ){{0,2}}){_ES_SOURCE}(?: \w+){{0,2}}? carecen? de",
        rf"^(?:de|sobre|acerca de|a) (?:eso|esto|ello|este (?:tema|punto)|esta (?:pregunta|"
        rf"cuestión)),? "
        rf"(?:los |las |el |la |estos )?{_ES_SOURCE}(?: \w+)? no (?:\w+ ){{1,3}}?(?:nada|"
        rf"{_ES_THING})$",
        rf"^nada (?:(?:al respecto|sobre (?:esto|eso|ello|el tema)|de (?:esto|eso)) )?en (?:\w+ "
        rf"){{1,3}}?{_ES_SOURCE}(?: \w+)?$",
        rf"^ning[uú]n[oa]? (?:de (?:los|las|estos|estas) )?(?:\w+ )?{_ES_SOURCE}(?: \w+){{0,3}}? "
        rf"(?:\w+ )?{_ES_SAY}",
        rf"\bno (?:se (?:mencion|indic|especific|proporcion|encuentr|dice|inclu|ofrec|detall|"
        rf"aclar|explic|da)\w*|aparece|figura|consta|está|"
        rf"hay (?:{_ES_THING}|nada)|existe (?:{_ES_THING}|nada))\b.{{0,80}}\b(?:en|por) "
        rf"(?:\w+ ){{0,3}}?{_ES_SOURCE}\b",
        rf"\ben (?:\w+ ){{0,2}}?{_ES_SOURCE}(?: \w+)? no (?:se (?:mencion|indic|especific|"
        rf"proporcion|encuentr|dice|inclu|ofrec|detall|"
        rf"aclar|explic|da)|aparece|figura|consta|hay (?:{_ES_THING}|nada))",
    ),
    elsewhere=(
        rf"\bno (?:lo )?(?:sé|puedo|pude|podemos|he podido|hemos podido|logro|logré|tengo|"
        rf"dispongo|disponemos|encuentro|encontré|"
        rf"encontramos|he encontrado|cuento|conozco)\b.{{0,40}}?(?:respond|contest|determin|"
        rf"encontr|decir|dato|respuesta|confirm|saber|detalle|esto|"
        rf"esta|suficiente|ayudar|{_ES_THING}|$)",
        r"\b(?:debo|tengo que|prefiero) abstenerme|\bme abstengo\b",
        r"\bno (?:es posible|resulta posible|se puede|se pudo) (?:respond|contest|determin|decir|"
        r"saber|establec|confirm)",
        rf"\bno (?:hay|existe|existen|se dispone de|se encontró|se encontraron|se ha encontrado) "
        rf"(?:\w+ ){{0,2}}?{_ES_THING}.{{0,12}}?(?:sobre|acerca|"
        r"suficiente|disponible|en|esta|la pregunta|$|para)",
        r"\bno hay suficiente|^(?:la )?información (?:es )?insuficiente|\bfalta "
        r"(?:de )?información (?:para|sobre)",
    ),
    whole=(
        rf"(?:(?:eso|esto|ello|la respuesta|el dato) )?(?:no|nunca|tampoco) (?:lo |está |se (?:ha |"
        rf"han )?)?"
        rf"(?:consta|aparece|figura|mencion|indic|especific|precis|detall|encontr|disponible|dice|"
        rf"proporcion|aclar|inform|facilit)\w*(?: (?:explícitamente|nada))? (?:en|por) "
        rf"(?:\w+ ){{1,3}}?{_ES_SOURCE}(?: \w+)?",
        r"(?:(?:eso|esto|ello|la respuesta) )?no (?:lo |está |se (?:ha |han )?)?(?:sé|consta|"
        r"mencion\w+|"
        r"indic\w+|especific\w+|precis\w+|sabe|dice|aclara|sabría decir)(?: (?:aquí|explícitamente|"
        r"nada))?",
        r"(?:no (?:hay|existe|existen|tengo|se encontr\w+) |sin |ning[uú]n[oa]? )(?:más |"
        r"suficientes? )?"
        r"(?:información|datos|detalles|respuesta|resultados?|idea|mención)"
        r"(?: (?:disponibles?|al respecto|proporcionad[oa]s?|suficientes?|relevantes?|"
        r"encontrad[oa]s?))*"
        r"(?: (?:sobre|acerca de) (?:esto|eso|ello|este tema|el tema))?",
        r"(?:la )?(?:respuesta|información|dato) (?:desconocid[oa]|no (?:disponible|encontrad[oa]|"
        r"proporcionad[oa]|especificad[oa]|mencionad[oa]|facilitad[oa]))|ni idea|imposible "
        r"(?:saberlo|de determinar|determinarlo)|sin especificar",
        r"desconocid[oa]|sin (?:respuesta|información|datos)|no (?:lo )?(?:sé|consta|se menciona|"
        r"se indica|se especifica|"
        r"disponible)|se desconoce",
    ),
)

RUSSIAN = Phrases(
    trigger=r"\b(?:не|нет|ни|недостаточно|воздерж\w*|невозможно|затрудняюсь|неизвестно)\b",
    in_sources=(
        rf"(?<!(?:согласно|по|в|из) (?:\w+ ){{0,2}}){_RU_SOURCE}(?: \w+){{0,2}}? (?:не|нет)"
        rf"\b.{{0,20}}?(?:содерж|упомин|указ|сказан|говор|"
        r"информац|сведен|позвол|отвеч|ответ|найд)",
        rf"\bв (?:\w+ ){{0,3}}?{_RU_SOURCE}(?: \w+){{0,4}}? (?:не|нет)\b.{{0,30}}?(?:содерж|"
        rf"упомин|указ|сказан|говор|информац|сведен|ответ|найд)",
        rf"\b(?:не|нет) (?:\w+ ){{0,4}}?(?:упомина|указан|содерж|найден|сказан|говор|информац|"
        rf"сведен)\w*.{{0,40}}\b{_RU_SOURCE}",
    ),
    elsewhere=(
        r"\b(?:не знаю|не могу|не удалось|не нашёл|не нашел|не нашла|не располагаю|затрудняюсь)"
        r"\b.{0,60}?(?:ответ|найти|определ|сказать|"
        r"информац|подтверд|установ|это|помочь|$)",
        r"\b(?:нет|недостаточно) (?:\w+ )?(?:информации|данных|сведений|ответа) (?:для|о|об|на|по)"
        r"\b",
        r"\bвоздерж(?:усь|аться|иваюсь)\b|\bневозможно (?:ответить|определить|сказать|установить)",
    ),
    whole=(r"неизвестно|не знаю",),
)

ASIAN = Phrases(
    trigger=r"[\u0600-\u06ff\u0900-\u097f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]",
    in_sources=(
        r"(?:文档|文件|资料|上下文|来源|段落|文本|材料|內容|内容|片段).{0,12}(?:没有|未|並未|并未|无|沒有|不包含|不涉及).{0,12}(?:提|说|包含|"
        r"给出|"
        r"回答|涉及|信息|提供|足|$)",
        r"(?:文書|資料|文脈|情報源|出典|ドキュメント|コンテキスト|抜粋).{0,30}(?:記載|言及|情報|含まれ|書かれ|見つか).{0,8}(?:ませ|ない|なし|"
        r"おらず)",
    ),
    elsewhere=(
        r"^(?:对不起|抱歉|很抱歉|根据.{0,24})?[,，]?(?:我|我们|本文)?.{0,4}(?:不知道|不清楚|不确定|(?:无法|無法|不能)(?:回答|确定|確定|"
        r"找到|判断|判斷|得知|提供|"
        r"确认)|没有找到|找不到)",
        r"(?:没有|沒有)(?:足够的?|相关的?|提供)(?:信息|資訊|资料|答案)|信息不足",
        r"(?:わかりません|分かりません|お答えできません|回答できません|見つかりません(?:でした)?|"
        r"判断できません|情報がありません|記載がありません|情報が不足)",
        r"(?:모르겠습니다|알 수 없습니다|답변할 수 없습니다|찾을 수 없습니다|"
        r"정보가 없습니다|정보가 부족)",
        r"لا (?:أعرف|أعلم|أستطيع الإجابة|يمكنني الإجابة|توجد معلومات|يمكن الإجابة)|لم أجد",
        r"(?:मुझे नहीं पता|पता नहीं|जानकारी नहीं है|उत्तर नहीं)",
    ),
    whole=(r"未知|不明|不详|(?:我)?不知道",),
)
