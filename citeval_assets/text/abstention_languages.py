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
    trigger=r"nicht|kein|nichts|nirgends|weder|fehl|unzureich|unbeantw|unbekannt|enthalt|zu wenig",
    in_sources=(
        rf"(?<!\b(?:laut|gemäß|nach|zufolge|aus|in|mit|von) (?:\w+ ){{0,3}}){_DE_SOURCE}(?: "
        rf"\w+){{0,4}}? (?:enth[aä]l|erwähn|nenn|"
        rf"sag|geb|gib|mach|beantwort|liefer|beinhalt|behandel|biet|geh|steh|reich|spezifizier|"
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
        r"keine (?:angaben?|antwort|information(?:en)?|ahnung)|unbekannt|weiß (?:ich )?nicht|"
        r"nicht (?:angegeben|bekannt|genannt|"
        r"enthalten|beantwortbar)",
    ),
)

FRENCH = Phrases(
    trigger=r"\b(?:ne|n'|aucun\w*|pas|rien|impossible|incapable|insuffisant\w*|manque|m'abst\w*|j'ignore|inconnue?|non|sans)\b|n'|m'abst|j'ign",
    in_sources=(
        rf"(?<!\b(?:selon|d'après|dans|de|des|par|sur) (?:\w+ ){{0,2}}){_FR_SOURCE}(?: (?!que\b|"
        rf"qui\b)[\w-]+){{0,5}}?,? (?:ne |n').{{0,6}}?"
        rf"{_FR_SAY}\w*\b.{{0,12}}?\b(?:pas|aucun\w*|rien|jamais|ni|point)\b",
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
        r"(?:réponse )?inconnue?|pas de réponse|aucune (?:information|réponse|idée)|non "
        r"(?:précisé|mentionné|spécifié|"
        r"communiqué|disponible)e?|je ne sais pas",
    ),
)

SPANISH = Phrases(
    trigger=r"\b(?:no|ningun[oa]?|tampoco|nunca|carecen?|insuficiente|falta|absten\w+|abstengo|desconoc\w+|sin)\b",
    in_sources=(
        rf"(?<!\b(?:según|en|de|por|con) (?:\w+ ){{0,2}}){_ES_SOURCE}(?: (?!que\b)\w+){{0,4}}?,? "
        rf"(?:no|tampoco|nunca)\b.{{0,8}}?{_ES_SAY}",
        rf"(?<!\b(?:según|en|de|por|con) (?:\w+ ){{0,2}}){_ES_SOURCE}(?: \w+){{0,2}}? carecen? de",
        rf"^ningun[oa]? (?:de (?:los|las|estos|estas) )?(?:\w+ )?{_ES_SOURCE}(?: \w+){{0,3}}? "
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
        r"desconocid[oa]|sin (?:respuesta|información|datos)|no (?:lo )?(?:sé|consta|se menciona|"
        r"se indica|se especifica|"
        r"disponible)|se desconoce",
    ),
)

ITALIAN_PORTUGUESE_DUTCH = Phrases(
    trigger=r"\b(?:non|não|niet|geen|niets|sconosciuto|desconhecido|onbekend)\b",
    in_sources=(
        r"\b(?:documenti|fonti|testo|testi|contesto|passaggi|documentos?|fontes?|textos?|contexto|"
        r"trechos?)(?: \w+){0,3}? (?:non|não)\b"
        r".{0,8}?(?:menzion|conten|indic|forn|dic|specific|includ|rispond|mencion|contêm|contém|"
        r"fornec|diz|especific|inclu|"
        r"respond|permett|permit)",
        r"\b(?:non|não) (?:è|sono|c'è|viene|vengono|há|está|é|foi|são)\b.{0,40}?\b(?:nei|nel|"
        r"nelle|nos|nas|no|na) (?:\w+ )?(?:documenti|fonti|"
        r"testo|contesto|passaggi|documentos?|fontes?|texto|contexto|trechos)\b",
        r"\b(?:documenten|bronnen|tekst|teksten|context|passages|fragmenten)(?: \w+){0,2}? "
        r"(?:vermeld|bevat|noem|zeg|geef|geven|bied)\w*\b.{0,40}?"
        r"\b(?:niet|geen|niets)\b",
    ),
    elsewhere=(
        r"\bnon (?:lo )?(?:so|posso|riesco|trovo|ho|sono in grado)\b.{0,40}?(?:rispond|determin|"
        r"trov|dire|informazion|risposta|sufficient|confermare|$)",
        r"\bnão (?:sei|posso|consigo|encontrei|tenho|é possível)\b.{0,40}?(?:respond|determin|"
        r"encontr|dizer|informaç|resposta|suficient|confirmar|$)",
        r"\bik (?:weet|kan|kon|heb|vind)\b.{0,60}\b(?:niet|geen|niets)\b",
    ),
    whole=(r"sconosciuto|non (?:lo )?so|não sei|desconhecido|onbekend|weet ik niet",),
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
