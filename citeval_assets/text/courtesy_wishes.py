"""Wishes and announcements: what is said to the reader, not about the world.

A wish has no verb that states something, so its tail is short, names no number and goes on only
with the words a wish goes on with. An announcement says that an answer, a list or a summary
comes, and nothing of what stands in it.
"""

from citeval_assets.text.phrasing import any_of

_TO = r"(?: (?:with|on|in|for|to|at|and|from|during|until|after)\b[^\d:]{1,50}|,? \w{1,20})?"
_DAY = (
    r"(?:birthday|anniversary|holidays?|new year|easter|christmas|xmas|hanukkah|diwali|eid|"
    r"thanksgiving|reading|writing|learning|coding|cooking|baking|travels?|travelling|traveling|"
    r"gardening|knitting|exploring|hiking|shopping|weekend|trails|landings)"
)
_NICE = (
    r"(?:nice|good|great|lovely|wonderful|pleasant|safe|fantastic|happy|blessed|relaxing|restful|"
    r"beautiful|productive|quick|speedy|full|smooth|merry|fun|successful|swift|peaceful|"
    r"prosperous)"
)

WISHES = any_of(
    r"(?:i|we)(?:'d like to| would like to|'d| would)? wish (?:you|him|her|them)(?: both| all)?,? "
    rf"(?:(?:a|an) (?:very )?{_NICE}\b|all the|the (?:very )?best|every|much|good|great|happy|well|"
    rf"success|strength|luck|nothing but)[^\d:]{{0,60}}",
    rf"(?:wishing|sending) (?:you|him|her|them)(?: both| all)?,? (?:(?:a|an) (?:very )?{_NICE}\b|"
    rf"all|"
    rf"the (?:very )?best|every|much|good|great|happy|well|success|strength|luck|love|hugs|best|"
    rf"warm|positive)[^\d:]{{0,60}}",
    r"get (?:well|better)(?: (?:soon|quickly|fast))?(?:,? \w{1,20})?",
    r"(?:stay|keep|be) (?:safe|healthy|well|strong|warm|tuned|curious|positive|careful)(?: and "
    r"(?:safe|healthy|well|strong|warm|tuned|curious|positive))?(?:,? (?:everyone|out there|there|"
    r"all|"
    r"my friend))?",
    r"take (?:good )?care(?: of yourself| out there| and .{1,30}|, \w{1,20})?",
    rf"(?:merry|happy|a happy|a merry) {_DAY}(?:,? (?:to (?:you|all|everyone)(?: all| both)?|"
    rf"everyone|"
    rf"and [^\d:]{{1,30}}))?(?:, \w{{1,20}})?",
    r"(?:many |warm(?:est)? |hearty )?(?:congratulations|congrats)(?: (?:on|to|for|again|"
    r"and)\b[^\d:]"
    r"{0,60}|,? \w{1,20})?|well done(?:,? \w{1,20})?|bravo|cheers(?:,? \w{1,20})?|fingers crossed",
    rf"have (?:a|an) (?:very )?{_NICE}\b[^\d:]{{0,40}}|have fun(?: (?:with|at|in|on) "
    rf"[^\d:]{{1,40}})?",
    rf"enjoy(?: (?:your|the)(?: (?!include|cost|is\b|are\b|was\b)\w+){{1,3}})?|"
    rf"(?:the )?(?:good luck|best of luck|best wishes|all (?:the|my) best|much success|"
    rf"godspeed){_TO}",
    r"(?:(?:best|kind|warm|kindest|warmest) )?regards(?:,? \w{1,20})?|(?:yours )?(?:sincerely|"
    r"faithfully|truly)(?: yours)?(?:,? \w{1,20})?|(?:good)?bye(?: bye|,? (?:\w{1,20}|for now))?|"
    r"farewell",
    rf"safe (?:travels?|journey|trip|flight)(?:,? (?:home|\w{{1,20}}))?|bon (?:appétit|appetit|"
    rf"voyage)|"
    rf"(?:a )?{_NICE} (?:trip|journey|recovery|weekend|evening|day|holidays?)(?: to you)?",
    r"(?:my|our|please accept my|please accept our)? ?(?:(?:deepest|sincere(?:st)?|heartfelt) )?"
    r"condolences(?: (?:to|on|for) [^\d:]{1,50})?|(?:i'm|i am|we're|we are)? ?(?:so |very |deeply "
    r")?"
    r"sorry for your (?:loss|trouble)|rest in peace",
    r"(?:i(?:'m| am)? |we(?:'re| are)? )?look(?:ing)? forward to (?:hearing|seeing|your|helping|"
    r"working|meeting|it|our)\b[^\d:]{0,50}|see you(?: (?:soon|later|then|there|next time|around|"
    r"tomorrow|again(?: soon)?))?|(?:until|till) (?:next time|then|soon)|talk to you (?:soon|"
    r"later)",
    r"(?:you're|you are) welcome|(?:happy|glad) to (?:help|be of (?:help|service))(?: (?:you|with "
    r"[^\d:]{1,40}|anytime|further))?",
    # German
    r"(?:ich|wir) wünschen? (?:ihnen|dir|euch)(?: allen)? (?!,)[^\d:,]{1,70}",
    r"(?:gute|baldige|schnelle) (?:besserung|genesung|reise|fahrt|nacht|erholung|heimreise)|alles "
    r"(?:gute|"
    r"liebe)(?: (?:für|zum|zur|und)\b[^\d:]{1,50}| weiterhin)?|(?:ein )?(?:schönes?|schönen|"
    r"frohe[rs]?|"
    r"fröhliche|gesegnete|erholsame[rs]?) (?:wochenende|tag|abend|urlaub|ferien|feiertage|"
    r"weihnachten|"
    r"ostern|neues jahr|woche|fest)(?: noch| ihnen| dir)?|(?:ein )?(?:gutes|frohes) neues(?: "
    r"jahr)?",
    r"(?:herzlichen |meinen |ganz )*(?:glückwunsch|glückwünsche|gratulation)(?: (?:zum|zur|zu|"
    r"an)\b[^\d:]"
    r"{1,50})?|(?:mein|unser)? ?(?:herzliches |aufrichtiges )?beileid|guten appetit|prost|mahlzeit",
    r"(?:bleib(?:en sie|t)?|werden sie|werde)(?: \w+)? (?:gesund|munter|fit|dran)(?: und \w+)?|"
    r"kommen sie gut (?:an|heim|nach hause)|viel (?:erfolg|spaß|glück|freude|kraft)(?: (?:bei|mit|"
    r"beim|"
    r"im|für|und|weiterhin)\b[^\d:]{0,40})?|bis (?:bald|dann|später|morgen)|tschüss?|mach'?s gut|"
    r"toi,? toi,? toi",
    # French
    r"(?:je|nous) (?:vous |te )souhait(?:e|ons) (?:(?:à tous |tous )?(?:un|une|de|du|bon|bonne|"
    r"beaucoup|"
    r"plein|le|tout|bien)\b)[^\d:]{0,60}|(?:toutes )?(?:mes|nos) (?:sincères )?(?:condoléances|"
    r"félicitations|vœux)(?: [^\d:]{1,40})?",
    r"(?:bon|bonne|joyeux|joyeuse|joyeuses|prompt|bons) (?:rétablissement|courage|voyage|appétit|"
    r"chance|"
    r"journée|soirée|nuit|année|anniversaire|noël|fêtes|pâques|week-end|route|continuation|"
    r"vacances|"
    r"lecture|séjour)(?: (?:à (?:vous|toi|tous)|pour [^\d:]{1,40}))?|félicitations(?: (?:pour|à)\b"
    r"[^\d:]{1,50})?|à (?:bientôt|demain|plus tard|tout à l'heure)|prenez (?:bien )?soin de vous|"
    r"meilleurs vœux(?: [^\d:]{1,30})?|portez-vous bien",
    # Spanish
    r"(?:le|te|les|os) dese(?:o|amos) [^\d:,]{1,60}|¡?que (?:te|se|os) mejor(?:es|e|éis|en)"
    r"(?: pronto)?|¡?(?:mejórate|mejórese|recupérate)(?: pronto)?|¡?que (?:tengas?|tenga usted|"
    r"tengan|"
    r"pases?|disfrutes?) [^\d:]{1,40}",
    r"¡?(?:muchas )?(?:felicidades|felicitaciones|enhorabuena)(?: (?:por|a)\b[^\d:]{1,50})?|"
    r"¡?feliz "
    r"(?:cumpleaños|navidad|año(?: nuevo)?|viaje|día|fin de semana|aniversario)|¡?(?:felices "
    r"fiestas|buen "
    r"(?:viaje|provecho|día|fin de semana)|buena suerte|mucha suerte|mucho éxito|hasta (?:luego|"
    r"pronto|"
    r"mañana)|cuídate|cuídese|mucho ánimo|ánimo|mi (?:más sentido )?pésame|mis condolencias)"
    r"(?: con [^\d:]{1,40})?",
    # Italian, Portuguese
    r"(?:tanti |i miei |i migliori )?auguri(?: (?:di|per|a|e)\b[^\d:]{1,40})?|buon(?:a|e)? "
    r"(?:fortuna|"
    r"compleanno|viaggio|giornata|serata|notte|natale|anno|pasqua|appetito|guarigione|lavoro|"
    r"lettura|"
    r"studio|feste|vacanze)(?: a tutti)?|(?:ti|le|vi) augur(?:o|iamo) [^\d:,]{1,60}|complimenti|"
    r"congratulazioni(?: per [^\d:]{1,40})?|in bocca al lupo|a presto|arrivederci|condoglianze|"
    r"(?:buona|pronta) guarigione",
    r"(?:as )?melhoras|parabéns(?: (?:pelo|pela|por)\b[^\d:]{1,40})?|boa (?:sorte|viagem|noite|"
    r"semana|"
    r"recuperação|leitura|páscoa)|bom (?:fim de semana|dia|trabalho|proveito|apetite)|feliz "
    r"(?:natal|"
    r"aniversário|ano novo)|(?:desejo|desejamos)(?:-lhe|-te|-lhes)? [^\d:,]{1,50}|até (?:logo|"
    r"breve|"
    r"amanhã)|boas (?:festas|férias)|meus pêsames|fique bem|cuide-se",
    # Dutch, Polish
    r"(?:van harte )?(?:beterschap|gefeliciteerd)(?: (?:met|en)\b[^\d:]{1,40})?|(?:veel|heel veel) "
    r"(?:succes|geluk|plezier|sterkte)(?: (?:met|bij|en)\b[^\d:]{1,40})?|(?:een )?(?:fijne|"
    r"prettige|goede|"
    r"mooie) (?:dag|avond|weekend|reis|vakantie|feestdagen|nacht)(?: nog)?|(?:fijn|prettig) "
    r"weekend|"
    r"sterkte|tot (?:ziens|straks|gauw|morgen)|eet smakelijk|gecondoleerd|ik wens (?:u|je|jullie) "
    r"[^\d:,]"
    r"{1,50}|met vriendelijke groet(?:en)?|graag gedaan|succes",
    r"(?:wszystkiego (?:najlepszego|dobrego)|powodzenia|gratulacje|gratuluję|smacznego|zdrowia|"
    r"szybkiego powrotu do zdrowia|do widzenia|do zobaczenia|na zdrowie|miłego (?:dnia|weekendu|"
    r"wieczoru|"
    r"czytania)|udanego \w+|pozdrawiam|z poważaniem|życzę (?:ci |panu |pani |państwu "
    r")?[^\d:,]{1,40}|"
    r"wesołych świąt|szczęśliwego nowego roku|(?:moje )?kondolencje|proszę bardzo)(?: \w{1,20})?",
    r"dzień dobry|dobry wieczór|cześć|witam|dziękuję(?: [^\d:]{1,40})?|buonasera|salve|prego|"
    r"obrigad[oa]"
    r"(?: [^\d:]{1,40})?|graag|dank (?:u|je)(?: wel)?|bedankt(?: voor [^\d:]{1,40})?|grazie(?: "
    r"[^\d:]{1,40})?",
)

