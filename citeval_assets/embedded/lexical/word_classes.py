"""Words that stand for the same: irregular forms, countries and their people, near-synonyms.

Written for this project. A class is a line of words; the first names it. Only forms are listed
that stemming does not join, and only synonyms that mostly say the same in factual prose: a
wrong pair makes a false claim look supported, a missing one costs a little coverage.
"""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from citeval_assets.embedded.lexical.stemming import stem

_IRREGULAR_FORMS = """
    arise arose arisen / become became / begin began begun / break broke broken / bring brought /
    build built / buy bought / catch caught / choose chose chosen / come came / deal dealt / draw
    drew drawn / drink drank drunk / drive drove driven / eat ate eaten / fall fell fallen / feed
    fed / feel felt / fight fought / fly flew flown / forbid forbade forbidden / forget forgot
    forgotten / freeze froze frozen / get got gotten / give gave given / go went gone / grow grew
    grown / hang hung / hear heard / hide hid hidden / hold held / keep kept / know knew known /
    lend lent / lose lost / make made / mean meant / meet met / pay paid / ride rode ridden / ring
    rang rung / rise risen / run ran / see seen / seek sought / sell sold / send sent / shake
    shook shaken / shoot shot / show shown / shrink shrank shrunk / sing sang sung / sink sank
    sunk / sit sat / sleep slept / slide slid / speak spoke spoken / spend spent / spin spun /
    stand stood / steal stole stolen / stick stuck / strike struck / strive strove striven / swear
    swore sworn / swim swam swum / swing swung / take took taken / teach taught / tear tore torn /
    tell told / think thought / throw threw thrown / undergo underwent undergone / understand
    understood / undertake undertook undertaken / uphold upheld / wake woke woken / wear wore worn
    / weave wove woven / win won / withdraw withdrew withdrawn / write wrote written / overcome
    overcame / overtake overtook overtaken / prove proven / rebuild rebuilt / flee fled / bleed
    bled / breed bred / bite bit bitten / blow blew blown / foresee foresaw foreseen / child
    children / man men / woman women / foot feet / tooth teeth / person people / mouse mice / life
    lives / wife wives / half halves / leaf leaves / crisis crises / analysis analyses /
    phenomenon phenomena / criterion criteria / bacterium bacteria / fungus fungi
"""
_COUNTRIES = """
    america american / england english / britain british uk / france french / germany german /
    spain spanish / italy italian / china chinese / japan japanese / russia russian / india indian
    / mexico mexican / canada canadian / australia australian / europe european / africa african /
    asia asian / ireland irish / scotland scottish / wales welsh / netherlands dutch / sweden
    swedish / norway norwegian / denmark danish / finland finnish / poland polish / greece greek /
    egypt egyptian / brazil brazilian / argentina argentine / israel israeli / korea korean /
    vietnam vietnamese / switzerland swiss / austria austrian / belgium belgian / portugal
    portuguese / hungary hungarian / ukraine ukrainian / iran iranian / iraq iraqi / cuba cuban /
    philippines filipino
"""
_NEAR_SYNONYMS = """
    film movie / song track / begin start commence / end finish conclude / establish found /
    locate situate / contain comprise include consist / allow permit enable / help assist aid /
    show demonstrate indicate reveal / use utilize utilise employ / need require / big large huge
    / small little tiny / quick fast rapid / buy purchase / company firm corporation business /
    job occupation profession / doctor physician / author writer / release publish issue launch /
    reply answer respond / obtain acquire gain / choose select / change alter modify / error
    mistake / kill murder / car automobile / house home / city town / nation country / near close
    / build construct / create produce develop / rise increase / decline decrease reduce /
    influence affect impact / important significant crucial essential vital key / main primary
    principal chief / different various diverse / common usual typical / rare uncommon / hard
    difficult / method technique approach / study research / outcome result / manner way / part
    portion section / area region / type kind sort / number amount quantity / total overall / cost
    price / salary wage / money fund / law legislation / court tribunal / team club squad / player
    athlete / win victory / live reside / die death decease / born birth / illness disease
    sickness / drug medicine medication / treat treatment cure / teacher instructor / student
    pupil / war conflict / ship boat vessel / aircraft plane airplane / travel journey trip / keep
    retain maintain / stop cease halt / prevent avoid / protect defend / attack assault / provide
    offer supply / seem appear / happen occur / try attempt / able capable / rich wealthy / old
    ancient / new recent / smart intelligent / safe secure / danger risk hazard / effect
    consequence / aim goal objective purpose / idea concept notion / feature characteristic / role
    function / picture image photo photograph / sea ocean / heart cardiac / brain cerebral /
    kidney renal / lung pulmonary / day daily / year annual yearly / week weekly / month monthly
"""


@lru_cache(maxsize=100_000)
def root(word: str) -> str:
    """Return what a lower-case word is compared by: the name of its class, else its stem."""
    own = stem(word)
    return _classes().get(own, own)


@cache
def _classes() -> dict[str, str]:
    """Return the name of the class of each stem that has one."""
    found: dict[str, str] = {}
    for words in _listed():
        stems = [stem(word) for word in words]
        name = next((found[s] for s in stems if s in found), stems[0])
        for own in stems:
            found.setdefault(own, name)
    return found


def _listed() -> Iterator[Sequence[str]]:
    for text in (_IRREGULAR_FORMS, _COUNTRIES, _NEAR_SYNONYMS):
        for line in text.split("/"):
            yield line.split()
