"""The members of a dataset version, held compactly: some 40 bytes each instead of 350.

A hundred thousand members are in memory for as long as their cases are judged. They differ in
little: hash and place; what else is said of them, few values say for all.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import overload

from citeval_assets.ledger.records import DatasetMember

_DIGEST_BYTES = 32


def compact(text: str) -> bytes | str:
    """Return a text of lower-case hex digits as half as many bytes, any other as it is."""
    try:
        raw = bytes.fromhex(text)
    except ValueError:
        return text
    return raw if raw.hex() == text else text


def spelled(value: bytes | str) -> str:
    """Return the text that ``compact`` was given."""
    return value if isinstance(value, str) else value.hex()


class Members(Sequence[DatasetMember]):
    """A sequence of members that are made as they are asked for. Equal to any with the same."""

    def __init__(self, members: Iterable[DatasetMember] = ()) -> None:
        self._digests = bytearray()
        self._positions = array("Q")
        self._kinds = array("I")
        self._shared: list[tuple[str, str, str]] = []
        self._unusual: dict[int, str] = {}
        """Hashes that are none of SHA-256, by index."""

        numbers: dict[tuple[str, str, str], int] = {}
        for member in members:
            kind = (member.dataset, member.split, member.rules_json)
            number = numbers.get(kind)
            if number is None:
                number = numbers[kind] = len(self._shared)
                self._shared.append(kind)
            digest = compact(member.case_hash)
            if isinstance(digest, str) or len(digest) != _DIGEST_BYTES:
                self._unusual[len(self._positions)] = member.case_hash
                digest = bytes(_DIGEST_BYTES)
            self._digests += digest
            self._positions.append(member.position)
            self._kinds.append(number)

    @property
    def all_different(self) -> bool:
        """Whether no case stands twice. By 64 bits of each hash: a set of all would weigh more."""
        usual = (n * _DIGEST_BYTES for n in range(len(self)) if n not in self._unusual)
        seen = {hash(bytes(self._digests[start : start + _DIGEST_BYTES])) for start in usual}
        return len(seen) + len(set(self._unusual.values())) == len(self)

    def __len__(self) -> int:
        return len(self._positions)

    @overload
    def __getitem__(self, index: int) -> DatasetMember: ...
    @overload
    def __getitem__(self, index: slice) -> "Members": ...
    def __getitem__(self, index: int | slice) -> "DatasetMember | Members":
        places = range(len(self))[index]
        if isinstance(places, range):
            return Members(map(self._at, places))
        return self._at(places)

    def __iter__(self) -> Iterator[DatasetMember]:
        return map(self._at, range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(
            mine == its for mine, its in zip(self, other, strict=True)
        )

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Members({list(self)!r})"

    def _at(self, place: int) -> DatasetMember:
        dataset, split, rules = self._shared[self._kinds[place]]
        start = place * _DIGEST_BYTES
        case_hash = self._unusual.get(place)
        if case_hash is None:
            case_hash = self._digests[start : start + _DIGEST_BYTES].hex()
        return DatasetMember(dataset, split, case_hash, rules, self._positions[place])
