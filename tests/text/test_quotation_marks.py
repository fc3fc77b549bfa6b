"""Finding what stands in quotation marks."""

import pytest

from citeval_assets.text.quotes import quoted_spans


def quoted(text: str) -> list[str]:
    return [span.of(text) for span in quoted_spans(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            'Clause 4 says "three months\' notice in writing" [1].',
            ["three months' notice in writing"],
        ),
        ("He said “no” and “yes”.", ["no", "yes"]),
        ("Er sagte „es ist vorbei“ und ging.", ["es ist vorbei"]),
        ("Er sagte »es ist vorbei« und ging.", ["es ist vorbei"]),
        ("Il dit « c'est fini » hier.", [" c'est fini "]),
        ("彼は「雨だ」と『言った』。", ["雨だ", "言った"]),
        ("She wrote ‘the minister’s reply was clear’ twice.", ["the minister’s reply was clear"]),
        ("She wrote 'the fee is due' twice.", ["the fee is due"]),
        ("They cite ‘the drivers’ rights act’ often.", ["the drivers’ rights act"]),
        ('"Stop," he said, "or else."', ["Stop,", "or else."]),
        ("“He said ‘no’ to it”", ["He said ‘no’ to it"]),
    ],
)
def test_marks_of_many_languages(text: str, expected: list[str]) -> None:
    assert quoted(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "It's the company's view that we don't need it.",
        "The drivers' rights and the workers' rights.",
        "'Twas the night; the dogs' food; in the '90s and '80s.",
        "rock 'n' roll isn't 'em",
        'A 5" pipe and a 6" pipe.',
        "It is 5' 10\" tall.",
        'An open "mark that never closes.\n\nAnother paragraph" here.',
        'Code: `print("hello world foo")`.',
        "No marks at all.",
    ],
)
def test_apostrophes_inches_and_code_open_no_quotation(text: str) -> None:
    assert quoted(text) == []
