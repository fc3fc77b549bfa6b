"""How Italian, Portuguese, Dutch and Polish answers say that they cannot be given."""

from citeval_assets.text.phrasing import Phrases

_IT_SOURCE = (
    r"(?:document[oi]|font[ei]|test[oi]|contesto|passaggi[o]?|brani|brano|estratti|articol[oi]|"
    r"material[ei]|informazioni (?:fornite|disponibili|date))"
)
_IT_SAY = (
    r"(?:menzion|conten|conteng|indic|forn|dic|specific|includ|rispond|permett|parl|tratt|riport|"
    r"precis|citan?|cita|offr|accenn|spieg)"
)
_IT_THING = r"(?:informazion[ei]|rispost[ae]|dat[oi]|dettagli[o]?|indicazion[ei]|menzion[ei])"
_PT_SOURCE = (
    r"(?:documentos?|fontes?|textos?|contexto|trechos?|passagens|passagem|excertos?|artigos?|"
    r"materia(?:l|is)|informações (?:fornecidas|disponíveis|dadas))"
)
_PT_SAY = (
    r"(?:mencion|contêm|contém|fornec|diz|especific|inclu|respond|permit|indic|fala|trat|refer|"
    r"apresent|abord|traz|explic|cita)"
)
_PT_THING = (
    r"(?:informaç(?:ão|ões)|resposta|dados?|detalhes?|menção|indicaç(?:ão|ões)|referências?)"
)
_NL_SOURCE = (
    r"(?:document(?:en)?|bron(?:nen)?|teksten|tekst|context|passages?|fragment(?:en)?|"
    r"artikel(?:en)?|"
    r"stukken|materiaal)"
)
_NL_SAY = (
    r"(?:vermeld|bevat|noem|zeg|geef|geven|bied|beschrijf|beschrijv|beantwoord|meld|spreek|spreken)"
)
_NL_STATED = (
    r"(?:vermeld|genoemd|aangegeven|gespecificeerd|beschikbaar|bekend|gevonden|te vinden|"
    r"beschreven|duidelijk)"
)
_NL_THING = r"(?:informatie|antwoord|gegevens|vermelding|details?|aanwijzing(?:en)?)"
_PL_SOURCE = (
    r"(?:dokument|źród(?:ł|e)|tekst|tekści|kontekst|kontekści|fragment|materia[łl]|artyku[łl]|"
    r"podanych informacj|dostępnych informacj)\w*"
)
_PL_SAY = (
    r"(?:zawier|wspomin|podaj|mówi|mów|wymieni|określ|odpowiad|opisuj|wskazuj|informuj|precyzuj|"
    r"pozwala|wynika|ma\b|znajd|znalaz)"
)
_PL_THING = r"(?:informacj|odpowiedz|odpowiedź|dan(?:ych|e)|wzmian|szczegół|wskazówk)\w*"

ITALIAN = Phrases(
    trigger=r"\b(?:non|sconosciut[oa]|nessun\w*|niente|nulla|impossibile|senza|assente|ignot[oa])\b",
    in_sources=(
        rf"(?<!\b(?:secondo|dei|di|nei|nel) (?:\w+ ){{0,2}}){_IT_SOURCE}(?: (?!che\b)\w+){{0,3}}? "
        rf"non\b"
        rf".{{0,8}}?{_IT_SAY}",
        rf"\bnon (?:è|sono|c'è|ci sono|viene|vengono|si (?:trova|menzion|parl|"
        rf"dice))\w*\b.{{0,40}}?\b(?:nei|"
        rf"nel|nelle|dai|dal|dalle) (?:\w+ )?{_IT_SOURCE}\b",
        rf"^(?:nei|nel|nelle) (?:\w+ )?{_IT_SOURCE}(?: \w+)? non (?:c'è|ci sono|si|se ne|viene|è|"
        rf"ne)\b.{{0,60}}?"
        rf"(?:{_IT_THING}|{_IT_SAY}|parla|nulla)",
        rf"^(?:non|mai) (?:\w+mente )?(?:menzionat|specificat|indicat|precisat|riportat|trovat|"
        rf"presente|"
        rf"disponibil)\w* (?:nei|nel|nelle|dai|dal|dalle) (?:\w+ )?{_IT_SOURCE}(?: \w+)?$",
        rf"^nessun\w* (?:dei |delle |di questi )?(?:\w+ )?{_IT_SOURCE}(?: \w+)? {_IT_SAY}",
        rf"^nessun\w* {_IT_THING}\b.{{0,80}}\b(?:nei|nel|nelle|dai|dal) (?:\w+ )?{_IT_SOURCE}\b",
    ),
    elsewhere=(
        r"\bnon (?:lo )?(?:so|posso|riesco|trovo|ho|sono in grado)\b.{0,40}?(?:rispond|determin|"
        r"trov|dire|informazion|risposta|sufficient|confermare|$)",
        r"\b(?:non è possibile|impossibile) (?:rispondere|determinare|stabilire|dire|sapere)",
        rf"\bnon (?:ci sono|sono disponibili|c'è) (?:\w+ )?{_IT_THING}\b.{{0,20}}?(?:su|sufficient|"
        rf"disponibil|riguardo|in merito|al riguardo|per)\b",
    ),
    whole=(
        r"(?:sconosciut|ignot)[oa]|non (?:lo )?so|(?:(?:ciò|questo|la risposta) )?non (?:è |sono |"
        r"viene |"
        r"vengono )?(?:stat[oa] )?(?:specificat|menzionat|indicat|precisat|riportat|"
        r"not)[oaie](?: (?:qui|esplicitamente))?",
        rf"(?:nessun\w*|senza|non ci sono|non c'è) (?:{_IT_THING}|idea|risultat[oi])(?: "
        rf"(?:disponibil[ei]|"
        rf"trovat[oaie]|fornit[oaie]|pertinent[ei]))?(?: (?:al riguardo|in merito|a riguardo|su "
        rf"questo))?",
        rf"(?:l')?{_IT_THING} non (?:disponibil|trovat|fornit|specificat|presente)\w*|non si sa|"
        rf"impossibile (?:dirlo|saperlo|da determinare)",
    ),
)

