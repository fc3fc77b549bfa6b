"""Non-inferiority: is the candidate shown to be at most a margin worse?"""

from enum import StrEnum

from citeval_assets.statistics.paired import PairedDifference


class Standing(StrEnum):
    """Where the whole interval lies, seen from the margin."""

    ABOVE = "above"
    BELOW = "below"
    STRADDLES = "straddles"


def non_inferiority(result: PairedDifference, margin: float) -> Standing:
    """Tell where the interval of the difference lies, seen from ``-margin`` (0..1).

    ``ABOVE`` shows non-inferiority; a candidate that is truly ``margin`` worse gets it with at
    most half the error of the interval, 2.5 % at 95 % (interval inclusion, as in Piaggio et al.,
    "Reporting of noninferiority and equivalence randomized trials", JAMA 308 (2012) 2594-2604).
    """
    if result.low is None or result.high is None:
        return Standing.STRADDLES
    if result.low > -margin:
        return Standing.ABOVE
    return Standing.BELOW if result.high < -margin else Standing.STRADDLES
