"""Ten thousand generated bad replies: is one scored in silence, does one crash anything?

    python benchmarks/bad_replies.py [--replies 10000] [--seed 1] [--json]

The golden cases of all five playbooks are answered by an embedded model, which gives each a
flawless reply. Each reply is spoilt in one of some thirty ways drawn at random and handed to the
playbook as every attempt for its case. Three families:

- broken: cut, doubled, of a wrong type, incomplete, contradicting itself, no JSON at all, a
  refusal, ended by a filter or the token limit. A score from such a reply is a *silent score*.
- noisy: fences, words around it, blank space, other key order, a trailing comma, a raw line break.
  It may be scored, as the flawless reply is; another score, or a repair that is not recorded, is
  silent.
- fuzzed: some characters deleted, doubled, swapped or replaced at random. Where the result is no
  strict JSON any more, a score without a recorded repair is silent.

Exits 1 where there is a silent score or a crash.
"""

import argparse
import copy
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(REPOSITORY)]

from citeval_assets.embedded.registry import embedded_model
from citeval_assets.playbooks.attempts import Ask, Reply
from citeval_assets.playbooks.base import AnyPlaybook, Prepared
from citeval_assets.playbooks.registry import get_playbook
from citeval_assets.playbooks.report import Report
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.playbooks.settling import settle

ANSWERERS = {
    "citation_accuracy": "embedded/overlap-0",
    "citation_faithfulness": "embedded/overlap-0",
    "cot_faithfulness": "embedded/overlap-0",
    "cite_or_abstain": "embedded/extractive-0",
    "answer_comparison": "embedded/overlap-0",
}
ROWS = ("citation_evaluations", "claims_analysis", "steps")
"""Lists that must hold something for each unit that was asked about."""

REFUSALS = (
    "I'm sorry, but I can't help with that.",
    "I cannot evaluate this content.",
    "Ich kann dabei leider nicht helfen.",
    "Je ne peux pas vous aider avec cela.",
    "No puedo ayudar con eso.",
    "申し訳ありませんが、お手伝いできません。",
)
PROSE = (
    "The answer is well supported. Score: 1.0",
    "verdict: supported",
    "<html><body>502 Bad Gateway</body></html>",
    "data: [DONE]",
    "true",
    "1.0",
    "[]",
    "{}",
    "null",
    "```json\n```",
)


@dataclass(frozen=True)
class Subject:
    """One case with the flawless reply to it, and the report that makes."""

    playbook: AnyPlaybook
    prepared: Prepared
    reply: dict[str, Any]
    report: Report


@dataclass(frozen=True)
class Spoilt:
    """One bad reply: its text, how it ended, and how it was made."""

    text: str | None
    finish: str | None
    way: str


Way = Callable[[dict[str, Any], random.Random], Spoilt | None]


def subjects() -> list[Subject]:
    """Return the golden cases that a model is asked about, each with a valid reply."""
    found: list[Subject] = []
    for name, model_name in ANSWERERS.items():
        playbook, model = get_playbook(name), embedded_model(model_name)
        file = REPOSITORY / "data" / "golden" / f"{name}.jsonl"
        for line in file.read_text(encoding="utf-8").splitlines():
            case = playbook.case_type.model_validate_json(line)
            prepared = playbook.prepare(case, DomainRules())
            if isinstance(settle(playbook, prepared, []), Report):
                continue
            reply = json.loads(model.reply(prepared.view))
            report = settle(playbook, prepared, [Reply(json.dumps(reply), "stop")])
            if isinstance(report, Report) and report.status.scored:
                found.append(Subject(playbook, prepared, reply, report))
    return found


def settled(subject: Subject, spoilt: Spoilt) -> Report:
    """Return the report where every attempt brings this reply."""
    attempts = [Reply(spoilt.text, spoilt.finish)]
    step: Ask | Report = settle(subject.playbook, subject.prepared, attempts)
    while isinstance(step, Ask):
        attempts.append(attempts[0])
        step = settle(subject.playbook, subject.prepared, attempts)
    return step


# --- ways of spoiling that leave nothing to be scored -----------------------------------------


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        for child in value.values():
            yield from _objects(child)
    elif isinstance(value, list):
        for child in value:
            yield from _objects(child)


def _ended(way: str, text: str | None, finish: str | None = "stop") -> Spoilt:
    return Spoilt(text, finish, way)


