"""Sentences that assert nothing about the world: greetings, closings, talk about the talking."""

from citeval_assets.text.phrasing import any_of

GREETING = any_of(
    r"(?:hello|hi|hey|good (?:morning|afternoon|evening|day)|greetings|welcome|dear \w+)(?: there|"
    r" again| everyone| all)?"
    r"(?:,? [\w.]{1,20}){0,2}",
    r"(?:sure|certainly|of course|absolutely|definitely|okay|ok|alright|all right|great|got it|"
    r"understood|"
    r"no problem|right|well|thanks?|thank you)(?: thing)?(?:,? (?:here you go|then|so|"
    r"i(?:'d| would| will|'ll) (?:be )?(?:happy|glad|love|help|do).{0,80}|let me.{0,60}|here(?:'s|"
    r" is| are).{0,80}))?",
    r"(?:that(?:'s| is) (?:a|an) )?(?:great|good|excellent|interesting|wonderful|very good) "
    r"question.{0,30}",
    r"(?:thank you|thanks)(?: (?:very much|so much|a lot))?(?: for .{0,80})?",
    r"(?:i(?:'d| would| will|'ll| am|'m) (?:be )?(?:happy|glad|pleased|delighted) to (?:help|"
    r"assist|answer).{0,60})",
    r"(?:guten (?:tag|morgen|abend)|hallo|servus|grüezi|moin|sehr geehrte.{0,40}|liebe[r]? \w+|"
    r"gerne|natürlich|klar|"
    r"selbstverständlich|vielen dank.{0,60}|danke.{0,60}|gute frage)(?:,? \w{1,20}){0,2}",
    r"(?:bonjour|bonsoir|salut|bien sûr|d'accord|merci.{0,60}|avec plaisir|bonne question|"
    r"certainement)(?:,? \w{1,20}){0,2}",
    r"(?:¡?hola|buenos días|buenas (?:tardes|noches)|claro(?: que sí)?|por supuesto|"
    r"gracias.{0,60}|buena pregunta|"
    r"con gusto)(?:,? \w{1,20}){0,2}",
    r"(?:ciao|buongiorno|certo|olá|bom dia|boa tarde|hallo|goedendag|привет|здравствуйте|добрый "
    r"день|спасибо.{0,40}|"
    r"конечно|你好|您好|当然|好的|こんにちは|はい|もちろん)",
)

CLOSING = any_of(
    r"(?:i |we )?(?:really )?hope (?:this|that|it|these|my|you).{0,80}",
    r"(?:please )?(?:let me know|feel free|do not hesitate|don't hesitate|just let me know)"
    r".{0,150}",
    r"(?:if you (?:have|need|want|would|'d|are|require|wish)|should you).{0,100}(?:let me know|"
    r"ask|feel free|"
    r"reach out|contact|help|assist|hesitate|happy to|glad to|clarif).{0,80}",
    r"(?:i(?:'m| am) (?:here|happy|glad|available) (?:to|if|for)).{0,80}",
    r"(?:thank you|thanks) for (?:asking|your question|reading|your (?:interest|patience|"
    r"understanding)).{0,30}",
    r"(?:ich hoffe|hoffentlich|wir hoffen).{0,80}|(?:bei|falls|wenn) .{0,60}(?:fragen|wünsche|"
    r"bedarf|wissen).{0,80}(?:gern\w*|"
    r"verfügung|melden|helfe|fragen|wenden).{0,40}|(?:lass|lassen sie) (?:mich|es mich) .{0,60}|"
    r"zögern sie nicht.{0,80}|"
    r"(?:mit )?(?:freundliche|beste|viele|liebe)[n]? "
    r"grüße[n]?.{0,20}|gern geschehen|"
    r"auf wiedersehen|einen schönen .{0,20}",
    r"j'espère.{0,80}|n'hésitez pas.{0,100}|si vous (?:avez|souhaitez|voulez).{0,100}(?:n'hésitez|"
    r"question|faites|dites).{0,60}|"
    r"(?:bonne (?:journée|chance|soirée)|cordialement|au revoir|de rien|bien à vous)",
    r"espero (?:que|haber).{0,80}|(?:no dudes?|no dude) en.{0,80}|si (?:tienes?|necesitas?|desea|"
    r"quieres?).{0,100}(?:dud|pregunt|"
    r"dim|avís|ayud|ház).{0,60}|(?:saludos|buena suerte|que tengas?.{0,30}|de nada|adiós|"
    r"atentamente)",
    r"spero che.{0,60}|espero ter.{0,60}|надеюсь.{0,60}|希望(?:这|對|对).{0,30}|如果您?(?:还有|有)"
    r".{0,40}(?:问题|疑问).{0,30}|"
    r"お役に立て.{0,20}|ご不明な点.{0,40}",
)