_PART = (
    r"(?:answers?|summary|summaries|overview|explanations?|response|list|points?|breakdown|"
    r"information|details|analysis|results?|facts?|takeaways?|findings?|conclusions?|passages?|"
    r"excerpts?|quotes?|sources?|outline|recap|comparison|table|steps?)"
)
_OF_WORK = (
    rf"(?:a |an |the |my |some |your |all |each |our )?(?:(?!is\b|was\b|are\b|that\b|"
    rf"which\b)[\w-]+ )"
    rf"{{0,3}}?{_PART}"
)
_FROM = (
    r"(?: (?:from|in|of|based on|according to|drawn from|by|on|about|for)"
    r"(?: (?!is\b|are\b|was\b|were\b|that\b|which\b|who\b)[\w'-]+){1,6})?"
)
_BASED = (
    r"(?:(?:based (?:up)?on|according to|from|using|drawing on|on the basis of|as per|after "
    r"(?:reading|"
    r"reviewing|checking|consulting|going through)|having (?:read|reviewed|checked)|given|so|okay|"
    r"sure|"
    r"certainly|in short|in summary|to answer)\b[^,:\d]{0,80},? )?"
)
_KNOWN = (
    r"(?:what|everything|all|how|how much) (?:i|we|they|it|(?:the |these |those |your )?(?:\w+ )?"
    r"(?:documents?|sources?|passages?|texts?|context|chunks?|excerpts?|articles?)) (?:(?:can|"
    r"could|was "
    r"able to|have|do|were able to) )?(?:found|find|know|tell(?: you)?|say|says|gathered?|"
    r"learn(?:ed|t)?|"
    r"see|states?|contain|contains|offer|show|shows|tell us|mention|mentions|reveal|provide|"
    r"provides|"
    r"come up with|came up with|understand)(?: (?:in|from|about|on|so far|there|here|regarding|"
    r"of)\b"
    r"(?:(?! is\b| are\b| was\b)[^\d:,]){0,60})?"
)

