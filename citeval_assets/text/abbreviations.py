"""Abbreviations that end in a full stop without ending a sentence, and words that start one."""

from citeval_assets.text.characters import word_set

TITLES = word_set(
    """
    dr mr mrs ms prof mt gen col sgt capt lt maj cmdr adm rep sen gov rev amb messrs mme mmes
    mlle mgr sra srta dra sres dott sigra frl hr fr dipl hll им ул пр пл пер просп корп акад
    проф доц г-н г-жа тов см ср напр
    """
)
"""Always followed by what they belong to: never the end of a sentence."""

NEVER_LAST = word_set(
    """
    e.g i.e z.b d.h u.a o.ä s.o s.u v.a i.d.r m.e vs v approx ca cf c.f viz resp bzw sog evtl
    ggf inkl zzgl vgl ders geb gest p.ex c.-à-d env т.е т.к т.н в.т.ч
    """
)
"""Joining words: never the end of a sentence."""

BEFORE_NUMBER = word_set(
    """
    no nos nr num núm fig figs figure eq eqs sec sect ch chap vol vols p pp pg art abs tab bd
    kap abb ziff rn az abt app ex ref refs ver v par para pt pts ed n № стр рис табл гл п ст т
    кн ч д
    """
)
"""No end of a sentence before a number, a letter label or a Roman numeral."""

SOMETIMES_LAST = word_set(
    """
    inc ltd co corp jr sr etc usw al dept est jan feb mar apr jun jul aug sept sep oct nov dec
    tue tues wed thu thur thurs ave blvd rd hwy assn bros cie llc plc gmbh mio mrd tsd std str
    hrsg aufl sek stk jh jhdt dez okt mär jän févr janv avr juil déc sts a.m p.m u.s u.k u.n e.u
    ph.d b.c a.d b.a m.a m.d b.sc m.sc d.c n.y u.s.a u.s.s.r n.chr v.chr n.b ibid ff f ext ft lb
    lbs sq hr hrs др пр г гг в вв тыс млн млрд руб коп т.д т.п т.ч н.э до.н.э ок обл р-н st hon
    mag ing univ sig pres
    """
)
"""The end of a sentence only before a word that usually starts one."""

STARTERS = word_set(
    """
    the a an this that these those it its he she they we you i his her their our my your there
    here in on at by for from with without to of as after before during since until while when
    where what why how who which if although though because however therefore thus hence
    moreover furthermore additionally also then but and or so yet nor no not all some many most
    several each every both one two three another other others according based overall finally
    first second third next later today now once only such more less let please yes der die das
    den
    dem des ein eine einer eines einem einen er sie es wir ihr ich man dies diese dieser dieses
    jene seine ihre im am zum zur bei nach vor seit mit ohne aus von auf über unter als wenn
    weil obwohl jedoch aber und oder auch dann danach dabei dort hier heute nur nicht kein keine
    viele einige alle le la les un une il elle ils elles nous vous je ce cet cette ces son sa
    ses leur leurs au aux du de dans en sur sous par pour avec sans après avant depuis pendant
    mais et ou donc cependant toutefois ainsi puis ici là el los las una unos unas él ella ellos
    ellas este esta estos estas ese esa su sus lo se al del con sin por para según desde hasta
    durante pero y o entonces también aunque cuando donde в на по с со к ко у о об от до из за
    над под при для без через после перед он она оно они мы вы я это этот эта эти тот та те его
    её их и а но или если когда где как что также однако поэтому затем потом здесь там все не
    """
)
"""Words that, capitalised after a doubtful full stop, start a new sentence."""

ORDINAL_CONTEXT = word_set(
    """
    am vom zum zur dem den der die das des im beim ein eine einen einem einer ab bis seit stand
    und seine seiner ihre ihrer jeder jede jedes mein sein ihr kl
    """
)
"""German words before an ordinal number such as "am 3. Oktober"."""

AFTER_ORDINAL = word_set(
    """
    januar februar märz april mai juni juli august september oktober november dezember jänner
    jan feb mär apr jun jul aug sep sept okt nov dez jahrhundert jh jahrtausend klasse auflage
    weltkrieg kapitel platz mal tag woche monat quartal halbjahr stock
    """
)
"""Words behind an ordinal number."""
