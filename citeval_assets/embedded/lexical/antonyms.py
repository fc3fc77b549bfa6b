"""A small list of English opposites, written for this project.

Only pairs are listed that do not both hold of the same thing and that answers are likely to
confuse. Words of quantity that rise and fall are in ``vocabulary`` (RISING, FALLING).
"""

from collections.abc import Mapping

_PAIRS = """
    absent present | accept refuse | accept reject | accepted refused | accepted rejected | active
    inactive | active passive | add remove | add subtract | admit deny | admitted denied | after
    before | agree disagree | alive dead | allow forbid | allow prevent | allow prohibit | allowed
    forbidden | allowed prohibited | always never | ancient modern | anticlockwise clockwise |
    apart together | apply waive | approve reject | approved rejected | arrival departure | arrive
    depart | artificial natural | asset liability | assets liabilities | asymmetric symmetric |
    attack defend | back front | backward forward | bad good | began ended | begin end | benign
    malignant | better worse | beyond within | birth death | blunt sharp | born died | borrow lend
    | borrower lender | bottom top | bought sold | buy sell | buyer seller | cause prevent |
    causes prevents | cheap expensive | closed open | cold hot | colder warmer | common rare |
    complete incomplete | complex simple | compulsory voluntary | concave convex | confirm deny |
    confirmed denied | connect disconnect | contract expand | cool warm | correct incorrect |
    create destroy | created destroyed | credit debit | damage repair | dangerous safe | day night
    | deep shallow | defeat victory | demand supply | different same | different similar |
    difficult easy | disable enable | disabled enabled | disobey obey | divide multiply | domestic
    foreign | dry wet | earlier later | early late | east west | eastern western | employee
    employer | empty full | end start | ends starts | enter leave | even odd | everybody nobody |
    exclude include | excluded included | excludes includes | excluding including | exhale inhale
    | export import | exports imports | external internal | extrovert introvert | fail pass | fail
    succeed | failed passed | failed succeeded | failure success | fall rise | false true | far
    near | fast slow | faster slower | father mother | female male | finite infinite | first last
    | fixed variable | forbid permit | forbidden permitted | forget remember | formal informal |
    former latter | frequent infrequent | future past | gain loss | guilty innocent | happy sad |
    hard soft | healthy ill | healthy sick | heavy light | high low | highest lowest | horizontal
    vertical | husband wife | illegal legal | impossible possible | indoor outdoor | inner outer |
    inside outside | insoluble soluble | insufficient sufficient | invalid valid | invisible
    visible | irregular regular | irreversible reversible | joined left | landlord tenant | large
    small | larger smaller | largest smallest | lawful unlawful | least most | left right |
    lengthen shorten | less more | liquid solid | lock unlock | long short | longer shorter |
    longest shortest | loose tight | lose win | loser winner | loses wins | loss profit | losses
    profits | lost won | loud quiet | lower raise | lower upper | lowered raised | major minor |
    majority minority | mandatory optional | mandatory voluntary | married single | married
    unmarried | maximum minimum | mild severe | narrow wide | narrow widen | necessary unnecessary
    | negative positive | new old | newer older | newest oldest | nontoxic toxic | north south |
    northern southern | offline online | old young | older younger | oldest youngest | oppose
    support | opposed supported | opposes supports | optional required | permanent temporary |
    permit prohibit | permitted prohibited | poor rich | powerful weak | primary secondary |
    private public | protected unprotected | pull push | receive send | received sent | recipient
    sender | resistant susceptible | retail wholesale | rural urban | safe unsafe | shorter taller
    | stable unstable | start stop | started stopped | strengthen weaken | strong weak | stronger
    weaker | thick thin | useful useless | with without
"""


def _opposites() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for pair in _PAIRS.split("|"):
        one, other = pair.split()
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in found.items()}


OPPOSITES: Mapping[str, frozenset[str]] = _opposites()
"""For each word its opposites."""
