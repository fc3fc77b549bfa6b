"""Small closed lists of English words the clues look for."""


def listed(words: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(words.split())


STOP_WORDS = listed(
    """a an the of in on at to for from by with and or but if than then so as is are was were be
    been being am do does did have has had having it its they them their this that these those he
    she his her him i you we us our my me your who whom which what when where why how there here
    also just very can could will would shall should may might must about into over under out up
    down off not no nor only such own same s t d ll re ve m don isn wasn aren weren didn doesn
    hasn haven hadn won wouldn couldn shouldn one some any all more most other each both few while
    because during after before between through yes yeah oh well really"""
)
"""Words that carry no content. The weights were fitted with this division of words."""

NEGATIONS = listed(
    """not no never none nobody nothing neither nor without cannot n't hardly barely fail fails
    failed deny denies denied false lack lacks absent unable"""
)
HEDGES = listed(
    """may might could possibly perhaps likely unlikely suggest suggests suggested appear appears
    seem seems reportedly alleged allegedly potential potentially believed thought rumored expected
    estimated approximately about around roughly probably uncertain unclear"""
)
UNIVERSALS = listed(
    """all every always only never none entire entirely completely first last most best worst
    largest smallest highest lowest unique sole"""
)
RISING = listed(
    """increase increases increased rise rises rose risen higher more greater grow grew grown growth
    gain gained up above exceed improve improved improves"""
)
FALLING = listed(
    """decrease decreases decreased fall falls fell fallen lower less fewer reduce reduces reduced
    decline declined drop dropped shrink loss lost down below worsen worsened"""
)
