"""Replies of which none may ever become a score: thousands of them, from a seed.

Each starts from a reply that is valid for its case and is spoilt in one way that no reading can
make good: required keys, types and labels are taken from the output schema itself.
"""

import json
import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from citeval_assets.playbooks.attempts import Ask, Attempt, Failure, Reply
from citeval_assets.playbooks.base import AnyPlaybook, Prepared
from citeval_assets.playbooks.registry import get_playbook
from citeval_assets.playbooks.report import Report
from citeval_assets.playbooks.settling import settle
from tests.playbooks import builders, cite_outputs, comparison_outputs, cot_outputs
from tests.playbooks.settled import prepared

Json = Any
Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Subject:
    """One case with a reply that is valid for it."""

    playbook: AnyPlaybook
    prepared: Prepared
    reply: dict[str, Json]
    covers: str | None = None
    """The list every unit must stand in, where the playbook asks for one."""


@dataclass(frozen=True)
class BadReply:
    """One reply that must not be scored, and how it was spoilt."""

    kind: str
    subject: Subject
    reply: Reply


def subjects() -> list[Subject]:
    """Return a case of every playbook."""
    trace = builders.trace("The dam was finished in 1956 [1].", "It cracked in 1960 [2].")
    answer = builders.answer("The dam was finished in 1956 [1]. The spillway cracked in 1960 [2].")
    rows = (builders.evaluation(0), builders.evaluation(1, cites="2", step=1))
    claims = (
        builders.claim(0, "The dam was finished in 1956", "1", "supported"),
        builders.claim(1, "The spillway cracked in 1960", "2", "supported"),
    )
    cot, cot_case = prepared(cot_outputs.NAME, cot_outputs.CASE)
    cite, cite_case = prepared(cite_outputs.NAME, cite_outputs.CASE)
    compare, compared = prepared(comparison_outputs.NAME, comparison_outputs.CASE)
    steps = cot_outputs.output(*cot_outputs.GOOD, cot_outputs.END)
    answered = cite_outputs.answered(cite_outputs.BOTH, cite_outputs.SEATS, cite_outputs.OPENS)
    return [
        Subject(
            get_playbook("citation_accuracy"),
            trace,
            builders.evaluations(*rows),
            "citation_evaluations",
        ),
        Subject(
            get_playbook("citation_faithfulness"),
            answer,
            builders.claims(*claims),
            "claims_analysis",
        ),
        Subject(cot, cot_case, steps, "steps"),
        Subject(cite, cite_case, answered),
        Subject(compare, compared, comparison_outputs.says()),
    ]


def report_on(subject: Subject, reply: Reply) -> Report:
    """Settle a case whose model gives this reply as often as it is asked."""
    attempts: list[Attempt] = []
    while True:
        step = settle(subject.playbook, subject.prepared, attempts)
        if isinstance(step, Report):
            return step
        assert isinstance(step, Ask)
        # Asked for more room, a model whose reply is cut again has none left.
        attempts.append(reply)
        assert not isinstance(attempts[-1], Failure)


# --- what the schema says of a reply -------------------------------------------------------


@dataclass(frozen=True)
class Place:
    """One field of a reply with its schema; ``required``: its object must have it."""

    path: Path
    schema: dict[str, Json]
    required: bool

    def of(self, reply: Json) -> Json:
        for step in self.path:
            reply = reply[step]
        return reply

    def holder(self, reply: Json) -> Json:
        return Place(self.path[:-1], {}, True).of(reply)


def places(subject: Subject) -> list[Place]:
    """Return every field that stands in the reply of a subject."""
    root = subject.playbook.reply_type.model_json_schema()
    return list(_walk(root, root, subject.reply, ()))


def _walk(root: Json, schema: Json, value: Json, path: Path) -> Iterator[Place]:
    schema = _resolved(root, schema)
    if isinstance(value, dict):
        for name, inner in value.items():
            found = schema.get("properties", {}).get(name)
            if found is None:
                continue
            resolved = _resolved(root, found)
            yield Place((*path, name), resolved, name in schema.get("required", ()))
            yield from _walk(root, resolved, inner, (*path, name))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _walk(root, schema.get("items", {}), inner, (*path, number))


def _resolved(root: Json, schema: Json) -> Json:
    while "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rsplit("/", 1)[1]]
    return schema


# --- ways to spoil a reply -----------------------------------------------------------------

Spoil = Callable[[Subject, random.Random], Reply | None]


def _said(value: Json, finish: str = "stop") -> Reply:
    return Reply(value if isinstance(value, str) else json.dumps(value), finish)