def cut(reply: dict[str, Any], chance: random.Random) -> Spoilt:
    text = json.dumps(reply)
    finish = chance.choice(("stop", "length", None))
    return _ended("cut short", text[: chance.randint(1, len(text) - 1)], finish)


def whole_but_at_the_limit(reply: dict[str, Any], chance: random.Random) -> Spoilt:
    finish = chance.choice(("length", "max_tokens", "content_filter", "SAFETY", "refusal"))
    return _ended("whole, but ended by limit or filter", json.dumps(reply), finish)


def no_text(reply: dict[str, Any], chance: random.Random) -> Spoilt:
    text = chance.choice((None, "", " \n\t", "\ufeff", "\u200b"))
    return _ended("no text", text, chance.choice(("stop", None, "length")))


def refusal(reply: dict[str, Any], chance: random.Random) -> Spoilt:
    return _ended("refusal", chance.choice(REFUSALS))


def prose(reply: dict[str, Any], chance: random.Random) -> Spoilt:
    return _ended("prose or nothing in it", chance.choice(PROSE))


def required_field_gone(reply: dict[str, Any], chance: random.Random) -> Spoilt | None:
    required = ("unit", "verdict", "label", "claim_support_strength", "context_fidelity", "score")
    required += ("final_verdict", "overall_score", "status", "steps", "claims_analysis")
    required += ("citation_evaluations", "misattribution_flags", "chunk_id", "excerpt")
    # The unit of a flag may be left out: its citation id names it as well.
    places = [
        (o, k)
        for o in _objects(reply)
        for k in o
        if k in required and not (k == "unit" and "flag_type" in o)
    ]
    if not places:
        return None
    holder, key = chance.choice(places)
    del holder[key]
    return _ended("required field missing", json.dumps(reply))


def label_unknown(reply: dict[str, Any], chance: random.Random) -> Spoilt | None:
    labels = ("verdict", "label", "claim_support_strength", "context_fidelity", "status")
    labels += ("final_verdict", "overall_score", "confidence")
    places = [(o, k) for o in _objects(reply) for k in o if k in labels]
    if not places:
        return None
    holder, key = chance.choice(places)
    holder[key] = chance.choice(
        ("mostly_fine", "", "supported|contradicted", 7, None, ["supported"])
    )
    return _ended("label that is none", json.dumps(reply))


def wrong_type(reply: dict[str, Any], chance: random.Random) -> Spoilt | None:
    places = [
        (o, k)
        for o in _objects(reply)
        for k, v in o.items()
        if k in ("unit", *ROWS, "citations", "flagged", "citation_exists", "misattribution_flags")
    ]
    if not places:
        return None
    holder, key = chance.choice(places)
    holder[key] = chance.choice(({"a": 1}, "many", 3.5, [[]], "zero"))
    return _ended("value of another type", json.dumps(reply))


def score_out_of_range(reply: dict[str, Any], chance: random.Random) -> Spoilt | None:
    keys = [k for k in reply if k.endswith("_score") and isinstance(reply[k], int | float)]
    if not keys:
        return None
    reply[keys[0]] = chance.choice((11, -0.2, 1.5, 1e300, 100))
    return _ended("score out of range", json.dumps(reply))


def not_a_number(reply: dict[str, Any], chance: random.Random) -> Spoilt | None:
    places = [(o, k) for o in _objects(reply) for k, v in o.items() if type(v) in (int, float)]
    if not places:
        return None
    holder, key = chance.choice(places)
    holder[key] = "@"
    text = json.dumps(reply).replace('"@"', chance.choice(("NaN", "Infinity", "1e999", "9" * 5000)))
    return _ended("not a finite number", text)


def doubled_key(reply: dict[str, Any], chance: random.Random) -> Spoilt:
    key = chance.choice(list(reply))
    other = json.dumps(chance.choice((reply[key], "other", 0, None)))
    return _ended("key twice", f"{json.dumps(reply)[:-1]}, {json.dumps(key)}: {other}}}")


def second_object(reply: dict[str, Any], chance: random.Random) -> Spoilt:
    other = _other(reply, chance)
    pair = [json.dumps(reply), json.dumps(other)]
    chance.shuffle(pair)
    between = chance.choice(("\n", " or rather ", "", "\n```\n\n```json\n", "\nFinal answer: "))
    return _ended("two objects", between.join(pair))


