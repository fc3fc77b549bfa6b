"""Passages that somebody else's code or service gave: checked before they are used."""

from collections.abc import Sequence

from pydantic import TypeAdapter, ValidationError

from citeval_assets.playbooks.cases import Source
from citeval_assets.retrieval.base import RetrieverError

_SOURCES: TypeAdapter[tuple[Source, ...]] = TypeAdapter(tuple[Source, ...])


def read_passages(name: str, method: str, found: object) -> Sequence[Source]:
    """Return what retriever ``name`` gave as passages, each id once.

    Raises:
        RetrieverError: it gave something else, or one id for two texts.
    """
    try:
        sources = _SOURCES.validate_python(found, from_attributes=True)
    except ValidationError as error:
        first = error.errors()[0]
        where = f"passage {first['loc']}" if first["loc"] else "something"
        raise RetrieverError(
            f"retriever {name!r}: {method} returned {where}: "
            f"{first['msg']}; expected objects with id and text"
        ) from None
    passages: dict[str, Source] = {}
    for source in sources:
        if passages.setdefault(source.id, source).text != source.text:
            raise RetrieverError(
                f"retriever {name!r}: {method} returned id {source.id!r} with two different texts"
            )
    return tuple(passages.values())
