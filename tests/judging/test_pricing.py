from decimal import Decimal

import pytest

from citeval_assets.config.models import ModelPrice
from citeval_assets.judging.pricing import TokenPrice
from citeval_assets.judging.request import Usage

LISTED = {
    "input_cost_per_token": 2e-06,
    "output_cost_per_token": 1e-05,
    "cache_read_input_token_cost": 5e-07,
}


def price(**entry):
    found = TokenPrice.listed({**LISTED, **entry}, 1000, "list")
    assert found is not None
    return found


def test_cached_tokens_are_billed_once_at_their_own_price():
    cost = price().cost(Usage(prompt=1000, cached=900, completion=10))
    assert cost.usd == Decimal("0.00075")


def test_a_configured_price_is_exact():
    configured = ModelPrice.model_validate(
        {"input_per_million": "2", "output_per_million": "10", "cached_input_per_million": "0.5"}
    )
    cost = TokenPrice.configured(configured).cost(Usage(prompt=1000, cached=900, completion=10))
    assert (cost.usd, cost.note) == (Decimal("0.00075"), "configured price")


def test_without_a_price_for_cached_tokens_they_cost_as_others():
    configured = ModelPrice.model_validate({"input_per_million": "2", "output_per_million": "10"})
    cost = TokenPrice.configured(configured).cost(Usage(prompt=1000, cached=900, completion=10))
    assert cost.usd == Decimal("0.0021")


def test_tokens_written_to_a_cache_have_their_price():
    writing = price(cache_creation_input_token_cost=2.5e-06)
    cost = writing.cost(Usage(prompt=1000, cached=500, completion=0), cache_writing_tokens=400)
    assert cost.usd == 100 * Decimal("0.000002") + 500 * Decimal("0.0000005") + 400 * Decimal(
        "0.0000025"
    )


def test_no_price_is_unknown_and_never_zero():
    assert TokenPrice.listed({"input_cost_per_token": 1e-06}, 10, "list") is None


def test_no_token_counts_is_unknown_and_never_zero():
    cost = price().cost(Usage(prompt=None, completion=10))
    assert cost.usd is None
    assert cost.note


@pytest.mark.parametrize(("prompt", "expected"), [(200_000, "0.4"), (200_001, "0.800004")])
def test_above_a_prompt_length_the_higher_price_counts(prompt, expected):
    entry = {**LISTED, "input_cost_per_token_above_200k_tokens": 4e-06}
    found = TokenPrice.listed(entry, prompt, "list")
    assert found is not None
    assert found.cost(Usage(prompt=prompt, completion=0)).usd == Decimal(expected)
