"""Few-shot files: Markdown with one section per example, each with its output as JSON.

An example is a heading ``### Example ...`` followed by the case and by one ```` ```json ````
block: the reply a model should give.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pydantic import BaseModel, ValidationError

from citeval_assets.playbooks.base import AnyPlaybook

_HEADING = re.compile(r"^### Example\b.*$", re.MULTILINE)
_JSON_BLOCK = re.compile(r"^```json[ \t]*\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Example:
    """One worked example: its heading and the reply it shows."""

    title: str
    reply_json: str

    def reply(self, reply_type: type[BaseModel]) -> BaseModel:
        """Return the reply, typed.

        Raises:
            ValidationError: where it does not fit the schema of the playbook.
        """
        return reply_type.model_validate_json(self.reply_json, strict=True)


@lru_cache(maxsize=64)
def shown_examples(text: str) -> str:
    """Return a few-shot file as a model reads it: replies without the Markdown fences.

    A model is asked for bare JSON; examples in fences would teach it the contrary.
    """
    return _JSON_BLOCK.sub(lambda block: f"Output:\n\n{block[1].rstrip()}", text).strip()


class ExampleFault(ValueError):
    """What is wrong with a few-shot file."""


def read_examples(text: str) -> tuple[Example, ...]:
    """Return the examples of a few-shot file.

    Raises:
        ExampleFault: for an example without exactly one JSON block, or with broken JSON.
    """
    return tuple(_examples(text))


def check_examples(text: str, playbook: AnyPlaybook) -> None:
    """Raise where a few-shot file has too few examples, or one that fails its own schema.

    Raises:
        ExampleFault: saying which example, and what is wrong.
    """
    examples = read_examples(text)
    if len(examples) < playbook.min_examples:
        raise ExampleFault(
            f"too few examples: {len(examples)} of at least {playbook.min_examples} "
            "(an example begins with the heading '### Example ...')"
        )
    for example in examples:
        try:
            example.reply(playbook.reply_type)
        except ValidationError as error:
            first: Any = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(str(step) for step in first["loc"])
            raise ExampleFault(
                f"{example.title!r}: its JSON does not fit the output schema: {place}: "
                f"{first['msg']}"
            ) from None


def _examples(text: str) -> Iterator[Example]:
    headings = list(_HEADING.finditer(text))
    for number, heading in enumerate(headings, start=1):
        end = headings[number].start() if number < len(headings) else len(text)
        title = heading[0].removeprefix("### ").strip()
        blocks = _JSON_BLOCK.findall(text, heading.end(), end)
        if len(blocks) != 1:
            raise ExampleFault(f"{title!r} has {len(blocks)} ```json blocks; it needs exactly one")
        try:
            json.loads(blocks[0])
        except ValueError as error:
            raise ExampleFault(f"{title!r}: its JSON is broken: {error}") from None
        yield Example(title, blocks[0].strip())
