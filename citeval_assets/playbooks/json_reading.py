"""Find and parse the JSON objects of a model's reply, strictly and in linear time.

Two slips that change nothing inside a string value are repaired and noted: a trailing comma,
and a raw line break inside a string. Nothing else is: in particular the borders of a string
are never moved, so a quotation mark that was not escaped makes the reply unreadable.

The parser is iterative: no input makes it recurse.
"""

import json
import re
from dataclasses import dataclass
from enum import Enum, auto
from math import isinf

MAX_DEPTH = 64
"""Levels of nesting a reply may have; the schemas need four."""

MAX_NUMBER_CHARS = 100
"""Characters one number may have: far more than any score, far less than int() refuses."""

MAX_OBJECTS = 100
"""Objects of one reply that are looked at; more are several, whatever they hold."""

REPLACEMENT = "�"

JsonValue = None | bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"]
JsonObject = dict[str, JsonValue]

_TOKEN = re.compile(
    r"""[ \t\r\n]*+(?:
        (?P<string>"(?:[^"\\]++|\\.)*+")
      | (?P<mark>[{}\[\]:,])
      | (?P<number>-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?:[eE][+-]?+[0-9]++)?+)
      | (?P<word>true|false|null)
    )""",
    re.DOTALL | re.VERBOSE,
)
_BRACKET = re.compile(r"[{}\[\]]")
_OBJECT_START = re.compile(r'\{[ \t\r\n]*+(?:\}|"(?:[^"\\]++|\\.)*+"[ \t\r\n]*+:)', re.DOTALL)
_NOT_A_NUMBER = re.compile(r"[ \t\r\n]*+-?(?:NaN|Infinity)")
_CONTROL = re.compile(r"[\x00-\x1f]")
_UNSTORABLE = re.compile("[\ud800-\udfff\x00]")
_NEEDS_CARE = re.compile("\\\\u(?:[dD][89a-fA-F]|0000)|[\ud800-\udfff\x00]")
_WORDS: dict[str, JsonValue] = {"true": True, "false": False, "null": None}


class Fault(Enum):
    """What made a reply unreadable."""

    TOO_DEEP = auto()
    MALFORMED = auto()
    DUPLICATE_KEY = auto()
    NOT_A_NUMBER = auto()
    NUMBER_TOO_LONG = auto()
    NUMBER_OUT_OF_RANGE = auto()


class UnreadableJson(Exception):
    """The reply holds JSON that cannot be read. ``offset`` counts code points of the reply."""

    def __init__(self, fault: Fault, offset: int, key: str = "") -> None:
        super().__init__(fault.name)
        self.fault = fault
        self.offset = offset
        self.key = key


@dataclass(frozen=True, slots=True)
class FoundObject:
    """One object with its place in the reply; ``enclosed`` where other brackets surround it."""

    value: JsonObject
    start: int
    end: int
    enclosed: bool


@dataclass(slots=True)
class Repairs:
    """What was done to the text while it was parsed."""

    trailing_commas: int = 0
    line_breaks: int = 0
    replaced_characters: int = 0

    def notes(self) -> tuple[str, ...]:
        """Return one sentence for each kind of repair."""
        told = (
            (self.trailing_commas, "trailing comma removed"),
            (self.line_breaks, "raw line break in a string escaped"),
            (self.replaced_characters, "character that cannot be stored replaced"),
        )
        return tuple(f"{words} ({count})" for count, words in told if count)


