from dataclasses import replace

import pytest

from citeval_assets.embedded.overlap import Overlap0
from citeval_assets.judging.epoch import epoch
from citeval_assets.playbooks.rules import DomainRules

from .toy import TEMPLATE, TOY, Toy, ToyReply, model

RULES = (DomainRules(), DomainRules(partial_weight=0.25))


def of(playbook=TOY, judge=None, template=TEMPLATE, rules=RULES, budget=None):
    return epoch(playbook, judge or model(), template, rules, budget)


class Rescored(Toy):
    scoring_version = 2


class OtherReply(ToyReply):
    reason: str


class Reshaped(Toy):
    reply_type = OtherReply


@pytest.mark.parametrize(
    "change",
    [
        {"judge": model(id="other")},
        {"judge": model(model="openai/other")},
        {"judge": model(api_base="http://other.example")},
        {"judge": model(params={"seed": 1})},
        {"template": replace(TEMPLATE, sha256="b" * 64)},
        {"rules": (DomainRules(),)},
        {"rules": (*RULES, DomainRules(additional_constraints="Be strict."))},
        {"budget": 8000},
        {"playbook": Rescored()},
        {"playbook": Reshaped()},
    ],
)
def test_whatever_makes_scores_incomparable_opens_a_new_epoch(change):
    assert of(**change) != of()


@pytest.mark.parametrize(
    "change",
    [
        {"judge": model(limits={"tries": 9})},
        {"judge": model(api_key_env="SOME_KEY")},
        {"judge": model(price={"input_per_million": 1, "output_per_million": 1})},
        {"rules": tuple(reversed(RULES))},
        {"rules": RULES * 2},
        {"template": replace(TEMPLATE, description="better words")},
    ],
)
def test_what_leaves_scores_comparable_leaves_the_epoch(change):
    assert of(**change) == of()


def test_a_new_version_of_an_embedded_judge_opens_a_new_epoch(monkeypatch):
    embedded = model(model="embedded/overlap-0")
    before = of(judge=embedded)
    monkeypatch.setattr(Overlap0, "version", "next")
    assert of(judge=embedded) != before
