"""Read one reply of a model: the typed object it holds, or what is wrong with it.

Nothing is guessed. A reply counts only where it holds exactly one JSON object (the same object
twice is one) that fits the schema; no number, label or yes is ever looked for in prose.
"""

import json
import re
from typing import TypeVar

from citeval_assets.playbooks.attempts import Problem, Reply
from citeval_assets.playbooks.base import ModelReply, ReadReply
from citeval_assets.playbooks.json_reading import (
    MAX_DEPTH,
    MAX_NUMBER_CHARS,
    MAX_OBJECTS,
    Fault,
    FoundObject,
    Repairs,
    UnreadableJson,
    find_objects,
)
from citeval_assets.playbooks.refusals import is_refusal
from citeval_assets.playbooks.reply_schema import Notes, field_names, read_as
from citeval_assets.playbooks.vocabulary import Reason

MAX_REPLY_BYTES = 1_000_000
"""A reply larger than this (UTF-8) is refused before it is parsed."""

ReplyT = TypeVar("ReplyT", bound=ModelReply)

_CUT_SHORT = {"length", "max_tokens", "max_output_tokens", "max_completion_tokens", "model_length"}
_FILTERED = {
    "content_filter",
    "content_filtered",
    "safety",
    "recitation",
    "blocklist",
    "prohibited_content",
    "spii",
    "guardrail_intervened",
}
_SEVERAL = (
    "the reply holds several different JSON objects, so it is not clear which one counts; answer "
    "with one JSON object and nothing else"
)
_ENDINGS = {
    Reason.TRUNCATED: "the reply was cut at the token limit",
    Reason.CONTENT_FILTER: "the reply was stopped by a content filter",
    Reason.REFUSAL: "the model refused to answer",
    Reason.EMPTY_RESPONSE: "the reply is empty; answer with one JSON object",
}
_FENCE = re.compile(r"```[ \t]*[A-Za-z0-9_+-]*")
_BLANK = re.compile(r"[\s\u200b-\u200f\u2060\ufeff]*+")


def read_reply(reply: Reply, reply_type: type[ReplyT]) -> ReadReply[ReplyT]:
    """Read ``reply`` as ``reply_type``.

    How the reply ended is looked at before its text: nothing is kept of a reply that was cut
    at the token limit or stopped by a content filter.
    """
    reason = _ended_early(reply)
    if reason is not None:
        return _refused(_ENDINGS[reason], reason)
    text = reply.text or ""
    size = len(text) if len(text) > MAX_REPLY_BYTES else len(text.encode("utf-8", "replace"))
    if size > MAX_REPLY_BYTES:
        return _refused(
            f"reply too large: {size} bytes, the limit is {MAX_REPLY_BYTES}; answer more briefly"
        )
    repairs = Repairs()
    try:
        found = find_objects(text, repairs)
    except UnreadableJson as fault:
        return _refused(_told(fault, text, reply_type))
    if not found:
        return _without_object(text)
    if len(found) > MAX_OBJECTS:
        return _refused(_SEVERAL, Reason.AMBIGUOUS_REPLY)
    return _typed(text, found, repairs, reply_type)


def _ended_early(reply: Reply) -> Reason | None:
    finish = (reply.finish_reason or "").strip().lower().replace("-", "_")
    if finish in _CUT_SHORT:
        return Reason.TRUNCATED
    if finish in _FILTERED:
        return Reason.CONTENT_FILTER
    if finish == "refusal":
        return Reason.REFUSAL
    if not reply.text or _BLANK.fullmatch(reply.text):
        return Reason.EMPTY_RESPONSE
    return None


def _without_object(text: str) -> ReadReply[ReplyT]:
    if is_refusal(text):
        return _refused(_ENDINGS[Reason.REFUSAL], Reason.REFUSAL)
    return _refused("the reply holds no JSON object; answer with one JSON object and nothing else")


def _typed(
    text: str, found: tuple[FoundObject, ...], repairs: Repairs, reply_type: type[ReplyT]
) -> ReadReply[ReplyT]:
    if _differ(found):
        return _refused(_SEVERAL, Reason.AMBIGUOUS_REPLY)
    if any(one.enclosed for one in found):
        return _refused(
            "the JSON object stands inside a list or other brackets; it must stand alone"
        )
    notes = Notes()
    for note in (*_framing(text, found), *repairs.notes()):
        notes.add(note)
    value, problems = read_as(reply_type, found[0].value, notes)
    return ReadReply(value, problems, notes=notes.all())


def _differ(found: tuple[FoundObject, ...]) -> bool:
    if len(found) == 1:
        return False
    # Compared as written out: in Python 1, 1.0 and True are equal, in a reply they are not.
    return len({json.dumps(one.value, sort_keys=True) for one in found}) > 1


def _framing(text: str, found: tuple[FoundObject, ...]) -> list[str]:
    pieces: list[str] = []
    position = 0
    for one in found:
        pieces.append(text[position : one.start])
        position = one.end
    outside = " ".join((*pieces, text[position:]))
    words, fences = _FENCE.subn(" ", outside)
    notes = ["fence removed"] if fences else []
    if not _BLANK.fullmatch(words):
        notes.append("words around the object removed")
    if len(found) > 1:
        notes.append(f"the same object stands {len(found)} times; read once")
    return notes


def _told(fault: UnreadableJson, text: str, reply_type: type[ReplyT]) -> str:
    match fault.fault:
        case Fault.TOO_DEEP:
            return f"too deep: the reply is nested deeper than {MAX_DEPTH} levels"
        case Fault.DUPLICATE_KEY:
            known = fault.key in field_names(reply_type)
            name = f'the field "{fault.key}"' if known else "a field"
            return f"{name} stands twice in one object; give each field once"
        case Fault.NOT_A_NUMBER:
            return "NaN and Infinity are not allowed; give a number, or null where null is allowed"
        case Fault.NUMBER_TOO_LONG:
            return f"a number has more than {MAX_NUMBER_CHARS} characters"
        case Fault.NUMBER_OUT_OF_RANGE:
            return "a number is too large to be represented"
        case Fault.MALFORMED:
            line = text.count("\n", 0, fault.offset) + 1
            return (
                f"the JSON is malformed near line {line}; give strict JSON, with every quotation "
                'mark inside a text written \\" and no comments'
            )


def _refused(text: str, reason: Reason | None = None) -> ReadReply[ReplyT]:
    return ReadReply(None, (Problem("", text),), reason)
