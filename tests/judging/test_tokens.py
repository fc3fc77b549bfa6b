"""The estimate against a real tokenizer: the one that lies, as a file, beside litellm."""

import importlib.util
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeval_assets.judging.tokens import TokenCount, estimate_tokens

PROSE = {
    "English": (
        "The reservoir was filled in 1931 and holds 4.2 million cubic metres at full level. In "
        "the dry summer of 2018 the level fell to 38 percent, and releases to the mill race were "
        "stopped. The town council discussed a second basin, but the cost of 17 million euros was "
        "more than it could carry in the years after the flood."
    ),
    "German": (
        "Der Hersteller ist verpflichtet, ein Qualitätsmanagementsystem zu unterhalten und die "
        "Leistungserbringer innerhalb von dreißig Tagen über Rückrufe zu unterrichten. Die "
        "Aufbewahrungsfrist beträgt zehn Jahre; sie beginnt mit dem Ende des Kalenderjahres."
    ),
    "French": (
        "L'employeur doit, dans un délai de trente jours, remettre au salarié un certificat de "
        "travail; à défaut, il s'expose à des dommages et intérêts."
    ),
    "Polish": "Pracodawca jest obowiązany wypłacać wynagrodzenie co najmniej raz w miesiącu.",
    "Swahili": "Ufalme wa Lesotho ni nchi ndogo inayozungukwa na Afrika Kusini pande zote.",
    "Russian": "Работодатель обязан выплачивать заработную плату не реже чем каждые полмесяца.",
    "Chinese": "根据合同法的规定,当事人应当遵循诚实信用原则,根据合同的性质履行通知义务。",
    "Japanese": "契約の当事者は、信義に従い誠実に義務を履行しなければならない。",
    "Arabic": "يجب على صاحب العمل أن يدفع الأجور في المواعيد المحددة وفقا لأحكام القانون.",
    "numbers": "1234567890 3.14159 2024-05-17 12:30:45 555-0199 99.999% 17,500,000.25",
    "code": "def f(x):\n    return {k: v for k, v in x.items() if v is not None}\n",
    "capitals": "THE SUPPLIER SHALL INDEMNIFY THE CUSTOMER AGAINST ALL LOSSES AND CLAIMS",
}


@pytest.fixture(scope="module")
def real_count():
    found = importlib.util.find_spec("litellm")
    assert found is not None and found.submodule_search_locations
    folder = Path(found.submodule_search_locations[0]) / "litellm_core_utils" / "tokenizers"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIKTOKEN_CACHE_DIR", str(folder))
        tiktoken = pytest.importorskip("tiktoken")
        encoding = tiktoken.get_encoding("cl100k_base")
    return lambda text: len(encoding.encode(text))


@pytest.mark.parametrize("kind", PROSE)
def test_the_estimate_is_on_the_safe_side_but_not_far_off(kind, real_count):
    real = real_count(PROSE[kind])
    assert 0.9 * real <= estimate_tokens(PROSE[kind]) <= 2.5 * real


def test_english_is_estimated_within_a_half(real_count):
    real = real_count(PROSE["English"])
    assert real <= estimate_tokens(PROSE["English"]) <= 1.5 * real


@given(st.text(max_size=300))
@settings(max_examples=60)
def test_never_more_tokens_than_bytes(text):
    assert 0 <= estimate_tokens(text) <= len(text.encode("utf-8", "surrogatepass"))


@given(st.text(alphabet="abc XYZ1,.\nüж中", max_size=200), st.integers(0, 80))
@settings(max_examples=60)
def test_the_longest_prefix_within_a_number_of_tokens_costs_no_more(text, tokens):
    count = TokenCount.of(text)
    end = count.prefix_end(tokens)
    assert 0 <= end <= len(text)
    assert count.up_to(end) <= tokens


def test_no_tokens_in_no_text():
    assert estimate_tokens("") == 0
    assert 1 <= estimate_tokens("word") <= 2
