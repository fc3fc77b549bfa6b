"""What each model says of an item: a score to rank by, a level, and whether it decides alone."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from agreement_rows import Item

from citeval_assets.embedded.calibration import UNCALIBRATED, Calibration
from citeval_assets.embedded.extractive import PARTIAL_SHARE
from citeval_assets.embedded.extractive_ranked import ABSTAIN_UNDER, Extractive1
from citeval_assets.embedded.lexical.passages import EvidenceCache
from citeval_assets.embedded.lexical.supporting import Bench
from citeval_assets.embedded.lexical.verdicts import Reading, Support, decide, read_claim
from citeval_assets.embedded.overlap_citations import FULL_SUPPORT, PARTIAL_SUPPORT
from citeval_assets.embedded.overlap_traces import FAITHFUL_SHARE
from citeval_assets.embedded.registry import embedded_model
from citeval_assets.embedded.words import best_match, covered, sentences_of, words_of
from citeval_assets.playbooks.view import ModelView

OVERLAP_SCALE = 0.15
"""Share of words that counts as one unit of log odds when the overlap judge is calibrated."""

LEVELS = {Support.NONE: 0, Support.PARTIAL: 1, Support.FULL: 2}


@dataclass(frozen=True, slots=True)
class Said:
    """What a model says of one item. ``score`` is 0 at the model's own cut, growing with
    support; ``decided`` is false where it leaves the item to a person."""

    score: float
    level: int
    decided: bool = True
    reading: Reading | None = None


Model = Callable[[Item], Said]


def models_of(file: str) -> Mapping[str, Model]:
    """Return the models that are compared on a file."""
    if file == "abstention":
        return {"embedded-extractive-0": _extractive_0, "embedded-extractive-1": _extractive_1}
    if file == "cot_steps":
        return {"embedded-overlap-0": _overlap_steps, "embedded-lexical-1": _lexical_steps}
    if file == "answer_comparison":
        return {"embedded-overlap-0": _overlap_answer, "embedded-lexical-1": _lexical_answer}
    return {"embedded-overlap-0": _overlap_claim, "embedded-lexical-1": _lexical_claim}


def recalibrated(said: Said, calibration: Calibration) -> Said:
    """Return what a model says of an item after local labels were used."""
    if said.reading is not None:
        judged = decide(said.reading, calibration)
        return Said(said.score, LEVELS[judged.support], not judged.unsure, said.reading)
    shifted = calibration.slope * said.score + calibration.intercept
    return Said(said.score, 2 if shifted >= 0 else 0, said.decided)


_CACHE = EvidenceCache()


def _overlap_claim(item: Item) -> Said:
    unit = item.view.units[item.units[0]]
    texts = {passage.id: passage.text for passage in item.view.passages}
    claim = words_of(unit.text)
    cited = frozenset[str]().union(*(words_of(texts[i]) for i in unit.cited_ids))
    share = covered(claim, cited)
    level = 2 if share >= FULL_SUPPORT else 1 if share >= PARTIAL_SUPPORT else 0
    return Said((share - FULL_SUPPORT) / OVERLAP_SCALE, level)


def _lexical_claim(item: Item) -> Said:
    unit = item.view.units[item.units[0]]
    bench = Bench(item.view, _CACHE, UNCALIBRATED)
    ids = tuple(passage.id for passage in item.view.passages)
    evidence = bench.evidence(unit.cited_ids)
    reading = read_claim(unit.text, evidence, question=item.view.question, source_ids=ids)
    judged = decide(reading, UNCALIBRATED)
    return Said(reading.log_odds, LEVELS[judged.support], not judged.unsure, reading)


@cache
def _output(name: str, view: ModelView) -> dict[str, Any]:
    return embedded_model(name).answer(view)


def _steps_of(name: str, item: Item) -> list[dict[str, Any]]:
    return [step for step in _output(name, item.view)["steps"] if step["unit"] in item.units]


def _overlap_steps(item: Item) -> Said:
    steps = _steps_of("embedded/overlap-0", item)
    sentences = sentences_of(item.view.passages)
    shares = [best_match(words_of(step["step_text"]), sentences)[1] for step in steps]
    faithful = all(step["label"] == "FAITHFUL" for step in steps)
    return Said((min(shares) - FAITHFUL_SHARE) / OVERLAP_SCALE, 2 if faithful else 0)


def _lexical_steps(item: Item) -> Said:
    steps = _steps_of("embedded/lexical-1", item)
    faithful = all(step["label"] == "FAITHFUL" for step in steps)
    chances = [
        step["confidence"] if step["label"] == "FAITHFUL" else 1 - step["confidence"]
        for step in steps
    ]
    decided = not any(step["unsure"] for step in steps)
    return Said(4 * (min(chances) - 0.5), 2 if faithful else 0, decided)


def _overlap_answer(item: Item) -> Said:
    reply = _output("embedded/overlap-0", item.view)["answer_correctness"]
    level = {"PASS": 2, "PARTIAL": 1, "FAIL": 0}[reply["score"]]
    share = float(reply["explanation"].partition("%")[0]) / 100
    return Said((share - 0.7) / OVERLAP_SCALE, level)


def _lexical_answer(item: Item) -> Said:
    reply = _output("embedded/lexical-1", item.view)["answer_correctness"]
    level = {"PASS": 2, "PARTIAL": 1, "FAIL": 0}[reply["score"]]
    chance = reply["confidence"] if level == 2 else 1 - reply["confidence"]
    return Said(4 * (chance - 0.5), level, not reply["unsure"])


def _extractive_0(item: Item) -> Said:
    output = _output("embedded/extractive-0", item.view)
    held = frozenset[str]().union(*(words_of(c["excerpt"]) for c in output["citations"]))
    share = covered(words_of(item.view.question), held)
    return Said((share - PARTIAL_SHARE) / OVERLAP_SCALE, _answered(output))


def _extractive_1(item: Item) -> Said:
    output = _output("embedded/extractive-1", item.view)
    share = Extractive1().coverage(item.view)
    return Said((share - ABSTAIN_UNDER) / OVERLAP_SCALE, _answered(output))


def _answered(output: Mapping[str, Any]) -> int:
    return 0 if output["status"] == "abstained" else 2


__all__ = ["Model", "Said", "models_of", "recalibrated"]
