"""The form a question goes out in: what a model takes of what we would like to send.

The question stays the same (and so does its identity in the ledger); the form is recorded with
each request.
"""

from dataclasses import dataclass, replace
from enum import StrEnum


class ResponseFormat(StrEnum):
    """How a model is told the shape of its reply, the strictest first."""

    JSON_SCHEMA = "json_schema"
    JSON_OBJECT_WITH_SCHEMA = "json_object_with_schema"
    """An older way to hand a schema over: llama.cpp's server and some gateways know only this."""

    JSON_OBJECT = "json_object"
    PLAIN = "plain"

    @property
    def weaker(self) -> "ResponseFormat | None":
        """The next format to try where a model refuses this one."""
        order = list(ResponseFormat)
        position = order.index(self) + 1
        return order[position] if position < len(order) else None


@dataclass(frozen=True, slots=True)
class CallForm:
    """What is sent: the response format, and which parameters are left out or renamed."""

    response_format: ResponseFormat = ResponseFormat.JSON_SCHEMA
    without_temperature: bool = False
    completion_tokens_name: bool = False
    """The limit goes out as ``max_completion_tokens`` instead of ``max_tokens``."""

    def refused(self, parameter: str) -> "CallForm | None":
        """Return the form to try after this parameter was refused, or ``None``: there is none."""
        if parameter == "temperature" and not self.without_temperature:
            return replace(self, without_temperature=True)
        if parameter == "max_tokens" and not self.completion_tokens_name:
            return replace(self, completion_tokens_name=True)
        if parameter == "response_format" and self.response_format.weaker is not None:
            return replace(self, response_format=self.response_format.weaker)
        return None

    def notes(self) -> tuple[str, ...]:
        """Tell what a reader of the record must know about the conditions of the call."""
        notes = [f"response format: {self.response_format}"]
        if self.without_temperature:
            notes.append("temperature not sent: the model refuses it (a different condition)")
        return tuple(notes)
