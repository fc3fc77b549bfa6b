"""Charts and tables that Dagster shows in place."""

import base64
import re
from xml.etree import ElementTree

from citeval_assets.defs.charts import SHOWN_IN_PLACE, Bar, bar_chart

BARS = [
    Bar("production-2026-10", 0.745, 0.695, 0.794),
    Bar("candidate-2026-11", 0.62, 0.546, 0.694),
    Bar("baseline", 0.5, 0.4, 0.6),
    Bar("nothing <scored>", None),
]


def svg_of(chart: str) -> ElementTree.Element:
    (encoded,) = re.findall(r"base64,([^)]+)\)", chart)
    return ElementTree.fromstring(base64.b64decode(encoded))


def test_a_chart_of_four_systems_is_short_enough_to_be_shown_in_place():
    assert len(bar_chart("Mean score", BARS)) < SHOWN_IN_PLACE


def test_every_bar_is_named_with_its_number():
    texts = [element.text for element in svg_of(bar_chart("Mean", BARS)).iter() if element.text]
    assert texts == [
        "production-2026-10 0.745",
        "candidate-2026-11 0.620",
        "baseline 0.500",
        "nothing <scored> nothing scored",
    ]