PORTUGUESE = Phrases(
    trigger=(
        r"\b(?:não|desconhecid[oa]|nenhum\w*|nada|sem|impossível|tampouco|indisponível|"
        r"insuficiente)\b"
    ),
    in_sources=(
        rf"(?<!\b(?:segundo|dos|das|nos|no) (?:\w+ ){{0,2}}){_PT_SOURCE}(?: (?!que\b)\w+){{0,3}}? "
        rf"não\b"
        rf".{{0,8}}?{_PT_SAY}",
        rf"\bnão (?:há|está|é|foi|são|consta|constam|aparece|se (?:menciona|diz|encontra|"
        rf"fala))\b.{{0,40}}?"
        rf"\b(?:nos|nas|no|na|pelos|pelo) (?:\w+ )?{_PT_SOURCE}\b",
        rf"^(?:nos|no|nas|na) (?:\w+ )?{_PT_SOURCE}(?: \w+)? não (?:há|se|é|consta|"
        rf"existe)\b.{{0,60}}?"
        rf"(?:{_PT_THING}|{_PT_SAY}|nada|$)",
        rf"^não (?:mencionad|especificad|indicad|encontrad|informad|disponíve)\w* (?:nos|nas|no|na|"
        rf"pelos|pelo) "
        rf"(?:\w+ )?{_PT_SOURCE}(?: \w+)?$",
        rf"^nenhum\w* (?:dos |das |destes )?(?:\w+ )?{_PT_SOURCE}(?: \w+)? {_PT_SAY}",
        rf"^nenhuma? {_PT_THING}\b.{{0,80}}\b(?:nos|no|nas|na) (?:\w+ )?{_PT_SOURCE}\b",
    ),
    elsewhere=(
        r"\bnão (?:sei|posso|consigo|encontrei|tenho|é possível)\b.{0,40}?(?:respond|determin|"
        r"encontr|dizer|informaç|resposta|suficient|confirmar|$)",
        rf"\bnão (?:há|existem?|foram encontradas) (?:\w+ )?{_PT_THING}\b.{{0,20}}?(?:sobre|"
        rf"suficient|"
        rf"disponíve|a respeito|para)",
    ),
    whole=(
        r"desconhecid[oa]|(?:eu )?não (?:o )?sei|(?:(?:isso|isto|a resposta) )?não (?:é |está |foi "
        r"|foram )?"
        r"(?:especificad|mencionad|indicad|informad|const|dit|sabid)"
        r"\w*(?: (?:aqui|explicitamente))?",
        rf"(?:sem|nenhuma?|não há) (?:{_PT_THING}|ideia|resultados?)(?: (?:disponíve(?:l|is)|"
        rf"encontrad[oa]s?|"
        rf"fornecid[oa]s?|relevantes?))?(?: (?:a respeito|sobre (?:isso|isto|o assunto)|a esse "
        rf"respeito))?",
        rf"(?:a )?{_PT_THING} (?:não (?:disponível|encontrada?|fornecida?|especificada?|"
        rf"mencionada?)|"
        r"indisponível)|impossível (?:dizer|saber|determinar)",
    ),
)