def find_objects(text: str, repairs: Repairs) -> tuple[FoundObject, ...]:
    """Return the JSON objects that stand in ``text`` outside all other objects, in order.

    Reading ends with the first object beyond ``MAX_OBJECTS``.

    A brace that cannot open an object (no key and colon behind it) is prose. One that can is
    read to its end or the whole reply is unreadable: what stands inside broken JSON is never
    taken for an answer.

    Raises:
        UnreadableJson: where an object is malformed or nested too deep.
    """
    found: list[FoundObject] = []
    careful = _needs_care(text)
    position = depth = 0
    while bracket := _BRACKET.search(text, position):
        start = bracket.start()
        if text[start] == "{" and _OBJECT_START.match(text, start):
            quick = None if careful else _quick(text, start)
            value, position = quick or _Parser(text, start, repairs).parse()
            found.append(FoundObject(value, start, position, enclosed=depth > 0))
            if len(found) > MAX_OBJECTS:
                break
            continue
        depth = depth + 1 if text[start] in "{[" else max(0, depth - 1)
        if depth > MAX_DEPTH:
            raise UnreadableJson(Fault.TOO_DEEP, start)
        position = start + 1
    return tuple(found)


def _needs_care(text: str) -> bool:
    """Whether a string may come to hold what cannot be stored: a lone surrogate or a null."""
    if text.isascii() and "\\u" not in text and "\0" not in text:
        return False
    return _NEEDS_CARE.search(text) is not None


class _NotQuick(ValueError):
    """The quick way met something only the careful one may decide about."""


def _quick(text: str, start: int) -> tuple[JsonObject, int] | None:
    """Read a flawless object with the standard library, which is several times faster.

    ``None`` where anything at all is in doubt: the careful parser then reads it from the start
    and gives the verdict, so that both ways accept the same replies.
    """
    try:
        value, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    brackets = text.count("{", start, end) + text.count("[", start, end)
    if brackets > MAX_DEPTH and _too_deep(value):
        return None
    return value, end


def _too_deep(value: JsonValue) -> bool:
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [child for one in level for child in _children(one)]
        if not level:
            return False
    return True


def _children(value: JsonValue) -> list[JsonValue]:
    if isinstance(value, dict):
        return [child for child in value.values() if isinstance(child, dict | list)]
    if isinstance(value, list):
        return [child for child in value if isinstance(child, dict | list)]
    return []


def _once(pairs: list[tuple[str, JsonValue]]) -> JsonObject:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise _NotQuick
    return fields


def _short_int(digits: str) -> int:
    if len(digits) > MAX_NUMBER_CHARS:
        raise _NotQuick
    return int(digits)


def _short_float(digits: str) -> float:
    if len(digits) > MAX_NUMBER_CHARS:
        raise _NotQuick
    number = float(digits)
    if isinf(number):
        raise _NotQuick
    return number


def _no_constant(name: str) -> JsonValue:
    raise _NotQuick(name)


_DECODER = json.JSONDecoder(
    object_pairs_hook=_once,
    parse_int=_short_int,
    parse_float=_short_float,
    parse_constant=_no_constant,
)


class _Expect(Enum):
    KEY_OR_END = auto()
    KEY = auto()
    COLON = auto()
    VALUE_OR_END = auto()
    VALUE = auto()
    COMMA_OR_END = auto()


@dataclass(slots=True)
class _Frame:
    """One open object or list; ``key`` is the key whose value comes next."""

    container: JsonObject | list[JsonValue]
    key: str = ""
    expect: _Expect = _Expect.VALUE_OR_END