_LOOK = (
    r"(?:check|look|see|verify|review|examine|read|find|search|think|analy[sz]e|consider|start|"
    r"begin|go|"
    r"break|scan|consult|work|figure|re-?check|compare|summari[sz]e|answer|identify|determine|"
    r"recall|turn|"
    r"take|double-?check|explore|explain|understand|focus|solve|re-?read|evaluate|inspect|"
    r"investigate|"
    r"gather|collect|locate|address|assess|reason|proceed|continue|clarify|confirm|try|use|query|"
    r"retrieve|"
    r"calculate|compute|count|list|note|extract|draw|combine|move|return|get|know|make sure|do|"
    r"walk|"
    r"dig|narrow|cross-?check|cross-?reference|sum up|put|structure|organi[sz]e|reconsider|"
    r"revisit|ensure)"
)

ABOUT_THE_WORK = any_of(
    rf"(?:(?:first|next|now|then|so|okay|ok|alright|well|finally|to begin|to start|to answer "
    rf"(?:this|the|your) question|"
    rf"before answering|step \d+)[,:]? )*(?:let me|let's|let us|i(?:'ll| will| need to| should| "
    rf"must| have to| want to| can now|"
    rf" am going to|'m going to|'d like to| would like to)|we(?:'ll| will| need to| should| must| "
    rf"have to| can now|"
    rf" are going to|'re going to)|it is (?:time|necessary) to) (?:also |now |first |next |then |"
    rf"just |quickly |carefully |briefly "
    rf"|try to |begin by |start by ){{0,3}}{_LOOK}\w*\b.{{0,200}}",
    r"(?:now,? |so,? |okay,? )?(?:i|we) (?:now |already )?have "
    r"(?:all|enough|sufficient|everything|gathered)\b.{0,80}",
    r"(?:checking|looking|searching|reading|reviewing|analy[sz]ing|consulting|examining|thinking|"
    r"verifying)\b.{0,60}"
    r"(?:sources?|documents?|passages?|context|text|question|evidence|chunks?|step by step|"
    r"carefully|again|now)",
    r"(?:here(?:'s| is| are)|below (?:is|are)|the following (?:is|are)|what follows is|this is) "
    r"(?:a |an |the |my |some |what )?"
    r"(?:\w+ ){0,4}(?:answer|summary|overview|explanation|response|list|points?|steps?|breakdown|"
    r"information|details|"
    r"reasoning|analysis|results?|facts?|key takeaways?|i found)\b.{0,60}",
    r"(?:the |your |this )?(?:user |question |query )(?:asks?|is asking|wants?|wanted|is about|is|"
    r"was|concerns|reads)\b.{0,300}",
    r"(?:you|they) (?:asked|want(?:ed)? to know|are asking|would like to know|wish to know|"
    r"inquired|wondered)\b.{0,300}",
    r"(?:question|query|frage|pregunta)\s?:.{0,400}",
    r"(?:regarding|concerning|as for|about|to) (?:answer )?(?:your|the|this) question",
    r"(?:okay|ok|hmm+|wait|so|well|right|alright|no problem|done|interesting)",
    r"(?:zunächst |zuerst |nun |jetzt |also |dann )?(?:lass(?:en sie)? mich|lasst uns|lass uns|"
    r"ich (?:werde|muss|will|möchte|prüfe|"
    r"schaue|sehe|lese|suche|überprüfe|beginne)|wir (?:müssen|prüfen|schauen|sehen|suchen|"
    r"beginnen)|schauen wir|sehen wir|"
    r"prüfen wir|als (?:nächstes|erstes) (?:prüfe|schaue|sehe|lese))\b.{0,120}",
    r"(?:hier (?:ist|sind)|im folgenden|nachfolgend)\b.{0,80}(?:antwort|zusammenfassung|übersicht|"
    r"punkte|liste|erklärung|informationen).{0,30}",
    r"(?:d'abord,? |maintenant,? |ensuite,? |bon,? )?(?:laissez-moi|laisse-moi|je (?:vais|dois|"
    r"vérifie|regarde|consulte|cherche|commence)|"
    r"nous (?:allons|devons)|vérifions|regardons|examinons|voyons|commençons)\b.{0,120}",
    r"(?:primero,? |ahora,? |bien,? |luego,? )?(?:déja(?:me|d)|permíteme|permítame|voy a|vamos a|"
    r"debo|tengo que|necesito|"
    r"revisemos|veamos|comprobemos|examinemos|empecemos)\b.{0,120}",
    r"(?:сначала |теперь )?(?:давайте|позвольте|мне нужно|я (?:проверю|посмотрю|должен|найду))"
    r"\b.{0,120}",
    r"(?:让我|我来|首先[,，]?让我|我需要|让我们)(?:先)?(?:检查|看|查|确认|分析|思考|阅读|找).{0,40}|(?:まず|"
    r"では)?.{0,20}(?:確認し(?:ます|ましょう)|調べ(?:ます|ましょう)|見てみましょう)",
)

