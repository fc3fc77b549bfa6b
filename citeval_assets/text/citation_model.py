"""What the citation parser hands out: markers, and one citation per occurrence of an id."""

from dataclasses import dataclass
from enum import StrEnum

from citeval_assets.text.spans import Span


class CitationState(StrEnum):
    """What became of one cited id."""

    RESOLVED = "resolved"
    UNRESOLVED = "unresolved"
    """An id, or a form of one, that no source bears."""
    MALFORMED = "malformed"
    """A citation word without a usable id, a null word, a broken range."""


class Numbering(StrEnum):
    """What a bare number means; settled once, from the source ids alone."""

    OWN_IDS = "own_ids"
    """Every source id is a number: a number is an id and nothing else."""
    POSITION = "position"
    """A number that is no source's own id is the 1-based position of a source."""


class PatternTooSlow(Exception):
    """An operator's marker pattern ran into its time limit."""

    def __init__(self, pattern: str, seconds: float) -> None:
        self.pattern = pattern
        self.seconds = seconds
        super().__init__(
            f"pattern too slow: {pattern!r} did not finish within {seconds:g} s; "
            "avoid nested repetition such as (a+)+"
        )


class UnknownStyle(ValueError):
    """A citation style name that does not exist."""


@dataclass(frozen=True, slots=True)
class Marker:
    """One citation mark as it stands in the text.

    ``text`` is its exact slice; ``ids`` are the ids it names, ranges expanded, each once in
    first order; ``label`` is what stands beside the id (a file name, a page, a link title).
    """

    text: str
    start: int
    end: int
    style: str
    ids: tuple[str, ...]
    label: str | None = None

    @property
    def span(self) -> Span:
        """Where the marker stands."""
        return Span(self.start, self.end)


@dataclass(frozen=True, slots=True)
class Citation:
    """One occurrence of one cited id: the unit that is judged.

    ``number`` counts from 0 in text order over all states. ``raw_id`` is what the text says;
    ``source_id`` the id of the source it means, ``None`` unless resolved.
    """

    number: int
    state: CitationState
    raw_id: str
    source_id: str | None
    marker: Marker

    @property
    def resolved(self) -> bool:
        """Whether the id belongs to a source."""
        return self.state is CitationState.RESOLVED


@dataclass(frozen=True, slots=True)
class CitationScan:
    """All citations of one text.

    ``markers`` name at least one id; ``malformed`` hold a part that names none (a marker such
    as ``[1, 5-3]`` stands in both). ``warnings`` tell of marks that look like citations and
    are not counted.
    """

    markers: tuple[Marker, ...]
    citations: tuple[Citation, ...]
    malformed: tuple[Marker, ...]
    numbering: Numbering
    warnings: tuple[str, ...] = ()

    @property
    def unresolved(self) -> tuple[str, ...]:
        """The ids no source bears, each once, in text order."""
        ids = (c.raw_id for c in self.citations if c.state is CitationState.UNRESOLVED)
        return tuple(dict.fromkeys(ids))

    @property
    def marks(self) -> tuple[Marker, ...]:
        """Every mark in text order, malformed ones included."""
        every = {marker.start: marker for marker in (*self.markers, *self.malformed)}
        return tuple(every[start] for start in sorted(every))
