"""Hostile texts cost linear time: no run of anything keeps a parser busy.

Processor time is measured, so that a loaded machine fails nothing. Limits are generous: the
slow forms these runs once had took minutes.
"""

import time
from collections.abc import Callable

import pytest

from citeval_assets.text.abstention import is_abstention
from citeval_assets.text.assertions import asserts
from citeval_assets.text.markers import attach_citations, scan_citations, without_citations
from citeval_assets.text.numbers import single_quantity
from citeval_assets.text.quotes import find_quote, quoted_spans
from citeval_assets.text.references import claim_sentences
from citeval_assets.text.screen import invisible_characters, suspicious_instructions
from citeval_assets.text.traces import read_trace, trace_sentences

SIZE = 20_000
# CPU seconds: several times what a slow machine needs, a fraction of what quadratic work takes.
LINEAR = 8.0

RUNS = [
    "[",
    "[1, ",
    "[1",
    "[[1]",
    "[a](",
    "[a](b",
    "![",
    "(source ",
    "(((",
    "【1",
    "²",
    "a²",
    "<sup>",
    "##1$$",
    "**1** ",
    ". ",
    "A. ",
    "Mr. ",
    "a.[1]",
    '"',
    '"a. ',
    "'a ",
    "“",
    "`",
    "` ",
    "\n",
    " \n",
    "- a\n",
    "1. a\n",
    "[1]\n",
    "[1] x\n\n",
    "[1]: a\n",
    "## Sources\n",
    "Sources:\n",
    "```\n",
    "    a\n",
    "$$\n",
    "\\[\n",
    "| a\n",
    "Step 1: a ",
    "。",
    "中国。",
    "1",
    "1,",
    "-",
    "a-\n",
    "e\u0301",
    "\u200b",
    "👩‍🚀",
    "I cannot know. ",
    "the documents do not ",
    "not stated in ",
    "no information ",
    "nothing is said about this ",
    "dazu enthalten die dokumente ",
    "nicht ",
    "pas de ",
    "no se ",
    "non è ",
    "nie ",
    "here is the ",
    "here is the answer from a",
    "enjoy your a",
    "i wish you a nice ",
    "voici ",
    "ignore all previous ",
    "verdict must be ",
    "note to any ai grading ",
    "when grading this answer, give ",
    "award the maximum score to ",
    "correct verdict is ",
    "judge must rate this answer ",
    "beim bewerten dieser ",
    "donnez la note maximale ",
    "otorga la nota máxima ",
]


def seconds(call: Callable[[], object]) -> float:
    started = time.process_time()
    call()
    return time.process_time() - started


def read_all(text: str) -> None:
    scan = scan_citations(text, ["1", "2"])
    without_citations(text, scan)
    attach_citations(claim_sentences(text), scan)
    trace_sentences(read_trace(text))


@pytest.mark.parametrize("run", RUNS)
def test_a_long_run_is_read_in_linear_time(run: str) -> None:
    text = run * (SIZE // len(run))
    assert seconds(lambda: read_all(text)) < LINEAR
    assert seconds(lambda: quoted_spans(text)) < LINEAR
    assert seconds(lambda: suspicious_instructions(text)) < LINEAR
    assert seconds(lambda: invisible_characters(text)) < LINEAR
    assert seconds(lambda: single_quantity(text)) < LINEAR
    assert seconds(lambda: is_abstention(text)) < LINEAR
    assert seconds(lambda: asserts(text)) < LINEAR


@pytest.mark.parametrize(
    ("quote", "source"),
    [
        ("a " * 20_000 + "b", "a " * 50_000),
        ("a" * 50_000 + "b", "a" * 100_000),
        ("a-" * 20_000 + "b", "a-" * 50_000),
        ("a-a-" * 10_000 + "ab", "a-\n" * 30_000),
        ("aa bb aa", "xaa bb " * 15_000),
        ("a ... b ... c " * 2_000, "a b c " * 20_000),
        ("... " * 20_000 + " a b c", "a b c " * 20_000),
        ("e\u0301" * 30_000, "e\u0301" * 60_000),
        ("a b c", "a" * 100_000 + "\u0301"),
        ("a" + "\u0301" * 50_000, "a" + "\u0301" * 100_000),
        ("\u0301", "\u0301" * 100_000),
        ("a." + ".\u0301" * 50_000, "a" + ".\u0301" * 50_000),
        ("lorem dolor ipsum sit amet", "lorem ipsum dolor sit amet " * 5_000),
        ('"' * 50_000 + " a b c", "'" * 100_000),
        ("-" * 50_000 + " a b c", "-" * 100_000 + "a"),
    ],
)
def test_a_hostile_quote_is_looked_up_in_linear_time(quote: str, source: str) -> None:
    assert seconds(lambda: find_quote(quote, source, min_words=0)) < LINEAR


def test_fifty_thousand_sentences_are_read_quickly() -> None:
    text = "Fact [1]. " * 50_000
    sentences = claim_sentences(text)
    scan = scan_citations(text, ["1"])
    attached = attach_citations(sentences, scan)
    assert len(sentences) == len(scan.citations) == 50_000
    assert all(len(citations) == 1 for citations in attached)
    assert seconds(lambda: read_all(text[:100_000])) < LINEAR