ADVICE_AFTER_ABSTAINING = any_of(
    r"(?:please |kindly )?(?:provide|share|supply|upload|give|rephrase|specify|clarify|consult|"
    r"check|contact|refer|try|ask|"
    r"see|visit|verify|look|search|consider)\b.{0,200}",
    r"(?:you|it) (?:may|might|can|could|should|would)\b.{0,30}\b(?:consult|check|contact|ask|"
    r"refer|provide|look|verify|visit|"
    r"try|search|rephrase|see|helpful|best|advisable|need|want|wish)\b.{0,200}",
    r"(?:i|we)(?:'d| would)? (?:recommend|suggest|advise|encourage)\b.{0,200}",
    r"(?:for|to get|to find|to obtain) (?:more |further |accurate |additional |specific |"
    r"detailed |the |this )*(?:information|details|answer)\b.{0,200}",
    r"if (?:you|there|more|additional|further)\b.{0,250}",
    r"(?:without|unless) (?:more|additional|further|such|this|that|those)\b.{0,150}",
    r"(?:bitte )?(?:stellen|geben|teilen|wenden|konsultieren|prüfen|fragen) sie\b.{0,200}|(?:wenn|"
    r"falls) sie\b.{0,200}|"
    r"ich empfehle\b.{0,200}|für (?:weitere|genauere)\b.{0,150}",
    r"(?:veuillez|merci de|vous pouvez|vous pourriez|je vous (?:recommande|suggère|conseille)|"
    r"pour (?:plus|obtenir)|si vous)\b.{0,200}",
    r"(?:por favor|puede|podrías|podría|te recomiendo|le recomiendo|recomiendo|sugiero|para "
    r"(?:más|obtener)|si (?:tiene|puede|me))\b.{0,200}",
)

APOLOGY = any_of(
    r"(?:i'm|i am|we're|we are)? ?(?:so |very |really |truly )?sorry(?: (?:about|for) .{0,60}| to "
    r".{0,40})?",
    r"(?:i |we |my )?apolog(?:y|i[sz]e|ies)(?: for .{0,60})?|unfortunately|regrettably|my "
    r"apologies|"
    r"es tut mir (?:sehr )?leid|leider|entschuldig\w+.{0,30}|je suis désolée?|désolée?|"
    r"malheureusement|lo siento(?: mucho)?|"
    r"lamentablemente|desafortunadamente|mi dispiace|sinto muito|desculpe|извините|к сожалению|"
    r"抱歉|"
    r"很抱歉|对不起|申し訳.{0,15}|すみません",
)