class _Parser:
    """Reads one object that starts at ``start``, with a stack of its own."""

    def __init__(self, text: str, start: int, repairs: Repairs) -> None:
        self._text = text
        self._position = start
        self._repairs = repairs
        self._frames: list[_Frame] = []

    def parse(self) -> tuple[JsonObject, int]:
        """Return the object and the offset just behind it."""
        root: JsonObject = {}
        self._take()
        self._open(root)
        while self._frames:
            self._step(self._frames[-1])
        return root, self._position

    def _take(self) -> re.Match[str]:
        token = _TOKEN.match(self._text, self._position)
        if token is None:
            if _NOT_A_NUMBER.match(self._text, self._position):
                raise self._fault(Fault.NOT_A_NUMBER)
            raise self._fault(Fault.MALFORMED)
        self._position = token.end()
        return token

    def _step(self, frame: _Frame) -> None:
        token = self._take()
        mark = token["mark"]
        is_object = isinstance(frame.container, dict)
        match frame.expect:
            case _Expect.COMMA_OR_END:
                if mark == ",":
                    frame.expect = _Expect.KEY if is_object else _Expect.VALUE
                    return
                self._close(frame, mark)
            case _Expect.COLON:
                if mark != ":":
                    raise self._fault(Fault.MALFORMED)
                frame.expect = _Expect.VALUE
            case _Expect.KEY_OR_END | _Expect.KEY:
                self._key_or_end(frame, token, mark)
            case _Expect.VALUE_OR_END | _Expect.VALUE:
                self._value_or_end(frame, token, mark)

    def _key_or_end(self, frame: _Frame, token: re.Match[str], mark: str | None) -> None:
        if token["string"] is None:
            if frame.expect is _Expect.KEY:
                self._repairs.trailing_commas += 1
            self._close(frame, mark)
            return
        frame.key = self._string(token["string"])
        if isinstance(frame.container, dict) and frame.key in frame.container:
            raise self._fault(Fault.DUPLICATE_KEY, frame.key)
        frame.expect = _Expect.COLON

    def _value_or_end(self, frame: _Frame, token: re.Match[str], mark: str | None) -> None:
        if mark == "]" and isinstance(frame.container, list):
            if frame.expect is _Expect.VALUE:
                self._repairs.trailing_commas += 1
            self._close(frame, mark)
            return
        frame.expect = _Expect.COMMA_OR_END
        if mark == "{":
            child: JsonObject = {}
            self._put(frame, child)
            self._open(child)
        elif mark == "[":
            items: list[JsonValue] = []
            self._put(frame, items)
            self._open(items)
        elif mark is not None:
            raise self._fault(Fault.MALFORMED)
        else:
            self._put(frame, self._scalar(token))

    def _open(self, container: JsonObject | list[JsonValue]) -> None:
        if len(self._frames) >= MAX_DEPTH:
            raise self._fault(Fault.TOO_DEEP)
        first = _Expect.KEY_OR_END if isinstance(container, dict) else _Expect.VALUE_OR_END
        self._frames.append(_Frame(container, expect=first))

    def _close(self, frame: _Frame, mark: str | None) -> None:
        if mark != ("}" if isinstance(frame.container, dict) else "]"):
            raise self._fault(Fault.MALFORMED)
        self._frames.pop()

    def _put(self, frame: _Frame, value: JsonValue) -> None:
        if isinstance(frame.container, dict):
            frame.container[frame.key] = value
        else:
            frame.container.append(value)

    def _scalar(self, token: re.Match[str]) -> JsonValue:
        if token["string"] is not None:
            return self._string(token["string"])
        if token["word"] is not None:
            return _WORDS[token["word"]]
        return self._number(token["number"])

    def _number(self, digits: str) -> int | float:
        if len(digits) > MAX_NUMBER_CHARS:
            raise self._fault(Fault.NUMBER_TOO_LONG)
        if digits.lstrip("-").isdigit():
            return int(digits)
        number = float(digits)
        if number in (float("inf"), float("-inf")):
            raise self._fault(Fault.NUMBER_OUT_OF_RANGE)
        return number

    def _string(self, quoted: str) -> str:
        controls = set(_CONTROL.findall(quoted))
        if controls - {"\n", "\r"}:
            raise self._fault(Fault.MALFORMED)
        if controls:
            self._repairs.line_breaks += 1
        if not controls and "\\" not in quoted:
            plain = quoted[1:-1]
        else:
            plain = self._unescaped(quoted)
        clean, replaced = _UNSTORABLE.subn(REPLACEMENT, plain)
        self._repairs.replaced_characters += replaced
        return clean

    def _unescaped(self, quoted: str) -> str:
        try:
            return json.loads(quoted, strict=False)
        except ValueError:
            raise self._fault(Fault.MALFORMED) from None

    def _fault(self, fault: Fault, key: str = "") -> UnreadableJson:
        return UnreadableJson(fault, self._position, key)