DUTCH = Phrases(
    trigger=r"\b(?:niet|geen|niets|onbekend|nergens|onvoldoende|onduidelijk|onmogelijk)\b",
    in_sources=(
        rf"(?<!\b(?:volgens|van|in) (?:\w+ ){{0,2}})\b{_NL_SOURCE}(?: \w+){{0,2}}? "
        rf"{_NL_SAY}\w*\b.{{0,40}}?"
        rf"\b(?:niet|geen|niets)\b",
        rf"^(?:daarover|hierover|over (?:dit|dat) \w+|daarvan|hiervan) {_NL_SAY}\w* (?:\w+ "
        rf")?{_NL_SOURCE}"
        rf"(?: \w+)? (?:niets|niet|geen)\b.{{0,30}}$",
        rf"^(?:dat|dit|het|daarover|hierover|er) (?:staat|staan|is|wordt|blijkt)\b(?: \w+){{0,3}}? "
        rf"(?:niets|"
        rf"niet|geen|nergens)\b.{{0,30}}?\b(?:in|uit) (?:\w+ )?{_NL_SOURCE}\b.{{0,20}}$",
        rf"^in (?:\w+ ){{0,2}}?{_NL_SOURCE} (?:staat|staan|is|wordt|worden|vind|"
        rf"vond)\b.{{0,40}}?(?:niet|geen|"
        rf"niets)\b.{{0,20}}?(?:{_NL_STATED}|{_NL_THING}|$)",
        rf"^(?:niet|nergens) (?:\w+ )?(?:{_NL_STATED} )?(?:in|door) (?:\w+ ){{0,2}}?{_NL_SOURCE}"
        rf"(?: {_NL_STATED})?$",
        rf"^geen {_NL_THING}\b.{{0,60}}\bin (?:\w+ ){{0,2}}?{_NL_SOURCE}\b",
    ),
    elsewhere=(
        r"\bik (?:weet|kan|kon|heb|vind)\b.{0,60}\b(?:niet|geen|niets)\b",
        rf"\ber (?:is|zijn) (?:geen|onvoldoende) (?:\w+ )?{_NL_THING}\b",
        r"^(?:deze|de|uw|je) vraag kan\b.{0,40}\bniet\b.{0,20}beantwoord",
    ),
    whole=(
        r"onbekend|onduidelijk|(?:dat )?weet ik niet|geen idee|(?:dat |dit |het )?(?:is |wordt "
        r")?(?:hier )?"
        r"(?:niet|nergens) (?:expliciet |nader )?(?:vermeld|genoemd|aangegeven|gespecificeerd|"
        r"bekend|"
        r"duidelijk|beschreven)",
        rf"(?:geen|onvoldoende) (?:\w+e )?{_NL_THING}(?: (?:{_NL_STATED}|hierover|daarover|"
        rf"mogelijk))?",
        r"niet te (?:bepalen|beantwoorden|zeggen)|(?:dat )?kan ik niet (?:zeggen|beantwoorden)",
    ),
)

POLISH = Phrases(
    trigger=r"\b(?:nie|brak\w*|nieznan\w*|żad(?:en|n\w+)|nic|niewiadom\w*|nieokreślon\w*|niemożliw\w*)\b",
    in_sources=(
        rf"(?<!\b(?:według|zgodnie z|na podstawie|z|w) (?:\w+ ){{0,2}})\b{_PL_SOURCE}(?: "
        rf"\w+){{0,2}}? nie "
        rf"{_PL_SAY}",
        rf"^(?:w|we|z|ze|na podstawie) (?:\w+ ){{0,2}}?{_PL_SOURCE}(?: \w+){{0,2}}? (?:nie (?:ma|"
        rf"podano|"
        rf"wspomniano|znalaz\w+|wynika|zawarto|określono|można|da się|jest|znajduj\w+)|brak\w*|nic "
        rf"nie)\b",
        rf"\b(?:nie (?:ma|podano|wspomniano|znalaz\w+|znajduj\w+|wynika|określono|jest|są)|brak|"
        rf"nic)\b"
        rf".{{0,60}}?\b(?:w|we|z|ze) (?:\w+ ){{0,2}}?{_PL_SOURCE}$",
        rf"^żad(?:en|n\w+) (?:z )?(?:\w+ )?{_PL_SOURCE}(?: \w+)? nie {_PL_SAY}",
    ),
    elsewhere=(
        r"\bnie (?:mogę|potrafię|jestem w stanie|udało mi się|umiem|da się|"
        r"można)\b.{0,40}?(?:odpowiedzieć|"
        r"znaleźć|określić|stwierdzić|powiedzieć|ustalić|potwierdzić|pomóc|udzielić)",
        rf"\bnie (?:mam|znalazłem|znalazłam|posiadam)\b.{{0,30}}?(?:{_PL_THING}|odpowied\w*)",
        rf"^(?:brak|brakuje|nie ma|za mało) (?:\w+ ){{0,2}}?{_PL_THING}(?:$| (?:na ten temat|o|aby|"
        rf"do|by|"
        rf"dotycząc\w*|w tej sprawie|pozwalając\w*))",
    ),
    whole=(
        r"nie wiem|nieznan[yae]|niewiadomo|nie wiadomo|(?:tego |to )?nie (?:podano|wspomniano|"
        r"określono|"
        r"wskazano|sprecyzowano|wiadomo|jest (?:podane|określone|znane|wspomniane))(?: (?:tutaj|"
        r"wprost))?",
        rf"(?:brak|żadn\w+|nie ma) (?:\w+ych )?(?:{_PL_THING}|wyników|pojęcia)|nie mam pojęcia|"
        r"(?:trudno|nie sposób) powiedzieć|nieokreślon[eya]",
    ),
)