def _place(subject: Subject, chance: random.Random, fits: Callable[[Place], bool]) -> Place | None:
    found = [place for place in places(subject) if fits(place)]
    return chance.choice(found) if found else None


def _changed(subject: Subject, place: Place, value: Json) -> Reply:
    reply = deepcopy(subject.reply)
    place.holder(reply)[place.path[-1]] = value
    return _said(reply)


def cut_at_the_limit(subject: Subject, chance: random.Random) -> Reply:
    text = json.dumps(subject.reply)
    return Reply(text[: chance.randrange(1, len(text))], "length")


def cut_silently(subject: Subject, chance: random.Random) -> Reply:
    text = json.dumps(subject.reply)
    return Reply(text[: chance.randrange(1, len(text) - 1)], "stop")


def prose(subject: Subject, chance: random.Random) -> Reply:
    said = ("Score: 0.9", "All claims are supported.", "8", "1. Yes.\n2. No.", "PASS", "{}{}", "[]",
            "I'm sorry, but I can't help with that.", "As an AI I cannot judge this.")  # fmt: skip
    return Reply(chance.choice(said), "stop")


def nothing(subject: Subject, chance: random.Random) -> Reply:
    return Reply(chance.choice((None, "", " \n", "null", "```json\n```")), "stop")


def filtered(subject: Subject, chance: random.Random) -> Reply:
    return Reply(chance.choice((None, "", '{"a":')), "content_filter")


def second_object(subject: Subject, chance: random.Random) -> Reply:
    other = deepcopy(subject.reply)
    place = _place(subject, chance, lambda p: p.required and "enum" in p.schema)
    assert place is not None
    others = [label for label in place.schema["enum"] if label != place.of(subject.reply)]
    place.holder(other)[place.path[-1]] = chance.choice(others)
    both = [json.dumps(subject.reply), json.dumps(other)]
    chance.shuffle(both)
    return Reply(chance.choice(("\n", "\nFinal answer: ", ",")).join(both), "stop")


def doubled_key(subject: Subject, chance: random.Random) -> Reply:
    place = _place(subject, chance, lambda p: isinstance(p.path[-1], str))
    assert place is not None
    name = json.dumps(place.path[-1])
    marked = deepcopy(subject.reply)
    place.holder(marked)[place.path[-1]] = "@here@"
    value = json.dumps(place.of(subject.reply))
    return Reply(json.dumps(marked).replace('"@here@"', f"{value}, {name}: {value}"), "stop")


def missing_key(subject: Subject, chance: random.Random) -> Reply:
    place = _place(subject, chance, lambda p: p.required)
    assert place is not None
    reply = deepcopy(subject.reply)
    del place.holder(reply)[place.path[-1]]
    return _said(reply)


def misspelt_key(subject: Subject, chance: random.Random) -> Reply:
    place = _place(subject, chance, lambda p: p.required)
    assert place is not None
    reply = deepcopy(subject.reply)
    holder, name = place.holder(reply), str(place.path[-1])
    holder[chance.choice((name.upper(), f"{name}_", f" {name}", name[:-1]))] = holder.pop(name)
    return _said(reply)


def wrong_type(subject: Subject, chance: random.Random) -> Reply:
    place = _place(subject, chance, lambda p: p.required and "anyOf" not in p.schema)
    assert place is not None
    kinds: dict[str, tuple[Json, ...]] = {
        "string": (None, 1, True, [], {}, ["supported"]),
        "integer": (None, "0", True, [0], {}, 0.5),
        "number": (None, "0.9", True, [1], {}),
        "boolean": (None, "true", 1, 0, [True]),
        "array": (None, "none", 0, {}, True),
        "object": (None, "PASS", 1, []),
    }
    return _changed(subject, place, chance.choice(kinds[place.schema["type"]]))


def wrong_label(subject: Subject, chance: random.Random) -> Reply:
    place = _place(subject, chance, lambda p: p.required and "enum" in p.schema)
    assert place is not None
    label = str(place.of(subject.reply))
    wrong = (f"{label}!", f"not {label}", "irrelevant", label[:-1], f"{label}, mostly", "", "1",
             f"un{label}ed", f"{label} | {label}")  # fmt: skip
    return _changed(subject, place, chance.choice(wrong))


def wrong_number(subject: Subject, chance: random.Random) -> Reply | None:
    place = _place(subject, chance, lambda p: p.required and p.schema.get("maximum") == 1)
    if place is None:
        return None
    return _changed(subject, place, chance.choice((14, -1, 1.0001, -0.0001, 1e308)))