ANNOUNCEMENTS = any_of(
    rf"{_BASED}(?:here(?:'s| is| are)|below (?:is|are)|the following (?:is|are)|this is|these are) "
    rf"(?:{_KNOWN}|{_OF_WORK}{_FROM})(?: below)?",
    rf"{_BASED}(?:below,? (?:you(?:'ll| will| can| may)|please)|you(?:'ll| will| can)) (?:find|see|"
    rf"read) "
    rf"(?:{_OF_WORK}{_FROM}|{_KNOWN})(?: (?:below|here))?",
    rf"(?:please )?(?:find|see|read) {_OF_WORK}{_FROM}(?: below| above| here)",
    rf"(?:i|we)(?:'ve| have)? (?:also )?(?:summari[sz]ed|listed|collected|outlined|compiled|"
    rf"gathered|put "
    rf"together|organi[sz]ed|written|grouped|included|prepared|arranged|added) {_OF_WORK}{_FROM}"
    rf"(?: (?:below|above|here|for you|as follows))",
    rf"(?:the |my |your |our |a )(?:\w+ )?{_PART} (?:follows?|(?:is|are) (?:below|as follows|given "
    rf"below|"
    rf"listed below|shown below)|(?:is|are) based (?:only |solely |entirely )?on (?:the |these |"
    rf"this |your |"
    rf"those )(?:\w+ ){{0,2}}?(?:documents?|sources?|passages?|context|chunks?|excerpts?|texts?|"
    rf"material)"
    rf"(?: (?:provided|above|given|below|supplied))?)",
    r"(?:i|we)(?:'ll| will| can| shall) (?:now |first |then |also )?(?:answer|respond|reply|"
    r"proceed)(?: "
    r"(?:in|with|to|by|step|one|your|the|this|each|both|now|below|as follows)\b[^\d:]{0,60})?",
    # German
    r"(?:(?:auf (?:grundlage|basis)|anhand|laut|gemäß|nach|basierend auf|aufgrund|ausgehend "
    r"von)\b[^,:\d]"
    r"{1,60} )?(?:habe ich|konnte ich|hier ist|hier sind|ich habe|folgt|ist hier)(?:,)? (?:was "
    r"(?:ich|die|in)"
    r"\b[^\d:]{1,60}|(?:das )?folgende[sn]? (?:gefunden|ermittelt|herausgefunden|zusammengestellt|"
    r"festgestellt|entnommen|ermitteln)|(?:die|eine|meine|der|ein) (?:\w+ ){0,2}?(?:antwort|"
    r"zusammenfassung|übersicht|punkte|liste|überblick|ergebnisse?)(?: (?:aus|zu|der|"
    r"zusammengefasst)\b"
    r"[^\d:,]{0,40})?)",
    r"(?:nachfolgend|unten|im folgenden|hier|anbei) finden sie (?:die|eine|meine|alle|den|einen|"
    r"das) "
    r"(?:\w+ ){0,3}?(?:antwort(?:en)?|zusammenfassung|übersicht|punkte|liste|überblick|ergebnisse?|"
    r"informationen|erklärung|fakten|details)",
    r"(?:die|meine|es folgt (?:die|eine|meine)) (?:\w+ )?(?:antwort|zusammenfassung|übersicht|"
    r"erklärung)"
    r"(?: (?:folgt|steht unten|lautet wie folgt|finden sie unten))?",
    # French, Spanish, Italian, Portuguese, Dutch
    r"(?:(?:d'après|selon|sur la base|à partir|en me basant|suite)\b[^,:\d]{1,60}, )?(?:voici|"
    r"ci-dessous|"
    r"vous trouverez (?:ci-dessous |ci-après )?)(?:,)? ?(?:(?:se trouve |figure )?(?:(?:un|une|le|"
    r"la|les|ma|"
    r"mes|quelques|des) |l')?(?:\w+ ){0,2}?(?:réponses?|résumé|synthèse|liste|points?|éléments?|"
    r"aperçu|"
    r"informations?|explications?|détails|étapes|analyse|conclusions?|faits)(?: (?:clés?|"
    r"principaux|"
    r"essentiels|détaillée?|(?:de|des|du|à|sur|tirée?s? de) [^\d:,]{1,50}))?|ce (?:que|qu'|"
    r"qui)\b[^\d:]"
    r"{1,60})",
    r"(?:(?:según|de acuerdo con|basándome en|a partir de|con base en|en base a)\b[^,:\d]{1,60}, "
    r")?(?:esto "
    r"es|aquí (?:está|están|tienes?|te dejo)|a continuación(?:,)?(?: (?:encontrará|te|le|se|"
    r"presento|presenta|muestro|resumo|detallo|está|están))?)(?: (?:presenta|muestra|resume|"
    r"detalla|ofrece|"
    r"encuentra|doy|dejo))? (?:lo que [^\d:]{1,60}|(?:un|una|el|la|los|las|mi|algunos) (?:\w+ "
    r"){0,2}?"
    r"(?:respuesta|resumen|lista|puntos?|explicación|información|detalles|análisis|pasos|datos|"
    r"conclusiones)(?: (?:clave|principales|más importantes|detallada?|(?:de|sobre) "
    r"[^\d:,]{1,40}))?)",
    r"(?:(?:secondo|in base a|sulla base|de acordo com|segundo|com base|op basis van|"
    r"volgens)\b[^,:\d]{1,60}"
    r",? )?(?:ecco|di seguito|aqui está|aqui estão|a seguir|hier is|hier zijn|hieronder (?:vindt u|"
    r"staat|"
    r"vind je))(?:,)? (?:(?:quello|ciò) che|o que|wat ik|un|una|il|la|le|i|um|uma|os|as|o|a|een|de|"
    r"het|mijn|"
    r"mia)\b ?(?:\w+ ){0,3}?(?:trovato|encontrei|gevonden heb|vond|riassunto|risposta|punti|elenco|"
    r"resumo|"
    r"resposta|pontos|lista|samenvatting|antwoord|punten|overzicht)(?: (?:chiave|principali|"
    r"principais))?",
)