def _other(reply: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    other = copy.deepcopy(reply)
    key = chance.choice(list(other))
    other[key] = chance.choice(("planted", 0.5, [], "FAITHFUL"))
    return other if other != reply else {**reply, "planted": True}


def inside_a_list(reply: dict[str, Any], chance: random.Random) -> Spoilt:
    text = json.dumps(reply)
    return _ended("object inside a list", chance.choice((f"[{text}]", f"[{text}, {text}]")))


def as_a_string(reply: dict[str, Any], chance: random.Random) -> Spoilt:
    return _ended("object spelt as a string", json.dumps(json.dumps(reply)))


def wrapped(reply: dict[str, Any], chance: random.Random) -> Spoilt:
    name = chance.choice(("result", "output", "properties", "response"))
    return _ended("object inside another", json.dumps({name: reply}))


def schema_echoed(reply: dict[str, Any], chance: random.Random) -> Spoilt:
    schema = {"type": "object", "properties": {key: {"type": "string"} for key in reply}}
    return _ended("schema instead of an answer", json.dumps(schema))


def python_spelling(reply: dict[str, Any], chance: random.Random) -> Spoilt:
    return _ended("spelt as Python", repr({**reply, "it's": True}))


def comments(reply: dict[str, Any], chance: random.Random) -> Spoilt:
    return _ended("comments", json.dumps(reply).replace("{", "{ /* see above */ ", 1))


def unescaped_quote(reply: dict[str, Any], chance: random.Random) -> Spoilt | None:
    places = [(o, k) for o in _objects(reply) for k, v in o.items() if isinstance(v, str)]
    if not places:
        return None
    holder, key = chance.choice(places)
    holder[key] = "@ said so"
    return _ended("quotation mark not escaped", json.dumps(reply).replace('"@', '"he "really"'))


def deep(reply: dict[str, Any], chance: random.Random) -> Spoilt:
    depth = chance.choice((70, 1000, 20_000))
    nested = "[" * depth + "]" * depth
    return _ended("nested too deep", f'{json.dumps(reply)[:-1]}, "extra": {nested}}}')


def huge(reply: dict[str, Any], chance: random.Random) -> Spoilt:
    reply["padding"] = "x" * 1_000_001
    return _ended("larger than a megabyte", json.dumps(reply))


def unit_left_out(reply: dict[str, Any], chance: random.Random) -> Spoilt | None:
    name = next((name for name in ROWS if reply.get(name)), None)
    if name is None:
        return None
    gone = chance.choice([row["unit"] for row in reply[name]])
    reply[name] = [row for row in reply[name] if row["unit"] != gone]
    return _ended("a unit left out", json.dumps(reply))


def unit_invented(reply: dict[str, Any], chance: random.Random) -> Spoilt | None:
    name = next((name for name in ROWS if reply.get(name)), None)
    if name is None:
        return None
    row = dict(chance.choice(reply[name]), unit=chance.choice((999, -1)))
    reply[name] = [*reply[name], row]
    return _ended("a unit nobody asked about", json.dumps(reply))


BROKEN: tuple[Way, ...] = (
    cut, whole_but_at_the_limit, no_text, refusal, prose, required_field_gone, label_unknown,
    wrong_type, score_out_of_range, not_a_number, doubled_key, second_object, inside_a_list,
    as_a_string, wrapped, schema_echoed, python_spelling, comments, unescaped_quote, deep, huge,
    unit_left_out, unit_invented,
)  # fmt: skip


# --- ways that leave the meaning alone ---------------------------------------------------------


def fenced(reply: dict[str, Any], chance: random.Random) -> Spoilt:
    return _ended("fenced", f"```{chance.choice(('json', '', 'JSON'))}\n{json.dumps(reply)}\n```")


def chatty(reply: dict[str, Any], chance: random.Random) -> Spoilt:
    return _ended(
        "words around it", f"Here is my judgement:\n{json.dumps(reply)}\nHope that helps!"
    )


def spaced(reply: dict[str, Any], chance: random.Random) -> Spoilt:
    return _ended("blank space", f"\ufeff\n {json.dumps(reply, indent=chance.choice((1, 4)))} \n")


def reordered(reply: dict[str, Any], chance: random.Random) -> Spoilt:
    keys = list(reply)
    chance.shuffle(keys)
    return _ended("other key order", json.dumps({key: reply[key] for key in keys}))


def more_keys(reply: dict[str, Any], chance: random.Random) -> Spoilt:
    return _ended("more keys", json.dumps({**reply, "confidence_note": "high", "x": [1, 2]}))


def same_twice(reply: dict[str, Any], chance: random.Random) -> Spoilt:
    return _ended("the same object twice", f"{json.dumps(reply)}\n{json.dumps(reply)}")


def trailing_comma(reply: dict[str, Any], chance: random.Random) -> Spoilt:
    return _ended("trailing comma", json.dumps(reply)[:-1] + ",}")


def raw_line_break(reply: dict[str, Any], chance: random.Random) -> Spoilt:
    return _ended("raw line break", json.dumps({**reply, "remark": "a@b"}).replace("@", "\n"))


def odd_characters(reply: dict[str, Any], chance: random.Random) -> Spoilt:
    odd = chance.choice(("\u202e", "\u200d", "\\ud800", "\\u0000", "\U0001f98a", "e\u0301"))
    return _ended("odd characters", json.dumps({**reply, "remark": "@"}).replace("@", odd))


NOISY: tuple[Way, ...] = (
    fenced, chatty, spaced, reordered, more_keys, same_twice, trailing_comma, raw_line_break,
    odd_characters,
)  # fmt: skip
REPAIRED = {"trailing comma", "raw line break"}


# --- chance alone ------------------------------------------------------------------------------


def fuzzed(reply: dict[str, Any], chance: random.Random) -> Spoilt:
    letters = list(json.dumps(reply))
    for _ in range(chance.choice((1, 1, 1, 2, 5, 20))):
        place = chance.randrange(len(letters))
        match chance.randrange(4):
            case 0:
                letters[place] = ""
            case 1:
                letters[place] *= 2
            case 2:
                letters[place] = chance.choice('{}[]",:\\ \n0-e\x00')
            case _:
                other = chance.randrange(len(letters))
                letters[place], letters[other] = letters[other], letters[place]
    return _ended("fuzzed", "".join(letters))


def strict(text: str) -> bool:
    """Whether a text is strict JSON with no key twice."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len({key for key, _ in pairs}) < len(pairs):
            raise ValueError("key twice")
        return dict(pairs)

    def refused(name: str) -> None:
        raise ValueError(name)

    try:
        json.loads(text, object_pairs_hook=once, parse_constant=refused)
    except (ValueError, RecursionError):
        return False
    return True


def silent(subject: Subject, spoilt: Spoilt, family: str, report: Report) -> bool:
    """Whether a score was given that should not be, or not without a word."""
    if not report.status.scored:
        return False
    if family == "broken":
        return True
    recorded = any(re.search(r"comma|line break|replaced|removed", note) for note in report.notes)
    if family == "fuzzed":
        return not recorded and not strict(spoilt.text or "")
    return report.score != subject.report.score or (spoilt.way in REPAIRED and not recorded)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replies", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="on one line")
    chosen = parser.parse_args()
    chance = random.Random(chosen.seed)
    known = subjects()
    by_playbook = {name: [s for s in known if s.playbook.name == name] for name in ANSWERERS}
    families: dict[str, tuple[Way, ...]] = {"broken": BROKEN, "noisy": NOISY, "fuzzed": (fuzzed,)}
    counts: Counter[str] = Counter()
    ways: Counter[str] = Counter()
    silent_scores: list[str] = []
    crashes: list[str] = []
    while counts["replies"] < chosen.replies:
        family = chance.choices(tuple(families), (6, 2, 2))[0]
        subject = chance.choice(by_playbook[chance.choice(tuple(by_playbook))])
        spoilt = chance.choice(families[family])(copy.deepcopy(subject.reply), chance)
        if spoilt is None:
            continue
        counts["replies"] += 1
        counts[family] += 1
        ways[spoilt.way] += 1
        shown = f"{subject.playbook.name}: {spoilt.way}: {(spoilt.text or '')[:300]!r}"
        try:
            report = settled(subject, spoilt)
        except Exception as error:  # noqa: BLE001 - counting them is the point
            crashes.append(f"{type(error).__name__}: {error}: {shown}")
            continue
        counts[f"{family}, scored"] += report.status.scored
        if silent(subject, spoilt, family, report):
            silent_scores.append(shown)
    result = {
        **counts,
        "cases": {name: len(found) for name, found in by_playbook.items()},
        "ways": dict(sorted(ways.items())),
        "silent_scores": len(silent_scores),
        "crashes": len(crashes),
        "first": [*silent_scores[:5], *crashes[:5]],
    }
    print(json.dumps(result, indent=None if chosen.json else 2, ensure_ascii=False))
    return 1 if silent_scores or crashes else 0


if __name__ == "__main__":
    sys.exit(main())