def no_number(subject: Subject, chance: random.Random) -> Reply | None:
    place = _place(subject, chance, lambda p: p.schema.get("type") in ("number", "integer"))
    if place is None:
        return None
    marked = deepcopy(subject.reply)
    place.holder(marked)[place.path[-1]] = "@here@"
    huge = "1" + "0" * 20_000
    said = chance.choice(("NaN", "Infinity", "-Infinity", "0x1", "1e", "1.", ".5", huge))
    return Reply(json.dumps(marked).replace('"@here@"', said), "stop")


def unit_left_out(subject: Subject, chance: random.Random) -> Reply | None:
    if subject.covers is None:
        return None
    reply = deepcopy(subject.reply)
    reply[subject.covers].pop(chance.randrange(len(reply[subject.covers])))
    return _said(reply)


def unit_invented(subject: Subject, chance: random.Random) -> Reply | None:
    if subject.covers is None:
        return None
    reply = deepcopy(subject.reply)
    chance.choice(reply[subject.covers])["unit"] = chance.choice((-1, 99, 10**9))
    return _said(reply)


def stray_quote(subject: Subject, chance: random.Random) -> Reply:
    text = json.dumps(subject.reply)
    inside = [
        place for place in places(subject) if isinstance(place.of(subject.reply), str)
        and len(place.of(subject.reply)) > 3
    ]  # fmt: skip
    value = json.dumps(chance.choice(inside).of(subject.reply))
    at = chance.randrange(2, len(value) - 1)
    return Reply(text.replace(value, f'{value[:at]}"{value[at:]}', 1), "stop")


def other_notation(subject: Subject, chance: random.Random) -> Reply:
    plain = subject.reply
    said = (
        repr(plain),
        "\n".join(f"{key}: {value}" for key, value in plain.items()),
        f"<reply>{''.join(f'<{k}>{v}</{k}>' for k, v in plain.items())}</reply>",
        json.dumps(plain).replace('"', "'"),
        json.dumps(plain).replace('"', "“"),
        json.dumps(json.dumps(plain)),
        json.dumps(plain).replace(":", "="),
        json.dumps(plain).replace("{", "(").replace("}", ")"),
    )
    return Reply(chance.choice(said), "stop")


def wrapped(subject: Subject, chance: random.Random) -> Reply:
    said = ({"result": subject.reply}, [subject.reply], {"output": [subject.reply]},
            {"properties": subject.reply, "type": "object"})  # fmt: skip
    return _said(chance.choice(said))


def schema_echoed(subject: Subject, chance: random.Random) -> Reply:
    return _said(subject.playbook.reply_type.model_json_schema())


def too_deep(subject: Subject, chance: random.Random) -> Reply:
    depth = chance.choice((100, 5_000, 20_000))
    name = next(iter(subject.reply))
    return Reply(f'{{"{name}": {"[" * depth}{"]" * depth}}}', "stop")


def junk(subject: Subject, chance: random.Random) -> Reply:
    alphabet = '{}[]":,\\ntrue01.eE-+/*\u200b\ufeff\ud800\x00 ab“”'
    return Reply("".join(chance.choices(alphabet, k=chance.randrange(1, 400))), "stop")


def mark_lost(subject: Subject, chance: random.Random) -> Reply:
    """Leave out one bracket, comma or colon that stands outside all strings."""
    text, inside, marks = json.dumps(subject.reply), False, []
    for at, char in enumerate(text):
        if char == '"' and text[at - 1] != "\\":
            inside = not inside
        elif not inside and char in "{}[]:,":
            marks.append(at)
    at = chance.choice(marks)
    return Reply(text[:at] + text[at + 1 :], "stop")


SPOILS: tuple[Spoil, ...] = (
    cut_at_the_limit,
    cut_silently,
    prose,
    nothing,
    filtered,
    second_object,
    doubled_key,
    missing_key,
    misspelt_key,
    wrong_type,
    wrong_label,
    wrong_number,
    no_number,
    unit_left_out,
    unit_invented,
    stray_quote,
    other_notation,
    wrapped,
    schema_echoed,
    too_deep,
    junk,
    mark_lost,
)


def bad_replies(count: int, seed: int) -> Iterator[BadReply]:
    """Yield so many bad replies, all ways and playbooks in turn."""
    chance, cases = random.Random(seed), subjects()
    made = 0
    while made < count:
        spoil, subject = chance.choice(SPOILS), chance.choice(cases)
        reply = spoil(subject, chance)
        if reply is not None:
            made += 1
            yield BadReply(spoil.__name__, subject, reply)
