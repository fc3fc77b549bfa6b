"""What a judge quotes while it explains itself is shown as named by it."""

from citeval_assets.playbooks.report import Finding
from citeval_assets.playbooks.vocabulary import FindingUnit
from citeval_assets.web.named_spans import NAMED, named_spans
from citeval_assets.web.subject import ShownSource

SOURCE = ShownSource(
    "doc-1", 1, "Vaccines are kept between +2 °C and +8 °C. The target is +5 °C.", ""
)


def finding(explanation: str) -> Finding:
    return Finding(
        unit=FindingUnit.CLAIM,
        unit_number=0,
        text="They are kept cool.",
        label="supported",
        explanation=explanation,
    )


def test_a_quoted_sentence_is_found_whatever_its_quotation_marks():
    said = finding("It rests on “Vaccines are kept between +2 °C and +8 °C.” and nothing else.")
    (spot,) = named_spans(said, [SOURCE])
    assert (spot.source_id, spot.char_start, spot.match) == ("doc-1", 0, NAMED)
    assert SOURCE.text[spot.char_start : spot.char_end] == spot.text


def test_words_that_stand_nowhere_and_single_words_name_no_place():
    assert named_spans(finding("It says “vaccines may be frozen at will”."), [SOURCE]) == ()
    assert named_spans(finding("Missing: “target”."), [SOURCE]) == ()
    assert named_spans(finding("No quotation at all."), [SOURCE]) == ()
